import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlName } from "@lakehelm/sql/names";
import { DataProblem } from "../../protocol/problem.ts";
import type { Dataset } from "../../protocol/transfer.ts";
import {
  checkpointsTable,
  fileContentsTable,
  readFilesTable,
  streamSettingsTable,
} from "../../warehouse/internal-tables.ts";
import { fullName, literal, type TableName } from "../../warehouse/names.ts";
import { streamId, writeCheckpoint } from "../checkpoints.ts";
import { ReadFiles } from "../file-arrivals.ts";
import { writeStreamSettings } from "../stream-settings.ts";
import type { OutsideChange } from "../written-table.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { CommitLog } from "./commit-log.ts";
import { changesRows, findCommit, removesRows, streamHash } from "./commits.ts";

/** The state of a dataset's table on the cluster, after the commits of earlier attempts were recorded here. */
export interface ClusterState {
  /** Undefined: there is no table. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | undefined;
  readonly tableId: string | undefined;
  /** The table's version; -1: there is no table. */
  readonly version: number;
  /** The number of the next commit. */
  readonly next: number;
  /** What others have done to the table since the last commit. */
  readonly outside?: OutsideChange | undefined;
}

/** Reads the table's history since the last known commit, which tells what earlier attempts have done. */
export async function readClusterState(
  connection: DuckDBConnection,
  session: ClusterSession,
  table: TableName,
  dataset: Dataset,
): Promise<ClusterState> {
  const name = sqlName(table);
  const log = new CommitLog(table.catalog, streamId(dataset));
  const known = await log.known(connection);
  const attempts = await log.prepared(connection);
  // Uses the number of a failed attempt again: if its statement still runs, only one of the two can commit.
  const sent = attempts[0]?.number;
  const columns = await session.columnsOf(name);
  // Numbers begin with a time in milliseconds, and each commit adds 1. So this number is greater than every number of
  // an earlier table whose history is lost.
  const first = Date.now();
  if (!columns) return { columns, tableId: undefined, version: -1, next: sent ?? first };
  const stream = streamHash(streamId(dataset));
  // Both requests run at the same time: each takes the cluster a second.
  const found = findCommit(session, name, stream, known?.version ?? -1);
  found.catch(() => {});
  const [format, id] = (await session.rows(`DESCRIBE DETAIL ${name}`))[0] ?? [];
  if (format !== "delta") {
    throw new DataProblem(`${fullName(table)} is not a Delta table. Write to another table.`);
  }
  const tableId = String(id);
  const isSame = known?.tableId === tableId;
  if (known && !isSame) await forget(connection, table, dataset);
  const { version, commit, others } =
    known && !isSame ? await findCommit(session, name, stream, -1) : await found;
  // A known commit is found again as long as an earlier change by others has not been reported.
  if (!commit || (isSame && commit.number === known.number)) {
    const next = sent ?? (isSame ? known.number + 1 : first);
    return { columns, tableId, version, next, ...(isSame && { outside: outsideChange(table, others) }) };
  }
  const { watermark: value, time, run } = commit;
  await writeCheckpoint(connection, table.catalog, streamId(dataset), { value, time, run });
  const prepared = attempts.find(({ attempt }) => attempt === commit.attempt);
  if (prepared) {
    await writeStreamSettings(connection, table.catalog, streamId(dataset), prepared.settings);
    const files = new ReadFiles(table.catalog, dataset);
    await files.load(connection);
    files.list(prepared.files);
    for (const content of prepared.contents) files.addContent(content);
    await files.record(connection);
  }
  await log.record(connection, { number: commit.number, tableId, version: commit.told });
  return { columns, tableId, version, next: commit.number + 1, outside: outsideChange(table, others) };
}

function outsideChange(
  table: TableName,
  others: Awaited<ReturnType<typeof findCommit>>["others"],
): OutsideChange | undefined {
  const [removal, change] = [others.find(removesRows), others.find(changesRows)];
  const name = fullName(table);
  const sentence = (done: string, one: typeof removal) =>
    one &&
    `Something else has ${done} rows of ${name} since the last run: ${one.operation} in version ${one.version}.`;
  return { lost: sentence("removed", removal), changed: sentence("changed", change) };
}

/** Deletes what is recorded about the rows, because the table was dropped and created again. */
async function forget(connection: DuckDBConnection, { catalog }: TableName, dataset: Dataset): Promise<void> {
  const stream = literal(streamId(dataset));
  for (const table of [
    checkpointsTable(catalog),
    streamSettingsTable(catalog),
    readFilesTable(catalog),
    fileContentsTable(catalog),
  ]) {
    await connection.run(`DELETE FROM ${table} WHERE stream = ${stream}`);
  }
}
