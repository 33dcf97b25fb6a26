import type { LogDefinition, LogRecord } from "../../connectors/source/change-log.ts";
import { logName } from "../../protocol/log-name.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { Dataset } from "../../protocol/transfer.ts";
import { checkpointsTable } from "../../warehouse/internal-tables.ts";
import { literal } from "../../warehouse/names.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { inTransaction } from "../../warehouse/transaction.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { readCheckpoint, streamId, writeCheckpoint } from "../checkpoints.ts";

const logStream = (connector: string): string => `log of ${connector}`;

/** The table of the source that a dataset was last read from. */
const tableStream = (dataset: Dataset): string => `table of ${streamId(dataset)}`;

/**
 * What the warehouse records about the log that a connector reads. Written before anything is created in the source.
 */
export async function readLogRecord(
  warehouse: Warehouse,
  catalog: string,
  connector: string,
  signal: AbortSignal,
): Promise<LogRecord | undefined> {
  if (!warehouse.catalogs.includes(catalog)) return undefined;
  const found = await inTransaction(warehouse, signal, (connection) =>
    readCheckpoint(connection, catalog, logStream(connector)),
  );
  return found?.value ? (JSON.parse(found.value) as LogRecord) : undefined;
}

/** Throws a DataProblem if another connector reads the same slot: each would take away the changes of the other. */
export async function requireOwnSlot(
  warehouse: Warehouse,
  connector: string,
  { server, slot }: { readonly server: string; readonly slot: string },
  signal: AbortSignal,
): Promise<void> {
  const prefix = logStream("");
  const others = await inTransaction(warehouse, signal, async (connection) => {
    const all = warehouse.catalogs.map(
      (catalog) =>
        `SELECT stream, value FROM ${checkpointsTable(catalog)} WHERE starts_with(stream, ${literal(prefix)})`,
    );
    return all.length === 0 ? [] : (await connection.runAndReadAll(all.join(" UNION ALL "))).getRowsJson();
  });
  const other = others
    .map(([stream, value]) => ({
      name: String(stream).slice(prefix.length),
      record: JSON.parse(String(value)) as LogRecord,
    }))
    .find(
      ({ name, record }) =>
        name !== connector && record.server === server && (record.slot ?? logName(name)) === slot,
    );
  if (!other) return;
  throw new DataProblem(
    `The connector ${other.name} reads the replication slot ${slot}, and a slot has one reader. Give this connector another replication_slot.`,
  );
}

export const writeLogRecord = (
  warehouse: Warehouse,
  catalog: string,
  connector: string,
  record: LogRecord,
  { signal, now }: Pick<RequestContext, "signal" | "now">,
): Promise<void> =>
  inTransaction(warehouse, signal, (connection) =>
    writeCheckpoint(connection, catalog, logStream(connector), {
      value: JSON.stringify(record),
      time: now(),
      run: "",
    }),
  );

export async function removeLogRecord(
  warehouse: Warehouse,
  catalog: string,
  connector: string,
  signal: AbortSignal,
): Promise<void> {
  await inTransaction(warehouse, signal, (connection) =>
    connection.run(
      `DELETE FROM ${checkpointsTable(catalog)} WHERE stream = ${literal(logStream(connector))}`,
    ),
  );
}

/** The table that a dataset was read from, and what its changes in the log depended on. */
export interface CapturedTable {
  readonly table: string;
  readonly definition?: LogDefinition;
}

export interface DatasetRecord extends CapturedTable {
  readonly position: string;
}

/** Where a dataset is in the log, and which table it was read from; undefined: its rows must be read first. */
export async function readDatasetRecord(
  warehouse: Warehouse,
  catalog: string,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<DatasetRecord | undefined> {
  if (!warehouse.catalogs.includes(catalog)) return undefined;
  return inTransaction(warehouse, signal, async (connection) => {
    const position = (await readCheckpoint(connection, catalog, streamId(dataset)))?.value;
    const table = (await readCheckpoint(connection, catalog, tableStream(dataset)))?.value;
    return position && table ? { position, ...tableOf(table) } : undefined;
  });
}

/** Runs of earlier versions have recorded the id of the table only. */
const tableOf = (recorded: string): CapturedTable =>
  recorded.startsWith("{") ? (JSON.parse(recorded) as CapturedTable) : { table: recorded };

/** Written after the rows: if a kill prevents it, the rows are read once more. */
export const writeTableRecord = (
  warehouse: Warehouse,
  catalog: string,
  dataset: Dataset,
  { table, definition }: CapturedTable,
  run: string,
  { signal, now }: Pick<RequestContext, "signal" | "now">,
): Promise<void> =>
  inTransaction(warehouse, signal, (connection) =>
    writeCheckpoint(connection, catalog, tableStream(dataset), {
      value: JSON.stringify({ table, definition }),
      time: now(),
      run,
    }),
  );
