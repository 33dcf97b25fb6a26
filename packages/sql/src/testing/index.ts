export { hostileName, hostileText } from "./hostile.ts";
