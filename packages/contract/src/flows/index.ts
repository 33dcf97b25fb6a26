/** The parts of this folder that the console needs: it loads only these, because a browser loads them. */
export { lostDeletes } from "./lost-deletes.ts";
export { flowWritesText } from "./write-strategy.ts";
