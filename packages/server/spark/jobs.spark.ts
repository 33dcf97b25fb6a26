/** Automations and flows through the API on a real Spark Connect server, which one test kills. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { type TestDefinition, tasksOf } from "../src/resources/automations/test-automations.ts";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";
import { runStatements } from "./run-statements.ts";

const tables = [
  "CREATE SCHEMA main.shop",
  "CREATE TABLE main.shop.orders (order_id BIGINT, customer_id BIGINT, amount DECIMAL(18,2), updated_at TIMESTAMP)",
  "INSERT INTO main.shop.orders SELECT id, id % 2 + 1, id * 10.25, timestamp'2026-01-01' + make_dt_interval(id) FROM range(1, 4)",
  "CREATE TABLE main.shop.customers (customer_id BIGINT, country STRING)",
  "INSERT INTO main.shop.customers VALUES (1, 'DE'), (2, 'FR')",
];

/** A query that takes a second or more and returns one row. */
const slowly = "SELECT sum(hash(id) % 2 * 0) FROM range(0, 3000000, 1, 2)";

suite("jobs on Spark", () => {
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  before(async () => {
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token };
    const body = { name: "cluster", platform: "spark", configuration };
    environment = (await server.client.createEnvironment({ body })).id;
    await runStatements(spark, tables);
  });
  after(async () => {
    await server?.close();
    await spark?.stop();
  });

  const ended = (id: string): Promise<Run> => endedRun(server.client, id);
  const rows = (sql: string) => queryRows(server.client, environment, sql);

  async function released(tasks: TestDefinition["tasks"], definition: Partial<TestDefinition> = {}) {
    const { client } = server;
    const params = { automation_alias: unique("report") };
    await client.createAutomation({
      body: { alias: params.automation_alias, definition: { ...definition, tasks } },
    });
    const { release } = await client.syncAutomationRelease({ body: { ...params, environment } });
    assert.ok(release);
    return (parameters: Record<string, unknown> = {}) =>
      client.runAutomation({ params, environment, body: { parameters } });
  }

  test("statements run one by one, and pass their results to later tasks", async () => {
    const start = await released(
      [
        {
          name: "make",
          kind: "sql",
          query: `create or replace table chosen as
            select order_id, {{parameters.note}} as note from orders where amount > :least;
            insert into chosen values (0, 'none');
            update chosen set note = 'first' where order_id = 0;
            merge into chosen using (select 0 as id) s on s.id = order_id when matched then delete;`,
          parameters: { least: "{{parameters.least}}" },
        },
        { name: "count", kind: "sql", depends_on: ["make"], query: "select count(*) as n from chosen" },
      ],
      { parameters: { note: "x", least: 15 } },
    );
    const sly = "'); drop table orders; --\\";
    const run = await ended((await start({ note: sly })).id);
    assert.equal(run.status, "succeeded", run.error ?? "");
    const [make, count] = tasksOf(run);
    assert.deepEqual(
      [make?.output?.inserted, make?.output?.updated, make?.output?.deleted, count?.output?.value],
      [3, 1, 1, 2],
    );
    assert.deepEqual(await rows("select order_id, note from main.shop.chosen order by 1"), [
      [2, sly],
      [3, sly],
    ]);
  });

  test("an error names its place in the script, and what reaches beyond tables is refused", async () => {
    const failed = async (query: string) => {
      const start = await released([{ name: "wrong", kind: "sql", query }]);
      return (await ended((await start()).id)).error ?? "";
    };
    assert.match(
      await failed("insert into customers\nselect 3, amuont from orders"),
      /Line 2, column 11: .*`?amount/,
    );
  });

  test("a flow publishes its rows, checks them, and a second run changes nothing", async () => {
    const { id } = await server.client.createFlow({
      body: {
        flow_name: unique("orders"),
        source_tables: ["orders", "customers"],
        target_name: "marts.orders",
        trigger_type: "manual",
        matched_sql:
          "select o.order_id, o.amount, c.country from orders o join customers c using (customer_id)",
        target_schema: {
          description: "Orders with their customer's country",
          columns: [
            { name: "order_id", type: "bigint", pk: true },
            { name: "amount", type: "decimal(18,2)" },
            { name: "country", type: "string" },
          ],
        },
        requested_by: "ada@example.test",
      },
      environment,
    });
    const run = async () => ended((await server.client.runJob({ params: { job_id: `flow-${id}` } })).id);
    const first = await run();
    assert.deepEqual([first.status, first.metrics.rows_inserted], ["succeeded", 3], first.error ?? "");
    const second = await run();
    assert.deepEqual(
      [second.metrics.rows_inserted, second.metrics.rows_updated, second.metrics.failed_checks],
      [0, 0, []],
    );
    assert.deepEqual(await rows("select order_id, country from main.marts.orders order by 1"), [
      [1, "FR"],
      [2, "DE"],
      [3, "FR"],
    ]);
  });

  test("a run that is cancelled stops the statement", async () => {
    const start = await released([
      {
        name: "endless",
        kind: "sql",
        query: "select count(*) as n from range(100000000000) a cross join range(1000) b",
      },
    ]);
    const { id } = await start();
    await until(async () => (await server.client.getRun({ params: { run_id: id } })).status === "running");
    await server.client.cancelRun({ params: { run_id: id } });
    assert.equal((await ended(id)).status, "cancelled");
  });

  // Only nightly: faults.spark.ts kills the Spark Connect server, too.
  test(
    "a Spark Connect server that is killed between two statements: each is executed once",
    onlyNightly,
    async () => {
      await runStatements(spark, ["CREATE TABLE main.shop.steps (step INT, n BIGINT)"]);
      const start = await released([
        {
          name: "steps",
          kind: "sql",
          query: `insert into steps values (1, 0); insert into steps select 2, (${slowly}); insert into steps values (3, 0)`,
        },
      ]);
      const { id } = await start();
      const isBegun = async () => (await rows("select 1 from main.shop.steps").catch(() => [])).length > 0;
      await until(isBegun, 200, 400_000);
      await spark.crash();
      const run = await ended(id);
      assert.deepEqual([run.status, tasksOf(run)[0]?.output?.inserted], ["succeeded", 3], run.error ?? "");
      assert.deepEqual(await rows("select step, n from main.shop.steps order by 1"), [
        [1, 0],
        [2, 0],
        [3, 0],
      ]);
    },
  );
});
