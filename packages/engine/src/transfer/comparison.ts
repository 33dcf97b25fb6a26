import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { WriteStrategy } from "../protocol/transfer.ts";
import { quote } from "../warehouse/names.ts";
import { columnList, countRows, hashed, sameKey, sameRow } from "../warehouse/relation.ts";
import { forRowRanges } from "../warehouse/row-ranges.ts";
import { columnTypes, rowIdOf, selectReplacing } from "./row-ids.ts";
import { isNewer, mayExist } from "./watermark.ts";
import { isInOverlap, type Overlap } from "./watermark-lag.ts";

/** Temporary tables with the result of a comparison: the rows to write, and the keys to delete. */
export const changedRows = "changes";
export const deletedKeys = "deleted_keys";

export interface Comparison {
  /** The rows of the run, in the types of the table. */
  readonly rows: string;
  /** The current rows; undefined if there are none. */
  readonly existing: string | undefined;
  readonly columns: readonly WarehouseColumn[];
  /** Columns that are new in the table: an appended row is identified by the other columns. */
  readonly added?: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  readonly watermark: WarehouseColumn | undefined;
  /** The watermark before the run: rows above it are new. Null if nothing is known of any row. */
  readonly since: string | null;
  /** Present if the run also reads rows below the watermark again. */
  readonly overlap: Overlap | undefined;
  /** Whether the rows are those of files that no earlier run has read, regardless of the times of the files. */
  readonly isOfNewFiles: boolean;
  /**
   * Whether the rows are those of files, and the watermark is the time of the file: the table has a line that was
   * appended by an earlier run with an earlier time.
   */
  readonly isOfFiles?: boolean;
  /** The relation with all keys of the source: existing rows with other keys are deleted. Undefined: none are. */
  readonly sourceKeys: string | undefined;
}

export interface ComparisonCounts {
  readonly insert: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
}

/** Finds new and changed rows, and keys to delete. Rows that did not change are not written again. */
export async function compareRows(
  connection: DuckDBConnection,
  given: Comparison,
): Promise<ComparisonCounts> {
  const comparison = { ...given, rows: await inExistingTypes(connection, given) };
  const { rows, existing, strategy, columns, keys, watermark, since, sourceKeys } = comparison;
  const total = await countRows(connection, rows);
  const isOfLateFiles = comparison.isOfNewFiles && strategy === "upsert";
  const isComparedWhole =
    strategy !== "replace" &&
    (watermark === undefined || since === null || isOfLateFiles || comparison.overlap !== undefined);
  const rowId = existing !== undefined && isComparedWhole ? await rowIdOf(connection, rows) : undefined;
  if (existing !== undefined && rowId !== undefined) {
    await copyByDigest(connection, { ...comparison, existing, rowId });
  } else {
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${changedRows} AS ${selectChanged(comparison)}`);
  }
  const changed = await countRows(connection, changedRows);
  const unchanged = total - changed;
  if (strategy !== "upsert" || existing === undefined) {
    return { insert: changed, update: 0, delete: 0, unchanged };
  }
  const update = await countRows(
    connection,
    `${changedRows} c WHERE EXISTS (SELECT 1 FROM ${existing} p WHERE ${sameKey(keys, "p", "c")})`,
  );
  const deleted =
    sourceKeys === undefined ? 0 : await findDeletedKeys(connection, columns, keys, existing, sourceKeys);
  return { insert: changed - update, update, delete: deleted, unchanged };
}

/**
 * Casts the rows to the types of the existing rows. A column of the table may be wider than that of the source: DuckDB
 * would compare a text with a number as numbers, and fail at a text that is not a number.
 */
async function inExistingTypes(
  connection: DuckDBConnection,
  { rows, existing }: Comparison,
): Promise<string> {
  if (existing === undefined) return rows;
  const types = await columnTypes(connection, existing);
  const differing = [...(await columnTypes(connection, rows))].flatMap(([name, type]) => {
    const wanted = types.get(name);
    return wanted === undefined || wanted === type
      ? []
      : `CAST(${quote(name)} AS ${wanted}) AS ${quote(name)}`;
  });
  return differing.length === 0 ? rows : selectReplacing(connection, rows, differing);
}

export async function findDeletedKeys(
  connection: DuckDBConnection,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  existing: string,
  sourceKeys: string,
): Promise<number> {
  const key = columnList(
    columns.filter(({ name }) => keys.includes(name)),
    "p.",
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${deletedKeys} AS SELECT ${key} FROM ${existing} p WHERE NOT EXISTS (SELECT 1 FROM ${sourceKeys} r WHERE ${sameKey(keys, "r", "p")})`,
  );
  return countRows(connection, deletedKeys);
}

/**
 * Copies the rows that differ from the existing rows. Both sides are compared by a 128-bit digest of each row, and the
 * rows are found again by their row id: a join of whole rows needs too much memory (250,000 rows of 12 columns failed
 * with 128 MB).
 */
async function copyByDigest(
  connection: DuckDBConnection,
  comparison: Comparison & { readonly existing: string; readonly rowId: string },
): Promise<void> {
  const { rows, rowId, existing, columns, keys, strategy, watermark, since, isOfNewFiles } = comparison;
  const types = await columnTypes(connection, existing);
  const again = readAgain(comparison);
  const isKeyed = strategy === "upsert" || identifiesByKey(comparison);
  // A file that arrives late does not overwrite the rows of a file that was written after it.
  const isByTime = isOfNewFiles && since !== null;
  const time = watermark && (isByTime || identifiesByKey(comparison)) ? quote(watermark.name) : undefined;
  const key = isKeyed ? keys.map(quote).join(", ") : "";
  const { added = [] } = comparison;
  const isTime = ({ name }: WarehouseColumn) => comparison.isOfFiles === true && name === watermark?.name;
  // An appended row is identified by its other values.
  const isLeftOut = (column: WarehouseColumn) =>
    strategy === "append" && (isTime(column) || added.includes(column));
  const digest = digestOf(
    columns.filter((column) => !isLeftOut(column)),
    types,
  );
  const narrow = `${key}${key && ", "}${time === undefined ? "" : `${time} AS _lakehelm_time, `}${digest}`;
  const sameDigest = sameKey(digestNames, "p", "r");
  const isSame =
    time === undefined
      ? sameDigest
      : isByTime
        ? `(p._lakehelm_time > r._lakehelm_time OR (${sameDigest}))`
        : "p._lakehelm_time IS NOT DISTINCT FROM r._lakehelm_time";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE existing_digests AS SELECT ${narrow} FROM ${existing}${again ? ` WHERE ${again.existing}` : ""}`,
  );
  const incoming = `SELECT ${rowId} AS _lakehelm_row, ${narrow} FROM ${rows}${again ? ` WHERE ${again.rows}` : ""}`;
  const changed = isKeyed
    ? `SELECT _lakehelm_row FROM (${incoming}) r WHERE NOT EXISTS (SELECT 1 FROM existing_digests p WHERE ${sameKey(keys, "p", "r")} AND ${isSame})`
    : // Of equal rows, only the surplus over the existing rows is new.
      `SELECT _lakehelm_row FROM (SELECT *, row_number() OVER (PARTITION BY _lakehelm_digest_1, _lakehelm_digest_2) AS _lakehelm_place FROM (${incoming})) r LEFT JOIN (SELECT _lakehelm_digest_1, _lakehelm_digest_2, count(*) AS known FROM existing_digests GROUP BY ALL) p USING (_lakehelm_digest_1, _lakehelm_digest_2) WHERE _lakehelm_place > coalesce(known, 0)`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE changed_row_ids AS ${changed}`);
  await connection.run("DROP TABLE existing_digests");
  const isNew = again ? `(${again.newer}) OR ` : "";
  const copied = columnList(columns);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${changedRows} AS SELECT ${copied} FROM ${rows} LIMIT 0`,
  );
  await forRowRanges(connection, rows, rowId, (isInRange) =>
    connection.run(
      `INSERT INTO ${changedRows} SELECT ${copied} FROM ${rows} WHERE ${isInRange(rowId)} AND (${isNew}${rowId} IN (SELECT _lakehelm_row FROM changed_row_ids WHERE ${isInRange("_lakehelm_row")}))`,
    ),
  );
}

/**
 * Appended rows that are read again are identified by their key and watermark: other values may have changed meanwhile.
 */
const identifiesByKey = ({ strategy, keys, overlap }: Comparison): boolean =>
  strategy === "append" && keys.length > 0 && overlap !== undefined;

/** SQL: which rows are new, which were perhaps read before, and which existing rows they can be equal to. */
function readAgain({ rows, watermark, since, overlap, strategy }: Comparison) {
  if (!overlap || !watermark || since === null) return undefined;
  const newer = isNewer(watermark, since);
  const existing = isInOverlap(watermark, overlap, since);
  if (overlap.isCollated) {
    const value = quote(watermark.name);
    // In this order, most of the table may have been read before. Existing rows that were not read again need not be
    // compared.
    const isRead = `(${value} IS NULL OR ${value} IN (SELECT ${value} FROM ${rows} WHERE ${existing}))`;
    return { newer, existing: `${existing} AND ${isRead}`, rows: `(${newer}) IS NOT TRUE` };
  }
  // Rows that are upserted from elsewhere, such as those with changed keys, may be below the overlap.
  return { newer, existing, rows: strategy === "append" ? existing : `(${newer}) IS NOT TRUE` };
}

const digestNames = ["_lakehelm_digest_1", "_lakehelm_digest_2"];

/** Two hashes of all columns, in the types of the existing rows. Without columns all rows are alike: a table of empty files has none. */
function digestOf(columns: readonly WarehouseColumn[], types: ReadonlyMap<string, string>): string {
  const cells = columns
    .map(({ name, type }) => {
      const stored = types.get(name.toLowerCase()) ?? type;
      return hashed(`CAST(${quote(name)} AS ${stored})`, type === "JSON" ? type : stored);
    })
    .join(", ");
  const values = cells || "0";
  return `hash(${values}) AS _lakehelm_digest_1, hash('second', ${values}) AS _lakehelm_digest_2`;
}

function selectChanged(comparison: Comparison): string {
  const { rows, existing, strategy, columns, keys, watermark, since, isOfNewFiles } = comparison;
  const all = `SELECT ${columnList(columns)} FROM ${rows}`;
  if (existing === undefined || strategy === "replace") return all;
  if (isOfNewFiles && watermark && since !== null) {
    if (strategy === "append") return all;
    // A file that arrives late does not overwrite the rows of a file that was written after it.
    const time = quote(watermark.name);
    const isCurrent = `(p.${time} > r.${time} OR (${sameRow(columns, "p", "r")}))`;
    return `SELECT ${columnList(columns, "r.")} FROM ${rows} r WHERE NOT EXISTS (SELECT 1 FROM ${existing} p WHERE ${sameKey(keys, "p", "r")} AND ${isCurrent})`;
  }
  if (strategy === "upsert") {
    const same = `${sameKey(keys, "p", "r")} AND ${sameRow(columns, "p", "r")}`;
    const differing = (from: string) =>
      `SELECT ${columnList(columns, "r.")} FROM ${from} r WHERE NOT EXISTS (SELECT 1 FROM ${existing} p WHERE ${same})`;
    if (watermark === undefined || since === null) return differing(rows);
    // A row above the watermark has changed. Comparing it with every column of the table took ten times as long.
    const newer = isNewer(watermark, since);
    return `${all} WHERE ${newer} UNION ALL ${differing(`(${all} WHERE ${newer} IS NOT TRUE)`)}`;
  }
  if (watermark === undefined || since === null) {
    return `${all} EXCEPT ALL SELECT ${columnList(columns)} FROM ${existing}`;
  }
  const again = readAgain(comparison);
  if (again && identifiesByKey(comparison)) {
    const time = quote(watermark.name);
    const isSame = `${sameKey(keys, "p", "r")} AND p.${time} IS NOT DISTINCT FROM r.${time}`;
    return `${all} WHERE ${again.newer} UNION ALL SELECT ${columnList(columns, "r.")} FROM (${all} WHERE ${again.rows}) r WHERE NOT EXISTS (SELECT 1 FROM ${existing} p WHERE ${isSame})`;
  }
  const existed = again?.rows ?? mayExist(watermark, since);
  return `${all} WHERE ${isNewer(watermark, since)} UNION ALL (${all} WHERE ${existed} EXCEPT ALL SELECT ${columnList(columns)} FROM ${existing} WHERE ${existed})`;
}
