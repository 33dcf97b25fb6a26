import { quote } from "../../warehouse/names.ts";
import type { MappedColumn } from "../target/column-mapping.ts";
import type { Destination } from "../target/target.ts";
import { declaredType } from "./target-types.ts";

/** Temporary tables of the session. They are in a file of their own: filling them locks nobody out. */
export const stage = 'temp."_lakehelm_stage"';
export const deletedKeys = 'temp."_lakehelm_gone"';

/** Columns of a staging table, without a type: they keep what they are handed. */
export const cells = (count: number): string[] => Array.from({ length: count }, (_, at) => `c${at}`);

export const createStage = (name: string, count: number): string =>
  `CREATE TABLE ${name} (n INTEGER PRIMARY KEY${cells(count)
    .map((cell) => `, ${cell}`)
    .join("")})`;

export const fillStage = (name: string, count: number): string =>
  `INSERT INTO ${name} (${["n", ...cells(count)].join(", ")}) VALUES (${Array(count + 1)
    .fill("?")
    .join(", ")})`;

/** An append may bring several states of a row: a key would refuse all but the first. */
export function createTable({ name, columns, keys, strategy }: Destination): string {
  const declared = columns.map((column) => {
    const isKey = strategy !== "append" && keys.includes(column.name);
    return `${quote(column.name)} ${declaredType(column.type)}${isKey ? " NOT NULL" : ""}`;
  });
  const key =
    strategy === "append" || keys.length === 0 ? [] : [`PRIMARY KEY (${keys.map(quote).join(", ")})`];
  return `CREATE TABLE main.${quote(name)} (${[...declared, ...key].join(", ")})`;
}

/** What is known once the columns are fitted: everything by the names that the table has. */
export interface SqliteTableMapping {
  readonly table: string;
  readonly columns: readonly MappedColumn[];
  /** The places of the keys among the columns. */
  readonly keys: readonly number[];
}

const named = ({ columns }: SqliteTableMapping, at: number): string => quote(columns[at]?.name ?? "");
const within = "n >= ? AND n < ?";

/** Rows of the stage from one number to before another; with keys, over those that are there where anything differs. */
export function insertRows(fitted: SqliteTableMapping, upsert: boolean): string {
  const { table, columns, keys } = fitted;
  const insert = `INSERT INTO main.${quote(table)} (${columns.map(({ name }) => quote(name)).join(", ")}) SELECT ${cells(columns.length).join(", ")} FROM ${stage} WHERE ${within} ORDER BY n`;
  if (!upsert) return insert;
  const others = columns.flatMap((_, at) => (keys.includes(at) ? [] : [named(fitted, at)]));
  const conflict = `ON CONFLICT (${keys.map((at) => named(fitted, at)).join(", ")}) DO`;
  if (others.length === 0) return `${insert} ${conflict} NOTHING`;
  const sets = others.map((name) => `${name} = excluded.${name}`).join(", ");
  const differs = others.map((name) => `${quote(table)}.${name} IS NOT excluded.${name}`).join(" OR ");
  return `${insert} ${conflict} UPDATE SET ${sets} WHERE ${differs}`;
}

/** How many rows of the stage have a key that is there already. */
export function countKnown(fitted: SqliteTableMapping): string {
  const same = fitted.keys.map((at) => `t.${named(fitted, at)} = s.c${at}`).join(" AND ");
  return `SELECT count(*) AS n FROM ${stage} s JOIN main.${quote(fitted.table)} t ON ${same} WHERE s.${within.replace("AND ", "AND s.")}`;
}

export function deleteStagedKeys(fitted: SqliteTableMapping): string {
  const keys = fitted.keys.map((at) => named(fitted, at)).join(", ");
  return `DELETE FROM main.${quote(fitted.table)} WHERE (${keys}) IN (SELECT ${cells(fitted.keys.length).join(", ")} FROM ${deletedKeys})`;
}
