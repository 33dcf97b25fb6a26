import type { MappedColumn } from "../target/column-mapping.ts";
import { backquoted } from "./source-types.ts";

/** Row numbers are part of the statements: with parameters, the driver would also replace a "?" in a column name. */

/** Temporary tables of the session. Their first column numbers the rows. */
export const stage = "`_lakehelm_stage`";
export const deletedKeys = "`_lakehelm_deleted_keys`";
export const rowNumber = "`_lakehelm_n`";

/** How the rows map to a table. */
export interface MysqlTableMapping {
  /** The quoted name of the table with its database. */
  readonly table: string;
  readonly columns: readonly MappedColumn[];
  readonly keys: readonly MappedColumn[];
}

export const list = (columns: readonly MappedColumn[], of = ""): string =>
  columns.map(({ name }) => of + backquoted(name)).join(", ");

export const equalities = (columns: readonly MappedColumn[], separator: string): string =>
  columns.map(({ name }) => `t.${backquoted(name)} = s.${backquoted(name)}`).join(separator);

/** A staging table has the types of the target's columns. */
export const createStage = (name: string, table: string, columns: readonly MappedColumn[]): string =>
  `CREATE TEMPORARY TABLE ${name} (${rowNumber} BIGINT NOT NULL PRIMARY KEY) AS SELECT 0 AS ${rowNumber}, ${list(columns)} FROM ${table} LIMIT 0`;

const range = (from: number, to: number) => `s.${rowNumber} >= ${from} AND s.${rowNumber} < ${to}`;

export const stagedRow = ({ columns }: MysqlTableMapping, at: number): string =>
  `SELECT ${list(columns, "s.")} FROM ${stage} s WHERE ${range(at, at + 1)}`;

export const insertRows = ({ table, columns }: MysqlTableMapping, from: number, to: number): string =>
  `INSERT INTO ${table} (${list(columns)}) SELECT ${list(columns, "s.")} FROM ${stage} s WHERE ${range(from, to)}`;

/** Finds rows by the keys only. ON DUPLICATE KEY would use any unique index. */
export const insertNew = (mapping: MysqlTableMapping, from: number, to: number): string =>
  `${insertRows(mapping, from, to)} AND NOT EXISTS (SELECT 1 FROM ${mapping.table} t WHERE ${equalities(mapping.keys, " AND ")})`;

/** MySQL does not write unchanged rows. Undefined if there are only key columns. */
export function updateKnown(
  { table, columns, keys }: MysqlTableMapping,
  from: number,
  to: number,
): string | undefined {
  const others = columns.filter((column) => !keys.includes(column));
  if (others.length === 0) return undefined;
  return `UPDATE ${table} t JOIN ${stage} s ON ${equalities(keys, " AND ")} SET ${equalities(others, ", ")} WHERE ${range(from, to)}`;
}

export const deleteStagedKeys = ({ table, keys }: MysqlTableMapping): string =>
  `DELETE t FROM ${table} t JOIN ${deletedKeys} s ON ${equalities(keys, " AND ")}`;
