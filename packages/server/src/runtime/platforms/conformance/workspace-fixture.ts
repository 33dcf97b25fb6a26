import { startTestServer, unique } from "../../../testing/server.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import { numericId } from "../databricks/client/json.ts";
import { createWorkspaces } from "../databricks/workspaces.ts";
import type { ResourceFixture } from "./resources.ts";

/** What names a real workspace. */
interface WorkspaceAccess {
  readonly host: string;
  readonly token: string;
  readonly catalog: string;
  readonly warehouseId: string | undefined;
}

interface ListedJob {
  readonly job_id?: string;
  readonly settings?: { readonly tags?: Readonly<Record<string, string>> };
}

/**
 * An environment in a workspace that exists. Everything in it has the id of this environment as its mark, and is deleted
 * at the end by that mark, also after a failure.
 */
export async function workspaceResources(access: WorkspaceAccess): Promise<ResourceFixture> {
  const { host, token, catalog, warehouseId } = access;
  const server = await startTestServer();
  const name = unique("conformance");
  const root = `/Workspace/Shared/lakehelm-${name}`;
  const configuration = {
    host,
    token,
    catalog,
    root_path: root,
    ...(warehouseId && { warehouse_id: warehouseId }),
  };
  const { id } = await server.client.createEnvironment({
    body: { name, platform: "databricks", configuration },
  });

  async function removeAll(): Promise<void> {
    const workspaces = createWorkspaces({
      outbound: createOutbound({ allowsPrivate: true, privateAddresses: [] }),
      allowsHttp: true,
      environment: async () =>
        (await server.client.getEnvironment({ params: { environment_id: id } })) as never,
      configurationOf: async () => configuration,
      secretOf: async () => undefined,
    });
    const { client } = await workspaces.open(id);
    for await (const { job_id, settings } of client.list<ListedJob>("/api/2.2/jobs/list", "jobs", {
      limit: 100,
    })) {
      if (job_id === undefined || settings?.tags?.lakehelm_environment !== id) continue;
      await client.send("POST", "/api/2.2/jobs/delete", { job_id: numericId(job_id) });
      console.log(`Deleted the job ${job_id}, which the suite had left.`);
    }
    await client
      .send("POST", "/api/2.0/workspace/delete", { path: root, recursive: true })
      .catch(() => undefined);
    const { scopes = [] } = await client.get<{ scopes?: readonly { readonly name?: string }[] }>(
      "/api/2.0/secrets/scopes/list",
    );
    for (const { name: scope } of scopes)
      if (scope?.startsWith("lakehelm-") && scope.endsWith(id))
        await client.send("POST", "/api/2.0/secrets/scopes/delete", { scope });
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
