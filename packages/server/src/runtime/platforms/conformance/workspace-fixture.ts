import { startTestServer, unique } from "../../../testing/server.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import { createWorkspaces } from "../databricks/workspaces.ts";
import { removeMarked } from "./remove-marked.ts";
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
}

/**
 * An environment in a workspace that exists. Everything in it has the id of this environment as its mark, and is deleted
 * at the end by that mark, also after a failure.
 */
export async function workspaceResources(access: WorkspaceAccess): Promise<ResourceFixture> {
  const { host, credentials, catalog, warehouseId } = access;
  const server = await startTestServer();
  const name = unique("conformance");
  const root = `/Workspace/Shared/lakehelm-${name}`;
  const configuration = {
    host,
    catalog,
    ...("token" in credentials && { token: credentials.token }),
    root_path: root,
    ...(warehouseId && { warehouse_id: warehouseId }),
  };
  const { id } = await server.client.createEnvironment({
    body: {
      name,
      platform: "databricks",
      configuration,
      secretScope: "workspace",
      dataPlatformClientIdKey: "client-id",
      dataPlatformClientSecretKey: "client-secret",
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

  async function removeAll(): Promise<void> {
    const workspaces = createWorkspaces({
      outbound: createOutbound({ allowsPrivate: true, privateAddresses: [] }),
      allowsHttp: true,
      environment: async () =>
        (await server.client.getEnvironment({ params: { environment_id: id } })) as never,
      configurationOf: async () => configuration,
      secretOf: async (_, __, key) => secrets.get(key),
    });
    const { client } = await workspaces.open(id);
    await removeMarked(client, { environment: id, root });
  }

  return {
    client: server.client,
    environment: name,
    runsMayFail: true,
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
