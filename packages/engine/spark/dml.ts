/** Statements that write, and the rows that Spark with Delta has after them. */
import { readFileSync } from "node:fs";
import { sections } from "./cases.ts";

/** The file of Spark's results. `UPDATE_SPARK_RESULTS=1 npm run test:spark -- …/dml.spark.ts` writes it. */
export const dmlResultsFile = new URL("dml.jsonl", import.meta.url);

export interface DmlCase {
  readonly name: string;
  readonly statements: readonly string[];
  /** Rows of the tables after the statements, whether they failed or not. */
  readonly select: string;
}

export interface DmlResult {
  readonly name: string;
  /** Spark's name for the error. */
  readonly error: string | null;
  readonly rows: readonly string[];
}

/** In dml.sql a heading is a case, with its statements below. The last one may be a SELECT; otherwise it is of the table t. */
export const dmlCases: readonly DmlCase[] = sections(
  readFileSync(new URL("dml.sql", import.meta.url), "utf8"),
).map(([name, text]) => {
  const statements = text.split("; ");
  const last = statements.at(-1) ?? "";
  return last.startsWith("SELECT")
    ? { name, statements: statements.slice(0, -1), select: last }
    : { name, statements, select: "SELECT * FROM t" };
});

const casts =
  "SELECT CAST(a AS INT) AS id, CAST(b AS STRING) AS name, CAST(c AS DECIMAL(10,2)) AS amount FROM VALUES";

/** Each table with the statements that create it. They are as few as possible, because Delta takes a while for each. */
const tables: Readonly<Record<string, readonly string[]>> = {
  t: [`t AS ${casts} (1, 'a', 1.00), (2, 'b', 2.00), (3, 'c', 3.00), (4, NULL, NULL) AS r (a, b, c)`],
  s: [`s AS ${casts} (2, 'B', 20.00), (3, 'C', 30.00), (5, 'E', 50.00) AS r (a, b, c)`],
  p: ["p AS SELECT a, b FROM VALUES (1, 10), (2, 20) AS r (a, b)"],
  nn: ["nn (id INT NOT NULL, name STRING)", "INSERT INTO nn VALUES (1, 'a'), (2, 'b')"],
  n: ["n AS SELECT id, named_struct('a', id, 'b', 'x') AS st FROM VALUES (1), (2) AS r (id)"],
  v: ["v (id INT, short VARCHAR(3), code CHAR(5))"],
  l: ["l (id INT, list ARRAY<VARCHAR(3)>, st STRUCT<x: VARCHAR(3)>, m MAP<STRING, VARCHAR(3)>)"],
};

/** The tables that a case names. */
export const tablesIn = ({ statements, select }: DmlCase): readonly string[] =>
  Object.keys(tables).filter((name) =>
    new RegExp(`\\b${name}\\b(?!\\.)`).test([...statements, select].join(" ")),
  );

/** The statements that create a table. */
export const creationOf = (table: string): readonly string[] => {
  const [declared = "", ...rows] = tables[table] ?? [];
  return [`CREATE OR REPLACE TABLE ${declared}`, ...rows];
};

/** Whether a statement of the case may change the table. */
export const mayWrite = ({ statements }: DmlCase, table: string): boolean =>
  statements.some((one) => new RegExp(`(?:INTO|UPDATE|DELETE FROM|OVERWRITE|TABLE) ${table}\\b`).test(one));

/** Rows as sorted texts. */
export const rowTexts = (rows: readonly (readonly unknown[])[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row)).sort();

export const readDmlResults = (): readonly DmlResult[] =>
  readFileSync(dmlResultsFile, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
