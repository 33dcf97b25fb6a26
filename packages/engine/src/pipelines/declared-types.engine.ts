/**
 * The values that columns of datasets with declared types hold, compared with Spark: every pair of types with their
 * edge values.
 */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import {
  columnTypes,
  type RecordedAssignment,
  readAssignments,
  type SparkOutcome,
} from "../../spark/store-assignment.ts";
import { differenceFromStored, isUnsupportedCast } from "../../spark/stored-value.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";

const harness = await openPipelineHarness({ after });

/**
 * The expected value of the column: the result of store assignment or, if that refuses the types, of CAST. Undefined if
 * nothing is recorded: no value is cast to a text with a length.
 */
function expectedIn(type: string, { stored, cast }: RecordedAssignment): SparkOutcome | undefined {
  const assigned = stored[type];
  const isRefused = assigned && "error" in assigned && assigned.error.startsWith("INCOMPATIBLE");
  return isRefused ? cast[type] : assigned;
}

/** Here the fields of a struct are matched by name; the recorded values were stored by position. */
const hasOtherFields = ({ from }: RecordedAssignment): boolean => from === "STRUCT<b: STRING, a: INT>";
/** Whether the value is cast, not stored, and this cast is not supported. */
const isUnsupported = (one: RecordedAssignment, type: string): boolean => {
  const stored = one.stored[type];
  return !(stored && "value" in stored) && isUnsupportedCast(one, type);
};

const recorded = readAssignments().filter((one) => !hasOtherFields(one));

interface Group {
  readonly name: string;
  readonly columns: readonly number[];
  readonly values: readonly RecordedAssignment[];
}

/** Values that fit into the same columns: one dataset for each group. */
function groupsOf(values: readonly RecordedAssignment[], name: string): Group[] {
  const columnsOf = (value: RecordedAssignment): number[] =>
    [...columnTypes.keys()].filter((at) => {
      const type = columnTypes[at] ?? "";
      return "value" in (expectedIn(type, value) ?? {}) && !isUnsupported(value, type);
    });
  const groups = Map.groupBy(values, (value) => columnsOf(value).join());
  return [...groups.values()].flatMap((members, at) => {
    const [first] = members;
    const columns = first ? columnsOf(first) : [];
    return columns.length > 0 ? [{ name: `${name}_${at}`, columns, values: members }] : [];
  });
}

const header = ({ name, columns }: Group): string =>
  `${name} (id INT, ${columns.map((column) => `c${column} ${columnTypes[column]}`).join(", ")})`;
const rowsOf = ({ values }: Group): string =>
  values.map(({ value }, at) => `SELECT ${at} AS id, ${value} AS v`).join(" UNION ALL ");
const written = ({ columns }: Group): string =>
  `id, ${columns.map((column) => `v AS c${column}`).join(", ")}`;
const sourceOf = ({ name }: Group): string => `source_of_${name}`;

/** By kind: the definition of a dataset, which reads the rows of its source. */
const datasets: Readonly<Record<string, (group: Group) => string>> = {
  "a materialized view": (group) =>
    `CREATE MATERIALIZED VIEW ${header(group)} AS SELECT ${written(group)} FROM (${rowsOf(group)})`,
  "a streaming table": (group) =>
    `CREATE STREAMING TABLE ${header(group)} AS SELECT ${written(group)} FROM STREAM ${sourceOf(group)}`,
  "AUTO CDC": (group) =>
    `CREATE TEMPORARY VIEW view_of_${group.name} AS SELECT ${written(group)} FROM STREAM ${sourceOf(group)};
     CREATE STREAMING TABLE ${header(group)};
     CREATE FLOW into_${group.name} AS AUTO CDC INTO ${group.name} FROM STREAM view_of_${group.name} KEYS (id) SEQUENCE BY id`,
};

const types = [...Map.groupBy(recorded, ({ from }) => from)];

for (const [kind, definition] of Object.entries(datasets)) {
  test(`${kind} holds what Spark stores or casts`, async () => {
    const readsTable = definition !== datasets["a materialized view"];
    // A table cannot have a column without a type.
    const own = readsTable ? types.filter(([from]) => from !== "VOID") : types;
    const groups = someOf(own, kind === "AUTO CDC" ? 3 : 5).flatMap(([, values], at) =>
      groupsOf(values, `${kind.at(-1)}${at}`),
    );
    if (readsTable)
      await harness.run(
        groups.map((group) => `CREATE OR REPLACE TABLE ${sourceOf(group)} AS ${rowsOf(group)}`).join(";\n"),
      );
    await harness.update(groups.map(definition).join(";\n"));
    const found: string[] = [];
    for (const group of groups) {
      const { rows } = await harness.run(`SELECT * FROM ${group.name} ORDER BY id`);
      assert.equal(rows.length, group.values.length);
      for (const [at, recordedValue] of group.values.entries())
        for (const [position, column] of group.columns.entries()) {
          const type = columnTypes[column] ?? "";
          // AUTO CDC groups rows, and DuckDB groups a negative zero with zero.
          if (kind === "AUTO CDC" && recordedValue.value === "-0.0D") continue;
          const outcome = expectedIn(type, recordedValue);
          const sparks = outcome && "value" in outcome ? outcome.value : undefined;
          const { value } = recordedValue;
          const difference = differenceFromStored(rows[at]?.[position + 1], value, type, sparks);
          if (difference) found.push(`${value} in ${type} ${difference}`);
        }
    }
    assert.deepEqual(found, []);
    // A second update finds nothing to change.
    await harness.update(groups.map(definition).join(";\n"));
    assert.deepEqual(
      harness.tables.filter((one) => one.rows_added + one.rows_updated + one.rows_removed > 0),
      [],
    );
  });
}

suite("a value that Spark neither stores nor casts", () => {
  const failing = recorded.flatMap((one) =>
    columnTypes.flatMap((type) => ("error" in (expectedIn(type, one) ?? {}) ? [{ ...one, type }] : [])),
  );
  const oneOfPair = [...new Map(failing.map((one) => [`${one.from} ${one.type}`, one])).values()];
  test("fails the update", async () => {
    const passed: string[] = [];
    for (const { value, type } of isNightly ? failing : someOf(oneOfPair, 10)) {
      const update = harness.update(`CREATE MATERIALIZED VIEW failing (c ${type}) AS SELECT ${value} AS c`);
      const message = await harness.errorMessage(update);
      if (message.startsWith("It ran: ")) passed.push(`${value} in ${type}: ${message}`);
    }
    assert.deepEqual(passed, []);
  });
});
