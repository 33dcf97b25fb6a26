/** Names in messages, and suggestions for misspelled names. */
export { hidden, shown } from "./display.ts";
export { suggestion } from "./nearest.ts";
