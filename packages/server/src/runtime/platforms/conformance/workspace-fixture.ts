import { startTestServer } from "../../../testing/server.ts";
import { putTinyApp } from "../../../testing/tiny-app.ts";
import { flow as revenue } from "../databricks/testing/connected-server.ts";
import type { ResourceFixture } from "./resource-fixture.ts";
import { openWorkspaceEnvironment, type WorkspaceAccess, workspaceWaitMs } from "./workspace-environment.ts";

const seven = "CREATE MATERIALIZED VIEW seven AS SELECT 7 AS n";
const versionOf = (model: string, model_version: string) => ({
  version: `${model_version}.0.0`,
  metadata: { model, model_version },
});

/** An environment in a workspace that exists, for the conformance of resources. */
export async function workspaceResources(access: WorkspaceAccess): Promise<ResourceFixture> {
  const { catalog, warehouseId, model } = access;
  const server = await startTestServer();
  const opened = await openWorkspaceEnvironment(server.client, access).catch(async (error) => {
    await server.close();
    throw error;
  });
  const { name: environment, schema, statement, remaining } = opened;
  async function close(): Promise<void> {
    try {
      await opened.remove();
    } finally {
      await server.close();
    }
  }
  const path = "pipelines/seven.sql";
  async function prepare(): Promise<string> {
    if (warehouseId)
      await statement(
        `CREATE TABLE ${catalog}.${schema}.orders (order_id BIGINT, amount DECIMAL(18,2), updated_at TIMESTAMP) COMMENT 'Orders'`,
      );
    await server.client.putFile({ params: { path }, body: seven, environment });
    return putTinyApp(server.client, environment);
  }
  const appPath = await prepare().catch(async (error) => {
    await close();
    throw error;
  });

  return {
    client: server.client,
    environment,
    waitMs: workspaceWaitMs,
    runsMayFail: true,
    flow: {
      ...revenue,
      source_tables: [`${catalog}.${schema}.orders`],
      target_name: `${catalog}.${schema}.revenue_by_day`,
      matched_sql: `SELECT CAST(updated_at AS DATE) AS order_date, SUM(amount) AS revenue FROM ${catalog}.${schema}.orders GROUP BY 1`,
    },
    automation: { tasks: [{ name: "count", kind: "sql", query: "SELECT 7 AS n" }] },
    // An update creates a table, and a query needs a warehouse.
    ...(warehouseId && {
      pipeline: { libraries: [{ file: { path } }], serverless: true },
      table: { catalog, schema, table: "orders" },
    }),
    ...(model && {
      agent: {
        versions: [versionOf(model, "1"), versionOf(model, "2")] as const,
        async during(change: () => Promise<unknown>, meanwhile: () => Promise<void>) {
          await Promise.all([change(), meanwhile()]);
        },
      },
    }),
    appPath,
    left: () => remaining(),
    // The connector reads a table that every workspace has. The address does not exist.
    connector: {
      target_type: "http",
      target_config: { url: "https://hooks.example.test/conformance" },
      datasets: [{ source_dataset: "samples.nyctaxi.trips", target_name: "trips", write_strategy: "append" }],
    },
    close,
  };
}
