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

/** Counts the staged rows whose key already exists. */
export function countKnown(mapping: SqliteTableMapping): string {
  const same = mapping.keys.map((at) => `t.${columnName(mapping, at)} = s.c${at}`).join(" AND ");
  return `SELECT count(*) AS n FROM ${stage} s JOIN main.${quote(mapping.table)} t ON ${same} WHERE s.${inRange.replace("AND ", "AND s.")}`;
}

export function deleteStagedKeys(mapping: SqliteTableMapping): string {
  const keys = mapping.keys.map((at) => columnName(mapping, at)).join(", ");
  return `DELETE FROM main.${quote(mapping.table)} WHERE (${keys}) IN (SELECT ${cells(mapping.keys.length).join(", ")} FROM ${deletedKeys})`;
}
