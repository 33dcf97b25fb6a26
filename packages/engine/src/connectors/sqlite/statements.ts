import { quote } from "../../warehouse/names.ts";
import type { MappedColumn } from "../target/column-mapping.ts";
import type { Destination } from "../target/target.ts";
import { declaredType } from "./target-types.ts";

/** Temporary tables of the session. They are in their own file, so filling them does not lock the database. */
export const stage = 'temp."_lakehelm_stage"';
export const deletedKeys = 'temp."_lakehelm_deleted_keys"';

/** Columns of a staging table. Without a type they keep each value as it is. */
export const cells = (count: number): string[] => Array.from({ length: count }, (_, at) => `c${at}`);

export const createStage = (name: string, count: number): string =>
  `CREATE TABLE ${name} (n INTEGER PRIMARY KEY${cells(count)
    .map((cell) => `, ${cell}`)
    .join("")})`;

export const fillStage = (name: string, count: number): string =>
  `INSERT INTO ${name} (${["n", ...cells(count)].join(", ")}) VALUES (${Array(count + 1)
    .fill("?")
    .join(", ")})`;

/** An append may contain several states of a row. A key would refuse all but the first. */
export function createTable({ name, columns, keys, strategy }: Destination): string {
  const declared = columns.map((column) => {
    const isKey = strategy !== "append" && keys.includes(column.name);
    return `${quote(column.name)} ${declaredType(column.type)}${isKey ? " NOT NULL" : ""}`;
  });
  const key =
    strategy === "append" || keys.length === 0 ? [] : [`PRIMARY KEY (${keys.map(quote).join(", ")})`];
  return `CREATE TABLE main.${quote(name)} (${[...declared, ...key].join(", ")})`;
}

/** How the rows map to a table. All names are those of the table. */
export interface SqliteTableMapping {
  readonly table: string;
  readonly columns: readonly MappedColumn[];
  /** Indexes of the key columns. */
  readonly keys: readonly number[];
}

const columnName = ({ columns }: SqliteTableMapping, at: number): string => quote(columns[at]?.name ?? "");
const inRange = "n >= ? AND n < ?";

/** Inserts a range of staged rows. An upsert also updates existing rows that differ. */
export function insertRows(mapping: SqliteTableMapping, upsert: boolean): string {
  const { table, columns, keys } = mapping;
  const insert = `INSERT INTO main.${quote(table)} (${columns.map(({ name }) => quote(name)).join(", ")}) SELECT ${cells(columns.length).join(", ")} FROM ${stage} WHERE ${inRange} ORDER BY n`;
  if (!upsert) return insert;
  const others = columns.flatMap((_, at) => (keys.includes(at) ? [] : [columnName(mapping, at)]));
  const conflict = `ON CONFLICT (${keys.map((at) => columnName(mapping, at)).join(", ")}) DO`;
  if (others.length === 0) return `${insert} ${conflict} NOTHING`;
  const sets = others.map((name) => `${name} = excluded.${name}`).join(", ");
  const differs = others.map((name) => `${quote(table)}.${name} IS NOT excluded.${name}`).join(" OR ");
  return `${insert} ${conflict} UPDATE SET ${sets} WHERE ${differs}`;
}

/** Counts the rows in the stage: rows that were refused before the write are no longer there. */
export const countStaged = `SELECT count(*) AS n FROM ${stage} WHERE ${inRange}`;

/** Counts the staged rows whose key already exists. */
export function countKnown(mapping: SqliteTableMapping): string {
  const same = mapping.keys.map((at) => `t.${columnName(mapping, at)} = s.c${at}`).join(" AND ");
  return `SELECT count(*) AS n FROM ${stage} s JOIN main.${quote(mapping.table)} t ON ${same} WHERE s.${inRange.replace("AND ", "AND s.")}`;
}

export function deleteStagedKeys(mapping: SqliteTableMapping): string {
  const keys = mapping.keys.map((at) => columnName(mapping, at)).join(", ");
  return `DELETE FROM main.${quote(mapping.table)} WHERE (${keys}) IN (SELECT ${cells(mapping.keys.length).join(", ")} FROM ${deletedKeys})`;
}

/** A temporary table: the keys of the staged rows, as the table would have them. */
export const keysTable = 'temp."_lakehelm_keys"';

/** The collation of each column in the unique indexes of a table. */
export const keyCollations =
  'SELECT x.name AS name, x.coll AS coll, c.type AS type FROM pragma_index_list(?1) i, pragma_index_xinfo(i.name) x, pragma_table_xinfo(?1) c WHERE i."unique" = 1 AND x.key = 1 AND c.name = x.name';

export const createKeys = (keys: readonly { readonly type: string; readonly collation: string }[]): string =>
  `CREATE TABLE ${keysTable} (n INTEGER PRIMARY KEY${keys.map(({ type, collation }, at) => `, k${at} ${type} COLLATE ${quote(collation)}`).join("")})`;

export const fillKeys = ({ keys }: SqliteTableMapping): string =>
  `INSERT INTO ${keysTable} SELECT n, ${keys.map((at) => `c${at}`).join(", ")} FROM ${stage}`;

/** The staged rows that are not written because another row with the same key wins. */
export function equalInRun({ keys }: SqliteTableMapping, watermark: number): string {
  const order = [
    ...(watermark < 0 ? [] : [`s.c${watermark} DESC`]),
    ...keys.map((at) => `s.c${at} COLLATE BINARY DESC`),
  ];
  const names = keys.map((_, at) => `k.k${at}`).join(", ");
  return `SELECT * FROM (SELECT s.*, row_number() OVER (PARTITION BY ${names} ORDER BY ${order.join(", ")}) AS place FROM ${keysTable} k JOIN ${stage} s ON s.n = k.n) WHERE place > 1`;
}

/** The staged rows whose key the table has, written in another way. */
export function equalInTable(mapping: SqliteTableMapping): string {
  const columns = mapping.keys.map((at) => `t.${columnName(mapping, at)}`);
  const same = columns.map((column, at) => `${column} = k.k${at}`).join(" AND ");
  const differs = columns.map((column, at) => `${column} IS NOT k.k${at} COLLATE BINARY`).join(" OR ");
  return `SELECT s.*, ${columns.map((column, at) => `${column} AS t${at}`).join(", ")} FROM ${keysTable} k JOIN ${stage} s ON s.n = k.n JOIN main.${quote(mapping.table)} t ON ${same} WHERE ${differs}`;
}
