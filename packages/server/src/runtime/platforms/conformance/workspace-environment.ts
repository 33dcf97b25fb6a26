import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { createSystem } from "../../../core/system.ts";
import { unique } from "../../../testing/server.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import { createWorkspaces } from "../databricks/workspaces.ts";
import { findMarked, removeMarked } from "./remove-marked.ts";

/** What names a real workspace. */
export interface WorkspaceAccess {
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

/** Compute of a real workspace starts in minutes. */
export const workspaceWaitMs = 500_000;

export type WorkspaceEnvironment = Awaited<ReturnType<typeof openWorkspaceEnvironment>>;

/**
 * An environment in a workspace that exists. Everything in it has the id of this environment as its mark, and is deleted
 * at the end by that mark, also after a failure. With a warehouse, it has a schema of its own, which holds every table.
 */
export async function openWorkspaceEnvironment(client: Client, access: WorkspaceAccess) {
  const { host, credentials, catalog, warehouseId } = access;
  const name = unique("conformance");
  const root = `/Workspace/Shared/lakehelm-${name}`;
  const schema = name.replaceAll("-", "_");
  const configuration = {
    host,
    catalog,
    schema,
    ...("token" in credentials && { token: credentials.token }),
    root_path: root,
    ...(warehouseId && { warehouse_id: warehouseId }),
  };
  const created = await client.createEnvironment({
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
  const { id } = created;
  const secrets = new Map(
    "token" in credentials
      ? []
      : [
          ["client-id", credentials.clientId],
          ["client-secret", credentials.clientSecret],
        ],
  );
  for (const [key, value] of secrets)
    await client.putSecret({ params: { scope: "workspace", key }, body: { value }, environment: name });

  // A client apart from the server under test, which may be stopped: the checks must not depend on it.
  const workspaces = createWorkspaces({
    system: createSystem(),
    outbound: createOutbound({ allowsPrivate: true, privateAddresses: [] }),
    allowsHttp: true,
    environment: async () => created as never,
    configurationOf: async () => configuration,
    secretOf: async (_, __, key) => secrets.get(key),
  });
  const workspace = async () => (await workspaces.open(id)).client;

  /** A stopped warehouse starts with the first statement, which waits for it. */
  async function statement(text: string): Promise<void> {
    type Statement = { statement_id?: string; status?: { state?: string; error?: { message?: string } } };
    const path = "/api/2.0/sql/statements";
    const body = { statement: text, warehouse_id: warehouseId, wait_timeout: "50s" };
    const there = await workspace();
    let current = await there.send<Statement>("POST", path, body, { timeoutMs: 60_000 });
    const ended = () => !["PENDING", "RUNNING"].includes(current.status?.state ?? "");
    await until(
      async () => {
        if (!ended()) current = await there.get<Statement>(`${path}/${current.statement_id}`);
        return ended();
      },
      2_000,
      workspaceWaitMs,
    );
    const { state, error } = current.status ?? {};
    if (state !== "SUCCEEDED") throw new Error(`${text}: ${state} ${error?.message ?? ""}`);
  }

  /**
   * What still has the environment's mark, besides the scope of its secrets, which stays with the environment. Apps
   * take a while to be deleted.
   */
  async function remaining(looks = 20): Promise<readonly string[]> {
    const found = await findMarked(await workspace(), id);
    const left = found.filter((one) => !one.startsWith("the scope"));
    if (left.length === 0 || looks === 0) return left;
    await new Promise((next) => setTimeout(next, 3_000));
    return remaining(looks - 1);
  }

  async function remove(): Promise<void> {
    try {
      await removeMarked(await workspace(), { environment: id, root });
    } finally {
      if (warehouseId) await statement(`DROP SCHEMA IF EXISTS ${catalog}.${schema} CASCADE`);
    }
  }

  if (warehouseId) await statement(`CREATE SCHEMA IF NOT EXISTS ${catalog}.${schema}`);
  return { name, id, catalog, schema, workspace, statement, remaining, remove };
}
