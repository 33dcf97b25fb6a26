import { raise } from "./raised-error.ts";

/** DuckDB repeats and pads character by character, and nothing can interrupt it: a million takes some milliseconds. */
export const maxCount = 1_000_000;
/** Comparisons take time in proportion to the product of both lengths, and cannot be interrupted either. */
const maxCompared = 10_000;

export const guardedCount = "spark_guarded_count";
export const guardedText = "spark_guarded_text";

const tooMany = raise(`'LIMIT_EXCEEDED: ' || number || ' repetitions are more than ${maxCount}.'`, "number");
const tooLong = `error('LIMIT_EXCEEDED: a text of ' || length(value) || ' characters is too long to be compared: ${maxCompared} are allowed.')`;

/** Macros that check an argument, without their prefix. */
export const guardMacros: readonly string[] = [
  `guarded_count(number) AS CASE WHEN number > ${maxCount} THEN ${tooMany} ELSE number END`,
  `guarded_text(value) AS CASE WHEN length(value) > ${maxCompared} THEN ${tooLong} ELSE value END`,
];
