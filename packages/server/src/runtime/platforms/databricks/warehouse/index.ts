import { DataProblem } from "@lakehelm/engine";
import { Problem } from "../../../../core/errors.ts";
import type { Settings } from "../../../../settings.ts";
import { changeMetadata, type MetadataAccess } from "../../metadata-change.ts";
import type { Warehouse } from "../../platform.ts";
import { WorkspaceError } from "../client/workspace-error.ts";
import type { Workspace, Workspaces } from "../workspaces.ts";
import { readCatalog, readTable } from "./catalog.ts";
import { type QueryLimits, runQuery } from "./query.ts";
import { runStatement } from "./statement.ts";

/** The SQL warehouse and Unity Catalog of a workspace. */
export function createWarehouse(workspaces: Workspaces, settings: Settings): Warehouse {
  const limits: QueryLimits = {
    rows: settings.PLATFORM_QUERY_ROWS,
    timeoutMs: settings.PLATFORM_QUERY_TIMEOUT_SECONDS * 1000,
    answerBytes: settings.PLATFORM_QUERY_ANSWER_BYTES,
  };
  return {
    query: (query, { signal }) =>
      forCaller(async () => runQuery(await workspaces.open(query.scope.environment), query, limits, signal)),
    catalog: ({ scope, ...filter }, { signal }) =>
      forCaller(async () => readCatalog(await workspaces.open(scope.environment), filter, signal)),
    metadata: (change, { signal }) =>
      forCaller(async () =>
        changeMetadata(metadataAccess(await workspaces.open(change.scope.environment)), [change], signal),
      ),
    applyMetadata: ({ scope, sql }, { signal }) =>
      forCaller(async () => {
        const { metadataChanges } = await import("@lakehelm/engine/metadata");
        const changes = metadataChanges(scope, sql);
        return changeMetadata(metadataAccess(await workspaces.open(scope.environment)), changes, signal);
      }),
  };
}

/** For one statement: a stopped warehouse needs minutes to start. */
const statementMs = 300_000;

const metadataAccess = (workspace: Workspace): MetadataAccess => ({
  readTable: (name, signal) => readTable(workspace.client, name, signal),
  run: (sql) =>
    runStatement(
      workspace,
      // Removing a tag twice is an error.
      { sql, timeoutMs: statementMs, maxBytes: 65_536, isIdempotent: !sql.includes(" UNSET TAGS (") },
      new AbortController().signal,
    ),
});

/** A failure of the workspace as an error for the caller. */
async function forCaller<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.kind !== "busy" && error.kind !== "open")
      throw new DataProblem(error.message, { cause: error });
    const retryAfterSeconds = Math.ceil(error.retryAfterSeconds ?? 5);
    throw new Problem("unavailable", error.message, { retryAfterSeconds, cause: error });
  }
}
