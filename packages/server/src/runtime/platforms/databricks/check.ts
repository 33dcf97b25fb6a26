import type { Environment } from "@lakehelm/contract";
import { Problem } from "../../../core/errors.ts";
import type { PlatformFinding } from "../platform.ts";
import { segment, volumePath } from "./client/path.ts";
import { isWorkspaceError } from "./client/workspace-error.ts";
import { missingPrivileges, type PrivilegeList } from "./privileges.ts";
import type { Workspace, Workspaces } from "./workspaces.ts";

/** A caller waits for the result, so nothing is retried. */
const timing = { timeoutMs: 10_000, patienceMs: 0 };

type Finding = Omit<PlatformFinding, "name">;
const ok = (message: string): Finding => ({ status: "ok", message, action: null });
const failed = (message: string, action: string): Finding => ({ status: "failed", message, action });
const warning = (message: string, action: string): Finding => ({ status: "warning", message, action });

interface Me {
  readonly userName?: string;
  readonly displayName?: string;
  readonly active?: boolean;
}

/** A part of the workspace. `right`: what to grant if it is denied. */
interface Part {
  readonly name: string;
  readonly right: string;
  check(workspace: Workspace, me: Me, signal: AbortSignal): Promise<Finding>;
}

const parts: readonly Part[] = [
  {
    name: "warehouse",
    right: "Give it the permission CAN USE on the SQL warehouse.",
    async check({ client, configuration: { warehouseId } }, _, signal) {
      if (warehouseId === null) {
        const action = "Set configuration.warehouse_id to the id of a SQL warehouse.";
        return failed("The environment has no SQL warehouse, so nothing can be queried.", action);
      }
      const path = `/api/2.0/sql/warehouses/${segment(warehouseId)}`;
      const { name, state } = await client.get<{ name?: string; state?: string }>(
        path,
        {},
        { ...timing, signal },
      );
      const later = state === "RUNNING" ? "" : " It starts with the first query, which may take minutes.";
      return ok(`The SQL warehouse ${name ?? warehouseId} is ${state ?? "there"}.${later}`);
    },
  },
  {
    name: "catalog",
    right: "Grant it USE CATALOG and USE SCHEMA.",
    async check({ client, configuration: { catalog, schema } }, me, signal) {
      const read = <Response extends object>(path: string, query = {}) =>
        client.get<Response>(`/api/2.1/unity-catalog/${path}`, query, { ...timing, signal });
      const { owner: catalogOwner } = await read<{ owner?: string }>(`catalogs/${segment(catalog)}`);
      const name = `${catalog}.${schema}`;
      const { owner } = await read<{ owner?: string }>(`schemas/${segment(name)}`);
      if (me.userName !== undefined && [owner, catalogOwner].includes(me.userName)) {
        return ok(`${me.userName} owns ${owner === me.userName ? name : catalog}.`);
      }
      const list = await read<PrivilegeList>(`effective-permissions/schema/${segment(name)}`, {
        principal: me.userName,
      }).catch(() => undefined);
      if (!list)
        return warning(`${name} is there. What may be done in it could not be read.`, "Try a query.");
      const missing = missingPrivileges(list);
      if (missing.length === 0) return ok(`${name} is there, and tables can be read and written in it.`);
      return warning(
        `${name} is there. These privileges are not granted to ${me.userName}: ${missing.join(", ")}.`,
        "Grant them on the schema, unless a group that it belongs to has them.",
      );
    },
  },
  {
    name: "files",
    right: "Give it the permission CAN MANAGE on the folder, and READ VOLUME and WRITE VOLUME on the volume.",
    async check({ client, configuration: { rootPath, volume } }, _, signal) {
      if (volume !== null)
        await client.get(`/api/2.0/fs/directories${volumePath(volume)}`, {}, { ...timing, signal });
      const query = { path: rootPath };
      const found = await client
        .get("/api/2.0/workspace/get-status", query, { ...timing, signal })
        .catch((error: unknown) => {
          if (isWorkspaceError(error, "gone")) return undefined;
          throw error;
        });
      const folder = `The folder ${rootPath} is ${found ? "there" : "created when it is needed"}.`;
      return ok(volume === null ? folder : `${folder} The volume ${volume} may be read.`);
    },
  },
  list("jobs", "/api/2.2/jobs/list", { limit: 1 }, "Jobs can be listed."),
  list("pipelines", "/api/2.0/pipelines", { max_results: 1 }, "Pipelines can be listed."),
  list("secrets", "/api/2.0/secrets/scopes/list", {}, "Secret scopes can be listed."),
  list("apps", "/api/2.0/apps", { page_size: 1 }, "Apps can be listed."),
  list("serving", "/api/2.0/serving-endpoints", {}, "Serving endpoints can be listed."),
];

/** Reading a list shows that a part of the API is there and may be used; it does not show every right. */
function list(name: string, path: string, query: Record<string, number>, message: string): Part {
  return {
    name,
    right: `Give the service principal access to ${name} in this workspace.`,
    async check({ client }, _, signal) {
      await client.get(path, query, { ...timing, signal });
      return ok(message);
    },
  };
}

/** Checks what works in the workspace of an environment. It only reads. */
export async function checkWorkspace(
  workspaces: Workspaces,
  environment: Environment,
  signal: AbortSignal,
): Promise<PlatformFinding[]> {
  const skipped = (names: readonly string[]): PlatformFinding[] =>
    names.map((name) => ({ name, status: "skipped", message: "Not checked.", action: null }));
  const names = parts.map(({ name }) => name);

  let workspace: Workspace;
  try {
    workspace = await workspaces.open(environment.id);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const action = "Change the environment, and check it again.";
    return [{ name: "configuration", ...failed(error.message, action) }, ...skipped(["identity", ...names])];
  }
  const { host } = workspace.client;
  const configured: PlatformFinding = { name: "configuration", ...ok(`The workspace is ${host}.`) };

  const me = await identify(workspace, signal);
  if ("status" in me) return [configured, { name: "identity", ...me }, ...skipped(names)];
  const found = await Promise.all(
    parts.map(async ({ name, right, check }): Promise<PlatformFinding> => {
      const finding = await check(workspace, me, signal).catch((error: unknown) =>
        problem(error, right, signal),
      );
      return { name, ...finding };
    }),
  );
  const identity = ok(`${host} accepts the credentials of ${me.displayName || me.userName}.`);
  return [configured, { name: "identity", ...identity }, ...found];
}

async function identify({ client }: Workspace, signal: AbortSignal): Promise<Me | Finding> {
  try {
    const me = await client.get<Me>("/api/2.0/preview/scim/v2/Me", {}, { ...timing, signal });
    if (me.active !== false) return me;
    return failed(`${me.userName} is deactivated in the workspace.`, "Activate it, or use another one.");
  } catch (error) {
    return problem(
      error,
      "Check the credentials, and that the service principal is in the workspace.",
      signal,
    );
  }
}

function problem(error: unknown, right: string, signal: AbortSignal): Finding {
  signal.throwIfAborted();
  const message = error instanceof Error ? error.message : String(error);
  if (isWorkspaceError(error, "denied")) return failed(message, right);
  if (isWorkspaceError(error, "gone"))
    return failed(message, "Check its name in the environment's configuration.");
  if (isWorkspaceError(error, "busy", "open")) {
    return failed(message, "Check the host and the network, and try again.");
  }
  if (isWorkspaceError(error)) return failed(message, "Check the environment's configuration.");
  throw error;
}
