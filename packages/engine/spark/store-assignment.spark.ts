import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { type SparkEngine, startSpark } from "../../codegen/spark/spark-engine.ts";
import {
  assignedValues,
  assignmentsFile,
  castTypes,
  columnTypes,
  type RecordedAssignment,
  readAssignments,
  type SparkOutcome,
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

const recorded = new Map(readAssignments().map((one) => [one.value, one]));

test("Spark stores and casts values as recorded", async () => {
  const all = Object.entries(assignedValues);
  if (process.env.UPDATE_SPARK_RESULTS) {
    const lines = (await resultsOf(all)).map((result) => `${JSON.stringify(result)}\n`);
    return writeFile(assignmentsFile, lines.join(""));
  }
  const chosen = someOf(all, 5);
  const types = new Set(chosen.map(([from]) => from));
  assert.deepEqual(
    await resultsOf(chosen),
    readAssignments().filter(({ from }) => types.has(from)),
    "Run it with UPDATE_SPARK_RESULTS=1 to record Spark's answers.",
  );
  assert.deepEqual(
    readAssignments().map(({ value }) => value),
    all.flatMap(([, values]) => values),
    "Every value has its line.",
  );
});

async function resultsOf(
  chosen: readonly (readonly [from: string, values: readonly string[]])[],
): Promise<readonly RecordedAssignment[]> {
  const errors = new Map<string, string>();
  const rows: { readonly value: string; readonly columns: readonly number[] }[] = [];

  /**
   * One statement for all values and columns. If a value does not fit, the statement fails: then each half is tried.
   */
  async function insert(values: readonly string[], columns: readonly number[]): Promise<void> {
    if (columns.length === 0) return;
    const first = rows.length;
    const names = columns.map((column) => `c${column}`).join(", ");
    const source = values.map((value, at) => `SELECT ${first + at} AS id, ${value} AS v`).join(" UNION ALL ");
    try {
      await spark.sql(
        `INSERT INTO assigned (id, ${names}) SELECT id, ${columns.map(() => "v").join(", ")} FROM (${source})`,
      );
      rows.push(...values.map((value) => ({ value, columns })));
    } catch (error) {
      if (values.length > 1) {
        await insert(values.slice(0, values.length >> 1), columns);
        await insert(values.slice(values.length >> 1), columns);
      } else if (columns.length > 1) {
        await insert(values, columns.slice(0, columns.length >> 1));
        await insert(values, columns.slice(columns.length >> 1));
      } else errors.set(`${values[0]} ${columns[0]}`, conditionOf(error));
    }
  }

  for (const [, values] of chosen) {
    const accepted: number[] = [];
    for (const column of columnTypes.keys()) {
      const refusal = await refusalOf(values[0] ?? "NULL", column);
      if (refusal === undefined) accepted.push(column);
      else for (const value of values) errors.set(`${value} ${column}`, refusal);
    }
    // The record tells which columns will take a value, so that few statements fail and are split.
    const fits = (value: string) => (column: number) =>
      "value" in (recorded.get(value)?.stored[columnTypes[column] ?? ""] ?? {});
    for (const group of Map.groupBy(values, (value) => accepted.filter(fits(value)).join()).values())
      await insert(group, accepted.filter(fits(group[0] ?? "")));
    for (const value of values)
      for (const column of accepted) if (!fits(value)(column)) await insert([value], [column]);
  }
  const { rows: stored } = await spark.typedSql("SELECT * FROM assigned ORDER BY id");
  const results: RecordedAssignment[] = [];
  for (const [from, values] of chosen)
    for (const value of values) {
      const entries = columnTypes.map((type, column) => {
        const error = errors.get(`${value} ${column}`);
        if (error !== undefined) return [type, { error }] as const;
        const row = rows.findIndex((one) => one.value === value && one.columns.includes(column));
        return [type, outcomeOf(stored[row]?.[column + 1])] as const;
      });
      results.push({ from, value, stored: Object.fromEntries(entries), cast: await castsOf(value) });
    }
  return results;
}

/** JSON has no negative zero. */
const outcomeOf = (found: unknown = null): SparkOutcome => ({ value: Object.is(found, -0) ? "-0.0" : found });

/** One query for all types. If a cast fails, the query fails: then each half is tried. */
async function castsOf(value: string): Promise<Record<string, SparkOutcome>> {
  const found = new Map<string, SparkOutcome>();
  async function cast(types: readonly string[]): Promise<void> {
    const [first] = types;
    if (first === undefined) return;
    const casts = types.map((type, at) => `CAST(${value} AS ${type}) AS c${at}`);
    try {
      const { rows } = await spark.typedSql(`SELECT ${casts.join(", ")}`);
      for (const [at, type] of types.entries()) found.set(type, outcomeOf(rows[0]?.[at]));
    } catch (error) {
      if (types.length === 1) found.set(first, { error: conditionOf(error) });
      else {
        await cast(types.slice(0, types.length >> 1));
        await cast(types.slice(types.length >> 1));
      }
    }
  }
  const fails = (type: string) => "error" in (recorded.get(value)?.cast[type] ?? {});
  await cast(castTypes.filter((type) => !fails(type)));
  for (const type of castTypes.filter(fails)) await cast([type]);
  return Object.fromEntries(castTypes.map((type) => [type, found.get(type) ?? { error: "none" }]));
}

/** Why Spark refuses to store a type in a column, for any value. EXPLAIN tells this without writing. */
async function refusalOf(value: string, column: number): Promise<string | undefined> {
  const insert = `INSERT INTO assigned (id, c${column}) SELECT 0, ${value}`;
  const plan = await spark.sql(`EXPLAIN ${insert}`).then(
    (rows) => JSON.stringify(rows),
    (error) => `[${conditionOf(error)}]`,
  );
  return /\[(INCOMPATIBLE_DATA_FOR_TABLE\.[A-Z_]+)\]/.exec(plan)?.[1];
}

const conditionOf = (error: unknown): string =>
  (error as { readonly condition?: string }).condition ?? "an error without a name";
