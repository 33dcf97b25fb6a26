/** Runs of automations with SQL, flow, connector and pipeline tasks on the real engine. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer, unique } from "../../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../../testing/warehouse.ts";
import { type TestDefinition, tasksOf } from "../test-automations.ts";
import { type RequestReceiver, startRequestReceiver } from "./test-receiver.ts";

suite("tasks on the warehouse", () => {
  let server: TestServer;
  let receiver: RequestReceiver;
  let environment: string;
  before(async () => {
    receiver = await startRequestReceiver();
    server = await startTestServer({
      settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.0/8", PLATFORM_RUNS_AT_ONCE: "1" },
    });
    const body = { name: "shop", configuration: shopConfiguration };
    environment = (await server.client.createEnvironment({ body })).id;
    await fillWarehouse(server, environment, ...shop);
  });
  after(async () => {
    await server.close();
    await receiver.close();
  });

  const ended = async (id: string): Promise<Run> => {
    const read = () => server.client.getRun({ params: { run_id: id } });
    // Polling more often would slow the engine down on a busy machine.
    await until(async () => (await read()).ended_at !== null, 50);
    return read();
  };

  async function released(definition: TestDefinition) {
    const { client } = server;
    const params = { automation_alias: unique("report") };
    await client.createAutomation({ body: { alias: params.automation_alias, definition } });
    await client.syncAutomationRelease({ body: { ...params, environment } });
    const start = (parameters: Record<string, unknown> = {}) =>
      client.runAutomation({ params, environment, body: { parameters } });
    return { start, run: async (parameters = {}) => ended((await start(parameters)).id) };
  }
  const rows = async (sql: string) => (await server.client.runQuery({ body: { sql }, environment })).rows;

  test("the log of a run has its error once", async () => {
    const { run } = await released({
      tasks: [{ name: "wrong", kind: "sql", query: "select nothing from orders" }],
    });
    const { id, status, error } = await run();
    assert.equal(status, "failed");
    const { lines } = await server.client.readRunLog({ params: { run_id: id } });
    assert.deepEqual(
      lines.filter(({ level }) => level === "error").map(({ line }) => line),
      [error],
    );
  });

  test("statements use placeholders and pass their results and tables to later tasks", async () => {
    const { run } = await released({
      parameters: { country: "DE", note: "x" },
      tasks: [
        {
          name: "make",
          kind: "sql",
          query: `create or replace table chosen as
            select o.order_id, {{parameters.note}} as note from orders o join customers c using (customer_id)
            where c.country = :country`,
          parameters: { country: "{{parameters.country}}" },
        },
        { name: "count", kind: "sql", depends_on: ["make"], query: "select count(*) as n from chosen" },
        {
          name: "few",
          kind: "sql",
          depends_on: ["count"],
          condition: { left: "{{tasks.count.value}}", op: "<", right: "2" },
          query: "insert into chosen values (0, 'few')",
        },
      ],
    });
    const sly = "'); drop table orders; --";
    const first = await run({ note: sly });
    assert.equal(first.status, "succeeded", first.error ?? "");
    const [, count, few] = tasksOf(first);
    assert.deepEqual([count?.output?.value, count?.output?.rows, few?.status], [2, [[2]], "skipped"]);
    assert.deepEqual(await rows("select * from chosen order by 1"), [
      [1, sly],
      [3, sly],
    ]);
    const second = await run({ country: "FR" });
    assert.deepEqual(tasksOf(second)[2]?.output?.inserted, 1);
    assert.deepEqual(await rows("select order_id from chosen order by 1"), [[0], [2]]);
  });

  test("statements are repeated for each row of a query, and values keep the types of their columns", async () => {
    const tasks: TestDefinition["tasks"] = [
      {
        name: "make",
        kind: "sql",
        query: "create or replace table per_item (id bigint, price decimal(10,2))",
      },
      {
        name: "find",
        kind: "sql",
        query: "select 9007199254740993 + id as id, cast(id + 0.5 as decimal(10,2)) as price from range(4)",
      },
      {
        name: "each",
        kind: "sql",
        depends_on: ["find", "make"],
        for_each: { items: "{{tasks.find.output.rows}}", concurrency: 3 },
        query: "insert into per_item select {{item.id}}, :price + 1",
        parameters: { price: "{{item.price}}" },
      },
    ];
    const done = await (await released({ tasks })).run();
    assert.equal(done.status, "succeeded", done.error ?? "");
    assert.deepEqual(tasksOf(done)[2]?.output, { count: 4, succeeded: 4, failed: 0 });
    assert.deepEqual(await rows("select count(*), max(id), sum(price) from per_item"), [
      [4, "9007199254740996", "12.00"],
    ]);
    const listed = (size: number): TestDefinition["tasks"] => [
      { name: "find", kind: "sql", query: `select id from range(${size})` },
      {
        name: "each",
        kind: "sql",
        depends_on: ["find"],
        for_each: { items: "{{tasks.find.output.rows}}" },
        query: "select {{item.id}} / ({{item.id}} - 100)",
      },
    ];
    const refused = await (await released({ tasks: listed(1001) })).run();
    assert.match(refused.error ?? "", /The query of the task "find" returned 1001 rows/);
  });

  test("numbers from a query keep their type in later queries", async () => {
    const { run } = await released({
      parameters: { big: 1 },
      tasks: [
        { name: "price", kind: "sql", query: "select cast(9.50 as decimal(10,2)) as price" },
        { name: "id", kind: "sql", query: "select 9007199254740993 as id, cast(0.5 as double) as half" },
        {
          name: "both",
          kind: "sql",
          depends_on: ["price", "id"],
          query:
            "select {{tasks.price.value}}, {{tasks.price.value}} + 1, :id + 1, :half, {{parameters.big}} + 1",
          parameters: {
            id: "{{tasks.id.output.rows.0.0}}",
            half: "{{tasks.id.output.rows.0.1}}",
          },
        },
        { name: "none", kind: "sql", query: "select 1 as n where false" },
        {
          name: "few",
          kind: "sql",
          depends_on: ["none"],
          condition: { left: "{{tasks.none.value}}", op: "<", right: "5" },
          query: "select 1",
        },
        { name: "make", kind: "sql", query: "create or replace table counted as select 1 as n" },
        {
          name: "change",
          kind: "sql",
          depends_on: ["make"],
          query:
            "insert into counted values (2); update counted set n = 3 where n = 2; delete from counted where n = 1",
        },
        {
          name: "changed",
          kind: "sql",
          depends_on: ["change"],
          query: "select {{tasks.change.rows}}",
        },
      ],
    });
    const done = await run({ big: 9007199254740993n });
    assert.equal(done.status, "succeeded", done.error ?? "");
    const of = (name: string) => tasksOf(done).find((task) => task.name === name);
    const { rows: found, columns } = of("both")?.output ?? {};
    assert.deepEqual(found, [["9.50", "10.50", "9007199254740994", 0.5, "9007199254740994"]]);
    const types = (columns as { type: string }[]).map(({ type }) => type);
    assert.deepEqual([types[0], types[3]], ["DECIMAL(10,2)", "DOUBLE"]);
    assert.deepEqual([of("few")?.status, of("few")?.reason], ["skipped", "condition"]);
    assert.equal(of("changed")?.output?.value, 3);
  });

  test("an invalid statement fails its task with a message, and none of its changes remain", async () => {
    const { run } = await released({
      tasks: [
        {
          name: "half",
          kind: "sql",
          query: "create table half as select 1 as a; select 1 / nowhere from half",
        },
      ],
    });
    const { status, error } = await run();
    assert.equal(status, "failed");
    assert.match(error ?? "", /^Task "half" failed: .*nowhere/);
    const { tables } = await server.client.readCatalog({ query: { schema: "sales" }, environment });
    assert.ok(!tables.some(({ name }) => name === "half"));
  });

  test("pipeline, flow and connector tasks run in order, each as a run of its own job", async () => {
    const { client } = server;
    const suffix = unique("").replaceAll("-", "");
    const put = { params: { path: "pipelines/clean.sql" }, environment };
    await client.putFile({
      ...put,
      body: new TextEncoder().encode(
        `CREATE OR REFRESH MATERIALIZED VIEW clean_${suffix} AS SELECT * FROM shop.sales.orders WHERE amount < 1000`,
      ),
    });
    const pipeline = await client.createPipeline({
      body: {
        name: `clean-${suffix}`,
        catalog: "shop",
        schema: "sales",
        libraries: [{ file: { path: "pipelines/clean.sql" } }],
      },
      environment,
    });
    const flow = await client.createFlow({
      body: {
        flow_name: `mart-${suffix}`,
        source_tables: [`clean_${suffix}`],
        target_name: `marts.orders_${suffix}`,
        trigger_type: "manual",
        matched_sql: `select order_id, amount from clean_${suffix}`,
        target_schema: {
          description: "Orders that are not too large",
          columns: [
            { name: "order_id", type: "bigint", pk: true },
            { name: "amount", type: "decimal(18,2)" },
          ],
        },
        requested_by: "ada@example.com",
      },
      environment,
    });
    const connector = await client.createConnector({
      body: {
        name: `out-${suffix}`,
        target_type: "http",
        target_config: { url: `${receiver.url}/${suffix}` },
        execution_mode: "batch",
        created_by: "ada",
        datasets: [{ source_dataset: `shop.marts.orders_${suffix}`, target_name: "orders" }],
      },
      environment,
    });
    const { run } = await released({
      tasks: [
        { name: "clean", kind: "pipeline", reference: pipeline.name },
        { name: "publish", kind: "flow", reference: flow.name, depends_on: ["clean"] },
        { name: "send", kind: "connector", reference: connector.name, depends_on: ["publish"] },
        {
          name: "tell",
          kind: "http",
          url: `${receiver.url}/tell-${suffix}`,
          depends_on: ["send"],
          parameters: { body: "{{tasks.publish.rows}}/{{tasks.send.output.rows_read}}" },
        },
      ],
    });
    const done = await run();
    assert.equal(done.status, "succeeded", done.error ?? "");
    const jobs = await Promise.all(
      tasksOf(done).flatMap(({ run_id }) =>
        run_id === null ? [] : [client.getRun({ params: { run_id } }).then(({ job_id }) => job_id)],
      ),
    );
    assert.deepEqual(jobs, [`pipeline-${pipeline.pipeline_id}`, `flow-${flow.id}`, connector.workflow_id]);
    assert.equal(receiver.received(`/tell-${suffix}`)[0]?.body, "2/2");
    assert.ok(receiver.received(`/${suffix}`).length > 0);
  });

  test("cancelling an automation cancels the run that it waits for", async () => {
    const { client } = server;
    const name = unique("stuck");
    receiver.on(`/${name}`, () => new Promise(() => {}));
    await client.createConnector({
      body: {
        name,
        target_type: "http",
        target_config: { url: `${receiver.url}/${name}` },
        execution_mode: "batch",
        created_by: "ada",
        datasets: [{ source_dataset: "shop.sales.orders", target_name: "orders" }],
      },
      environment,
    });
    const { start } = await released({
      tasks: [
        { name: "send", kind: "connector", reference: name },
        { name: "after", kind: "sql", query: "select 1", depends_on: ["send"] },
      ],
    });
    const { id } = await start();
    await until(() => receiver.received(`/${name}`).length > 0);
    await client.cancelRun({ params: { run_id: id } });
    const done = await ended(id);
    assert.equal(done.status, "cancelled");
    const [send, rest] = tasksOf(done);
    assert.deepEqual([send?.status, rest?.status], ["cancelled", "cancelled"]);
    assert.equal((await ended(send?.run_id ?? "")).status, "cancelled");
  });

  test("a run that exceeds its timeout fails and aborts its pending request", async () => {
    const path = `/${unique("hang")}`;
    receiver.on(path, () => new Promise(() => {}));
    const { run } = await released({
      timeout_seconds: 1,
      tasks: [{ name: "hang", kind: "http", url: `${receiver.url}${path}` }],
    });
    const done = await run();
    assert.deepEqual([done.status, done.error], ["failed", "It took longer than 1 s and was stopped."]);
    assert.equal(tasksOf(done)[0]?.status, "cancelled");
    await receiver.received(path)[0]?.gone;
  });

  test("a child run that exceeds the task's timeout is cancelled, and the task is retried", async () => {
    const { client } = server;
    const name = unique("slow");
    receiver.on(`/${name}`, (_, nth) => (nth === 1 ? new Promise(() => {}) : {}));
    await client.createConnector({
      body: {
        name,
        target_type: "http",
        target_config: { url: `${receiver.url}/${name}` },
        execution_mode: "batch",
        created_by: "ada",
        datasets: [{ source_dataset: "shop.sales.customers", target_name: "customers" }],
      },
      environment,
    });
    const { run } = await released({
      tasks: [
        {
          name: "send",
          kind: "connector",
          reference: name,
          // The first attempt uses up this timeout; on a busy machine, the second attempt may take several seconds.
          timeout_seconds: 10,
          retries: 1,
          retry_seconds: 0,
        },
      ],
    });
    const done = await run();
    assert.deepEqual([done.status, tasksOf(done)[0]?.attempt], ["succeeded", 2], done.error ?? "");
  });
});
