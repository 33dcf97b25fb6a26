import { randomUUID } from "node:crypto";
import { sqlName } from "@lakehelm/sql/names";
import { DataProblem } from "../../protocol/problem.ts";
import type { ClusterAccess, TransferRequest } from "../../protocol/transfer.ts";
import { fullName, sqlName as localName, type TableName } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { inTransaction } from "../../warehouse/transaction.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { streamId } from "../checkpoints.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { streamHash } from "./commits.ts";
import { copiedColumn, withCopiedRows } from "./copied-rows.ts";
import { StagedFiles } from "./staged-files.ts";

export type ClusterRequest = TransferRequest & { readonly cluster: ClusterAccess };

/** A copy of a table of the cluster under the same name here, for the time of the work. */
export async function withCopiedTable<Result>(
  { cluster, scope, dataset }: ClusterRequest,
  session: ClusterSession,
  table: TableName,
  leftOut: readonly string[],
  context: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const warehouse = await context.warehouse(scope.environment);
  await warehouse.createSchema(table);
  // One that a killed process left.
  await dropCopy(warehouse, table);
  const files = await StagedFiles.open(
    cluster.staging,
    {
      environment: scope.environment,
      stream: streamHash(`copy ${streamId(dataset)}`),
      attempt: randomUUID(),
    },
    warehouse,
    context,
  );
  try {
    const columns = await columnsOf(session, table, leftOut);
    context.log("info", `copying ${fullName(table)} from the cluster.`);
    await withCopiedRows(session, files, table, columns, (relation) =>
      inTransaction(warehouse, context.signal, (connection) =>
        connection.run(`CREATE TABLE ${localName(table)} AS SELECT * FROM ${relation}`),
      ),
    );
    context.crashPoint("copied");
    return await work();
  } finally {
    await dropCopy(warehouse, table);
    await files.remove();
  }
}

const dropCopy = (warehouse: Warehouse, table: TableName): Promise<unknown> =>
  inTransaction(warehouse, new AbortController().signal, (connection) =>
    connection.run(`DROP TABLE IF EXISTS ${localName(table)}`),
  );

async function columnsOf(session: ClusterSession, table: TableName, leftOut: readonly string[]) {
  const found = await session.columnsOf(sqlName(table));
  if (!found) throw new DataProblem(`There is no table ${fullName(table)}.`);
  const columns = found.filter(({ name }) => !leftOut.some((one) => sameName(one, name)));
  if (columns.length === 0) throw new DataProblem(`${fullName(table)} has no column that may be delivered.`);
  return columns.map(copiedColumn);
}
