export { builtInFunctions } from "../vocabulary/functions.ts";
export { types as typeWords } from "../vocabulary/keywords.ts";
export { hostileName, hostileText } from "./hostile.ts";
