/**
 * The values that statements store, compared with Spark: every pair of types with their edge values, in every
 * statement.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, suite, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { columnTypes, type RecordedAssignment, readAssignments } from "../../spark/store-assignment.ts";
import { differenceFromStored, namedDifferences } from "../../spark/stored-value.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";

const harness = await openPipelineHarness({ after });
const recorded = readAssignments();
const create = `CREATE OR REPLACE TABLE stored (id INT, ${columnTypes.map((type, at) => `c${at} ${type}`).join(", ")})`;

interface AssignedValue {
  readonly id: number;
  readonly value: string;
}

const source = (values: readonly AssignedValue[]): string =>
  `(${values.map(({ id, value }) => `SELECT ${id} AS id, ${value} AS v`).join(" UNION ALL ")}) AS s`;
const ids = (values: readonly AssignedValue[]): string =>
  `INSERT INTO stored (id) VALUES ${values.map(({ id }) => `(${id})`).join(", ")}`;

const overwrite = "INSERT OVERWRITE";
/** The statement that writes every value. The other statements write this many values of each pair of types. */
const everyValue = "INSERT … SELECT";
const valuesOfPair = 2;

/** Each statement writes values of one type into one column. */
const statements: Readonly<Record<string, (column: string, values: readonly AssignedValue[]) => string>> = {
  [everyValue]: (column, values) => `INSERT INTO stored (id, ${column}) SELECT id, v FROM ${source(values)}`,
  "INSERT … VALUES": (column, values) =>
    `INSERT INTO stored (${column}, id) VALUES ${values.map(({ id, value }) => `(${value}, ${id})`).join(", ")}`,
  "INSERT … BY NAME": (column, values) =>
    `INSERT INTO stored BY NAME SELECT v AS ${column}, id FROM ${source(values)}`,
  [overwrite]: (column, values) =>
    `INSERT OVERWRITE stored (id, ${column}) SELECT id, v FROM ${source(values)}`,
  UPDATE: (column, [first, ...others]) =>
    [
      ids(first ? [first, ...others] : []),
      `UPDATE stored SET ${column} = ${first?.value} WHERE id = ${first?.id}`,
      // The other values have the same type: one statement takes less time than one for each value.
      ...(others.length === 0
        ? []
        : [
            `UPDATE stored SET ${column} = CASE id ${others.map(({ id, value }) => `WHEN ${id} THEN ${value}`).join(" ")} END WHERE id IN (${others.map(({ id }) => id).join(", ")})`,
          ]),
    ].join("; "),
  "MERGE … UPDATE": (column, values) =>
    `${ids(values)}; MERGE INTO stored AS t USING ${source(values)} ON t.id = s.id WHEN MATCHED THEN UPDATE SET ${column} = s.v`,
  "MERGE … INSERT": (column, values) =>
    `MERGE INTO stored AS t USING ${source(values)} ON t.id = s.id WHEN NOT MATCHED THEN INSERT (${column}, id) VALUES (s.v, s.id)`,
};

test("every named difference is in docs/reference/sql.md", async () => {
  const page = await readFile(new URL("../../../../docs/reference/sql.md", import.meta.url), "utf8");
  for (const { difference } of namedDifferences) assert.ok(page.includes(difference), difference);
});

/** Spark assigns the fields of a struct by position only where the columns are. */
const byName = new Set([
  "INSERT … BY NAME",
  "INSERT OVERWRITE",
  "UPDATE",
  "MERGE … UPDATE",
  "MERGE … INSERT",
]);

before(() => harness.run(create));

/** One script for all columns that take values of a type. Returns what differs from Spark. */
async function differences(
  kind: string,
  from: string,
  values: readonly RecordedAssignment[],
): Promise<string[]> {
  const write = statements[kind];
  assert.ok(write);
  const expected = new Map<
    number,
    { readonly column: number; readonly value: unknown; readonly assignedText: string }
  >();
  const script = columnTypes.flatMap((type, column) => {
    // INSERT OVERWRITE: only the rows of the last statement stay.
    if (kind === overwrite && values.some(({ stored }) => stored[type] && "value" in stored[type]))
      expected.clear();
    const taken = values.flatMap(({ value, stored }, at) => {
      const result = stored[type];
      if (!result || "error" in result) return [];
      const id = column * 1000 + at;
      return [{ id, value, stored: result.value }];
    });
    const chosen = kind === everyValue ? taken : taken.slice(0, valuesOfPair);
    for (const { id, value, stored } of chosen)
      expected.set(id, { column, value: stored, assignedText: value });
    return chosen.length === 0 ? [] : [write(`c${column}`, chosen)];
  });
  const { rows } = await harness.run([create, ...script, "SELECT * FROM stored"].join(";\n"), {
    maxRows: 5000,
  });
  assert.equal(rows.length, expected.size, `${kind} of ${from}`);
  return rows.flatMap(([id, ...row]) => {
    const { column, value, assignedText } = expected.get(Number(id)) ?? {
      column: 0,
      value: undefined,
      assignedText: "no value",
    };
    const type = columnTypes[column] ?? "";
    const difference = differenceFromStored(row[column], assignedText, type, value);
    return difference ? [`${kind}: ${assignedText} into ${type} ${difference}`] : [];
  });
}

const types = Map.groupBy(recorded, ({ from }) => from);

for (const kind of Object.keys(statements)) {
  test(`${kind} stores what Spark stores`, async () => {
    const own = [...types].filter(
      ([from]) => !(byName.has(kind) && /^STRUCT<(?!a: \w+, b: \w+>)/.test(from)),
    );
    const chosen = someOf(own, kind === everyValue ? 7 : 2);
    const found: string[] = [];
    for (const [from, values] of chosen) found.push(...(await differences(kind, from, values)));
    assert.deepEqual(found, []);
  });
}

suite("a value that does not fit", () => {
  const failing = recorded.flatMap(({ from, value, stored }) =>
    Object.entries(stored).flatMap(([type, result]) =>
      "error" in result && !result.error.startsWith("INCOMPATIBLE")
        ? [{ from, value, type, error: result.error }]
        : [],
    ),
  );
  const oneOfPair = [...new Map(failing.map((one) => [`${one.from} ${one.type}`, one])).values()];
  for (const kind of isNightly ? Object.keys(statements) : [everyValue, "UPDATE"]) {
    test(`fails in ${kind}`, async () => {
      await harness.run(create);
      for (const { value, type, error } of someOf(kind === everyValue ? failing : oneOfPair, 24)) {
        const sql = statements[kind]?.(`c${columnTypes.indexOf(type)}`, [{ id: 1, value }]) ?? "";
        const message = await harness.errorMessage(harness.run(sql));
        assert.match(message, new RegExp(`^${error}: .* c\\d+`), `${value} into ${type}: ${message}`);
      }
      const isStored = columnTypes.map((_, at) => `c${at} IS NOT NULL`).join(" OR ");
      const { rows } = await harness.run(`SELECT id FROM stored WHERE ${isStored}`);
      assert.deepEqual(rows, [], "nothing is stored");
    });
  }
});
