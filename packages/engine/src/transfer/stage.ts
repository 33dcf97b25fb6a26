import type { DuckDBConnection } from "@duckdb/node-api";
import { refusedMark } from "../connectors/source/refused-text.ts";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import type { Reject } from "../protocol/transfer.ts";
import { rejectsTable } from "../warehouse/internal-tables.ts";
import { literal, quote } from "../warehouse/names.ts";
import { columnList, countRows, keyText, rowsChanged, rowText, scalar } from "../warehouse/relation.ts";
import { castColumn } from "./column-cast.ts";
import { canBeWritten, nameLocations, pendingRejects, rejectField, rejectWhere } from "./rejects.ts";
import { rowIdOf } from "./row-ids.ts";
import { placeColumn } from "./sink-table.ts";
import { watermarkOrder } from "./watermark.ts";

/** Temporary tables with the rows of a run: as they were read, and in the types of the table. */
export const stagedRows = "incoming";
const typedRows = "incoming_rows";

export async function createStage(
  connection: DuckDBConnection,
  columns: readonly WarehouseColumn[],
  { table = stagedRows, keepsOrder = false } = {},
): Promise<void> {
  const declared = columns.map((column) => `${quote(column.name)} ${wireType(column)}`);
  if (keepsOrder) declared.push(`${placeColumn} BIGINT`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${declared.join(", ")})`);
}

/**
 * Stages the stored rejects again. If the source has sent a row with the same key, that row is newer and is used
 * instead; without keys, an equal row. A reject that cannot be written stays as it is.
 */
export async function stageStoredRejects(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  { keepsOrder = false } = {},
): Promise<number> {
  const stored = `${rejectsTable(catalog)} WHERE stream = ${literal(stream)} AND ${canBeWritten(columns)}`;
  const text = rowText(columns);
  const notReadAgain =
    keys.length === 0
      ? ` AND "row" NOT IN (SELECT ${text} FROM ${stagedRows} WHERE ${text} IN (SELECT "row" FROM ${stored}) UNION ALL SELECT "row" FROM ${pendingRejects})`
      : ` AND (key IS NULL OR key NOT IN (SELECT ${keyText(keys)} FROM ${stagedRows} UNION ALL SELECT key FROM ${pendingRejects} WHERE key IS NOT NULL))`;
  const cells = columns.map((column) => `TRY_CAST(${rejectField(column)} AS ${wireType(column)})`);
  const place = keepsOrder ? [placeColumn] : [];
  const places = keepsOrder ? ["row_number() OVER (ORDER BY rejected_at, id)"] : [];
  return rowsChanged(
    connection,
    `INSERT INTO ${stagedRows} (${[...columns.map(({ name }) => quote(name)), ...place].join(", ")}) SELECT ${[...cells, ...places].join(", ")} FROM ${stored}${notReadAgain}`,
  );
}

/** Temporary table with the rows of rejects that have keys, as JSON. */
export const rejectedKeys = "rejected_keys";

export async function stageRejectedKeys(
  connection: DuckDBConnection,
  rejects: readonly Reject[],
  keys: readonly string[],
): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${rejectedKeys} ("row" VARCHAR)`);
  for (let at = 0; at < rejects.length; at += 500) {
    const values = rejects.slice(at, at + 500).map(({ row }) => {
      const key = Object.fromEntries(keys.map((name) => [name, keyValue(row[name])]));
      return `(${literal(JSON.stringify(key))})`;
    });
    await connection.run(`INSERT INTO ${rejectedKeys} VALUES ${values.join(", ")}`);
  }
}

const keyValue = (value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/**
 * Casts the rows to the types of the table. A row with a value that cannot be cast, or without a key, becomes a reject. Returns the
 * relation with the other rows.
 */
export async function castRows(
  connection: DuckDBConnection,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  { keepsOrder = false } = {},
): Promise<{ readonly relation: string; readonly rejected: number }> {
  const cast = columns.filter(({ wire }) => wire !== undefined);
  const checks = [
    ...cast.map((column) => ({ condition: isMiscast(column), reason: miscastReason(column) })),
    ...keys.map((key) => ({
      condition: `${quote(key)} IS NULL`,
      reason: literal(`the primary key ${JSON.stringify(key)} is NULL`),
    })),
  ];
  if (checks.length === 0) return { relation: stagedRows, rejected: 0 };
  const isRejected = checks.map(({ condition }) => `(${condition})`).join(" OR ");
  const reason = `CASE ${checks.map(({ condition, reason }) => `WHEN ${condition} THEN ${reason}`).join(" ")} END`;
  const rejected = await rejectWhere(connection, stagedRows, columns, keys, isRejected, reason);
  if (rejected > 0) await nameLocations(connection);
  if (cast.length === 0) {
    if (rejected > 0) await connection.run(`DELETE FROM ${stagedRows} WHERE ${isRejected}`);
    return { relation: stagedRows, rejected };
  }
  const typed = columns.map((column) =>
    column.wire === undefined ? quote(column.name) : `${castColumn(column)} AS ${quote(column.name)}`,
  );
  if (keepsOrder) typed.push(placeColumn);
  const where = rejected > 0 ? ` WHERE (${isRejected}) IS NOT TRUE` : "";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${typedRows} AS SELECT ${typed.join(", ")} FROM ${stagedRows}${where}`,
  );
  return { relation: typedRows, rejected };
}

/** A list element that cannot be cast becomes NULL. To detect that, the non-NULL elements before and after the cast are counted. */
function isMiscast(column: WarehouseColumn): string {
  const name = quote(column.name);
  const lost = `${name} IS NOT NULL AND ${castColumn(column)} IS NULL`;
  if (column.wire !== "JSON" || !column.type.endsWith("[]")) return lost;
  const before = `len(list_filter(TRY_CAST(${name} AS JSON[]), lambda x: x::VARCHAR <> 'null'))`;
  const after = `len(list_filter(${castColumn(column)}, lambda x: x IS NOT NULL))`;
  return `${lost} OR (${name} IS NOT NULL AND ${before} <> ${after})`;
}

/** The reason shows the first 100 characters of the value. */
function miscastReason({ name, type }: WarehouseColumn): string {
  const text = `CAST(${quote(name)} AS VARCHAR)`;
  const value = `CASE WHEN starts_with(${text}, ${literal(refusedMark)}) THEN '"' || substr(${text}, 2, 100) || '"' ELSE left(${text}, 100) END`;
  return `${literal(`the column ${JSON.stringify(name)}: `)} || ${value} || ${literal(` is not a ${type}`)}`;
}

/** The rows of a run, one for each key. */
export interface SingleRows {
  readonly relation: string;
  /** The rows that were left out, because a later row of the run has the same key. */
  readonly superseded: number;
}

/**
 * Keeps one row per key: the last row that the source returned, of those with the greatest watermark. Without the order
 * of the source (`keepsOrder`), the content of the rows decides, so that every run chooses the same row.
 */
export async function latestByKey(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  watermark: WarehouseColumn | undefined,
  { memoryMb, keepsOrder = false }: { readonly memoryMb: number; readonly keepsOrder?: boolean },
): Promise<SingleRows> {
  const key = keys.map(quote).join(", ");
  if (!(await hasDuplicates(connection, relation, keys, memoryMb))) return { relation, superseded: 0 };
  const values = [
    ...(watermark ? [watermarkOrder(watermark).key(quote(watermark.name))] : []),
    keepsOrder ? placeColumn : `hash(${columnList(columns)})`,
  ];
  const order = `ORDER BY ${values.join(" DESC NULLS LAST, ")} DESC NULLS LAST`;
  const single = "incoming_single";
  const isFirst = `row_number() OVER (PARTITION BY ${key} ${order}) = 1`;
  const all = `CREATE OR REPLACE TEMP TABLE ${single} AS SELECT ${columnList(columns)} FROM ${relation}`;
  const rowId = await rowIdOf(connection, relation);
  const done = async (): Promise<SingleRows> => ({
    relation: single,
    superseded: (await countRows(connection, relation)) - (await countRows(connection, single)),
  });
  if (rowId === undefined) {
    await connection.run(`${all} QUALIFY ${isFirst}`);
    return done();
  }
  // The rows are sorted by their row ids alone: whole rows may need more memory than there is.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE single_row_ids AS SELECT ${rowId} AS row_id FROM ${relation} QUALIFY ${isFirst}`,
  );
  await connection.run(`${all} WHERE ${rowId} IN (SELECT row_id FROM single_row_ids)`);
  return done();
}

/** Which of several rows without an order wins: their content decides. */
export const alwaysTheSame = "one of them that is always the same";

/** Which rows were left out, for the log of the run. */
export function supersededSentence(
  source: string,
  {
    keys,
    watermarkColumn,
  }: { readonly keys: readonly string[]; readonly watermarkColumn: WarehouseColumn | undefined },
  rows: number,
  lastOne = "the one that the source returned last",
): string {
  const order = [
    ...(watermarkColumn ? [`the one with the greatest ${JSON.stringify(watermarkColumn.name)}`] : []),
    lastOne,
  ];
  const [count, were] = rows === 1 ? ["one row", "was"] : [`${rows} rows`, "were"];
  return `${count} of ${source} ${were} not written: another row has the same ${keys.map((key) => JSON.stringify(key)).join(", ")}. Of such rows one counts: ${order.join(", then ")}.`;
}

/**
 * The memory that DuckDB needs for the group of one key, including its table of pointers while that grows. DuckDB does
 * not always spill groups before its memory is full: 10 million keys failed with 384 MB.
 */
const groupBytes = 96;

/** Whether a key occurs twice. Keys that need more than a quarter of the memory are counted in parts, by their hash. */
async function hasDuplicates(
  connection: DuckDBConnection,
  relation: string,
  keys: readonly string[],
  memoryMb: number,
): Promise<boolean> {
  const key = keys.map(quote).join(", ");
  const rows = Number(await scalar(connection, `SELECT count(*) FROM ${relation}`));
  const parts = Math.ceil((rows * groupBytes * keys.length) / (memoryMb * 250_000)) || 1;
  for (let part = 0; part < parts; part += 1) {
    const some = parts === 1 ? relation : `${relation} WHERE hash(${key}) % ${parts} = ${part}`;
    const found = await scalar(
      connection,
      `SELECT count(*) FROM (SELECT 1 FROM ${some} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1)`,
    );
    if (Number(found) > 0) return true;
  }
  return false;
}
