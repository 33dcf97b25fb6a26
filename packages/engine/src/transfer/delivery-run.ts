import type { DuckDBConnection } from "@duckdb/node-api";
import { connectorRereadCommand } from "@lakehelm/contract/changes";
import type { Checkpoint, TargetTable } from "../connectors/target/target.ts";
import { openTarget } from "../connectors/target-registry.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { requireUnreservedColumns } from "../protocol/reserved-columns.ts";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import { fullName, parseTableName, sqlName, type TableName } from "../warehouse/names.ts";
import { countRows, requireColumns, sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { readColumns, requireTable } from "../warehouse/table-columns.ts";
import { readVersion } from "../warehouse/table-version.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { listed } from "./added-columns.ts";
import { WarehouseCheckpointStore } from "./checkpoint-store.ts";
import { streamId } from "./checkpoints.ts";
import { connectorContext } from "./connector-context.ts";
import { compareStreamSettings, type DeliveredTable, type StreamSettingsChange } from "./stream-settings.ts";
import { nameMemoryErrors } from "./transfer-memory.ts";
import { requireOrderedType } from "./watermark.ts";
import { type Overlap, readOverlap } from "./watermark-lag.ts";
import { type Backfill, readBackfill } from "./watermark-window.ts";
import { judgeOutsideChange } from "./written-table.ts";

/** Where a delivery finds the rows of its table. */
export interface DeliverySource {
  /** Whether all rows were replaced since a run recorded `last`. Called before `prepare`. */
  findReplaced(
    connection: DuckDBConnection,
    table: TableName,
    last: DeliveredTable,
  ): Promise<{ readonly delivered: DeliveredTable; readonly isReplaced: boolean }>;
  /** Called before the first row is read. From then on the table has at least the rows that the run selects. */
  prepare(run: DeliveryRun): Promise<void>;
  /** Whether the table has no rows. Called before `prepare`. */
  isEmpty(connection: DuckDBConnection, table: TableName): Promise<boolean>;
  /** A relation with the keys of all rows. */
  keys(run: DeliveryRun): Promise<string>;
  /** A relation with at least the rows that have the keys of another relation. */
  rowsWithKeys(run: DeliveryRun, keys: string): Promise<string>;
}

/** A table of the warehouse itself, which has all rows. */
export const wholeTable: DeliverySource = {
  async findReplaced(connection, table, last) {
    const { recreated } = await readVersion(connection, table);
    return {
      delivered: { recreated },
      isReplaced: last.recreated !== undefined && recreated > last.recreated,
    };
  },
  prepare: async () => {},
  isEmpty: async (connection, table) => (await countRows(connection, sqlName(table))) === 0,
  keys: async ({ table }) => sqlName(table),
  rowsWithKeys: async ({ table }) => sqlName(table),
};

/** The delivery of one dataset, as far as it is known before the first row. */
export interface DeliveryRun {
  readonly request: TransferRequest;
  readonly source: DeliverySource;
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  /** The warehouse table whose rows are delivered. */
  readonly table: TableName;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly watermarkColumn: WarehouseColumn | undefined;
  readonly target: TargetTable;
  readonly checkpoints: WarehouseCheckpointStore;
  /** The checkpoint that the target stores. */
  readonly checkpoint: Checkpoint | undefined;
  /** Present if the run delivers a window of the watermark. */
  readonly backfill: Backfill | undefined;
  /** Present if the run also selects rows below the watermark again. */
  readonly overlap: Overlap | undefined;
  readonly settings: StreamSettingsChange;
  /** Says what the owner of the connector should know, in the log and in the result. */
  warn(text: string): void;
  readonly warnings: readonly string[];
}

/** Opens the target and a transaction of the warehouse for the work, and closes both afterwards. */
export async function withDeliveryRun<Result>(
  request: TransferRequest,
  context: RequestContext,
  source: DeliverySource,
  work: (run: DeliveryRun) => Promise<Result>,
): Promise<Result> {
  return nameMemoryErrors(request.dataset.source, (shape) =>
    openDeliveryRun(request, context, source, async (run) => {
      shape.columns = run.columns;
      await source.prepare(run);
      return work(run);
    }),
  );
}

async function openDeliveryRun<Result>(
  request: TransferRequest,
  context: RequestContext,
  source: DeliverySource,
  work: (run: DeliveryRun) => Promise<Result>,
): Promise<Result> {
  const { scope, dataset } = request;
  const table = parseTableName(dataset.source, scope);
  const warehouse = await context.warehouse(scope.environment);
  await requireTable(warehouse, table);
  const checkpoints = new WarehouseCheckpointStore(warehouse, table.catalog);
  const connector = await openTarget(request.connection, {
    ...(await connectorContext(request.connection, context, warehouse)),
    connector: request.connector,
    checkpoints,
  });
  try {
    return await inTransaction(warehouse, context.signal, async (connection) => {
      const selected = await deliveryColumns(connection, table, dataset);
      const target = await connector.table({
        stream: streamId(dataset),
        name: dataset.target,
        strategy: dataset.strategy,
        columns: selected.columns,
        keys: selected.keys,
        watermark: selected.watermarkColumn?.name,
      });
      const warnings: string[] = [];
      const warn = (text: string) => {
        warnings.push(text);
        context.log("warn", text);
      };
      const settings = await compareStreamSettings(
        connection,
        table.catalog,
        request,
        selected.columns,
        (level, text) => (level === "warn" ? warn(text) : context.log(level, text)),
        {
          isWriteOnly: target.isWriteOnly,
          findReplaced: (last) => source.findReplaced(connection, table, last),
        },
      );
      const checkpoint = settings.startsOver || request.fromStart ? undefined : await target.readCheckpoint();
      const hasWritten = checkpoint?.value != null && dataset.strategy !== "replace";
      if (hasWritten && (await target.isEmpty?.()) && !(await source.isEmpty(connection, table))) {
        const lost = `${dataset.target} has no rows in the target, although earlier runs have written some: something else has removed them or replaced the table.`;
        judgeOutsideChange({ lost, changed: undefined }, request, warn);
      }
      const isSkipping = hasWritten && !request.window;
      if (isSkipping && settings.newColumns.length > 0)
        warn(newColumnsSentence(request, table, settings.newColumns, target));
      if (isSkipping && settings.isRecreated)
        warn(recreatedSentence(request, table, checkpoint.value, target));
      return work({
        request,
        source,
        warehouse,
        connection,
        table,
        ...selected,
        target,
        checkpoints,
        checkpoint,
        backfill: await readBackfill(
          connection,
          request,
          selected.watermarkColumn,
          checkpoint?.value ?? null,
        ),
        overlap: await readOverlap(connection, dataset, selected.watermarkColumn, checkpoint?.value),
        settings,
        warn,
        warnings,
      });
    });
  } finally {
    await connector.close();
  }
}

/** A new column alone does not cause rows to be selected again that were written before. */
function newColumnsSentence(
  request: TransferRequest,
  table: TableName,
  columns: readonly string[],
  target: TargetTable,
): string {
  const values = columns.length === 1 ? "its values" : "their values";
  const command = resendCommand(request, target);
  return `${listed(columns)} new in ${fullName(table)}. Rows that were written before do not have ${values} in ${request.dataset.target} until their watermark grows.${command}`;
}

/** Rows that replaced others are not selected if they are below the watermark. */
function recreatedSentence(
  request: TransferRequest,
  table: TableName,
  watermark: string,
  target: TargetTable,
): string {
  const { watermark: column, target: name } = request.dataset;
  return `All rows of ${fullName(table)} were replaced since the last run. Those whose ${column} is below ${watermark} are not written to ${name}, even if they have other values than before.${resendCommand(request, target)}`;
}

/** Empty if rows are appended or sent to a write-only target: they would be there twice. */
const resendCommand = (
  { connector, dataset: { target, strategy } }: TransferRequest,
  { isWriteOnly }: TargetTable,
): string =>
  strategy === "upsert" && !isWriteOnly
    ? ` To write them now: ${connectorRereadCommand(connector, target)}`
    : "";

/** The columns to deliver. Throws a DataProblem if a key or the watermark is not among them. */
export async function deliveryColumns(connection: DuckDBConnection, table: TableName, dataset: Dataset) {
  const all = (await readColumns(connection, table)) ?? [];
  const columns = all.filter((column) => !dataset.leftOut.some((leftOut) => sameName(leftOut, column.name)));
  if (columns.length === 0) throw new DataProblem(`${fullName(table)} has no column that may be delivered.`);
  requireUnreservedColumns(columns, fullName(table));
  const keys = requireColumns(columns, dataset.keys, "primary key", fullName(table));
  const [watermark] =
    dataset.watermark === null
      ? []
      : requireColumns(columns, [dataset.watermark], "watermark", fullName(table));
  const watermarkColumn = columns.find(({ name }) => name === watermark);
  if (watermarkColumn) requireOrderedType(watermarkColumn, fullName(table));
  return { columns, keys, watermarkColumn };
}
