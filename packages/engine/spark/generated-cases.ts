/**
 * The cases that are generated from functions.sql: each function with edge values of each type, and Spark's results.
 */
import { readFileSync } from "node:fs";
import { argumentValues } from "./argument-values.ts";
import { sections } from "./cases.ts";

/** A function with arguments of certain types. */
export interface GeneratedCall {
  readonly topic: string;
  /** An expression of the columns a, b and c, and n, the number of the row. */
  readonly expression: string;
  /** The names of the arguments in argument-values.ts, as in functions.sql. */
  readonly kinds: string;
  /** The arguments of each call; for an aggregate, the rows of each. */
  readonly rows: readonly (readonly string[])[];
  readonly isAggregate: boolean;
}

/** The most rows of arguments with which a function is called. */
const mostRows = 24;

/** All combinations of the values if they are few; otherwise each value of an argument with three of the next one. */
function combinations(kinds: readonly string[]): readonly (readonly string[])[] {
  const lists = kinds.map((kind) => {
    const values = argumentValues[kind];
    if (!values) throw new Error(`argument-values.ts has no "${kind}".`);
    return values;
  });
  const all = lists.reduce<readonly (readonly string[])[]>(
    (rows, values) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  );
  if (all.length <= mostRows) return all;
  const longest = Math.max(...lists.map(({ length }) => length));
  const rounds = lists.length === 1 ? 1 : 3;
  const rows = Array.from({ length: longest * rounds }, (_, at) => {
    const [index, round] = [at % longest, Math.floor(at / longest)];
    return lists.map((values, place) => values[(index + round * place * (place + 1)) % values.length] ?? "");
  });
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

/** `template : kinds kinds`, below a heading for each topic. */
export const generatedCalls: readonly GeneratedCall[] = sections(
  readFileSync(new URL("functions.sql", import.meta.url), "utf8"),
).flatMap(([topic, lines]) =>
  lines.split("\n").flatMap((line) => {
    const [expression = "", listed = ""] = line.split(/ :(?: |$)/);
    const signatures = listed === "" ? [""] : listed.split(" ");
    return signatures.map((kinds) => ({
      topic,
      expression,
      kinds,
      rows: combinations(kinds === "" ? [] : kinds.split(",")),
      isAggregate: topic === "Aggregates",
    }));
  }),
);

const names = ["a", "b", "c"];

const from = (rows: readonly (readonly string[])[]): string =>
  `(VALUES ${rows.map((row, at) => `(${[at, ...row].join(", ")})`).join(", ")}) AS t(${["n", ...names.slice(0, rows[0]?.length ?? 0)].join(", ")})`;

/** The rows of arguments as one query, with a row for each. Without ORDER BY, Spark needs no job for it. */
export const queryOverRows = (expression: string, rows: readonly (readonly string[])[]): string =>
  `SELECT n, ${expression} AS x FROM ${from(rows)}`;

/** The sets of rows from which an aggregate is computed: nothing, NULL, one row, some, and all. */
export const aggregatedSets = (
  rows: readonly (readonly string[])[],
): readonly (readonly (readonly string[])[])[] => [
  [],
  rows.slice(-1),
  rows.slice(0, 1),
  rows.slice(0, Math.ceil(rows.length / 2)),
  rows.filter((row) => !/NaN|Infinity|e308/.test(row.join())),
  rows,
];

/** The rows from which each answer is computed: one row, or the rows of an aggregate. */
export const setsOf = ({ isAggregate, rows }: GeneratedCall): readonly (readonly (readonly string[])[])[] =>
  isAggregate ? aggregatedSets(rows) : rows.map((row) => [row]);

export const queryOfAggregate = (
  expression: string,
  all: readonly (readonly string[])[],
  set: readonly (readonly string[])[],
): string =>
  set.length === 0
    ? `SELECT 0 AS n, ${expression} AS x FROM ${from(all.slice(0, 1))} WHERE n < 0`
    : `SELECT 0 AS n, ${expression} AS x FROM ${from(set)}`;

/**
 * The first line has the version of Spark. The others are a call each: the expression, the arguments, the type, and the values or
 * errors of the rows.
 */
export const answersFile = new URL("functions.jsonl", import.meta.url);

export type GeneratedAnswer = readonly [
  expression: string,
  kinds: string,
  /** Null if every row is refused. */
  type: string | null,
  /** `{"!": condition}` for an error; a single one if all rows have the same error. */
  values: readonly unknown[],
];

export const isError = (value: unknown): value is { readonly "!": string } =>
  typeof value === "object" && value !== null && "!" in value;

/** Identifies a call and its answer. */
export const keyOf = ({ expression, kinds }: Pick<GeneratedCall, "expression" | "kinds">): string =>
  `${expression} : ${kinds}`;

/** The version of Spark that is compared with, as docs/reference/sql.md says it. */
export const sparkVersion = "4.3";

/** The first line of the file. */
export const headerOf = (spark: string): string => JSON.stringify({ spark });

export function readAnswers(): ReadonlyMap<string, GeneratedAnswer> {
  const [header, ...lines] = readFileSync(answersFile, "utf8").trim().split("\n");
  if (header !== headerOf(sparkVersion))
    throw new Error(`functions.jsonl must be of Spark ${sparkVersion}. Its first line is ${header}.`);
  return new Map(
    lines
      .map((line): GeneratedAnswer => JSON.parse(line))
      .map((answer) => [keyOf({ expression: answer[0], kinds: answer[1] }), answer]),
  );
}
