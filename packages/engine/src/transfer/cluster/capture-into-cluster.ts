import { randomUUID } from "node:crypto";
import { counted } from "@lakehelm/contract/text";
import { sqlName } from "@lakehelm/sql/names";
import type { ClusterAccess, TransferResult } from "../../protocol/transfer.ts";
import { fullName, sqlName as localName, quote } from "../../warehouse/names.ts";
import { columnList, countRows, scalar } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { inTransaction, inTransactionOn } from "../../warehouse/transaction.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { forgetDeletedRejects } from "../capture/apply-changes.ts";
import { readDatasetRecord } from "../capture/capture-record.ts";
import type { CaptureTarget, DatasetChanges } from "../capture/capture-target.ts";
import { deletedByLog, type FoldedChanges, foldChanges, selectTyped } from "../capture/change-fold.ts";
import { stagedChanges } from "../capture/change-stage.ts";
import { loggedColumn } from "../capture/log-columns.ts";
import { streamId, writeCheckpoint } from "../checkpoints.ts";
import { type IngestRun, prepareIngestRun } from "../ingest-run.ts";
import { recordedChanges } from "../recorded-changes.ts";
import { checkRejectShare, deleteAcceptedRejects, storeRejects } from "../rejects.ts";
import { applySchemaChange, isAltering } from "../schema-change.ts";
import { castRows, stageStoredRejects } from "../stage.ts";
import { nameMemoryErrors } from "../transfer-memory.ts";
import { judgeOutsideChange } from "../written-table.ts";
import { type ClusterSession, openClusterSession } from "./cluster-session.ts";
import { type ClusterState, readClusterState } from "./cluster-state.ts";
import { CommitLog, type KnownCommit } from "./commit-log.ts";
import { type CommitMark, commitOnce, streamHash } from "./commits.ts";
import { copiedColumn, withCopiedRows } from "./copied-rows.ts";
import { describedForCluster } from "./described-columns.ts";
import { ingestIntoCluster } from "./ingest-into-cluster.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { StagedFiles } from "./staged-files.ts";
import { standInOf } from "./stand-in.ts";
import { countColumn, deletedView, joinedKeys, keysView, stagedView, viewOf } from "./statements.ts";
import { prepareTable, type WrittenCounts, writeChanges } from "./write-staged.ts";

/** The tables of a Spark cluster, for what is read from the log of a source. */
export function openClusterTarget(
  cluster: ClusterAccess,
  environment: string,
  warehouse: Warehouse,
  context: RequestContext,
): CaptureTarget {
  const states = new Map<string, ClusterState>();
  return {
    async recordOf(dataset, table) {
      await warehouse.createSchema(table);
      const session = await openClusterSession(cluster, context);
      try {
        // What earlier attempts committed decides where this attempt continues.
        const state = await inTransaction(warehouse, context.signal, (connection) =>
          readClusterState(connection, session, table, dataset),
        );
        states.set(dataset.id, state);
        return state.columns && readDatasetRecord(warehouse, table.catalog, dataset, context.signal);
      } finally {
        await session.close();
      }
    },
    async verify(request, _, warn) {
      const outside = states.get(request.dataset.id)?.outside;
      if (outside) judgeOutsideChange(outside, request, warn);
    },
    columnsOf: async ({ id }) => states.get(id)?.columns,
    describe: describedForCluster,
    readAll: (request, ofDataset) => ingestIntoCluster({ ...request, cluster }, ofDataset),
    apply: (changes, ofDataset) =>
      nameMemoryErrors(changes.request.dataset.source, async (shape) => {
        shape.columns = changes.described.columns;
        const state = states.get(changes.request.dataset.id);
        if (!state) throw new Error(`The state of ${changes.request.dataset.target} was not read.`);
        // A separate session, because the settings of a session are part of each commit (docs/decisions/0074).
        const session = await openClusterSession(cluster, ofDataset);
        try {
          const attempt = randomUUID();
          const stream = streamHash(streamId(changes.request.dataset));
          const files = await StagedFiles.open(
            cluster.staging,
            { environment, stream, attempt },
            warehouse,
            ofDataset,
          );
          try {
            return await applyChanges(
              { changes, warehouse, context: ofDataset, session, state, files, shape, environment },
              attempt,
            );
          } finally {
            await files.remove();
          }
        } finally {
          await session.close();
        }
      }),
    async close() {},
  };
}

interface Applied extends Pick<IngestRun, "warehouse" | "shape"> {
  readonly changes: DatasetChanges;
  readonly context: RequestContext;
  readonly session: ClusterSession;
  readonly state: ClusterState;
  readonly files: StagedFiles;
  readonly environment: string;
}

/**
 * Stages the net effect of the changes, writes it in one commit that also has the position, and records the commit
 * here.
 */
async function applyChanges(parts: Applied, attempt: string): Promise<TransferResult> {
  const { changes, warehouse, context, state, environment } = parts;
  const { request, table, connection, position, bytes } = changes;
  const { dataset } = request;
  const started = context.now();
  const inOne = <Result>(work: () => Promise<Result>) =>
    inTransactionOn(connection, warehouse, context.signal, work);
  const staged = await oneAtATime(environment, table, context.signal, () =>
    inOne(() => stage(parts, attempt)),
  );
  const { run } = staged;
  context.crashPoint("staged");
  const time = context.now();
  const written = await commit(parts, staged, {
    stream: streamHash(streamId(dataset)),
    number: state.next,
    attempt,
    run: request.run,
    watermark: position,
    time,
    seen: state.version,
  });
  context.crashPoint("written");
  await inOne(async () => {
    await writeCheckpoint(connection, table.catalog, streamId(dataset), {
      value: position,
      time,
      run: request.run,
    });
    await run.settings.record(connection);
    const accepted = { relation: staged.relation, keys: run.keys };
    await deleteAcceptedRejects(connection, table.catalog, request, started, accepted);
    const log = new CommitLog(table.catalog, streamId(dataset));
    if (written.commit) await log.record(connection, written.commit);
    else await log.discard(connection, attempt);
    context.crashPoint("checkpointed");
  });
  return {
    read: staged.read,
    inserted: written.insert,
    updated: written.update,
    deleted: written.delete,
    rejected: staged.rejected,
    bytes,
    watermark_before: run.checkpoint?.value ?? null,
    watermark_after: position,
    watermark_time: time,
    watermark_column: null,
    changed: written.commit || isAltering(run.schemaChange) ? [fullName(table)] : [],
    warnings: run.warnings,
    schema_changes: recordedChanges(run),
  };
}

interface StagedChanges extends Pick<FoldedChanges, "read" | "rejected" | "isTruncated"> {
  readonly run: IngestRun;
  /** The rows that the changes leave. */
  readonly relation: string;
  readonly rows: number;
  readonly address: string;
  /** The address of the keys of deleted rows, or of the rows themselves; undefined if no row was deleted. */
  readonly deletedAddress: string | undefined;
}

/** Writes the net effect of the changes to files that the cluster sees. */
async function stage(parts: Applied, attempt: string): Promise<StagedChanges> {
  const { changes, warehouse, context, state, files, shape } = parts;
  const { request, table, connection, index } = changes;
  const { dataset } = request;
  await connection.run(standInOf(table, state.columns ?? []));
  const prepared = await prepareIngestRun({ ...changes, warehouse, context });
  const run = { ...prepared, columns: prepared.columns.map(loggedColumn), shape };
  if (state.outside) judgeOutsideChange(state.outside, request, run.warn);
  await copyUnchanged(parts, run);
  await applySchemaChange(connection, table, run.columns, run.schemaChange, request);
  const folded = await foldChanges(run, index);
  await forgetDeletedRejects(run, folded.isTruncated);
  const retried = request.retryRejects
    ? await stageStoredRejects(connection, table.catalog, dataset.id, run.columns, run.keys)
    : 0;
  const { relation, rejected } = await castRows(connection, run.columns, run.keys);
  const counts = { read: folded.read + retried, rejected: folded.rejected + rejected };
  await checkRejectShare(connection, table.catalog, dataset, counts, run.typeChanges);
  const rows = await countRows(connection, relation);
  const address = await files.write(connection, "rows", `SELECT ${columnList(run.columns)} FROM ${relation}`);
  const deletedAddress =
    (await countRows(connection, deletedByLog)) === 0
      ? undefined
      : await files.write(connection, "deleted", `SELECT * FROM ${deletedByLog}`);
  const origin = { id: dataset.id, run: request.run, time: context.now() };
  await storeRejects(connection, table.catalog, origin, undefined);
  await connection.run(`DROP TABLE ${localName(table)}`);
  await new CommitLog(table.catalog, streamId(dataset)).prepare(connection, {
    ...{ number: state.next, attempt, settings: run.settings.current, files: [], contents: [] },
  });
  return { ...counts, isTruncated: folded.isTruncated, run, relation, rows, address, deletedAddress };
}

/** Large values that did not change are not in the log: the rows that have them are copied from the cluster. */
async function copyUnchanged(
  { changes, session, state, files }: Applied,
  { columns, keys }: IngestRun,
): Promise<void> {
  const { table, connection, index } = changes;
  const ofDataset = `${stagedChanges} WHERE t = ${index}`;
  const unchanged = await scalar(connection, `SELECT count(*) FROM ${ofDataset} AND unchanged IS NOT NULL`);
  if (Number(unchanged) === 0 || keys.length === 0) return;
  const select = selectTyped(columns, keys, `${ofDataset} AND op <> 'T'`);
  const address = await files.write(connection, "changed", `SELECT DISTINCT * FROM (${select})`);
  const keyColumns = columns.filter(({ name }) => keys.includes(name));
  await session.rows(viewOf(keysView, keyColumns, address));
  const copied = (state.columns ?? []).map(copiedColumn);
  const names = copied.map(({ name }) => quote(name)).join(", ");
  await withCopiedRows(
    session,
    files,
    table,
    copied,
    (relation) =>
      connection.run(`INSERT INTO ${localName(table)} (${names}) SELECT ${names} FROM ${relation}`),
    joinedKeys(keys),
  );
}

async function commit(
  { changes: { table, request }, context, session, state }: Applied,
  { run, rows, address, deletedAddress, isTruncated }: StagedChanges,
  mark: CommitMark,
): Promise<WrittenCounts & { readonly commit?: KnownCommit }> {
  const written = await prepareTable(session, table, state, run);
  await session.rows(viewOf(stagedView, run.columns, address));
  if (deletedAddress !== undefined) {
    const keys = run.columns.filter(({ name }) => run.keys.includes(name));
    const count = { name: countColumn, type: "BIGINT", origin: "bigint" };
    await session.rows(viewOf(deletedView, keys.length > 0 ? keys : [...run.columns, count], deletedAddress));
  }
  const plan = await writeChanges(session, written, {
    ...{ rows, isTruncated, hasDeleted: deletedAddress !== undefined },
  });
  if (plan === undefined) return { insert: 0, update: 0, delete: 0 };
  context.log("info", `writing ${counted(rows, "row")} to ${request.dataset.target}.`);
  const found = await commitOnce(session, sqlName(table), plan.statement, mark);
  const { number, told: version } = found;
  return { ...plan.counts(found.metrics), commit: { number, tableId: state.tableId ?? "", version } };
}
