import { startTestServer, unique } from "../../../testing/server.ts";
import { putTinyApp } from "../../../testing/tiny-app.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import { flow as revenue } from "../databricks/testing/connected-server.ts";
import { createWorkspaces } from "../databricks/workspaces.ts";
import { findMarked, removeMarked } from "./remove-marked.ts";
import type { ResourceFixture } from "./resource-fixture.ts";

/** What names a real workspace. */
interface WorkspaceAccess {
  readonly host: string;
  /** A personal access token, or a service principal. */
  readonly credentials:
    | { readonly token: string }
    | { readonly clientId: string; readonly clientSecret: string };
  readonly catalog: string;
  readonly warehouseId: string | undefined;
  /** A registered model whose versions 1 and 2 repeat what they are asked; undefined: no agent is tried. */
  readonly model: string | undefined;
}

const seven = "CREATE MATERIALIZED VIEW seven AS SELECT 7 AS n";
const versionOf = (model: string, model_version: string) => ({
  version: `${model_version}.0.0`,
  metadata: { model, model_version },
});

/**
 * An environment in a workspace that exists. Everything in it has the id of this environment as its mark, and is deleted
 * at the end by that mark, also after a failure.
 */
export async function workspaceResources(access: WorkspaceAccess): Promise<ResourceFixture> {
  const { host, credentials, catalog, warehouseId, model } = access;
  const server = await startTestServer();
  const name = unique("conformance");
  const root = `/Workspace/Shared/lakehelm-${name}`;
  // Its own schema holds every table: dropping it at the end leaves nothing.
  const schema = name.replaceAll("-", "_");
  const configuration = {
    host,
    catalog,
    schema,
    ...("token" in credentials && { token: credentials.token }),
    root_path: root,
    ...(warehouseId && { warehouse_id: warehouseId }),
  };
  const { id } = await server.client.createEnvironment({
    body: {
      name,
      platform: "databricks",
      configuration,
      ...(!("token" in credentials) && {
        secretScope: "workspace",
        dataPlatformClientIdKey: "client-id",
        dataPlatformClientSecretKey: "client-secret",
      }),
    },
  });
  const secrets = new Map(
    "token" in credentials
      ? []
      : [
          ["client-id", credentials.clientId],
          ["client-secret", credentials.clientSecret],
        ],
  );
  for (const [key, value] of secrets)
    await server.client.putSecret({
      params: { scope: "workspace", key },
      body: { value },
      environment: name,
    });

  const environment = name;
  const workspaces = createWorkspaces({
    outbound: createOutbound({ allowsPrivate: true, privateAddresses: [] }),
    allowsHttp: true,
    environment: async () =>
      (await server.client.getEnvironment({ params: { environment_id: id } })) as never,
    configurationOf: async () => configuration,
    secretOf: async (_, __, key) => secrets.get(key),
  });
  const workspace = async () => (await workspaces.open(id)).client;

  async function statement(text: string): Promise<void> {
    type Statement = { status?: { state?: string; error?: { message?: string } } };
    const body = { statement: text, warehouse_id: warehouseId, wait_timeout: "50s" };
    const { status } = await (await workspace()).send<Statement>("POST", "/api/2.0/sql/statements", body, {
      timeoutMs: 60_000,
    });
    if (status?.state !== "SUCCEEDED")
      throw new Error(`${text}: ${status?.state} ${status?.error?.message ?? ""}`);
  }

  /** Besides the scope of its secrets, which stays with the environment. Apps take a while to be deleted. */
  async function remaining(looks: number): Promise<readonly string[]> {
    const found = await findMarked(await workspace(), id);
    const left = found.filter((one) => !one.startsWith("the scope"));
    if (left.length === 0 || looks === 0) return left;
    await new Promise((next) => setTimeout(next, 3_000));
    return remaining(looks - 1);
  }

  async function removeAll(): Promise<void> {
    await removeMarked(await workspace(), { environment: id, root });
    if (warehouseId) await statement(`DROP SCHEMA IF EXISTS ${catalog}.${schema} CASCADE`);
  }

  if (warehouseId) {
    await statement(`CREATE SCHEMA IF NOT EXISTS ${catalog}.${schema}`);
    await statement(
      `CREATE TABLE ${catalog}.${schema}.orders (order_id BIGINT, amount DECIMAL(18,2), updated_at TIMESTAMP) COMMENT 'Orders'`,
    );
  }
  const path = "pipelines/seven.sql";
  await server.client.putFile({ params: { path }, body: seven, environment });

  return {
    client: server.client,
    environment,
    waitMs: 500_000,
    runsMayFail: true,
    flow: {
      ...revenue,
      source_tables: [`${catalog}.${schema}.orders`],
      target_name: `${catalog}.${schema}.revenue_by_day`,
      matched_sql: `SELECT CAST(updated_at AS DATE) AS order_date, SUM(amount) AS revenue FROM ${catalog}.${schema}.orders GROUP BY 1`,
    },
    automation: { tasks: [{ name: "count", kind: "sql", query: "SELECT 7 AS n" }] },
    // An update makes a table, and a query needs a warehouse.
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
    appPath: await putTinyApp(server.client, environment),
    left: () => remaining(20),
    // It reads a table that every workspace has. The address exists nowhere.
    connector: {
      target_type: "http",
      target_config: { url: "https://hooks.example.test/conformance" },
      datasets: [{ source_dataset: "samples.nyctaxi.trips", target_name: "trips", write_strategy: "append" }],
    },
    async close() {
      try {
        await removeAll();
      } finally {
        await server.close();
      }
    },
  };
}
