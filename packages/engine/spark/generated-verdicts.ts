import type { Verdict } from "./cases.ts";
import { comparable, comparableOfSpark, comparableType, isSame, toleranceOf } from "./comparison.ts";
import {
  type GeneratedAnswer,
  type GeneratedCall,
  isError,
  queryOfAggregate,
  queryOverRows,
  setsOf,
} from "./generated-cases.ts";

/** Runs a query in the warehouse. A refusal is a message, and everything else is thrown. */
type Query = (
  sql: string,
) => Promise<
  | { readonly columns: readonly { readonly type: string }[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly refusal: string }
>;

export interface JudgedRow {
  /** The number of the row of arguments or, for an aggregate, of the set of rows. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly sql: string;
  readonly explanation: string;
}

/** Compares each row of a call with Spark's result. */
export async function judgedRows(
  query: Query,
  call: GeneratedCall,
  [, , type, values]: GeneratedAnswer,
  /** The most rows to try of those that Spark refuses, because each is a query. */
  mostErrors = Number.POSITIVE_INFINITY,
): Promise<readonly JudgedRow[]> {
  const { expression, rows, isAggregate } = call;
  const sets = setsOf(call);
  const sqlOf = (set: readonly (readonly string[])[]) =>
    isAggregate ? queryOfAggregate(expression, rows, set) : queryOverRows(expression, set);
  const theirs = (at: number) => (values.length === 1 ? values[0] : values[at]);
  const tolerance = toleranceOf(expression);
  const differenceOf = (value: unknown, expected: unknown, ourType: string) =>
    difference({ value, type: ourType }, { value: expected, type: type ?? "" }, tolerance);
  const one = async (at: number): Promise<JudgedRow> => {
    const sql = sqlOf(sets[at] ?? []);
    const expected = theirs(at);
    const answer = await query(sql);
    if ("refusal" in answer)
      return { at, verdict: isError(expected) ? "same" : "refused", sql, explanation: answer.refusal };
    if (isError(expected))
      return {
        at,
        verdict: "different",
        sql,
        explanation: `${JSON.stringify(answer.rows[0]?.[1])}, refused by Spark: ${expected["!"]}`,
      };
    const explanation = differenceOf(answer.rows[0]?.[1], expected, answer.columns[1]?.type ?? "");
    return {
      at,
      verdict: explanation === undefined ? "same" : "different",
      sql,
      explanation: explanation ?? "",
    };
  };
  const failing = sets.map((_, at) => at).filter((at) => isError(theirs(at)));
  const left = new Set(failing.filter((at, nth) => nth >= mostErrors || isBeyondPython(theirs(at))));
  const places = sets.map((_, at) => at).filter((at) => !left.has(at));
  if (isAggregate) return Promise.all(places.map(one));
  const answered = places.filter((at) => !isError(theirs(at)));
  const errors = await Promise.all(places.filter((at) => isError(theirs(at))).map(one));
  const [first] = answered;
  if (first === undefined) return errors;
  const answer = await query(sqlOf(answered.map((at) => rows[at] ?? [])));
  if ("refusal" in answer) {
    const alone = await Promise.all([first, answered.at(-1) ?? first].map(one));
    const isForAll = alone.every(
      ({ verdict, explanation }) => verdict === "refused" && explanation === answer.refusal,
    );
    const [same] = alone;
    return [
      ...errors,
      ...(isForAll && same ? answered.map((at) => ({ ...same, at })) : await Promise.all(answered.map(one))),
    ];
  }
  const found = new Map(answer.rows.map(([n, value]) => [answered[Number(n)], value]));
  return [
    ...errors,
    ...answered.map((at): JudgedRow => {
      const explanation = differenceOf(found.get(at), theirs(at), answer.columns[1]?.type ?? "");
      const sql = explanation === undefined ? "" : sqlOf(sets[at] ?? []);
      return {
        at,
        verdict: explanation === undefined ? "same" : "different",
        sql,
        explanation: explanation ?? "",
      };
    }),
  ];
}

/** Python's driver cannot hold the answer: a year after 9999. */
const isBeyondPython = (value: unknown): boolean => isError(value) && value["!"] === "ValueError";

interface TypedValue {
  readonly value: unknown;
  readonly type: string;
}

function difference(ours: TypedValue, theirs: TypedValue, tolerance: number): string | undefined {
  const [type, expected] = [comparableType(ours.type), comparableType(theirs.type)];
  if (type !== expected) return `the type is ${type}, in Spark ${expected}`;
  const [left, right] = [comparable(ours.value, type), comparableOfSpark(theirs.value, type)];
  return isSame(left, right, tolerance)
    ? undefined
    : `${JSON.stringify(left)}, in Spark ${JSON.stringify(right)}`;
}
