/** The rows of generated calls that are known to differ from Spark or to be refused, by the reason, as docs/reference/sql.md says it. */
import { readFileSync } from "node:fs";
import { sections, type Verdict } from "./cases.ts";
import { generatedCalls, isError, keyOf, readAnswers, setsOf } from "./generated-cases.ts";

export interface KnownCalls {
  readonly reason: string;
  readonly calls: readonly { readonly key: string; readonly rows: ReadonlySet<number> }[];
}

const answers = readAnswers();
/** The rows of each call for which Spark has a value. */
const valued = new Map(
  generatedCalls.map((call) => {
    const values = answers.get(keyOf(call))?.[3] ?? [];
    const rows = setsOf(call).flatMap((_, at) =>
      isError(values.length === 1 ? values[0] : values[at]) ? [] : [at],
    );
    return [keyOf(call), new Set(rows)] as const;
  }),
);

/** Reads `0-3 7`. `all` stands for the rows for which Spark has a value. */
const rowsIn = (text: string): ReadonlySet<number> =>
  new Set(
    text.split(" ").flatMap((range) => {
      const [from = "", to = from] = range.split("-");
      return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at);
    }),
  );

/** A heading is a reason, and each line below it `call # rows`: a call as in functions.sql, and the numbers of its rows. */
const read = (name: string): readonly KnownCalls[] =>
  sections(readFileSync(new URL(name, import.meta.url), "utf8")).map(([reason, lines]) => ({
    reason,
    calls: lines.split("\n").map((line) => {
      const [key = "", rows = ""] = line.split(" # ");
      const all = valued.get(key);
      if (!all) throw new Error(`${name}: functions.sql has no call "${key}".`);
      return { key, rows: rows === "all" ? all : rowsIn(rows) };
    }),
  }));

export const knownDifferences = read("functions-different.txt");
export const knownRefusals = read("functions-refused.txt");

const byKey = (known: readonly KnownCalls[]): ReadonlyMap<string, ReadonlySet<number>> =>
  new Map(known.flatMap(({ calls }) => calls.map(({ key, rows }) => [key, rows] as const)));
const [different, refused] = [byKey(knownDifferences), byKey(knownRefusals)];

export const isKnownToDiffer = (key: string): boolean => different.has(key);

export function expectedVerdict(key: string, row: number): Verdict {
  if (different.get(key)?.has(row)) return "different";
  return refused.get(key)?.has(row) ? "refused" : "same";
}

export const isRefusedForAll = (key: string): boolean =>
  refused.has(key) && refused.get(key)?.size === valued.get(key)?.size;
