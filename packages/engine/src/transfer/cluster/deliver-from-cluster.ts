import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { quoteIdentifier, sqlName, sqlString } from "@lakehelm/sql/names";
import { DataProblem } from "../../protocol/problem.ts";
import type { ClusterAccess, TransferRequest, TransferResult } from "../../protocol/transfer.ts";
import {
  fullName,
  literal,
  sqlName as localName,
  parseTableName,
  quote,
  type TableName,
} from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { inTransaction } from "../../warehouse/transaction.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { streamId } from "../checkpoints.ts";
import { deliver } from "../delivery.ts";
import { type ClusterSession, openClusterSession } from "./cluster-session.ts";
import { typeOnCluster } from "./cluster-types.ts";
import { streamHash } from "./commits.ts";
import { StagedFiles } from "./staged-files.ts";

type ClusterRequest = TransferRequest & { readonly cluster: ClusterAccess };

/** Deliveries of one table, one after the other: they share its copy. */
const busy = new Map<string, Promise<unknown>>();

/**
 * Writes rows of a table of a Spark cluster to a target. The cluster writes them as Parquet where this machine sees them, they
 * become a table here for the time of the run, and are delivered as on the embedded platform.
 */
export async function deliverFromCluster(
  request: ClusterRequest,
  context: RequestContext,
): Promise<TransferResult> {
  const { cluster, ...local } = request;
  const { scope, dataset } = request;
  const table = parseTableName(dataset.source, scope);
  const warehouse = await context.warehouse(scope.environment);
  const name = `${scope.environment} ${fullName(table)}`;
  const before = busy.get(name) ?? Promise.resolve();
  const work = before
    .catch(() => {})
    .then(async () => {
      context.signal.throwIfAborted();
      await warehouse.createSchema(table);
      try {
        await copyTable(request, table, warehouse, context);
        context.crashPoint("copied");
        return await deliver(local, context);
      } finally {
        await dropCopy(warehouse, table);
      }
    });
  busy.set(name, work);
  try {
    return await work;
  } finally {
    if (busy.get(name) === work) busy.delete(name);
  }
}

/** One that a killed process left is dropped, too. */
const dropCopy = (warehouse: Warehouse, table: TableName): Promise<unknown> =>
  inTransaction(warehouse, new AbortController().signal, (connection) =>
    connection.run(`DROP TABLE IF EXISTS ${localName(table)}`),
  );

async function copyTable(
  { cluster, scope, dataset }: ClusterRequest,
  table: TableName,
  warehouse: Warehouse,
  context: RequestContext,
): Promise<void> {
  await dropCopy(warehouse, table);
  const session = await openClusterSession(cluster, context);
  const attempt = randomUUID();
  const files = await StagedFiles.open(
    cluster.staging,
    { environment: scope.environment, stream: streamHash(streamId(dataset)), attempt },
    warehouse,
    context,
  );
  const local = join(warehouse.stagingFolder, `copy-${attempt}`);
  try {
    const columns = await columnsOf(session, table, dataset.leftOut);
    const folder = await files.folderForCluster("rows");
    context.log("info", `copying ${dataset.source} from the cluster.`);
    await session.rows(
      `INSERT OVERWRITE DIRECTORY ${sqlString(`file://${folder}`)} USING parquet SELECT ${columns.map(({ selected }) => selected).join(", ")} FROM ${sqlName(table)}`,
    );
    await mkdir(local, { recursive: true });
    // Only files: a link could lead to one that the cluster must not see.
    const parts = (await readdir(folder, { withFileTypes: true })).filter(
      (file) => file.isFile() && /^part-.*\.parquet$/.test(file.name),
    );
    for (const { name } of parts) await copyFile(join(folder, name), join(local, name));
    await inTransaction(warehouse, context.signal, async (connection) => {
      const declared = columns.map(({ name, type }) => `${quote(name)} ${type}`);
      await connection.run(`CREATE TABLE ${localName(table)} (${declared.join(", ")})`);
      if (parts.length === 0) return;
      const values = columns.map(({ name, type }) => `CAST(${quote(name)} AS ${type})`);
      await connection.run(
        `INSERT INTO ${localName(table)} SELECT ${values.join(", ")} FROM read_parquet(${literal(join(local, "*.parquet"))})`,
      );
    });
  } finally {
    await rm(local, { recursive: true, force: true });
    await files.remove();
    await session.close();
  }
}

/** The columns to copy. What has no type here is copied as text. */
async function columnsOf(session: ClusterSession, table: TableName, leftOut: readonly string[]) {
  const found = await session.columnsOf(sqlName(table));
  if (!found) throw new DataProblem(`There is no table ${fullName(table)}.`);
  const columns = found.filter(({ name }) => !leftOut.some((one) => sameName(one, name)));
  if (columns.length === 0) throw new DataProblem(`${fullName(table)} has no column that may be delivered.`);
  return columns.map(({ name, type: onCluster }) => {
    const type = typeOnCluster(onCluster);
    const quoted = quoteIdentifier(name);
    if (type !== undefined && type !== "VARIANT" && type !== "INTERVAL")
      return { name, type, selected: quoted };
    return { name, type: "VARCHAR", selected: `CAST(${quoted} AS STRING) AS ${quoted}` };
  });
}
