import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { rowsOf } from "../../target/external-duckdb.ts";
import { fileReason } from "../../target/paths.ts";
import { isAccepted } from "../../target/staged-rows.ts";
import { unfinishedPath } from "./durable-file.ts";
import type { TargetFileFormat } from "./target-format.ts";

/** What is in a file, and what comes. */
export interface FileMerge {
  readonly format: TargetFileFormat;
  /** Of the new file. */
  readonly columns: readonly WarehouseColumn[];
  readonly coming: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  /** Files whose rows stay, but for those with the key of one that comes. */
  readonly old: readonly string[];
  /** Whether `here.gone` has keys of rows that are to go. */
  readonly gone: boolean;
}

const keyName = (at: number) => quote(`_lakehelm_key_${at}`);

/** Two views: the rows of the files as they are kept, and those that come in the same form; both with their keys as values. */
export async function createMergeViews(outside: DuckDBConnection, merging: FileMerge): Promise<void> {
  const { format, columns, coming, keys, old } = merging;
  const keyColumns = keys.flatMap((key) => columns.filter(({ name }) => name === key));
  const cells = columns.map(({ name, type }) => {
    const comes = coming.some((column) => column.name === name);
    return `CAST(${comes ? quote(name) : "NULL"} AS ${type}) AS ${quote(name)}`;
  });
  const typed = `SELECT ${cells.join(", ")} FROM here.changes WHERE ${isAccepted}`;
  const kept = format.storedFields(columns).map(({ name, sql }) => `${sql} AS ${quote(name)}`);
  const newKeys = keyColumns.map(({ name }, at) => `${quote(name)} AS ${keyName(at)}`);
  await outside.run(`CREATE TEMP VIEW coming AS SELECT ${[...kept, ...newKeys].join(", ")} FROM (${typed})`);
  if (old.length === 0) return;
  const oldKeys = keyColumns.map((column, at) => `${format.value(column)} AS ${keyName(at)}`);
  await outside.run(
    `CREATE TEMP VIEW standing AS SELECT ${["*", ...oldKeys].join(", ")} FROM (${await format.selectStored(old, columns)})`,
  );
}

const sameKey = (keys: readonly string[], one: string, other: string) =>
  keys.map((_, at) => `${one}.${keyName(at)} = ${other}.${keyName(at)}`).join(" AND ");

/** Whether a row of the files is among those that are to go. */
const isGone = (keys: readonly string[]) =>
  `EXISTS (SELECT 1 FROM here.gone g WHERE ${keys.map((key, at) => `g.${quote(key)} = s.${keyName(at)}`).join(" AND ")})`;

export async function countMerged(outside: DuckDBConnection, merging: FileMerge) {
  const { format, columns, keys, old, gone } = merging;
  const count = async (sql: string) => Object.values((await rowsOf(outside, sql))[0] ?? {}).map(Number);
  const [come = 0] = await count("SELECT count(*) FROM coming");
  if (old.length === 0) return { rows: come, inserted: come, updated: 0, deleted: 0 };
  const differs = format
    .storedFields(columns)
    .map(({ name }) => `s.${quote(name)} IS DISTINCT FROM c.${quote(name)}`)
    .join(" OR ");
  const [known = 0, updated = 0] = await count(
    `SELECT count(*) AS known, count(*) FILTER (${differs}) AS updated FROM standing s JOIN coming c ON ${sameKey(keys, "s", "c")}`,
  );
  const [standing = 0] = await count("SELECT count(*) FROM standing");
  const [deleted = 0] = gone ? await count(`SELECT count(*) FROM standing s WHERE ${isGone(keys)}`) : [];
  return { rows: standing - deleted + come - known, inserted: come - known, updated, deleted };
}

/** Writes the new file under its name of before; answers how long it is. */
export async function copyMerged(
  outside: DuckDBConnection,
  merging: FileMerge,
  path: string,
): Promise<number> {
  const { format, columns, keys, old, gone } = merging;
  const names = format
    .storedFields(columns)
    .map(({ name }) => quote(name))
    .join(", ");
  const stays = `NOT EXISTS (SELECT 1 FROM coming c WHERE ${sameKey(keys, "c", "s")})${gone ? ` AND NOT ${isGone(keys)}` : ""}`;
  const standing = old.length === 0 ? "" : ` UNION ALL SELECT ${names} FROM standing s WHERE ${stays}`;
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    throw new DataProblem(`${dirname(path)} cannot be made: ${fileReason(error)}.`, { cause: error });
  }
  await outside.run(
    `COPY (SELECT ${names} FROM coming${standing}) TO ${literal(unfinishedPath(path))} ${format.copyOptions}`,
  );
  return (await stat(unfinishedPath(path))).size;
}
