/** Answers of agents, names and roles in messages, suggestions for misspelled names, trimming in linear time, and `Retry-After`. */
export { answerIn, pieceIn } from "./answer.ts";
export { counted, countedSentence, verbFor } from "./counted.ts";
export { hidden, shortened, shown } from "./display.ts";
export { heldRole } from "./held-role.ts";
export { nameProblem } from "./name.ts";
export { editDistance, suggestion } from "./nearest.ts";
export { retryAfterMs } from "./retry-after.ts";
export { weaknessOf } from "./secret-strength.ts";
export { trimEnd } from "./trim.ts";
