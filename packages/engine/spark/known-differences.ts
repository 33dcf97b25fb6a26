/** The generated calls that are known to differ from Spark, by what differs, as docs/platform.md says it. */
import { readFileSync } from "node:fs";
import { sections } from "./cases.ts";

/** In functions-differences.txt a heading is a difference, and each line below it is a call as in functions.sql. */
const read = (): readonly (readonly [difference: string, calls: readonly string[]])[] =>
  sections(readFileSync(new URL("functions-differences.txt", import.meta.url), "utf8")).map(
    ([difference, lines]) => [difference, lines.split("\n")],
  );

export const knownDifferences = read();

/** By the key of a call. */
export const differenceOf: ReadonlyMap<string, string> = new Map(
  knownDifferences.flatMap(([difference, calls]) => calls.map((call) => [call, difference] as const)),
);
