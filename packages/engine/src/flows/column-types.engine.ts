/**
 * The values that columns of a flow's target hold, compared with Spark's CAST: every pair of types with their edge
 * values.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { column, ordersRequest } from "@lakehelm/flows/testing";
import { someOf } from "@lakehelm/testing/nightly";
import {
  columnTypes,
  type RecordedAssignment,
  readAssignments,
  type SparkOutcome,
} from "../../spark/store-assignment.ts";
import { differenceFromStored, isUnsupportedCast } from "../../spark/stored-value.ts";
import { openPipelineHarness, scope } from "../pipelines/testing/pipeline.ts";
import { runFlow } from "./flow-run.ts";

const harness = await openPipelineHarness({ after });
const recorded = readAssignments();
const signal = new AbortController().signal;
let targets = 0;

/** Writes values into columns of a new target, and returns its rows. */
async function written(
  values: readonly RecordedAssignment[],
  columns: readonly number[],
): Promise<readonly (readonly unknown[])[]> {
  targets += 1;
  const target = `shop.marts.values_${targets}`;
  const source = values.map(({ value }, at) => `SELECT ${at} AS id, ${value} AS v`).join(" UNION ALL ");
  const typed = columns.map((at) => column(`c${at}`, (columnTypes[at] ?? "").toLowerCase()));
  const request = ordersRequest({
    source_tables: [],
    target_name: target,
    matched_sql: `SELECT id, ${columns.map((at) => `v AS c${at}`).join(", ")} FROM (${source}) AS given`,
  });
  const target_schema = { ...request.target_schema, columns: [column("id", "int"), ...typed] };
  await runFlow(
    harness.warehouse,
    { scope, flow: { ...request, target_schema }, businessDate: null, maxDrift: 0.5, run: `run-${targets}` },
    { signal, crashPoint: () => {}, log: () => {}, now: () => "2026-03-01T12:00:00.000Z" },
  );
  return (await harness.run(`SELECT * FROM ${target} ORDER BY id`)).rows;
}

/** Texts with a length are checked as they are stored. Undefined if nothing is recorded. */
function expectedIn(type: string, { stored, cast }: RecordedAssignment): SparkOutcome | undefined {
  const assigned = stored[type];
  if (!type.includes("CHAR(")) return cast[type];
  return assigned && "error" in assigned && assigned.error.startsWith("INCOMPATIBLE") ? undefined : assigned;
}

const types = [...Map.groupBy(recorded, ({ from }) => from).values()];

test("a flow writes what Spark's CAST returns", async () => {
  const found: string[] = [];
  for (const values of someOf(types, 4)) {
    const columnsOf = (value: RecordedAssignment) =>
      [...columnTypes.keys()].filter((at) => {
        const type = columnTypes[at] ?? "";
        // Blanks beyond the length of a VARCHAR are kept.
        if (type.startsWith("VARCHAR") && value.value.endsWith(" '")) return false;
        return "value" in (expectedIn(type, value) ?? {}) && !isUnsupportedCast(value, type);
      });
    for (const group of Map.groupBy(values, (value) => columnsOf(value).join()).values()) {
      const columns = group[0] ? columnsOf(group[0]) : [];
      if (columns.length === 0) continue;
      const rows = await written(group, columns);
      assert.equal(rows.length, group.length);
      for (const [at, one] of group.entries())
        for (const [position, number] of columns.entries()) {
          const type = columnTypes[number] ?? "";
          const outcome = expectedIn(type, one);
          const sparks = outcome && "value" in outcome ? outcome.value : undefined;
          const difference = differenceFromStored(rows[at]?.[position + 1], one.value, type, sparks);
          if (difference) found.push(`${one.value} in ${type} ${difference}`);
        }
    }
  }
  assert.deepEqual(found, []);
});

test("a value that Spark does not cast fails the run", async () => {
  // Each run fails for one value. One of each pair of types is tried, and NULL.
  const failing = types.flatMap((values) =>
    [...columnTypes.keys()].flatMap((at) => {
      const failed = values.filter((value) => "error" in (expectedIn(columnTypes[at] ?? "", value) ?? {}));
      const isNull = ({ value }: RecordedAssignment) => /\bNULL\b/.test(value);
      return [failed.find((one) => !isNull(one)), failed.find(isNull)].flatMap((one) =>
        one ? [{ one, at }] : [],
      );
    }),
  );
  const passed: string[] = [];
  for (const { one, at } of someOf(failing, 8)) {
    const rows = await written([one], [at]).catch(() => undefined);
    if (rows) passed.push(`${one.value} in ${columnTypes[at]} is ${JSON.stringify(rows[0]?.[1])}`);
  }
  assert.deepEqual(passed, []);
});
