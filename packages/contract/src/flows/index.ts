/** What programs with little room, such as the console, need of flows. */
export { lostDeletes } from "./lost-deletes.ts";
export { flowWritesText } from "./write-strategy.ts";
