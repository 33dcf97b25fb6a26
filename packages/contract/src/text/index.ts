/** Names in messages, and suggestions for misspelt ones. */
export { hidden, shown } from "./display.ts";
export { suggestion } from "./nearest.ts";
