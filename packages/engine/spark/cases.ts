/** The cases of the comparison with Spark, and Spark's results. */
import { readFileSync } from "node:fs";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** The file of Spark's answers. `UPDATE_SPARK_RESULTS=1 npm run test:spark -- …/conformance.spark.ts` writes it. */
export const resultsFile = new URL("results.jsonl", import.meta.url);

export interface SqlCase {
  readonly topic: string;
  /** The text in cases.sql: a query, or a select list with the rest of its query. */
  readonly text: string;
  /** The query for the warehouse. */
  readonly sql: string;
  /** The query for Spark. It differs for features that only Databricks has. */
  readonly sparkSql: string;
  /** What differs from Spark, as docs/reference/sql.md says it. */
  readonly difference: string | undefined;
}

/** How the warehouse answers, compared with Spark. */
export type Verdict = "same" | "refused" | "different";

export interface SparkAnswer {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A line of results.jsonl. */
export interface SparkResult {
  readonly sql: string;
  readonly answer?: SparkAnswer;
  /** Spark's name for the error. */
  readonly error?: string;
}

/**
 * Text by the `-- heading` above it. In cases.sql a line is a case; `a ≡ b` is a case that has to be written as b for Spark,
 * and `a ≠ reason` one that is known to differ.
 */
export const sections = (text: string): [heading: string, body: string][] =>
  text
    .split(/^-- /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n") + 1).trim()]);

export const fixture: readonly { readonly table: string; readonly select: string }[] = sections(
  read("fixture.sql"),
).map(([table, select]) => ({ table, select }));

export const cases: readonly SqlCase[] = sections(read("cases.sql")).flatMap(([topic, lines]) =>
  lines.split("\n").map((line) => {
    const [written = "", difference] = line.split(" ≠ ");
    const [text = "", equivalent = text] = written.split(" ≡ ");
    return { topic, text, sql: query(text), sparkSql: query(equivalent), difference };
  }),
);

function query(text: string): string {
  return isQuery(text) ? text : `SELECT ${text}`;
}

/** Whether a case names its columns. Otherwise their names are not compared. */
export function isQuery(text: string): boolean {
  return /^(?:SELECT|WITH|FROM|VALUES)\b/.test(text);
}

export const readResults = (): readonly SparkResult[] =>
  read("results.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The functions that a text calls. Names of one letter are aliases, except e(). */
export const functionsIn = (text: string): string[] =>
  [...text.matchAll(/\b([a-z_][a-z_0-9]*)\(/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name.length > 1 || name === "e");
