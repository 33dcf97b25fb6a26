import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { Dataset } from "../protocol/transfer.ts";
import { streamSettingsTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { streamId } from "./checkpoints.ts";

/** The settings of a run that the next one compares with its own. */
export interface StreamSettings {
  readonly watermark: string | null;
  readonly keys: readonly string[];
  /** Undefined if an earlier version wrote the row. */
  readonly columns: readonly string[] | undefined;
  /** Columns that earlier runs had. Absent: none. */
  readonly gone?: readonly string[];
}

export interface StreamSettingsChange {
  /** A checkpoint of another column says nothing about this one. */
  readonly startsOver: boolean;
  /** The columns that the last run did not have. */
  readonly newColumns: readonly string[];
  /** The columns of the last run that this one does not have. */
  readonly missingColumns: readonly string[];
  /** The columns of earlier runs that already the last one did not have, and this one does not have either. */
  readonly goneColumns: readonly string[];
  /** The settings of this run. */
  readonly current: StreamSettings;
  /** Records the settings of this run, in the transaction of the connection. */
  record(connection: DuckDBConnection): Promise<void>;
}

/** Compares the dataset's settings with those of its last run, and says in the log what a change means. */
export async function compareStreamSettings(
  /** Undefined if the table is new: nothing is known of earlier runs then. */
  connection: DuckDBConnection | undefined,
  catalog: string,
  dataset: Dataset,
  columns: readonly WarehouseColumn[],
  log: RequestContext["log"],
): Promise<StreamSettingsChange> {
  const table = streamSettingsTable(catalog);
  const stream = literal(streamId(dataset));
  const names = columns.map(({ name }) => name);
  const last = connection && (await readSettings(connection, `${table} WHERE stream = ${stream}`));
  const startsOver = last !== undefined && !sameNames([last.watermark ?? ""], [dataset.watermark ?? ""]);
  const hasOtherKeys = last !== undefined && !sameNames(last.keys, dataset.keys);
  if (startsOver && dataset.watermark !== null) {
    log(
      "info",
      `the watermark is now ${quoted(dataset.watermark)}: all rows of ${dataset.source} are read once.`,
    );
  }
  if (hasOtherKeys && dataset.strategy === "upsert") {
    log(
      "warn",
      `the primary keys changed from ${listed(last.keys)} to ${listed(dataset.keys)}. Rows that were written with the earlier keys stay in ${dataset.target}. To remove them, drop the table and run the connector again.`,
    );
  }
  const isAmong = (some: readonly string[], one: string) => some.some((name) => sameName(name, one));
  const isMissing = (name: string) => !isAmong(names, name) && !isAmong(dataset.leftOut, name);
  const { columns: before = names, gone: goneBefore = [] } = last ?? {};
  const missingColumns = before.filter(isMissing);
  const newColumns = names.filter((name) => !isAmong(before, name));
  const goneColumns = goneBefore.filter(isMissing);
  const gone = [...goneColumns, ...missingColumns];
  const current: StreamSettings = {
    watermark: dataset.watermark,
    keys: dataset.keys,
    columns: names,
    ...(gone.length > 0 && { gone }),
  };
  return {
    startsOver,
    current,
    newColumns,
    missingColumns,
    goneColumns,
    async record(target) {
      const isSame =
        last?.columns !== undefined && sameNames(last.columns, names) && sameNames(goneBefore, gone);
      if (isSame && !startsOver && !hasOtherKeys) return;
      await writeStreamSettings(target, catalog, streamId(dataset), current);
    },
  };
}

export async function writeStreamSettings(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
  { watermark, keys, columns, gone }: StreamSettings,
): Promise<void> {
  const table = streamSettingsTable(catalog);
  await connection.run(`DELETE FROM ${table} WHERE stream = ${literal(stream)}`);
  const named = watermark === null ? "NULL" : literal(watermark);
  await connection.run(
    `INSERT INTO ${table} VALUES (${literal(stream)}, ${named}, ${literal(JSON.stringify(keys))}, ${literal(JSON.stringify(gone === undefined ? columns : { columns, gone }))})`,
  );
}

async function readSettings(connection: DuckDBConnection, from: string): Promise<StreamSettings | undefined> {
  const [row] = (
    await connection.runAndReadAll(`SELECT watermark, keys, columns FROM ${from}`)
  ).getRowsJson();
  if (!row) return undefined;
  const [watermark, keys, columns] = row;
  return {
    watermark: watermark === null || watermark === undefined ? null : String(watermark),
    keys: JSON.parse(String(keys)),
    ...(typeof columns === "string" ? columnsOf(JSON.parse(columns)) : { columns: undefined }),
  };
}

/** As they were written: a list, or an object if some columns are gone. */
const columnsOf = (
  stored: readonly string[] | { readonly columns: readonly string[]; readonly gone: readonly string[] },
): Pick<StreamSettings, "columns" | "gone"> => ("columns" in stored ? stored : { columns: stored });

const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name, at) => sameName(name, others[at] ?? ""));
const quoted = (name: string): string => JSON.stringify(name);
const listed = (names: readonly string[]): string => names.map(quoted).join(", ") || "none";
