import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { rowsOf } from "../../target/external-duckdb.ts";
import { isAccepted, stagedChanges } from "../../target/staged-rows.ts";
import type { TargetFileFormat } from "./target-format.ts";

/** Merges new rows into the rows of existing files. */
export interface FileMerge {
  readonly format: TargetFileFormat;
  /** The columns of the new file. */
  readonly columns: readonly WarehouseColumn[];
  readonly incoming: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  /** Files whose rows are kept, except those with the key of a new row. */
  readonly old: readonly string[];
  /** Whether `stage.deleted_keys` has keys of rows to delete. */
  readonly hasDeletedKeys: boolean;
}

const keyName = (at: number) => quote(`_lakehelm_key_${at}`);

/** Creates two views with keys as values: the stored rows of the files, and the new rows in the same form. */
export async function createMergeViews(external: DuckDBConnection, merge: FileMerge): Promise<void> {
  const { format, columns, incoming, keys, old } = merge;
  const keyColumns = keys.flatMap((key) => columns.filter(({ name }) => name === key));
  const cells = columns.map(({ name, type }) => {
    const isIncoming = incoming.some((column) => column.name === name);
    return `CAST(${isIncoming ? quote(name) : "NULL"} AS ${type}) AS ${quote(name)}`;
  });
  const typed = `SELECT ${cells.join(", ")} FROM ${await stagedChanges(external)} WHERE ${isAccepted}`;
  const fields = format.storedFields(columns).map(({ name, sql }) => `${sql} AS ${quote(name)}`);
  const newKeys = keyColumns.map(({ name }, at) => `${quote(name)} AS ${keyName(at)}`);
  await external.run(
    `CREATE TEMP VIEW incoming AS SELECT ${[...fields, ...newKeys].join(", ")} FROM (${typed})`,
  );
  if (old.length === 0) return;
  const oldKeys = keyColumns.map((column, at) => `${format.value(column)} AS ${keyName(at)}`);
  await external.run(
    `CREATE TEMP VIEW stored AS SELECT ${["*", ...oldKeys].join(", ")} FROM (${await format.selectStored(old, columns)})`,
  );
}

const sameKey = (keys: readonly string[], one: string, other: string) =>
  keys.map((_, at) => `${one}.${keyName(at)} = ${other}.${keyName(at)}`).join(" AND ");

/** Whether a stored row is to be deleted. */
const isDeleted = (keys: readonly string[]) =>
  `EXISTS (SELECT 1 FROM stage.deleted_keys g WHERE ${keys.map((key, at) => `g.${quote(key)} = s.${keyName(at)}`).join(" AND ")})`;

export async function countMerged(external: DuckDBConnection, merge: FileMerge) {
  const { format, columns, keys, old, hasDeletedKeys } = merge;
  const count = async (sql: string) => Object.values((await rowsOf(external, sql))[0] ?? {}).map(Number);
  const [incoming = 0] = await count("SELECT count(*) FROM incoming");
  if (old.length === 0) return { rows: incoming, inserted: incoming, updated: 0, deleted: 0 };
  const fields = format
    .storedFields(columns)
    .map(({ name }) => quote(name))
    .join(", ");
  // Rows are compared by 128-bit digests, because a join of whole rows needs too much memory.
  const narrow = `SELECT ${keys.map((_, at) => keyName(at)).join(", ")}, hash(${fields}) AS _1, hash('second', ${fields}) AS _2`;
  const [known = 0, updated = 0] = await count(
    `SELECT count(*) AS known, count(*) FILTER (s._1 <> c._1 OR s._2 <> c._2) AS updated FROM (${narrow} FROM stored) s JOIN (${narrow} FROM incoming) c ON ${sameKey(keys, "s", "c")}`,
  );
  const [stored = 0] = await count("SELECT count(*) FROM stored");
  const [deleted = 0] = hasDeletedKeys
    ? await count(`SELECT count(*) FROM stored s WHERE ${isDeleted(keys)}`)
    : [];
  return { rows: stored - deleted + incoming - known, inserted: incoming - known, updated, deleted };
}

/** Writes the new file. Returns its size. */
export async function copyMerged(
  external: DuckDBConnection,
  merge: FileMerge,
  path: string,
): Promise<number> {
  const { format, columns, keys, old, hasDeletedKeys } = merge;
  const names = format
    .storedFields(columns)
    .map(({ name }) => quote(name))
    .join(", ");
  const isKept = `NOT EXISTS (SELECT 1 FROM incoming c WHERE ${sameKey(keys, "c", "s")})${hasDeletedKeys ? ` AND NOT ${isDeleted(keys)}` : ""}`;
  const stored = old.length === 0 ? "" : ` UNION ALL SELECT ${names} FROM stored s WHERE ${isKept}`;
  await external.run(
    `COPY (SELECT ${names} FROM incoming${stored}) TO ${literal(path)} ${format.copyOptions}`,
  );
  return (await stat(path)).size;
}
