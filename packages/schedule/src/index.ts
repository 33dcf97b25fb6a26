/** Cron expressions, time zones, firings and Quartz. */
export { disagreement } from "./agreement.ts";
export { Firings, type Passed } from "./firings.ts";
export { firstFiring } from "./first-firing.ts";
export { readQuartz } from "./quartz.ts";
export { timezoneProblem } from "./timezone.ts";
export { type ConvertedSchedule, toQuartz } from "./to-quartz.ts";
