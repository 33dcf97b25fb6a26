import { sqlName } from "@lakehelm/sql/names";
import type { Preview } from "../../protocol/transfer.ts";
import { parseTableName } from "../../warehouse/names.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { inTransaction } from "../../warehouse/transaction.ts";
import { preview } from "../preview.ts";
import { openClusterSession } from "./cluster-session.ts";
import { readClusterState } from "./cluster-state.ts";
import { type ClusterRequest, withClusterRows, withCopiedTable } from "./copied-table.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/**
 * Shows what the next run would do, with a copy of the rows that are needed: the same comparison as on the embedded
 * platform.
 */
export async function previewOnCluster(request: ClusterRequest, context: RequestContext): Promise<Preview> {
  const { scope, dataset, direction, cluster } = request;
  const isIngest = direction === "in";
  const table = parseTableName(isIngest ? dataset.target : dataset.source, scope);
  return oneAtATime(scope.environment, table, context.signal, async () => {
    const session = await openClusterSession(cluster, context);
    try {
      if (isIngest) {
        const warehouse = await context.warehouse(scope.environment);
        await warehouse.createSchema(table);
        // A run does this first: what earlier attempts committed decides where it continues.
        await inTransaction(warehouse, context.signal, (connection) =>
          readClusterState(connection, session, table, dataset),
        );
        if (!(await session.columnsOf(sqlName(table)))) return await preview(request, context);
      }
      return isIngest
        ? await withCopiedTable(request, session, table, context, () => preview(request, context))
        : await withClusterRows(request, session, table, context, (rows) => preview(request, context, rows));
    } finally {
      await session.close();
    }
  });
}
