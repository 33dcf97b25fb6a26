import { isRemotePath } from "../connectors/s3/location.ts";
import type { SourceContext } from "../connectors/source/context.ts";
import { resolvePath } from "../protocol/files/folder-access.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** What a connector may use of this machine. Throws a DataProblem if its connection has a path that it may not use. */
export async function connectorContext(
  { type, config: { path } }: ConnectionConfig,
  { signal, folders, egress }: Pick<RequestContext, "signal" | "folders" | "egress">,
  warehouse: Pick<Warehouse, "openExternal" | "stagingFolder" | "limits">,
): Promise<SourceContext> {
  // Connectors resolve their path again when they open it. This check also covers a connector that does not.
  if (typeof path === "string" && path !== "" && !isRemotePath(type, path)) await resolvePath(path, folders);
  return {
    signal,
    egress,
    resolvePath: (path) => resolvePath(path, folders),
    temporaryFolder: warehouse.stagingFolder,
    diskReserveMb: warehouse.limits.diskReserveMb,
    openExternal: (access) => warehouse.openExternal(access),
  };
}
