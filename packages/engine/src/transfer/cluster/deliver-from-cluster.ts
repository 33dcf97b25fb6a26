import type { TransferResult } from "../../protocol/transfer.ts";
import { parseTableName } from "../../warehouse/names.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { deliver } from "../delivery.ts";
import { openClusterSession } from "./cluster-session.ts";
import { type ClusterRequest, withClusterRows } from "./copied-table.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/**
 * Writes rows of a table of a Spark cluster to a target. The cluster writes the rows that may have changed as Parquet
 * where this machine sees them. The rows become a table here for the time of the run, and are delivered as on the
 * embedded platform.
 */
export async function deliverFromCluster(
  request: ClusterRequest,
  context: RequestContext,
): Promise<TransferResult> {
  const { cluster, ...local } = request;
  const { scope, dataset } = request;
  const table = parseTableName(dataset.source, scope);
  return oneAtATime(scope.environment, table, context.signal, async () => {
    const session = await openClusterSession(cluster, context);
    try {
      return await withClusterRows(request, session, table, context, (rows) => deliver(local, context, rows));
    } finally {
      await session.close();
    }
  });
}
