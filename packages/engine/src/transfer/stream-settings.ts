import type { DuckDBConnection } from "@duckdb/node-api";
import {
  connectorRefreshCommand,
  connectorRunCommand,
  type DatasetShape,
  decideDatasetRun,
  isSame,
} from "@lakehelm/contract/changes";
import type { DefinedDataset, SourceDefinition } from "../connectors/source/definition.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import { checkpointsTable, streamSettingsTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { streamId } from "./checkpoints.ts";

/** The settings of a run that the next run compares with its own. */
export interface StreamSettings extends DatasetShape {
  /** Undefined if an earlier version wrote the row. */
  readonly columns?: readonly string[];
  /** Columns that earlier runs had. Absent: none. */
  readonly gone?: readonly string[];
  /** The definition of the source that the run relied on. Absent: unknown. */
  readonly definition?: SourceDefinition;
  /** The last version of a delivered table that replaced all rows. Absent: unknown. */
  readonly recreated?: number;
  /** The delivered table of a cluster, as the run found it. Absent: it has no versions, or they are unknown. */
  readonly delta?: { readonly id: string; readonly version: number };
}

/** What is recorded of a delivered table, so that the next run knows whether all of its rows were replaced. */
export type DeliveredTable = Pick<StreamSettings, "recreated" | "delta">;

export interface StreamSettingsChange {
  /** Whether the run must read its rows without regard to the checkpoint. */
  readonly startsOver: boolean;
  /** The columns that the last run did not have. */
  readonly newColumns: readonly string[];
  /** The new columns that an earlier run had: the target may still have values from then. */
  readonly returnedColumns: readonly string[];
  /** Whether the run reads all rows, and replaces those of the target by them. */
  readonly rebuilds: boolean;
  /** Columns of the target that are left out from now on. */
  readonly droppedColumns: readonly string[];
  /** The columns of the last run that this run does not have. */
  readonly missingColumns: readonly string[];
  /** The columns of earlier runs that neither the last run nor this run has. */
  readonly goneColumns: readonly string[];
  /** The definition of the source that the last run relied on. */
  readonly definition: SourceDefinition | undefined;
  /** Whether all rows of the delivered table were replaced since the last run. */
  readonly isRecreated: boolean;
  /** The settings of this run. */
  readonly current: StreamSettings;
  /** Records the settings of this run, in the transaction of the connection. */
  record(connection: DuckDBConnection): Promise<void>;
}

/**
 * Compares the dataset's settings with those of its last run, and says in the log what a change means. Throws a
 * DataProblem with the next step if the existing rows do not fit.
 */
export async function compareStreamSettings(
  /** Undefined if the table is new: then there were no earlier runs. */
  connection: DuckDBConnection | undefined,
  catalog: string,
  {
    dataset,
    connector,
    withPosition = false,
    window,
  }: Pick<TransferRequest, "dataset" | "connector" | "withPosition" | "window">,
  columns: readonly WarehouseColumn[],
  log: RequestContext["log"],
  {
    isWriteOnly = false,
    hasDuplicates = async () => false,
    defined,
    findReplaced,
  }: {
    /** Only for a delivered table. */
    readonly findReplaced?: (
      last: DeliveredTable,
    ) => Promise<{ readonly delivered: DeliveredTable; readonly isReplaced: boolean }>;
    /** The current definition of the source. */
    readonly defined?: DefinedDataset | undefined;
    /** Whether rows that were sent cannot be taken back. */
    readonly isWriteOnly?: boolean | undefined;
    /** Whether rows that no run of the dataset wrote have no key, or the same key. */
    readonly hasDuplicates?: () => Promise<boolean>;
  } = {},
): Promise<StreamSettingsChange> {
  const names = columns.map(({ name }) => name);
  const last = connection && (await readSettings(connection, catalog, streamId(dataset)));
  const before = last ?? (connection && (await formerSettings(connection, catalog, dataset)));
  const shape: DatasetShape = {
    strategy: dataset.strategy,
    keys: dataset.keys,
    watermark: dataset.watermark,
    // Rows that are deleted at the source are removed by the log itself.
    equalsSource: dataset.strategy === "replace" || (dataset.deletes && !withPosition),
    leftOut: dataset.leftOut,
  };
  const compared = { ...shape, equalsSource: dataset.strategy === "replace" || dataset.deletes };
  const { action, reasons, drop } = decideDatasetRun(before, compared, {
    isRefreshable: !isWriteOnly,
    hasDuplicates: connection !== undefined && !before && (await hasDuplicates()),
  });
  if (action === "refuse") throw refusedDataset(dataset, connector, reasons);
  // The rows outside of the window would stay, and no later run would know that they have another key.
  if (action === "rebuild" && window) throw refusedWindow(dataset, connector, reasons);
  if (action === "rebuild")
    log(
      "info",
      `${reasons.join("; ")}: all rows of ${dataset.source} are read, and replace those of ${dataset.target}.`,
    );
  else if (action === "reload" && dataset.strategy !== "replace")
    log("info", `${reasons.join("; ")}: all rows of ${dataset.source} are read once.`);
  else if (isWriteOnly && last && dataset.strategy === "upsert" && !sameNames(last.keys, dataset.keys))
    log(
      "warn",
      `the primary keys changed from ${listed(last.keys)} to ${listed(dataset.keys)}. What was sent to ${dataset.target} with the earlier keys stays there.`,
    );
  const isAmong = (some: readonly string[], one: string) => some.some((name) => sameName(name, one));
  const isMissing = (name: string) => !isAmong(names, name) && !isAmong(dataset.leftOut, name);
  const { columns: columnsBefore = names, gone: goneBefore = [] } = last ?? {};
  const missingColumns = columnsBefore.filter(isMissing);
  const newColumns = names.filter((name) => !isAmong(columnsBefore, name));
  const goneColumns = goneBefore.filter(isMissing);
  // Rows outside of the window do not have the values of new columns: the next run finds these columns new, too.
  const written = window ? names.filter((name) => !isAmong(newColumns, name)) : names;
  const returnedColumns = newColumns.filter((name) => isAmong(goneBefore, name));
  const gone = [...goneColumns, ...missingColumns, ...(window ? returnedColumns : [])];
  // The next run has to compare the source with what the watermark relies on.
  const definition = window
    ? last?.definition
    : last?.definition && defined?.merge
      ? defined.merge(last.definition)
      : defined?.definition;
  const replaced = await findReplaced?.(last ?? {});
  const { recreated, delta } = last ?? {};
  const current: StreamSettings = {
    ...shape,
    columns: written,
    ...(gone.length > 0 && { gone }),
    ...(definition && { definition }),
    ...replaced?.delivered,
    // A window sends only a few of the rows that may have changed.
    ...(window && recreated !== undefined && { recreated }),
    ...(window && delta && { delta }),
  };
  return {
    startsOver: action === "reload" || action === "rebuild",
    rebuilds: action === "rebuild",
    droppedColumns: drop,
    isRecreated: replaced?.isReplaced ?? false,
    current,
    definition: last?.definition,
    newColumns,
    returnedColumns,
    missingColumns,
    goneColumns,
    async record(target) {
      if (!isSame(last, current)) await writeStreamSettings(target, catalog, streamId(dataset), current);
    },
  };
}

const refusedDataset = (
  { target, source }: Pick<Dataset, "target" | "source">,
  connector: string,
  reasons: readonly string[],
): DataProblem =>
  new DataProblem(
    `${target} does not fit the dataset: ${reasons.join("; ")}. Nothing was written. To replace its rows by those of ${source}, without the rows that ${source} no longer has: ${connectorRefreshCommand(connector, target)}`,
  );

const refusedWindow = (
  { target, source }: Pick<Dataset, "target" | "source">,
  connector: string,
  reasons: readonly string[],
): DataProblem =>
  new DataProblem(
    `A run of a window cannot replace all rows of ${target}, which it must: ${reasons.join("; ")}. Nothing was written. To replace them by those of ${source}, and then start the window again: ${connectorRunCommand(connector, target)}`,
  );

/** The definition of the source that the last run of a dataset relied on. */
export const readDefinition = async (
  connection: DuckDBConnection,
  catalog: string,
  dataset: Dataset,
): Promise<SourceDefinition | undefined> =>
  (await readSettings(connection, catalog, streamId(dataset)))?.definition;

export async function writeStreamSettings(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
  { watermark, keys, ...others }: StreamSettings,
): Promise<void> {
  const table = streamSettingsTable(catalog);
  await connection.run(`DELETE FROM ${table} WHERE stream = ${literal(stream)}`);
  const named = watermark === null ? "NULL" : literal(watermark);
  await connection.run(
    `INSERT INTO ${table} VALUES (${literal(stream)}, ${named}, ${literal(JSON.stringify(keys))}, ${literal(JSON.stringify(others))})`,
  );
}

const readSettings = (connection: DuckDBConnection, catalog: string, stream: string) =>
  selectSettings(connection, `${streamSettingsTable(catalog)} WHERE stream = ${literal(stream)}`);

/** The settings of the dataset when it had another source: a separate stream, into the same table. */
const formerSettings = async (
  connection: DuckDBConnection,
  catalog: string,
  { id, target }: Dataset,
): Promise<Pick<StreamSettings, "strategy" | "keys" | "watermark" | "equalsSource"> | undefined> => {
  const found = await selectSettings(
    connection,
    `${streamSettingsTable(catalog)} s LEFT JOIN ${checkpointsTable(catalog)} c USING (stream) WHERE starts_with(s.stream, ${literal(`${id} `)}) AND ends_with(s.stream, ${literal(` > ${target}`)}) ORDER BY c.written_at DESC NULLS LAST LIMIT 1`,
  );
  if (!found) return undefined;
  // The columns of another source say nothing about those of the current source.
  const { columns: _, gone: __, leftOut: ___, definition: ____, ...shape } = found;
  return shape;
};

async function selectSettings(
  connection: DuckDBConnection,
  from: string,
): Promise<StreamSettings | undefined> {
  const [row] = (
    await connection.runAndReadAll(`SELECT watermark, keys, columns FROM ${from}`)
  ).getRowsJson();
  if (!row) return undefined;
  const [watermark, keys, others] = row;
  return {
    watermark: watermark === null || watermark === undefined ? null : String(watermark),
    keys: JSON.parse(String(keys)),
    ...(typeof others === "string" && settingsOf(JSON.parse(others))),
  };
}

/** The stored settings: a list of columns by an earlier version of Lakehelm, or an object. */
const settingsOf = (
  stored: readonly string[] | Omit<StreamSettings, "watermark" | "keys">,
): Omit<StreamSettings, "watermark" | "keys"> =>
  Array.isArray(stored) ? { columns: stored } : (stored as Omit<StreamSettings, "watermark" | "keys">);

const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name, at) => sameName(name, others[at] ?? ""));
const listed = (names: readonly string[]): string =>
  names.map((name) => JSON.stringify(name)).join(", ") || "none";
