import { randomUUID } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { counted } from "@lakehelm/contract/text";
import { sqlName } from "@lakehelm/sql/names";
import { openSource } from "../../connectors/source-registry.ts";
import type { TransferResult } from "../../protocol/transfer.ts";
import {
  fullName,
  sqlName as localName,
  parseTableName,
  quote,
  type TableName,
} from "../../warehouse/names.ts";
import { countRows, sameName } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { inTransactionOn } from "../../warehouse/transaction.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { streamId, writeCheckpoint } from "../checkpoints.ts";
import { connectorContext } from "../connector-context.ts";
import { ReadFiles } from "../file-arrivals.ts";
import { reachedOf, sinceOf } from "../ingest-reading.ts";
import { type IngestRun, prepareIngestRun } from "../ingest-run.ts";
import { readStage } from "../ingest-stage.ts";
import { recordedChanges } from "../recorded-changes.ts";
import { deleteAcceptedRejects, storeRejects } from "../rejects.ts";
import { isAltering } from "../schema-change.ts";
import { nameMemoryErrors } from "../transfer-memory.ts";
import { describedWatermark, isNewer } from "../watermark.ts";
import { judgeOutsideChange } from "../written-table.ts";
import { type ClusterSession, openClusterSession } from "./cluster-session.ts";
import { type ClusterState, readClusterState } from "./cluster-state.ts";
import { CommitLog } from "./commit-log.ts";
import { type CommitMark, commitOnce, streamHash } from "./commits.ts";
import { copiedColumn, withCopiedRows } from "./copied-rows.ts";
import type { ClusterRequest } from "./copied-table.ts";
import { describedForCluster } from "./described-columns.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { isStagedAsRead, type StagedRead, stageAsRead, stagedSelect } from "./staged-as-read.ts";
import { StagedFiles } from "./staged-files.ts";
import { standInOf } from "./stand-in.ts";
import { isNewColumn, keysView, stagedView, viewOf } from "./statements.ts";
import { prepareTable, type WrittenCounts, writeStaged } from "./write-staged.ts";

/**
 * Reads a dataset into a table of a Spark cluster. The rows are staged as Parquet, and one commit of the table writes them with
 * the watermark. What this server keeps of the dataset is recorded before and after that commit; after a crash the table's
 * history tells whether the commit was made (docs/decisions/0064).
 */
export async function ingestIntoCluster(
  request: ClusterRequest,
  context: RequestContext,
): Promise<TransferResult> {
  return nameMemoryErrors(request.dataset.source, async (shape) => {
    const warehouse = await context.warehouse(request.scope.environment);
    const session = await openClusterSession(request.cluster, context);
    try {
      const source = await openSource(
        request.connection,
        await connectorContext(request.connection, context, warehouse),
      );
      try {
        return await transfer({ request, context, warehouse, session, source, shape });
      } finally {
        await source.close();
      }
    } finally {
      await session.close();
    }
  });
}

interface Transfer extends Pick<IngestRun, "source" | "shape"> {
  readonly request: ClusterRequest;
  readonly context: RequestContext;
  readonly warehouse: Warehouse;
  readonly session: ClusterSession;
}

async function transfer(parts: Transfer): Promise<TransferResult> {
  const { request, context, warehouse, session } = parts;
  const { scope, dataset } = request;
  const table = parseTableName(dataset.target, scope);
  const started = context.now();
  await warehouse.createSchema(table);
  const attempt = randomUUID();
  const stream = streamHash(streamId(dataset));
  const files = await StagedFiles.open(
    request.cluster.staging,
    { environment: scope.environment, stream, attempt },
    warehouse,
    context,
  );
  const connection = await warehouse.connect();
  const inOne = <Result>(work: () => Promise<Result>) =>
    inTransactionOn(connection, warehouse, context.signal, work);
  try {
    const state = await inOne(() => readClusterState(connection, session, table, dataset));
    const staged = await oneAtATime(scope.environment, table, context.signal, () =>
      inOne(() => stage(parts, connection, table, state, { attempt, files })),
    );
    context.crashPoint("staged");
    const { run } = staged;
    const before = run.checkpoint?.value ?? null;
    const after = staged.stage.watermark;
    const isNewCheckpoint = after !== before || run.checkpoint === undefined;
    const time = context.now();
    const mark: CommitMark = {
      stream,
      number: state.next,
      attempt,
      run: request.run,
      watermark: after,
      time,
      seen: state.version,
    };
    const written = await commit(parts, table, state, staged, mark);
    context.crashPoint("written");
    await inOne(async () => {
      if (isNewCheckpoint) {
        await writeCheckpoint(connection, table.catalog, streamId(dataset), {
          value: after,
          time,
          run: request.run,
        });
      }
      await run.settings.record(connection);
      await run.files?.record(connection);
      await deleteAcceptedRejects(connection, table.catalog, request, started, {
        relation: staged.stage.rows,
        keys: run.keys,
        retried: request.retryRejects ? run.columns : undefined,
      });
      const log = new CommitLog(table.catalog, streamId(dataset));
      if (written.commit) await log.record(connection, written.commit);
      else await log.discard(connection, attempt);
      // Changes by others were reported, or all rows were read again.
      if (!written.commit && state.tableId !== undefined) await log.see(connection, state.version);
      context.crashPoint("checkpointed");
    });
    const isAltered = isAltering(run.schemaChange);
    const { read, bytes, rejected, superseded } = staged.stage;
    return {
      read,
      inserted: written.insert,
      updated: written.update,
      deleted: written.delete,
      rejected,
      superseded,
      bytes,
      watermark_before: before,
      watermark_after: after,
      watermark_time: isNewCheckpoint ? time : (run.checkpoint?.time ?? null),
      watermark_column: describedWatermark(run.watermarkColumn),
      changed: written.commit || isAltered ? [fullName(table)] : [],
      warnings: run.warnings,
      schema_changes: recordedChanges(run),
    };
  } finally {
    connection.closeSync();
    await files.remove();
  }
}

interface Staged extends StagedRead {
  readonly run: IngestRun;
  readonly keysAddress: string | undefined;
}

/** Reads the source into files that the cluster sees, and records that a commit of these files may follow. */
async function stage(
  { request, context, warehouse, source, session, shape }: Transfer,
  connection: DuckDBConnection,
  table: TableName,
  state: ClusterState,
  { attempt, files }: { readonly attempt: string; readonly files: StagedFiles },
): Promise<Staged> {
  const { dataset } = request;
  const local = localName(table);
  let known: ReadFiles | undefined;
  if (state.columns) {
    await connection.run(standInOf(table, state.columns));
    known = dataset.watermark === null ? undefined : new ReadFiles(table.catalog, dataset);
    await known?.load(connection);
  }
  const description = await source.describe(dataset.source, dataset.target, known);
  const described = describedForCluster(description, dataset);
  shape.columns = described.columns;
  const run: IngestRun = {
    ...(await prepareIngestRun({ request, context, warehouse, source, described, connection })),
    shape,
  };
  const skipsRows = run.checkpoint?.value != null && dataset.strategy !== "replace";
  if (state.outside && skipsRows) judgeOutsideChange(state.outside, request, run.warn);
  let existing: string | undefined;
  if (dataset.deletes && sinceOf(run) !== undefined) {
    // Rows below the watermark are read, too, if the table lacks their keys. So the keys of the table are copied.
    existing = clusterKeys;
    const keys = (state.columns ?? []).filter(({ name }) => run.keys.some((key) => sameName(key, name)));
    await withCopiedRows(session, files, table, keys.map(copiedColumn), (relation) =>
      connection.run(`CREATE OR REPLACE TEMP TABLE ${clusterKeys} AS SELECT * FROM ${relation}`),
    );
  }
  const { stage, rows, address } =
    (isStagedAsRead(run) ? await stageAsRead(run, context, files) : undefined) ??
    (await stageRead(run, context, files, existing));
  const keysAddress =
    stage.sourceKeys === undefined
      ? undefined
      : await files.write(
          connection,
          "keys",
          `SELECT DISTINCT ${run.keys.map(quote).join(", ")} FROM ${stage.sourceKeys}`,
        );
  await storeRejects(
    connection,
    table.catalog,
    { id: dataset.id, run: request.run, time: context.now() },
    undefined,
  );
  if (state.columns) await connection.run(`DROP TABLE ${local}`);
  await new CommitLog(table.catalog, streamId(dataset)).prepare(connection, {
    number: state.next,
    attempt,
    settings: run.settings.current,
    files: run.files?.listed ?? [],
    contents: run.files?.contents ?? [],
  });
  return { run, stage, rows, address, keysAddress };
}

/** Reads all rows, casts and compares them, and then stages those that are left. */
async function stageRead(
  run: IngestRun,
  context: RequestContext,
  files: StagedFiles,
  existing: string | undefined,
): Promise<StagedRead> {
  const { connection } = run;
  const stage = await readStage(run, context, { existing, allowsRejects: false, keepsJson: true });
  const rows = await countRows(connection, stage.rows);
  const values = run.columns.map(({ name }) => quote(name));
  const since = reachedOf(run);
  const isNew =
    run.schemaChange.create || (run.files?.isKnown && since !== null)
      ? "true"
      : run.watermarkColumn && since !== null
        ? `coalesce(${isNewer(run.watermarkColumn, since)}, false)`
        : "false";
  return {
    stage,
    rows,
    address: await files.write(connection, "rows", stagedSelect(run, values, stage.rows, isNew)),
  };
}

/** A temporary table with the keys of the table in the cluster. */
const clusterKeys = "cluster_keys";

/** Writes the staged rows, unless the table has them already. */
async function commit(
  { session, request, context }: Transfer,
  table: TableName,
  state: ClusterState,
  { run, rows, address, keysAddress }: Staged,
  mark: CommitMark,
): Promise<WrittenCounts & { readonly commit?: { number: number; tableId: string; version: number } }> {
  const written = await prepareTable(session, table, state, run);
  const boolean = { name: isNewColumn, type: "BOOLEAN", origin: "boolean" };
  await session.rows(viewOf(stagedView, [...run.columns, boolean], address));
  if (keysAddress !== undefined) {
    const keys = run.columns.filter(({ name }) => run.keys.includes(name));
    await session.rows(viewOf(keysView, keys, keysAddress));
  }
  const isAdvanced = mark.watermark !== (run.checkpoint?.value ?? null);
  const plan = await writeStaged(session, written, run, {
    rows,
    isAdvanced,
    hasKeys: keysAddress !== undefined,
  });
  if (plan === undefined) return { insert: 0, update: 0, delete: 0 };
  context.log("info", `writing ${counted(rows, "row")} to ${request.dataset.target}.`);
  const name = sqlName(table);
  const [tableId, found] = await Promise.all([
    plan.isNewTable ? undefined : (state.tableId ?? idOf(session, name)),
    commitOnce(session, name, plan.statement, mark),
  ]);
  const { number, told: version } = found;
  return {
    ...plan.counts(found.metrics),
    commit: { number, tableId: tableId ?? (await idOf(session, name)), version },
  };
}

async function idOf(session: ClusterSession, name: string): Promise<string> {
  const [row] = await session.rows(`DESCRIBE DETAIL ${name}`);
  return String(row?.[1]);
}
