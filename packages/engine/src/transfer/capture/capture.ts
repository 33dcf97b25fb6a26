import { isDeepStrictEqual } from "node:util";
import type { DuckDBConnection } from "@duckdb/node-api";
import type {
  ChangeLog,
  LogDefinition,
  LogGap,
  LogNames,
  LogRecord,
  LogState,
  LogTableId,
} from "../../connectors/source/change-log.ts";
import {
  firstPosition,
  formatPosition,
  isPosition,
  parsePosition,
} from "../../connectors/source/log-position.ts";
import type { ConnectorSource } from "../../connectors/source/source.ts";
import { openSource } from "../../connectors/source-registry.ts";
import { DataProblem } from "../../protocol/problem.ts";
import {
  type CaptureOutcome,
  type CaptureRequest,
  type CaptureResult,
  type Dataset,
  nothingMoved,
  type TransferRequest,
  type TransferResult,
} from "../../protocol/transfer.ts";
import { parseTableName, type TableName } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { listed } from "../added-columns.ts";
import { connectorContext } from "../connector-context.ts";
import { createStagingSink } from "../staging-sink.ts";
import type { transferredColumns } from "../transferred-columns.ts";
import {
  type CapturedTable,
  type DatasetRecord,
  readDatasetRecord,
  readLogRecord,
  removeLogRecord,
  requireOwnSlot,
  writeLogRecord,
  writeTableRecord,
} from "./capture-record.ts";
import { type CaptureTarget, type OpenCaptureTarget, openWarehouseTarget } from "./capture-target.ts";
import { capturedDataset, snapshotDataset } from "./captured-dataset.ts";
import {
  changeColumns,
  createChangeStage,
  type MeasuredChanges,
  measureChanges,
  stagedChanges,
} from "./change-stage.ts";
import { lossOf, lostLog } from "./lost-log.ts";

/**
 * A dataset without changes keeps its position until the log has grown by this much: otherwise every run of an idle
 * connector would write something.
 */
const quietBytes = 4n * 2n ** 20n;

/** A dataset of this run. */
interface CapturedDataset {
  readonly dataset: Dataset;
  readonly table: TableName;
  readonly described: ReturnType<typeof transferredColumns>;
  /** The table of the source, as it is defined now. */
  readonly captured: CapturedTable;
  /** Undefined: all its rows are read. */
  readonly position: bigint | undefined;
  /** The definition that the last run relied on. */
  readonly before: LogDefinition | undefined;
  /** Why all its rows are read although they were read before. */
  readonly copied?: string;
}

/** What is known of a dataset before the log is set up. */
type DescribedDataset = Pick<CapturedDataset, "dataset" | "table" | "described">;

interface CaptureRun {
  readonly request: CaptureRequest;
  readonly context: RequestContext;
  readonly warehouse: Warehouse;
  readonly source: ConnectorSource;
  readonly log: ChangeLog;
  readonly target: CaptureTarget;
  readonly outcomes: Map<string, CaptureOutcome>;
}

/**
 * One run of a connector that reads the log of its source. New datasets are read whole, at a position of the log; the
 * others get their changes up to the position at which the run began. The source may remove its log only after these
 * rows are committed.
 */
export async function capture(
  request: CaptureRequest,
  context: RequestContext,
  openTarget: OpenCaptureTarget = openWarehouseTarget,
): Promise<CaptureResult> {
  const { scope, connector } = request;
  const warehouse = await context.warehouse(scope.environment);
  await warehouse.attach(scope.catalog);
  const source = await openSource(
    request.connection,
    await connectorContext(request.connection, context, warehouse),
  );
  let target: CaptureTarget | undefined;
  try {
    const log = source.changeLog?.(connector);
    if (!log) throw new DataProblem('The connection does not read a log. Set "capture" to "log".');
    target = openTarget(warehouse, context);
    const run: CaptureRun = { request, context, warehouse, source, log, target, outcomes: new Map() };
    const before = await log.lag();
    const { datasets, upTo } = await prepare(run);
    for (const dataset of datasets) {
      if (dataset.position === undefined) await attempt(run, dataset, () => readAll(run, dataset));
    }
    const logged = datasets.filter(({ position }) => position !== undefined);
    if (logged.length > 0) await readChanges(run, logged, upTo);
    await confirm(run);
    const after = await log.lag();
    return {
      datasets: datasetOutcomes(run, before?.retainedBytes ?? 0),
      log: after
        ? {
            slot: after.slot,
            lag_bytes_before: before?.lagBytes ?? after.lagBytes,
            lag_bytes: after.lagBytes,
            retained_bytes: after.retainedBytes,
          }
        : null,
    };
  } finally {
    await target?.close();
    await source.close();
  }
}

/**
 * If the server kept too much of its log before this run, every dataset that was moved gets a warning, because they
 * share one log.
 */
function datasetOutcomes({ log, outcomes }: CaptureRun, retained: number): CaptureOutcome[] {
  const all = [...outcomes.values()];
  if (retained <= log.warnBytes) return all;
  const text = `The source kept ${megabytes(retained)} of its log for this connector, more than warn_log_mb (${megabytes(log.warnBytes)}). Run the connector more often, or delete it if it is no longer needed: otherwise the disk of the source fills up.`;
  return all.map((outcome) =>
    outcome.result
      ? { ...outcome, result: { ...outcome.result, warnings: [...outcome.result.warnings, text] } }
      : outcome,
  );
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

/** Sets up the log, and finds out for each dataset whether it is read whole. */
async function prepare(run: CaptureRun): Promise<{ datasets: CapturedDataset[]; upTo: bigint }> {
  const { request, context, warehouse, log, target } = run;
  const { scope, connector } = request;
  const chosen = request.datasets.filter(({ id }) => request.chosen.includes(id));
  const names = chosen.map(({ source }) => source);
  const record = await readLogRecord(warehouse, scope.catalog, connector, context.signal);
  let state = await log.state(record);
  await log.requireReadable(names);
  const captured: DescribedDataset[] = [];
  for (const dataset of chosen) captured.push(await describeDataset(run, dataset));
  const records = new Map<string, DatasetRecord>();
  const positions = new Map<string, DatasetRecord>();
  for (const { dataset, table, described } of captured) {
    const known = await target.recordOf(dataset, table);
    if (known) records.set(dataset.id, known);
    if (known && (await fillsColumns(run, dataset, table, described.columns))) continue;
    if (known && isPosition(known.position) && !request.fromStart) positions.set(dataset.id, known);
  }
  const read = captured.flatMap(({ dataset }) => {
    const known = positions.get(dataset.id);
    return known ? [{ source: dataset.source, position: known.position }] : [];
  });
  const loss = lossOf(state, read);
  if (loss !== undefined) throw lostLog(connector, loss);
  await requireOwnSlot(warehouse, connector, { server: state.server, slot: log.names.slot }, context.signal);
  if (state.slot === "lost") {
    const left = record && (await log.end(record));
    if (left !== undefined && record?.slot === log.names.slot)
      throw preparedSlotLost(state.reason, log.names);
    await removeLogRecord(warehouse, scope.catalog, connector, context.signal);
    state = { ...state, slot: "absent" };
  } else if (record) {
    // Removes the slot and the publication of names that the connection had before.
    const left = await log.end(record, log.names);
    if (left !== undefined) context.log("warn", left);
  }
  const id = await log.publicationId();
  const owned = ownership(record, state, log.names, id);
  const write = (more: Partial<LogRecord>) =>
    writeLogRecord(warehouse, scope.catalog, connector, { ...owned, ...more }, context);
  const isNew = id === undefined;
  // Written before anything is created: what exists without a record is not ours.
  if (isNew || !isDeepStrictEqual(owned, record)) await write(isNew ? { ownsPublication: true } : {});
  const { tables, created } = await log.addTables(names, owned.ownsPublication);
  if (created !== undefined) await write({ ownsPublication: true, publicationId: created });
  context.crashPoint("published");
  if (state.slot === "absent") {
    context.log("info", "waiting for open transactions of the source, then its log is kept from now on.");
    await log.begin();
  }
  context.crashPoint("begun");
  const datasets: CapturedDataset[] = [];
  for (const one of captured) {
    const table = tables.find(({ dataset }) => dataset === one.dataset.source);
    const last = records.get(one.dataset.id);
    await failDataset(run, one, async () => {
      datasets.push(await defineDataset(run, one, table, last, positions.has(one.dataset.id)));
    });
  }
  return { datasets, upTo: state.current };
}

/** Whether the connector created the slot and the publication, before it creates anything in this run. */
function ownership(
  record: LogRecord | undefined,
  state: LogState,
  names: LogNames,
  id: string | undefined,
): LogRecord {
  const { server, timeline } = state;
  const hasSlot = record && (record.slot ?? names.slot) === names.slot && state.slot === "ready";
  const isSame =
    record &&
    (record.publication ?? names.publication) === names.publication &&
    (record.publicationId ?? id) === id;
  return {
    ...{ server, timeline },
    ...names,
    ownsSlot: state.slot === "absent" || (hasSlot ? (record.ownsSlot ?? true) : false),
    ownsPublication: isSame ? record.ownsPublication : false,
    ...(isSame && record.publicationId !== undefined && { publicationId: record.publicationId }),
  };
}

const preparedSlotLost = (reason: string, { slot }: LogNames): DataProblem =>
  new DataProblem(
    `Changes are lost: ${reason}. This connector did not create the slot, so it does not replace it. Run SELECT pg_drop_replication_slot('${slot}'); SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput'); and then the connector with full_refresh again.`,
  );

/** Compares the table and its publication with what the last run relied on. */
async function defineDataset(
  { log, context }: CaptureRun,
  one: DescribedDataset,
  table: LogTableId | undefined,
  known: DatasetRecord | undefined,
  readsLog: boolean,
): Promise<CapturedDataset> {
  const { source, target } = one.dataset;
  const columns = columnNames(one);
  const definition = await requireDefinition(log, source, columns, known?.definition);
  const captured = { table: table?.id ?? "", definition };
  const all = { ...one, captured, position: undefined, before: undefined };
  if (!known || !readsLog) return all;
  const gap: Partial<LogGap> | undefined =
    known.table !== captured.table
      ? { reason: "it is another table than before" }
      : table?.isNew
        ? { reason: "it was not published meanwhile" }
        : await log.compare(source, columns, known.definition);
  // The log tells whether a truncation was the cause.
  if (gap?.reason === undefined || gap.mayBeTruncation)
    return { ...all, position: parsePosition(known.position), before: known.definition };
  context.log("warn", `${target}: ${copySentence(source, gap.reason)}`);
  return { ...all, copied: gap.reason };
}

async function requireDefinition(
  log: ChangeLog,
  source: string,
  columns: readonly string[],
  before: LogDefinition | undefined,
): Promise<LogDefinition> {
  const definition = await log.define(source, columns, before);
  if (definition) return definition;
  throw new DataProblem(
    `${source} was dropped, or is no longer published, since the run has begun. Run the connector again.`,
    { retryable: true },
  );
}

const columnNames = ({ described }: DescribedDataset): string[] => described.columns.map(({ name }) => name);

const copySentence = (source: string, reason: string): string =>
  `All rows of ${source} are read again, because the log may lack changes since the last run: ${reason}.`;

/**
 * The log does not have the values of a column that was added with a default: all rows are read again if the dataset
 * asks for it. Without a key, all rows are always read again, because the log identifies a row by all its values,
 * including the new one.
 */
async function fillsColumns(
  { target, context }: CaptureRun,
  dataset: Dataset,
  table: TableName,
  columns: readonly { readonly name: string }[],
): Promise<boolean> {
  const hasKeys = dataset.keys.length > 0;
  if (hasKeys && dataset.onAddedColumn !== "backfill") return false;
  const existing = (await target.columnsOf(dataset, table)) ?? [];
  const added = columns.filter(({ name }) => !existing.some((one) => sameName(one.name, name)));
  if (existing.length === 0 || added.length === 0) return false;
  const names = listed(added.map(({ name }) => name));
  const why = hasKeys ? 'on_added_column is "backfill"' : "without a key they are found by all their values";
  context.log(
    "info",
    `${dataset.target}: ${names} new in ${dataset.source}: all rows are read once, because ${why}.`,
  );
  return true;
}

async function describeDataset(
  { source, log, request, target }: CaptureRun,
  dataset: Dataset,
): Promise<DescribedDataset> {
  const description = await source.describe(dataset.source, dataset.target);
  const captured = capturedDataset(dataset, description, await log.identity(dataset.source));
  return {
    dataset: captured,
    table: parseTableName(dataset.target, request.scope),
    described: target.describe(description, captured),
  };
}

async function attempt(
  run: CaptureRun,
  one: DescribedDataset,
  work: () => Promise<TransferResult>,
): Promise<void> {
  await failDataset(run, one, async (seconds) => {
    const result = { ...(await work()), log_keys: one.dataset.keys };
    run.outcomes.set(one.dataset.id, { id: one.dataset.id, seconds: seconds(), result });
  });
}

/** A failed dataset does not stop the others. */
async function failDataset(
  { outcomes, context }: CaptureRun,
  { dataset }: DescribedDataset,
  work: (seconds: () => number) => Promise<void>,
): Promise<void> {
  const started = performance.now();
  const seconds = () => Math.round(performance.now() - started) / 1000;
  try {
    await work(seconds);
  } catch (error) {
    if (context.signal.aborted || !(error instanceof DataProblem)) throw error;
    const failure = { sentence: error.message, retryable: error.retryable };
    outcomes.set(dataset.id, { id: dataset.id, seconds: seconds(), failure });
  }
}

/** Reads all rows of a dataset. Their position in the log is committed with them. */
async function readAll(
  run: CaptureRun,
  { dataset, table, captured, copied }: CapturedDataset,
): Promise<TransferResult> {
  const { request, warehouse, target } = run;
  const context = contextOf(run, dataset);
  const result = await target.readAll(
    {
      ...transferOf(request, snapshotDataset(dataset)),
      ...{ fromStart: true, withPosition: true, changesTypes: request.fromStart },
    },
    context,
  );
  context.crashPoint("snapshot");
  await writeTableRecord(warehouse, table.catalog, dataset, captured, request.run, context);
  if (copied === undefined) return result;
  return { ...result, warnings: [copySentence(dataset.source, copied), ...result.warnings] };
}

const transferOf = (
  { scope, connector, connection, run, retryRejects, cluster }: CaptureRequest,
  dataset: Dataset,
): TransferRequest => ({
  ...{ scope, direction: "in", connector, connection, dataset, run, retryRejects },
  ...(cluster && { cluster }),
});

/** Log lines and progress name the dataset. */
const contextOf = ({ context }: CaptureRun, { target }: Dataset): RequestContext => ({
  ...context,
  log: (level, text) => context.log(level, `${target}: ${text}`),
  progress: (values) => context.progress({ target_name: target, ...values }),
});

/**
 * Stages the changes of all datasets in one pass, because the server reads its whole log for each pass, and applies
 * them.
 */
async function readChanges(
  run: CaptureRun,
  datasets: readonly CapturedDataset[],
  upTo: bigint,
): Promise<void> {
  const { warehouse, log, context } = run;
  const connection = await warehouse.connect();
  try {
    const width = Math.max(...datasets.map(({ described }) => described.columns.length));
    await createChangeStage(connection, width);
    const sink = createStagingSink({
      warehouse,
      connection,
      table: stagedChanges,
      columns: changeColumns(width),
      signal: context.signal,
      onProgress: (values) => context.progress(values),
    });
    const tables = datasets.map(({ dataset, described, position, before }) => ({
      dataset: dataset.source,
      from: position ?? 0n,
      columns: described.columns.map(({ name }) => name),
      keys: described.keys,
      before,
    }));
    const reached = await log.read(tables, upTo, sink, context.signal);
    context.crashPoint("read");
    for (const [index, dataset] of datasets.entries()) {
      await attempt(run, dataset, () => applyTrusted(run, dataset, { index, reached, connection }));
    }
    context.log("info", `read the log up to ${formatPosition(reached)}.`);
  } finally {
    connection.closeSync();
  }
}

interface StagedLog {
  readonly index: number;
  readonly reached: bigint;
  readonly connection: DuckDBConnection;
}

/** The table and its publication may have been changed while the log was read: then all rows are read again instead. */
async function applyTrusted(
  run: CaptureRun,
  one: CapturedDataset,
  staged: StagedLog,
): Promise<TransferResult> {
  const { request, warehouse, log, context } = run;
  const { dataset, table, captured, before } = one;
  const columns = columnNames(one);
  const measured = await measureChanges(staged.connection, staged.index, columns.length);
  const definition = await requireDefinition(log, dataset.source, columns, captured.definition);
  const gap =
    measured.incomplete > 0
      ? { reason: "what identifies its rows was changed, or a column had another name" }
      : await log.compare(dataset.source, columns, before ?? captured.definition);
  if (gap) {
    context.log("warn", `${dataset.target}: ${copySentence(dataset.source, gap.reason)}`);
    // A truncation has certainly deleted rows, so the limit for deleted rows does not apply.
    const limit = measured.truncations > 0 ? { maxDeleteShare: 1 } : {};
    return readAll(run, {
      ...one,
      dataset: { ...dataset, ...limit },
      captured: { ...captured, definition },
      copied: gap.reason,
    });
  }
  const result = await applyDataset(run, one, staged, measured);
  // If a kill prevents it, the next run compares with the same definition as this one.
  const known = await readDatasetRecord(warehouse, table.catalog, dataset, context.signal);
  if (!isDeepStrictEqual(known?.definition, captured.definition))
    await writeTableRecord(warehouse, table.catalog, dataset, captured, request.run, context);
  return result;
}

async function applyDataset(
  run: CaptureRun,
  { dataset, table, described, position = 0n }: CapturedDataset,
  { index, reached, connection }: StagedLog,
  { changes, bytes }: MeasuredChanges,
): Promise<TransferResult> {
  const { source, request, target } = run;
  if (changes === 0 && !request.retryRejects && reached - position < quietBytes) {
    const warnings: string[] = [];
    await target.verify(transferOf(request, dataset), table, (text) => warnings.push(text));
    return { ...unchanged(position), warnings };
  }
  const upTo = formatPosition(reached > position ? reached : position);
  return target.apply(
    {
      ...{ request: transferOf(request, dataset), source, table, described, connection },
      ...{ index, position: upTo, bytes },
    },
    contextOf(run, dataset),
  );
}

const unchanged = (position: bigint): TransferResult => ({
  ...nothingMoved,
  watermark_before: formatPosition(position),
  watermark_after: formatPosition(position),
  watermark_time: null,
  watermark_column: null,
  warnings: [],
});

/** Lets the source remove the part of its log that every dataset has, including datasets that this run did not move. */
async function confirm({ request, warehouse, log, context }: CaptureRun): Promise<void> {
  const positions: bigint[] = [];
  for (const dataset of request.datasets) {
    const { catalog } = parseTableName(dataset.target, request.scope);
    const known = await readDatasetRecord(warehouse, catalog, dataset, context.signal);
    if (known && isPosition(known.position)) positions.push(parsePosition(known.position));
  }
  context.crashPoint("committed");
  const first = firstPosition(positions);
  if (first === undefined) return;
  await log.confirm(first);
  context.crashPoint("confirmed");
}
