import type { TestContext } from "node:test";
import { until } from "@lakehelm/testing/until";
import { putTestAgent, testAgentPath } from "../../../resources/agents/test-agent.ts";
import { startTestServer } from "../../../testing/server.ts";
import { putTinyApp } from "../../../testing/tiny-app.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../../testing/warehouse.ts";
import { flow as revenue, startWithWorkspace, tickets } from "../databricks/testing/connected-server.ts";
import { embedded } from "./embedded.ts";
import type { ResourceFixture } from "./resource-fixture.ts";

const { target_type, target_config, datasets } = tickets;
const table = { catalog: "shop", schema: "sales", table: "orders" };
const flow = { ...revenue, matched_sql: revenue.matched_sql.replace("ordered_at", "updated_at") };
const automation = { tasks: [{ name: "count", kind: "sql" as const, query: "SELECT 7 AS n" }] };
const sql = "CREATE MATERIALIZED VIEW seven AS SELECT 7 AS n";
const pipeline = { libraries: [{ file: { path: "pipelines/seven.sql" } }], serverless: true };

/** The embedded platform, which moves a row. */
export async function embeddedResources(): Promise<ResourceFixture> {
  const server = await startTestServer();
  const { client } = server;
  const environment = "shop";
  const { id } = await client.createEnvironment({
    body: { name: environment, configuration: shopConfiguration },
  });
  await fillWarehouse(server, id, ...shop, "COMMENT ON TABLE shop.sales.orders IS 'Orders'");
  await client.putFile({ params: { path: "pipelines/seven.sql" }, body: sql, environment });
  const source = await embedded.openFixture();
  source.put([{ id: 1, name: "Ada", updated_at: "2026-01-01T00:00:00Z" }]);
  return {
    client,
    environment,
    connector: source.connector,
    flow,
    pipeline,
    automation,
    agent: {
      sourcePath: testAgentPath,
      writeCode: () => putTestAgent(client, environment),
      versions: [{ version: "1.0.0" }, { version: "2.0.0" }],
      async during(change, meanwhile) {
        await Promise.all([change(), meanwhile()]);
      },
    },
    appPath: await putTinyApp(client, environment),
    table,
    async close() {
      await server.close();
      await source.close();
    },
  };
}

/** A stand-in for a workspace, in which runs and updates succeed at once. */
export async function standInResources(): Promise<ResourceFixture> {
  const closing: (() => unknown)[] = [];
  const context = { after: (close: () => unknown) => void closing.push(close) };
  const started = await startWithWorkspace(context as unknown as TestContext);
  const { client, jobs, pipelines, serving, apps, objects, unity, warehouse } = started;
  const environment = "lake";
  jobs.hooks.begun = (run) => jobs.end(run, "SUCCESS");
  pipelines.hooks.begun = (update) => {
    update.state = "COMPLETED";
  };
  warehouse.run = (text) => {
    unity.apply(text);
    return /^\W*SELECT/.test(text)
      ? { columns: [["n", "BIGINT"]], rows: [["7"]] }
      : { columns: [], rows: [] };
  };
  unity.schemas.add("shop.sales");
  const columns = [
    { name: "order_id", type: "BIGINT" },
    { name: "amount", type: "DECIMAL(18,2)" },
    { name: "updated_at", type: "TIMESTAMP" },
  ];
  unity.tables.set("shop.sales.orders", { comment: "Orders", columns });
  await client.putFile({ params: { path: "pipelines/seven.sql" }, body: sql, environment });
  const version = (number: string) => ({
    version: `${number}.0.0`,
    metadata: { model: "agents.desk", model_version: number },
  });
  return {
    client,
    environment,
    connector: { target_type, target_config, datasets },
    flow,
    pipeline,
    automation,
    agent: {
      versions: [version("1"), version("2")],
      async during(change, meanwhile) {
        serving.state.isSlow = true;
        const changing = change();
        const endpoint = await until(() => [...serving.endpoints.values()].find(({ pending }) => pending));
        await meanwhile();
        serving.state.isSlow = false;
        serving.settle(endpoint);
        await changing;
      },
    },
    appPath: await putTinyApp(client, environment),
    table,
    left: async () => [
      ...[
        jobs.jobs,
        pipelines.pipelines,
        apps.apps,
        serving.endpoints,
        objects.deployed(),
        objects.secrets,
      ].flatMap((things) => [...things.keys()]),
    ],
    async close() {
      for (const close of closing.reverse()) await close();
    },
  };
}
