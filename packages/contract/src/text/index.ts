/** Names in messages, suggestions for misspelled names, and trimming in linear time. */
export { hidden, shown } from "./display.ts";
export { suggestion } from "./nearest.ts";
export { trimEnd } from "./trim.ts";
