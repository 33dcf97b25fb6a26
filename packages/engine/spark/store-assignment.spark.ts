import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { type SparkEngine, startSpark } from "../../codegen/spark/spark-engine.ts";
import {
  assignedValues,
  assignmentsFile,
  columnTypes,
  type RecordedAssignment,
  readAssignments,
} from "./store-assignment.ts";

let spark: SparkEngine;
before(async () => {
  spark = await startSpark({
    settings: { "spark.sql.session.timeZone": "UTC", "spark.sql.storeAssignmentPolicy": "ANSI" },
  });
  const columns = columnTypes.map((type, at) => `c${at} ${type}`);
  await spark.sql(`CREATE TABLE assigned (id INT, ${columns.join(", ")}) USING parquet`);
});
after(() => spark.stop());

test("Spark stores values as recorded", async () => {
  const errors = new Map<string, string>();
  const rows: { readonly from: string; readonly value: string; readonly columns: readonly number[] }[] = [];

  /** One row for all columns that take the value. If one of them fails, all do: then it tries each half. */
  async function insert(from: string, value: string, columns: readonly number[]): Promise<void> {
    if (columns.length === 0) return;
    const names = columns.map((column) => `c${column}`);
    const values = columns.map(() => "v");
    try {
      await spark.sql(
        `INSERT INTO assigned (id, ${names.join(", ")}) SELECT ${rows.length}, ${values.join(", ")} FROM (SELECT ${value} AS v)`,
      );
      rows.push({ from, value, columns });
    } catch (error) {
      const [first = 0] = columns;
      if (columns.length === 1) {
        errors.set(`${value} ${first}`, conditionOf(error));
        return;
      }
      const half = Math.ceil(columns.length / 2);
      await insert(from, value, columns.slice(0, half));
      await insert(from, value, columns.slice(half));
    }
  }

  for (const [from, values] of Object.entries(assignedValues)) {
    const accepted: number[] = [];
    for (const column of columnTypes.keys()) {
      const refusal = await refusalOf(values[0] ?? "NULL", column);
      if (refusal === undefined) accepted.push(column);
      else for (const value of values) errors.set(`${value} ${column}`, refusal);
    }
    for (const value of values) await insert(from, value, accepted);
  }
  const { rows: stored } = await spark.typedSql("SELECT * FROM assigned ORDER BY id");
  const results = Object.entries(assignedValues).flatMap(([from, values]) =>
    values.map((value): RecordedAssignment => {
      const entries = columnTypes.map((type, column) => {
        const error = errors.get(`${value} ${column}`);
        if (error !== undefined) return [type, { error }] as const;
        const row = rows.findIndex((one) => one.value === value && one.columns.includes(column));
        return [type, { value: stored[row]?.[column + 1] ?? null }] as const;
      });
      return { from, value, stored: Object.fromEntries(entries) };
    }),
  );
  if (process.env.UPDATE_SPARK_RESULTS) {
    await writeFile(assignmentsFile, results.map((result) => `${JSON.stringify(result)}\n`).join(""));
    return;
  }
  assert.deepEqual(
    results,
    readAssignments(),
    "Run it with UPDATE_SPARK_RESULTS=1 to record Spark's answers.",
  );
});

/** Why Spark does not take a type for a column. EXPLAIN tells without writing. */
async function refusalOf(value: string, column: number): Promise<string | undefined> {
  const insert = `INSERT INTO assigned (id, c${column}) SELECT 0, ${value}`;
  const plan = await spark.sql(`EXPLAIN ${insert}`).then(
    (rows) => JSON.stringify(rows),
    (error) => `[${conditionOf(error)}]`,
  );
  return /\[([A-Z_]{6,}(?:\.[A-Z_]+)?)\]/.exec(plan)?.[1];
}

const conditionOf = (error: unknown): string =>
  (error as { readonly condition?: string }).condition ?? "an error without a name";
