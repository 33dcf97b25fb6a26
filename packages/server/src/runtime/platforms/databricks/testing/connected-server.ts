import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { type DatabaseEngine, startTestServer, type TestServerOptions } from "../../../../testing/server.ts";
import { count } from "../../../../testing/store.ts";
import { appRoutes } from "./apps.ts";
import { startFakeWorkspace, testToken } from "./fake-workspace.ts";
import { jobRoutes } from "./jobs.ts";
import { objectRoutes } from "./objects.ts";
import { pipelineRoutes } from "./pipelines.ts";
import { servingRoutes } from "./serving.ts";
import { fakeSqlWarehouse, testWarehouse } from "./sql-warehouse.ts";
import { fakeUnityCatalog } from "./unity-catalog.ts";

export type ConnectorBody = Parameters<Client["createConnector"]>[0]["body"];

export const tickets = {
  name: "tickets",
  target_type: "warehouse",
  target_config: {
    connection: {
      type: "rest",
      config: {
        url: "https://api.example.test/v2",
        headers: { Authorization: "{{secrets/shop/api}}", "X-Api-Key": "k-literal-7711" },
        records_path: "items",
      },
    },
  },
  execution_mode: "batch",
  schedule_cron: "*/15 * * * *",
  created_by: "ada",
  datasets: [{ source_dataset: "tickets", target_name: "bronze.tickets", primary_keys: ["ticket_id"] }],
} satisfies ConnectorBody;

export const flow = {
  flow_name: "revenue_by_day",
  source_tables: ["shop.sales.orders"],
  target_name: "shop.marts.revenue_by_day",
  trigger_type: "scheduled" as const,
  schedule: { cron: "0 6 * * *", timezone: "Europe/Berlin" },
  matched_sql:
    "SELECT CAST(ordered_at AS DATE) AS order_date, SUM(amount) AS revenue FROM shop.sales.orders GROUP BY 1",
  business_date_column: "order_date",
  target_schema: {
    description: "Revenue by day",
    columns: [
      { name: "order_date", type: "date", not_null: true },
      { name: "revenue", type: "decimal(18,2)" },
    ],
  },
  requested_by: "ada@example.test",
} satisfies Parameters<Client["createFlow"]>[0]["body"];

export const file = {
  ...tickets,
  name: "exports",
  target_config: {
    connection: { type: "files", config: { path: "/Volumes/shop/landing/exports", format: "csv" } },
  },
  execution_mode: "file_arrival",
  datasets: [{ source_dataset: "orders", target_name: "bronze.orders_files", write_strategy: "append" }],
} satisfies ConnectorBody;

/** A server, a workspace, and the environment `lake` in it. */
export async function startWithWorkspace(
  t: TestContext,
  engine: DatabaseEngine = "sqlite",
  options: Pick<TestServerOptions, "now" | "monotonicMs" | "settings"> = {},
) {
  const jobs = jobRoutes();
  const objects = objectRoutes();
  const pipelines = pipelineRoutes();
  const apps = appRoutes();
  const serving = servingRoutes();
  const warehouse = fakeSqlWarehouse();
  const unity = fakeUnityCatalog();
  const workspace = await startFakeWorkspace(
    t,
    jobs.routes,
    objects.routes,
    pipelines.routes,
    apps.routes,
    serving.routes,
    warehouse.routes,
    unity.routes,
  );
  let server = await startTestServer({ engine, ...options });
  t.after(() => server.close());
  const { client } = server;
  const configuration = {
    host: workspace.url,
    token: testToken,
    warehouse_id: testWarehouse,
    catalog: "shop",
    tags: { team: "data" },
  };
  const { id: environmentId } = await client.createEnvironment({
    body: { name: "lake", platform: "databricks", configuration },
  });
  await client.limitSecretScope({ params: { scope: "shop" }, body: { hosts: ["*"] } });
  await client.putSecret({
    params: { scope: "shop", key: "api" },
    body: { value: "Bearer s3cr3t-9920" },
    environment: "lake",
  });
  return {
    jobs,
    objects,
    pipelines,
    apps,
    serving,
    warehouse,
    unity,
    workspace,
    configuration,
    environmentId,
    get server() {
      return server;
    },
    get client() {
      return server.client;
    },
    create: (body: ConnectorBody) => server.client.createConnector({ body, environment: "lake" }),
    /** The outbox entries that are left, besides searches for what was made late. */
    pending: () => count(server.server.store, "outbox where topic <> 'databricks.search'"),
    searches: () => count(server.server.store, "outbox where topic = 'databricks.search'"),
    async crash() {
      server = await server.crash();
    },
    only() {
      const all = [...jobs.jobs.values()];
      assert.equal(all.length, 1, "there is exactly one job");
      return all[0] as (typeof all)[0];
    },
  };
}
