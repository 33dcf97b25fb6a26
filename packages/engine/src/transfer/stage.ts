import type { DuckDBConnection } from "@duckdb/node-api";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import { rejectsOf } from "../warehouse/internal-tables.ts";
import { literal, quote } from "../warehouse/names.ts";
import { changed, keyText, list, value } from "../warehouse/relation.ts";
import { gathered, rejectWhere } from "./rejects.ts";

/** The rows of a run as they came, and as the table takes them: temporary tables of the run's connection. */
export const raw = "incoming";
const rows = "incoming_rows";

export async function makeRaw(
  connection: DuckDBConnection,
  columns: readonly WarehouseColumn[],
): Promise<void> {
  const declared = columns.map((column) => `${quote(column.name)} ${wireType(column)}`).join(", ");
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${raw} (${declared})`);
}

/** Offers what was rejected before once more. A row that has come by itself is newer, and is taken instead. */
export async function offerRejects(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
): Promise<number> {
  const come =
    keys.length === 0
      ? ""
      : ` AND (key IS NULL OR key NOT IN (SELECT ${keyText(keys)} FROM ${raw} UNION ALL SELECT key FROM ${gathered} WHERE key IS NOT NULL))`;
  const cells = columns.map((column) => `TRY_CAST(${field(column)} AS ${wireType(column)})`);
  return changed(
    connection,
    `INSERT INTO ${raw} SELECT ${cells.join(", ")} FROM ${rejectsOf(catalog)} WHERE stream = ${literal(stream)}${come}`,
  );
}

export const field = ({ name }: WarehouseColumn): string =>
  `json_extract_string("row", ${literal(`$."${name.replaceAll('"', '\\"')}"`)})`;

/**
 * Brings the rows into the types of the table. A value that cannot be cast, or a key that is missing, makes a reject of its
 * row. Answers the name of the relation that holds the others.
 */
export async function typeRows(
  connection: DuckDBConnection,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
): Promise<{ readonly relation: string; readonly rejected: number }> {
  const cast = columns.filter(({ wire }) => wire !== undefined);
  const bad = [
    ...cast.map((column) => ({ when: miscast(column), why: misfit(column) })),
    ...keys.map((key) => ({
      when: `${quote(key)} IS NULL`,
      why: literal(`the primary key ${JSON.stringify(key)} is NULL`),
    })),
  ];
  if (bad.length === 0) return { relation: raw, rejected: 0 };
  const any = bad.map(({ when }) => `(${when})`).join(" OR ");
  const reason = `CASE ${bad.map(({ when, why }) => `WHEN ${when} THEN ${why}`).join(" ")} END`;
  const rejected = await rejectWhere(connection, raw, columns, keys, any, reason);
  if (cast.length === 0) {
    if (rejected > 0) await connection.run(`DELETE FROM ${raw} WHERE ${any}`);
    return { relation: raw, rejected };
  }
  const typed = columns.map((column) =>
    column.wire === undefined ? quote(column.name) : `${casted(column)} AS ${quote(column.name)}`,
  );
  const good = rejected > 0 ? ` WHERE (${any}) IS NOT TRUE` : "";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${rows} AS SELECT ${typed.join(", ")} FROM ${raw}${good}`,
  );
  return { relation: rows, rejected };
}

const casted = ({ name, type }: WarehouseColumn): string => `TRY_CAST(${quote(name)} AS ${type})`;

/** In a list, each element that cannot be cast becomes NULL for itself: there must be as many values as before. */
function miscast(column: WarehouseColumn): string {
  const name = quote(column.name);
  const lost = `${name} IS NOT NULL AND ${casted(column)} IS NULL`;
  if (column.wire !== "JSON" || !column.type.endsWith("[]")) return lost;
  const before = `len(list_filter(TRY_CAST(${name} AS JSON[]), lambda x: x::VARCHAR <> 'null'))`;
  const after = `len(list_filter(${casted(column)}, lambda x: x IS NOT NULL))`;
  return `${lost} OR (${name} IS NOT NULL AND ${before} <> ${after})`;
}

/** The value itself is told, but not at any length. */
const misfit = ({ name, type }: WarehouseColumn): string =>
  `${literal(`the column ${JSON.stringify(name)}: `)} || left(CAST(${quote(name)} AS VARCHAR), 100) || ${literal(` is not a ${type}`)}`;

/** Of rows with the same key, the newest stays; without a watermark, any one of them. */
export async function oneForEachKey(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  watermark: string | undefined,
): Promise<string> {
  const key = keys.map(quote).join(", ");
  const twins = await value(
    connection,
    `SELECT count(*) FROM (SELECT 1 FROM ${relation} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1)`,
  );
  if (Number(twins) === 0) return relation;
  const order = watermark ? `ORDER BY ${quote(watermark)} DESC NULLS LAST` : "ORDER BY 1";
  const single = "incoming_single";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${single} AS SELECT ${list(columns)} FROM ${relation} QUALIFY row_number() OVER (PARTITION BY ${key} ${order}) = 1`,
  );
  return single;
}
