import { randomUUID } from "node:crypto";
import { sqlName } from "@lakehelm/sql/names";
import { DataProblem } from "../../protocol/problem.ts";
import type { ClusterAccess, TransferRequest } from "../../protocol/transfer.ts";
import { fullName, sqlName as localName, quote, type TableName } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { inTransaction } from "../../warehouse/transaction.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { streamId } from "../checkpoints.ts";
import type { DeliverySource } from "../delivery-run.ts";
import { ClusterRows } from "./cluster-rows.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { streamHash } from "./commits.ts";
import { type CopiedColumn, copiedColumn, withCopiedRows } from "./copied-rows.ts";
import { StagedFiles } from "./staged-files.ts";

export type ClusterRequest = TransferRequest & { readonly cluster: ClusterAccess };

/** A copy of a table of the cluster under the same name here, for the time of the work. */
export function withCopiedTable<Result>(
  request: ClusterRequest,
  session: ClusterSession,
  table: TableName,
  context: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  return withEmptyCopy(request, session, table, [], context, async ({ warehouse, files, columns }) => {
    context.log("info", `copying ${fullName(table)} from the cluster.`);
    await withCopiedRows(session, files, table, columns, (relation) =>
      inTransaction(warehouse, context.signal, (connection) =>
        connection.run(`INSERT INTO ${localName(table)} SELECT * FROM ${relation}`),
      ),
    );
    context.crashPoint("copied");
    return work();
  });
}

/** An empty table under the same name here, for the time of the work, and the rows that a delivery copies into it. */
export function withClusterRows<Result>(
  request: ClusterRequest,
  session: ClusterSession,
  table: TableName,
  context: RequestContext,
  work: (rows: DeliverySource) => Promise<Result>,
): Promise<Result> {
  const { leftOut } = request.dataset;
  return withEmptyCopy(request, session, table, leftOut, context, ({ files, columns }) =>
    work(new ClusterRows(session, files, table, columns, context)),
  );
}

interface EmptyCopy {
  readonly warehouse: Warehouse;
  readonly files: StagedFiles;
  readonly columns: readonly CopiedColumn[];
}

async function withEmptyCopy<Result>(
  { cluster, scope, dataset }: ClusterRequest,
  session: ClusterSession,
  table: TableName,
  leftOut: readonly string[],
  context: RequestContext,
  work: (copy: EmptyCopy) => Promise<Result>,
): Promise<Result> {
  const warehouse = await context.warehouse(scope.environment);
  await warehouse.createSchema(table);
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
  // Not with the signal of the run, which may have been aborted.
  const run = (statement: string) =>
    inTransaction(warehouse, new AbortController().signal, (connection) => connection.run(statement));
  try {
    const columns = await columnsOf(session, table, leftOut);
    const declared = columns.map(({ name, type }) => `${quote(name)} ${type}`);
    // A killed process may have left a table.
    await run(`CREATE OR REPLACE TABLE ${localName(table)} (${declared.join(", ")})`);
    return await work({ warehouse, files, columns });
  } finally {
    await run(`DROP TABLE IF EXISTS ${localName(table)}`);
    await files.remove();
  }
}

async function columnsOf(session: ClusterSession, table: TableName, leftOut: readonly string[]) {
  const found = await session.columnsOf(sqlName(table));
  if (!found) throw new DataProblem(`There is no table ${fullName(table)}.`);
  const columns = found.filter(({ name }) => !leftOut.some((one) => sameName(one, name)));
  if (columns.length === 0) throw new DataProblem(`${fullName(table)} has no column that may be delivered.`);
  return columns.map(copiedColumn);
}
