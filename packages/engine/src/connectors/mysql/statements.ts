import type { MappedColumn } from "../target/column-mapping.ts";
import { backquoted } from "./source-types.ts";

/**
 * Numbers stand in the statements themselves: the driver would also take a "?" in the name of a column for the place of a
 * value.
 */

/** Temporary tables of the session; the first column numbers their rows. */
export const stage = "`_lakehelm_stage`";
export const deletedKeys = "`_lakehelm_gone`";
const number = "`_lakehelm_n`";

/** A table that the rows fit into. */
export interface MysqlTableMapping {
  /** Quoted, with its database. */
  readonly table: string;
  readonly columns: readonly MappedColumn[];
  readonly keys: readonly MappedColumn[];
}

const list = (columns: readonly MappedColumn[], of = ""): string =>
  columns.map(({ name }) => of + backquoted(name)).join(", ");

const pairs = (columns: readonly MappedColumn[], between: string): string =>
  columns.map(({ name }) => `t.${backquoted(name)} = s.${backquoted(name)}`).join(between);

/** A staging table has the types of the target's own columns. */
export const createStage = (name: string, table: string, columns: readonly MappedColumn[]): string =>
  `CREATE TEMPORARY TABLE ${name} (${number} BIGINT NOT NULL PRIMARY KEY) AS SELECT 0 AS ${number}, ${list(columns)} FROM ${table} LIMIT 0`;

const range = (from: number, to: number) => `s.${number} >= ${from} AND s.${number} < ${to}`;

export const stagedRow = ({ columns }: MysqlTableMapping, at: number): string =>
  `SELECT ${list(columns, "s.")} FROM ${stage} s WHERE ${range(at, at + 1)}`;

export const insertRows = ({ table, columns }: MysqlTableMapping, from: number, to: number): string =>
  `INSERT INTO ${table} (${list(columns)}) SELECT ${list(columns, "s.")} FROM ${stage} s WHERE ${range(from, to)}`;

/** Rows are found by the keys alone: ON DUPLICATE KEY would go by any unique index. */
export const insertNew = (fitted: MysqlTableMapping, from: number, to: number): string =>
  `${insertRows(fitted, from, to)} AND NOT EXISTS (SELECT 1 FROM ${fitted.table} t WHERE ${pairs(fitted.keys, " AND ")})`;

/** MySQL leaves alone what would not change. Undefined: there is nothing but keys. */
export function updateKnown(
  { table, columns, keys }: MysqlTableMapping,
  from: number,
  to: number,
): string | undefined {
  const others = columns.filter((column) => !keys.includes(column));
  if (others.length === 0) return undefined;
  return `UPDATE ${table} t JOIN ${stage} s ON ${pairs(keys, " AND ")} SET ${pairs(others, ", ")} WHERE ${range(from, to)}`;
}

export const deleteStagedKeys = ({ table, keys }: MysqlTableMapping): string =>
  `DELETE t FROM ${table} t JOIN ${deletedKeys} s ON ${pairs(keys, " AND ")}`;
