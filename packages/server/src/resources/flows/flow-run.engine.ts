/** Runs of flows through the API, on the real engine. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

const byCountry = (more: object = {}) => ({
  flow_name: unique("orders"),
  source_tables: ["orders", "customers"],
  target_name: "marts.orders",
  trigger_type: "manual",
  matched_sql:
    "select o.order_id, o.amount, c.country, cast(o.updated_at as date) as day from orders o join customers c using (customer_id)",
  business_date_column: "day",
  target_schema: {
    description: "Orders with their customer's country",
    columns: [
      { name: "order_id", type: "bigint", pk: true },
      { name: "amount", type: "decimal(18,2)" },
      { name: "country", type: "string", pii: true },
      { name: "day", type: "date" },
    ],
  },
  requested_by: "ada@example.com",
  ...more,
});

suite("runs of flows", () => {
  let server: TestServer;
  let environment: string;
  before(async () => {
    server = await startTestServer();
    const body = { name: "shop", configuration: shopConfiguration };
    environment = (await server.client.createEnvironment({ body })).id;
    await fillWarehouse(server, environment, ...shop);
  });
  after(() => server.close());

  async function run(flowId: string, parameters: Record<string, unknown> = {}) {
    const { client } = server;
    const { id } = await client.runJob({ params: { job_id: `flow-${flowId}` }, body: { parameters } });
    const read = () => client.getRun({ params: { run_id: id } });
    // Polling more often would slow the engine down on a busy machine.
    await until(async () => !["queued", "running"].includes((await read()).status), 50);
    return read();
  }
  const rows = async (sql: string) => (await server.client.runQuery({ body: { sql }, environment })).rows;

  test("a run publishes one date, the next run all dates, and a third changes nothing", async () => {
    const { id } = await server.client.createFlow({ body: byCountry(), environment });
    const first = await run(id, { business_date: "2026-01-01" });
    assert.deepEqual([first.status, first.metrics.rows_inserted], ["succeeded", 1], first.error ?? "");
    const second = await run(id);
    assert.deepEqual([second.metrics.rows_inserted, second.metrics.rows_updated], [2, 0]);
    const third = await run(id);
    assert.deepEqual([third.metrics.rows_inserted, third.metrics.failed_checks], [0, []]);
    assert.deepEqual(await rows("select order_id, country from marts.orders order by order_id"), [
      [1, "DE"],
      [2, "FR"],
      [3, "DE"],
    ]);
    const query = { schema: "marts", table: "orders" };
    const [table] = (await server.client.readCatalog({ query, environment })).tables;
    assert.equal(table?.comment, "Orders with their customer's country");
    assert.deepEqual(table?.columns.find(({ name }) => name === "country")?.tags, { pii: "true" });
  });

  test("a failed check fails the run, or is a warning of the run and its flow, by its severity", async () => {
    const { client } = server;
    const { target_schema } = byCountry();
    const foreign_keys = [{ column: "country", parent_table: "orders", parent_column: "order_id" }];
    const checked = (check_severity?: "warn" | "fail") =>
      byCountry({
        flow_name: "checked",
        target_name: "marts.checked",
        matched_sql: byCountry().matched_sql.replace("c.country", "cast(-o.order_id as string) as country"),
        target_schema: { ...target_schema, foreign_keys },
        ...(check_severity && { check_severity }),
      });
    const { id } = await client.createFlow({ body: checked(), environment });
    const failed = await run(id);
    assert.deepEqual([failed.status, failed.attempt, failed.metrics.rows_inserted], ["failed", 1, 3]);
    assert.match(
      failed.error ?? "",
      /^The rows were published, but shop\.marts\.checked did not pass .*country/,
    );
    const flow = () => client.getFlow({ params: { flow_id: id } });
    assert.deepEqual([(await flow()).status, (await flow()).error_message], ["failing", failed.error]);

    await client.updateFlow({ params: { flow_id: id }, body: checked("warn") });
    const warned = await run(id);
    assert.equal(warned.status, "succeeded");
    assert.match(
      warned.error ?? "",
      /^shop\.marts\.checked did not pass its checks: country is in .*: 3 values/,
    );
    assert.deepEqual([(await flow()).status, (await flow()).error_message], ["warning", warned.error]);
    // The run does not show the rows, but a caller who may read the table finds them with the logged command.
    const log = await (await server.fetch(`/api/v1/runs/${warned.id}/log`)).text();
    const [, command = ""] = /To see them: lakehelm query --env \S+ '(.*?)'(?:"|\n|$)/.exec(log) ?? [];
    const { rows } = await client.runQuery({ body: { sql: command.replaceAll("'\\''", "'") }, environment });
    assert.deepEqual(rows.map(([country]) => country).sort(), ["-1", "-2", "-3"]);
    const query = { status: "warning" } as const;
    assert.equal((await client.listFlows({ query, environment })).total, 1);
    const kinds = (await server.events(undefined, `flow/${id}`)).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(-1), ["flow.warning"]);
  });

  test("the log of a run has each failed check once, and only those that fail it are its error", async () => {
    const { client } = server;
    const { target_schema } = byCountry();
    const key = { column: "country", parent_table: "orders", parent_column: "order_id" };
    const warned = { ...key, parent_table: "customers", parent_column: "country", check_severity: "warn" };
    const unnamed = { column: "order_id", parent_table: "customers", parent_column: "country" };
    for (const foreign_keys of [[key], [key, warned], [warned, key], [key, unnamed, warned]]) {
      const body = byCountry({
        target_name: `marts.${unique("logged").replaceAll("-", "_")}`,
        matched_sql: byCountry().matched_sql.replace("c.country", "cast(-o.order_id as string) as country"),
        target_schema: { ...target_schema, foreign_keys },
      });
      const { id } = await client.createFlow({ body, environment });
      const { id: run_id, status, error, metrics } = await run(id);
      assert.equal(status, "failed");
      const checks = metrics.failed_checks as readonly string[];
      assert.equal(checks.length, foreign_keys.length, JSON.stringify(checks));
      const log = await (await server.fetch(`/api/v1/runs/${run_id}/log`)).text();
      checks.forEach((text) => {
        assert.equal(log.split(text).length - 1, 1, log);
      });
      assert.equal(
        checks.filter((text) => error?.includes(text)).length,
        foreign_keys.filter((one) => one !== warned).length,
      );
    }
  });

  test("a permanent error fails the run with a message and without retries", async () => {
    const { client } = server;
    const body = byCountry({
      target_name: "marts.nothing",
      source_tables: ["ordrs", "customers"],
      matched_sql: byCountry().matched_sql.replace("from orders", "from ordrs"),
    });
    const { id } = await client.createFlow({ body, environment });
    const { status, error, attempt } = await run(id);
    assert.deepEqual([status, attempt], ["failed", 1]);
    assert.match(error ?? "", /^matched_sql: Line 1, column \d+: there is no table "shop\.sales\.ordrs"/);
    await refused(client.runQuery({ body: { sql: "select * from marts.nothing" }, environment }), 409);
  });

  const withSql = (matched_sql: string, more: object = {}) =>
    byCountry({ target_name: `marts.${unique("t").replaceAll("-", "_")}`, matched_sql, ...more });
  const flowOf = (id: string) => server.client.getFlow({ params: { flow_id: id } });
  /** On a busy machine, the warehouse may answer after the caller got the response. */
  const settled = async (id: string, status: string) => {
    await until(async () => (await flowOf(id)).status === status, 50);
    return flowOf(id);
  };

  test("a flow whose SQL the warehouse cannot run is failed, with the reason and without a job", async () => {
    const { client } = server;
    const refusedSql = byCountry().matched_sql.replace("o.amount", "skewness(o.amount) as amount");
    const { id } = await client.createFlow({ body: withSql(refusedSql), environment });
    const failed = await settled(id, "failed");
    assert.match(
      failed.error_message ?? "",
      /^matched_sql: Line 1, column \d+: there is no function skewness/,
    );
    assert.equal(failed.workflow_id, null);
    await refused(client.getJob({ params: { job_id: `flow-${id}` } }), 404);
    const params = { flow_id: id };
    const fixed = { ...failed.definition, matched_sql: byCountry().matched_sql };
    const active = await client.updateFlow({ params, body: fixed });
    assert.deepEqual([active.status, active.error_message], ["active", null]);
    assert.equal((await run(id)).status, "succeeded");
    await client.updateFlow({ params, body: failed.definition });
    assert.equal((await settled(id, "failed")).workflow_id, null);
    await refused(client.getJob({ params: { job_id: `flow-${id}` } }), 404);
  });

  test("a flow whose tables are missing is active; once they exist, its run shows what is wrong", async () => {
    const { client } = server;
    const table = `marts.${unique("late").replaceAll("-", "_")}`;
    const columns = [
      { name: "order_id", type: "bigint", pk: true },
      { name: "amount", type: "decimal(18,2)" },
    ];
    const publishing = (names: readonly string[], from: string, target_name: string) =>
      byCountry({
        target_name,
        source_tables: [from],
        matched_sql: `select ${names.join(", ")} from ${from}`,
        business_date_column: undefined,
        target_schema: { description: "", columns: columns.filter(({ name }) => names.includes(name)) },
      });
    const all = ["order_id", "amount"];
    const body = publishing(all, table, `${table}_copy`);
    const { id, status } = await client.createFlow({ body, environment });
    assert.equal(status, "active");
    const source = await client.createFlow({ body: publishing(["order_id"], "orders", table), environment });
    assert.equal((await run(source.id)).status, "succeeded");
    const first = await run(id);
    assert.equal(first.status, "failed");
    const failing = await flowOf(id);
    assert.deepEqual([failing.status, failing.error_message], ["failing", first.error]);
    const wider = { ...source.definition, ...publishing(all, "orders", table), flow_name: source.name };
    await client.updateFlow({ params: { flow_id: source.id }, body: wider });
    assert.equal((await run(source.id)).status, "succeeded");
    assert.equal((await run(id)).status, "succeeded");
    const again = await flowOf(id);
    assert.deepEqual([again.status, again.error_message], ["active", null]);
    const kinds = (await server.events(undefined, `flow/${id}`)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["flow.created", "flow.failing", "flow.recovered"]);
  });
});
