/** Cron expressions, time zones, firings and Quartz. */
export { cronProblem } from "./cron/cron-expression.ts";
export { neverFires } from "./cron/never-fires.ts";
export { type ElapsedFirings, Firings } from "./firings.ts";
export { firingsOf } from "./firings-cache.ts";
export { firingProblem, firstFiring } from "./first-firing.ts";
export { type QuartzSchedule, toQuartz } from "./quartz/conversion.ts";
export { quartzMismatch } from "./quartz/equivalence.ts";
export { fromQuartz } from "./quartz/from-quartz.ts";
export { parseQuartz } from "./quartz/timetable.ts";
export { timezoneProblem } from "./timezone.ts";
