import type { DuckDBConnection } from "@duckdb/node-api";
import { connectorRefreshCommand } from "@lakehelm/contract/changes";
import type { ConnectorSource } from "../connectors/source/source.ts";
import { openSource } from "../connectors/source-registry.ts";
import type { Checkpoint } from "../connectors/target/target.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import { parseTableName, sqlName, type TableName } from "../warehouse/names.ts";
import { requireNoOwner } from "../warehouse/ownership.ts";
import { countRows, sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { planAddedColumns } from "./added-columns.ts";
import { capturedDataset, snapshotDataset } from "./capture/captured-dataset.ts";
import { readCheckpoint, streamId } from "./checkpoints.ts";
import { connectorContext } from "./connector-context.ts";
import { hasDuplicateKeys } from "./duplicate-keys.ts";
import { ReadFiles } from "./file-arrivals.ts";
import { inferredTypeChanges, type TypeChange, useTableTypes } from "./inferred-types.ts";
import { leftOutColumns } from "./left-out-columns.ts";
import { missingColumnProblems, unknownColumns } from "./missing-columns.ts";
import { createPendingRejects } from "./rejects.ts";
import { describeRetyped, planSchemaChange, type SchemaChange } from "./schema-change.ts";
import { judgeDefinition } from "./source-definition.ts";
import { compareStreamSettings, type StreamSettingsChange } from "./stream-settings.ts";
import { nameMemoryErrors, type TransferShape } from "./transfer-memory.ts";
import { transferredColumns } from "./transferred-columns.ts";
import { requireOrderedType } from "./watermark.ts";
import { type Overlap, readOverlap } from "./watermark-lag.ts";
import { type Backfill, readBackfill } from "./watermark-window.ts";
import { findOutsideChange, judgeOutsideChange } from "./written-table.ts";

/** The ingest of one dataset, as far as it is known before the first row. */
export interface IngestRun {
  readonly request: TransferRequest;
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly source: ConnectorSource;
  readonly table: TableName;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly watermarkColumn: WarehouseColumn | undefined;
  readonly checkpoint: Checkpoint | undefined;
  /** Present if the run reads a window of the watermark. */
  readonly backfill: Backfill | undefined;
  /** Present if the run also reads rows below the watermark again. */
  readonly overlap: Overlap | undefined;
  readonly schemaChange: SchemaChange;
  /** The rows that the table had before the run. */
  readonly rowsBefore: number;
  /** The values that existing rows have in new columns. */
  readonly fill: "null" | "backfilled";
  readonly settings: StreamSettingsChange;
  /** Columns of the table that are left out from now on, and dropped. */
  readonly droppedColumns: readonly string[];
  readonly typeChanges: readonly TypeChange[];
  /** Present if the watermark is the time of a file. */
  readonly files: ReadFiles | undefined;
  /** Columns of the table that the source does not have, and whose values stay when a row is written again. */
  readonly keptColumns: readonly string[];
  /** Says what the owner of the connector should know, in the log and in the result. */
  warn(text: string): void;
  readonly warnings: readonly string[];
  /** For errors about memory. */
  readonly shape: TransferShape;
  /** Whether the source guarantees that the keys are unique. */
  readonly hasUniqueKeys: boolean;
}

/** Opens the source and a transaction of the warehouse for the work, and closes both afterwards. */
export async function withIngestRun<Result>(
  request: TransferRequest,
  context: RequestContext,
  /** Called once the source is known to exist. A preview creates nothing. */
  createSchema: () => Promise<void>,
  work: (run: IngestRun) => Promise<Result>,
): Promise<Result> {
  return nameMemoryErrors(request.dataset.source, (shape) =>
    openIngestRun(request, context, createSchema, (run) => work({ ...run, shape }), shape),
  );
}

async function openIngestRun<Result>(
  request: TransferRequest,
  context: RequestContext,
  createSchema: () => Promise<void>,
  work: (run: Omit<IngestRun, "shape">) => Promise<Result>,
  shape: TransferShape,
): Promise<Result> {
  const { scope, dataset } = request;
  const warehouse = await context.warehouse(scope.environment);
  const source = await openSource(
    request.connection,
    await connectorContext(request.connection, context, warehouse),
  );
  try {
    const arrivals = await readFilesOf(warehouse, parseTableName(dataset.target, scope), dataset);
    const description = await source.describe(dataset.source, dataset.target, arrivals);
    const log = request.withPosition ? undefined : source.changeLog?.(request.connector);
    // The preview of a connector that reads a log compares all rows, because the next run leads to the same rows.
    const read = log
      ? snapshotDataset(capturedDataset(dataset, description, await log.identity(dataset.source)))
      : dataset;
    // Loaded when it is needed: most servers have no cluster.
    const describe = request.cluster
      ? (await import("./cluster/described-columns.ts")).describedForCluster
      : transferredColumns;
    const described = describe(description, read);
    shape.columns = described.columns;
    await createSchema();
    return await inTransaction(warehouse, context.signal, async (connection) =>
      work(
        await prepareIngestRun({
          request: { ...request, dataset: read },
          context,
          warehouse,
          source,
          described,
          connection,
        }),
      ),
    );
  } finally {
    await source.close();
  }
}

/** The files whose columns the table already has; undefined if there is no table. */
async function readFilesOf(
  warehouse: Warehouse,
  table: TableName,
  dataset: Dataset,
): Promise<ReadFiles | undefined> {
  if (dataset.watermark === null || !(await warehouse.hasTable(table))) return undefined;
  const files = new ReadFiles(table.catalog, dataset);
  const connection = await warehouse.connect();
  await files.load(connection).finally(() => connection.closeSync());
  return files;
}

/** Plans the ingest of one dataset, within the transaction of the connection. */
export async function prepareIngestRun({
  request,
  context,
  warehouse,
  source,
  described,
  connection,
}: Pick<IngestRun, "request" | "warehouse" | "source" | "connection"> & {
  readonly context: RequestContext;
  readonly described: ReturnType<typeof transferredColumns>;
}): Promise<Omit<IngestRun, "shape">> {
  const { scope, dataset } = request;
  const table = parseTableName(dataset.target, scope);
  // Checked in this transaction, because a pipeline may create the table at any time.
  if (warehouse.catalogs.includes(table.catalog)) await requireNoOwner(connection, table);
  await createPendingRejects(connection);
  const columns = await useTableTypes(connection, table, described.columns, request);
  const schemaChange = await planSchemaChange(connection, table, columns, request);
  for (const text of describeRetyped(table, schemaChange)) context.log("info", `${text}.`);
  const warnings: string[] = [];
  const warn = (text: string) => {
    warnings.push(text);
    context.log("warn", text);
  };
  for (const text of source.warnings ?? []) warn(text);
  const names = columns.map(({ name }) => name);
  // The log has a definition of its own for its rows.
  const isOfLog = request.withPosition || source.changeLog?.(request.connector) !== undefined;
  const defined = isOfLog ? undefined : await source.define?.(dataset.source, names, dataset.target);
  // A checkpoint left by a dropped table does not apply to the table that is created now.
  const settings = await compareStreamSettings(
    schemaChange.create ? undefined : connection,
    table.catalog,
    request,
    columns,
    (level, text) => (level === "warn" ? warn(text) : context.log(level, text)),
    { hasDuplicates: () => hasDuplicateKeys(connection, table, described.keys), defined },
  );
  const droppedColumns = await leftOutColumns(connection, table, dataset, settings, request.fromStart);
  const keptColumns = await unknownColumns(connection, table, columns, dataset);
  const gone = settings.goneColumns.filter((name) => keptColumns.some((one) => sameName(one, name)));
  for (const text of missingColumnProblems(dataset, settings.missingColumns, schemaChange, gone)) warn(text);
  const known =
    schemaChange.create || settings.startsOver || request.fromStart
      ? undefined
      : await readCheckpoint(connection, table.catalog, streamId(dataset));
  const position = dataset.strategy === "replace" ? null : (known?.value ?? null);
  const rereads = judgeDefinition(request, defined, settings.definition, position, warn);
  const reached = rereads ? undefined : known;
  const { log } = context;
  const { fill, checkpoint } = planAddedColumns(request, schemaChange, settings, reached, {
    log,
    warn,
    isOfLog,
  });
  if (reached?.value != null && !request.cluster && dataset.strategy !== "replace") {
    const change = await findOutsideChange(connection, table, request);
    if (change) judgeOutsideChange(change, request, warn);
  }
  const files = described.hasFileWatermark ? new ReadFiles(table.catalog, dataset) : undefined;
  if (checkpoint) await files?.load(connection);
  const watermarkColumn = columns.find(({ name }) => name === described.watermark);
  if (watermarkColumn) requireOrderedType(watermarkColumn, dataset.source);
  if (request.window && files) {
    throw new DataProblem(
      `The watermark of ${dataset.source} is the time of a file, and a run reads whole files that are new. To read all files again: ${connectorRefreshCommand(request.connector)}`,
    );
  }
  if (dataset.watermarkLag && files) {
    throw new DataProblem(
      `The watermark of ${dataset.source} is the time of a file. Files that arrive late are read whatever their time is: remove watermark_lag.`,
    );
  }
  const overlap = await readOverlap(connection, dataset, watermarkColumn, checkpoint?.value);
  const backfill = await readBackfill(connection, request, watermarkColumn, checkpoint?.value ?? null);
  return {
    request,
    warehouse,
    connection,
    source,
    table,
    columns,
    keys: described.keys,
    watermarkColumn,
    checkpoint,
    backfill,
    overlap,
    schemaChange,
    rowsBefore: schemaChange.create ? 0 : await countRows(connection, sqlName(table)),
    fill,
    settings,
    droppedColumns,
    typeChanges: inferredTypeChanges(described.columns, columns, table, request),
    files,
    keptColumns,
    warn,
    warnings,
    hasUniqueKeys: described.hasUniqueKeys,
  };
}
