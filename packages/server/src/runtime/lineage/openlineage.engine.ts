/** A real server that reports its runs to a receiver of OpenLineage events. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

interface ReceivedEvent {
  readonly eventType: string;
  readonly run: {
    readonly runId: string;
    readonly facets: {
      readonly parent?: { readonly run: { readonly runId: string }; readonly job: object };
      readonly errorMessage?: { readonly message: string };
    };
  };
  readonly job: { readonly namespace: string; readonly name: string };
  readonly inputs: readonly object[];
  readonly outputs: readonly object[];
}

suite("OpenLineage", () => {
  const received: ReceivedEvent[] = [];
  let refusals = 1;
  const receiver = createServer(async (request, response) => {
    const event = JSON.parse(await text(request));
    assert.equal(request.url, "/api/v1/lineage");
    assert.equal(request.headers.authorization, "Bearer key-of-the-receiver");
    refusals -= 1;
    if (refusals >= 0) return void response.writeHead(503).end();
    received.push(event);
    response.writeHead(201).end();
  });
  let server: TestServer;
  let environment: string;

  before(async () => {
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    server = await startTestServer({
      settings: {
        OPENLINEAGE_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
        OPENLINEAGE_API_KEY: "key-of-the-receiver",
        OPENLINEAGE_NAMESPACE: "acme",
      },
    });
    const body = { name: "shop", configuration: shopConfiguration };
    environment = (await server.client.createEnvironment({ body })).id;
    await fillWarehouse(server, environment, ...shop);
  });
  after(async () => {
    await server.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  /** The events of a run, when its last one has arrived. */
  async function eventsOf(runId: string): Promise<readonly ReceivedEvent[]> {
    const found = () => received.filter(({ run }) => run.runId === runId);
    await until(() => found().some(({ eventType }) => eventType !== "START"));
    return found();
  }
  const inShop = (...names: string[]) =>
    names.map((name) => ({ namespace: "lakehelm://acme/shop", name: `shop.${name}` }));

  test("a flow: its start and its end, with what it reads and writes; a refused event is sent again", async () => {
    const { client } = server;
    const flow = {
      flow_name: "big_orders",
      source_tables: ["orders"],
      target_name: "marts.big_orders",
      trigger_type: "manual",
      matched_sql: "select order_id, amount from orders",
      target_schema: {
        description: "Orders",
        columns: [
          { name: "order_id", type: "bigint", pk: true },
          { name: "amount", type: "decimal(18,2)" },
        ],
      },
      requested_by: "ada@example.com",
    };
    const { id } = await client.createFlow({ body: flow, environment });
    const run = await client.runJob({ params: { job_id: `flow-${id}` } });
    const events = await eventsOf(run.id);
    assert.deepEqual(
      events.map(({ eventType }) => eventType),
      ["START", "COMPLETE"],
    );
    assert.ok(refusals < 0);
    const { job, inputs, outputs } = events[1] as ReceivedEvent;
    assert.deepEqual([job.namespace, job.name], ["acme", "shop.flow.big_orders"]);
    assert.deepEqual([inputs, outputs], [inShop("sales.orders"), inShop("marts.big_orders")]);
  });

  test("a connector in an automation: the parent run, and a failure with its reason", async () => {
    const { client } = server;
    await client.createConnector({
      environment,
      body: {
        name: "crm",
        target_type: "postgresql",
        target_config: { host: "127.0.0.1", port: 1, database: "crm", user: "ada", password: "of-the-crm" },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [{ source_dataset: "orders", target_name: "orders", primary_keys: ["order_id"] }],
        policy: { attempts: 1 },
      },
    });
    const tasks = [{ name: "send", kind: "connector" as const, reference: "crm" }];
    await client.createAutomation({ body: { alias: "nightly", definition: { tasks } } });
    await client.syncAutomationRelease({ body: { automation_alias: "nightly", environment: "shop" } });
    const run = await client.runAutomation({ params: { automation_alias: "nightly" }, environment });
    assert.equal((await eventsOf(run.id)).at(-1)?.eventType, "FAIL");
    const child =
      received.find(({ run: { facets } }) => facets.parent?.run.runId === run.id) ?? assert.fail();
    assert.deepEqual(child.run.facets.parent?.job, { namespace: "acme", name: "shop.automation.nightly" });
    const failed = (await eventsOf(child.run.runId)).at(-1) as ReceivedEvent;
    assert.equal(failed.eventType, "FAIL");
    assert.match(failed.run.facets.errorMessage?.message ?? "", /127\.0\.0\.1/);
    assert.deepEqual(failed.inputs, inShop("sales.orders"));
    assert.deepEqual(failed.outputs, [{ namespace: "postgres://127.0.0.1:1", name: "crm.public.orders" }]);
    assert.doesNotMatch(JSON.stringify(received), /of-the-crm/);
  });

  test("a live connector: runs that move nothing are reported once", async () => {
    const { client } = server;
    const { id } = await client.createConnector({
      environment,
      body: {
        name: "mirror",
        target_type: "duckdb",
        target_config: { path: join(server.server.connectorFolders[0] ?? "", "mirror.duckdb") },
        execution_mode: "live",
        created_by: "ada",
        datasets: [{ source_dataset: "orders", target_name: "orders", primary_keys: ["order_id"] }],
      },
    });
    const quiet = async () => {
      const { runs } = await client.listRunsOfJob({ params: { job_id: `connector-${id}` } });
      return runs.find((run) => (run.quiet?.runs ?? 0) >= 4);
    };
    await until(quiet, 100);
    await client.pauseConnector({ params: { connector_id: id }, body: {} });
    const ofMirror = () => received.filter(({ job }) => job.name === "shop.connector.mirror");
    await until(() => ofMirror().length >= 4);
    const events = ofMirror();
    assert.deepEqual(
      events.map(({ eventType }) => eventType),
      ["START", "COMPLETE", "START", "COMPLETE"],
    );
    assert.deepEqual(events.at(-1)?.inputs, inShop("sales.orders"));
    assert.equal(new Set(events.map(({ run }) => run.runId)).size, 2);
  });

  test("a pipeline: tables that it reads from outside, and those that it maintains", async () => {
    const { client } = server;
    const sql =
      "create materialized view daily as select * from orders;\ncreate materialized view top as select * from daily;\n";
    await client.putFile({ params: { path: "pipelines/daily.sql" }, body: sql, environment });
    const { pipeline_id } = await client.createPipeline({
      environment,
      body: {
        name: "daily",
        catalog: "shop",
        schema: "sales",
        libraries: [{ file: { path: "pipelines/daily.sql" } }],
      },
    });
    const { update_id } = await client.startPipelineUpdate({ params: { pipeline_id } });
    const end = (await eventsOf(update_id)).at(-1) as ReceivedEvent;
    assert.equal(end.eventType, "COMPLETE", JSON.stringify(end));
    assert.deepEqual([end.inputs, end.outputs], [inShop("sales.orders"), inShop("sales.daily", "sales.top")]);
  });
});
