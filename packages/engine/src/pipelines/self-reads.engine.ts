/** Statements that read what they write, in scripts and in pipeline files. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { column, ordersRequest } from "@lakehelm/flows/testing";
import { isNightly } from "@lakehelm/testing/nightly";
import { runFlow } from "../flows/flow-run.ts";
import {
  type Row,
  rowsBefore,
  rowTexts,
  type SelfReadingStatement,
  selfReadingStatements,
  type WayOfReading,
  waysOfReading,
} from "../testing/self-reads.ts";
import { openPipelineHarness, scope } from "./testing/pipeline.ts";

const harness = await openPipelineHarness({ after });
const create = `CREATE OR REPLACE TABLE t (id INT, n INT);
  INSERT INTO t VALUES ${rowsBefore.map(([id, n]) => `(${id}, ${n})`).join(", ")};`;
const select = "SELECT coalesce(string(id), 'NULL') AS id, coalesce(string(n), 'NULL') AS n FROM t";

before(async () => {
  await harness.run(`${create} CREATE TABLE other (id INT); INSERT INTO other VALUES (2), (7);`);
  await harness.update("CREATE VIEW v AS SELECT id, n FROM t; CREATE VIEW w AS SELECT * FROM v;", {
    pipeline: "views",
  });
});

/**
 * Which script wrote the rows of the table: an earlier one, or an earlier one and the same one. Returns the rows after
 * the statement.
 */
const states: Readonly<Record<string, (statement: string) => Promise<readonly string[]>>> = {
  "rows of an earlier script": async (statement) => {
    await harness.run(create);
    return rowsOf(`${statement}; ${select}`);
  },
  "rows of an earlier script and of the same one": async (statement) => {
    await harness.run(`${create} DELETE FROM t WHERE id IN (2, 4); UPDATE t SET n = 0 WHERE id = 3`);
    return rowsOf(
      `INSERT INTO t VALUES (2, 20), (4, 40); UPDATE t SET n = 30 WHERE id = 3; ${statement}; ${select}`,
    );
  },
  "a pipeline file": async (statement) => {
    await harness.run(create);
    const { tables } = await harness.update(statement, { pipeline: "plain" });
    assert.deepEqual(
      tables.filter((table) => table.error),
      [],
    );
    return harness.rows(select);
  },
};

async function rowsOf(script: string): Promise<string[]> {
  const { rows } = await harness.run(script);
  return rows.map((row) => row.join(" ")).sort();
}

for (const [state, run] of Object.entries(states)) {
  suite(state, () => {
    for (const statement of selfReadingStatements) {
      test(statement.name, async () => {
        for (const way of waysOfReading.filter((one) => isNightly || one.isTypical))
          await verify(run, statement, way);
      });
    }
  });
}

async function verify(
  run: (statement: string) => Promise<readonly string[]>,
  statement: (typeof selfReadingStatements)[number],
  { name, query, rows: read }: WayOfReading,
): Promise<void> {
  const expected = statement.after(rowsBefore, read(rowsBefore));
  const sql = statement.sql(query);
  if (expected === undefined)
    return assert.match(
      await harness.errorMessage(run(sql)),
      /match(es)? more than one row of the source/,
      name,
    );
  assert.deepEqual(await run(sql), rowTexts(expected), `${name}: ${sql}`);
}

test("statements that Databricks does not have are refused and change nothing", async () => {
  await harness.run(create);
  for (const [sql, problem] of [
    ["UPDATE t SET n = s.n FROM t AS s WHERE s.id = t.id", /does not support this part .*from clause/],
    ["DELETE FROM t USING t AS s WHERE s.id = t.id", /does not support this part .*using/],
    ["INSERT INTO t TABLE t", /expected SELECT, WITH or VALUES, found TABLE/],
    ["INSERT OVERWRITE t TABLE t", /expected SELECT, WITH or VALUES, found TABLE/],
    ["CREATE OR REPLACE TABLE t AS FROM t", /expected SELECT, WITH or VALUES, found FROM/],
  ] as const)
    assert.match(await harness.errorMessage(harness.run(sql)), problem, sql);
  assert.deepEqual(await harness.rows(select), rowTexts(rowsBefore));
});

suite("datasets that read themselves", () => {
  test("by name are an error", async () => {
    for (const sql of [
      "CREATE MATERIALIZED VIEW self AS SELECT * FROM self",
      "CREATE STREAMING TABLE self AS SELECT * FROM STREAM(self)",
      "CREATE VIEW self AS SELECT 1 AS id UNION ALL SELECT id FROM self",
      "CREATE VIEW over AS SELECT * FROM self; CREATE MATERIALIZED VIEW self AS SELECT * FROM over",
      "CREATE TABLE plain (id INT); CREATE VIEW over AS SELECT * FROM plain; INSERT INTO plain SELECT * FROM over",
    ]) {
      const { problems } = await harness.plan(sql, { pipeline: "self" });
      assert.notEqual(problems.length, 0, sql);
    }
  });

  test("through a view of another pipeline read the rows before the update", async () => {
    await harness.run(create);
    await harness.update("CREATE MATERIALIZED VIEW m AS SELECT id, n FROM t", { pipeline: "m" });
    await harness.update("CREATE VIEW over_m AS SELECT id, n FROM m", { pipeline: "over_m" });
    const grows = "CREATE MATERIALIZED VIEW m AS SELECT id, n FROM over_m UNION ALL SELECT 6, 60";
    await harness.update(grows, { pipeline: "m" });
    const expected = [...rowTexts(rowsBefore), "6 60"].sort();
    assert.deepEqual(await harness.rows("SELECT * FROM m"), expected);
    await harness.update(grows, { pipeline: "m", fullRefresh: "all" });
    assert.deepEqual(await harness.rows("SELECT * FROM m"), [...expected, "6 60"].sort());
    await harness.update("CREATE MATERIALIZED VIEW m AS SELECT id, n, 1 AS added FROM over_m WHERE id < 3", {
      pipeline: "m",
    });
    assert.deepEqual(await harness.rows("SELECT * FROM m"), ["1 10 1", "2 20 1"]);
  });
});

/** A flow whose SELECT names its target is refused; one that names a view of it is not. */
suite("flows that read their target through a view", () => {
  const start = "SELECT id, n FROM start";
  const write = (
    matched_sql: string,
    { strategy, type = "int", ...how }: { strategy: string; type?: string; fullRefresh?: boolean },
  ) => {
    const { target_schema, ...flow } = ordersRequest({
      ...{ matched_sql, target_name: "t", source_tables: ["start", "v", "w", "other"] },
      write_strategy: strategy.split(" ")[0] as NonNullable<ConsumptionFlowInput["write_strategy"]>,
      ...(strategy === "merge_and_delete" && { max_delete_share: 1 }),
    });
    const columns = [column("id", "int", { pk: !strategy.includes("without") }), column("n", type)];
    return runFlow(
      harness.warehouse,
      {
        ...{ scope, businessDate: null, maxDrift: 1, run: "run-1", discardHistory: true, ...how },
        flow: { ...flow, target_schema: { ...target_schema, columns } },
      },
      {
        ...{ signal: new AbortController().signal, crashPoint() {}, log() {} },
        now: () => "2026-03-01T12:00:00.000Z",
      },
    );
  };
  const byKey = (...rows: Row[]) => [...new Map(rows.map((row) => [row[0], row])).values()];
  /** The rows after a run. */
  const strategies: Readonly<Record<string, SelfReadingStatement["after"]>> = {
    merge: (t, q) => byKey(...t, ...q),
    merge_and_delete: (_, q) => q,
    replace: (_, q) => q,
    "replace without a key": (_, q) => q,
    history: (t, q) => byKey(...t, ...q),
  };
  const runs = {
    "a run": {},
    "a full refresh": { fullRefresh: true },
    "another type": { fullRefresh: true, type: "bigint" },
  };
  const ways = waysOfReading.filter(
    ({ throughView, isTypical, query }) => throughView && (isNightly || isTypical) && !/ t\b/.test(query),
  );
  for (const [strategy, rowsAfter] of Object.entries(strategies)) {
    for (const [name, how] of Object.entries(runs)) {
      test(`${strategy}: ${name}`, async () => {
        for (const way of ways) {
          await harness.run(`${create} CREATE OR REPLACE TABLE start AS SELECT * FROM t; DROP TABLE t`);
          await write(start, { strategy });
          await write(way.query, { strategy, ...how });
          const read = way.rows(rowsBefore);
          const expected = name === "a run" ? rowsAfter(rowsBefore, read) : read;
          const current = strategy === "history" ? `${select} WHERE is_current` : select;
          assert.deepEqual(await harness.rows(current), rowTexts(expected ?? []), way.name);
        }
      });
    }
  }
});
