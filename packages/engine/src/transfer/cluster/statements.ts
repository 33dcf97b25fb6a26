import { quoteIdentifier, schemaName, sqlName, sqlString } from "@lakehelm/sql/names";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { TableName } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import { partsOf } from "../../warehouse/type-widening.ts";
import type { RetypedColumn } from "../schema-change.ts";
import { sparkType } from "./cluster-types.ts";

/** Temporary views of the staged files. */
export const stagedView = "lakehelm_rows";
export const keysView = "lakehelm_keys";
export const deletedView = "lakehelm_deleted";

/** Whether a staged row is above the watermark, so that the table cannot have it yet. */
export const isNewColumn = "_lakehelm_new";

const list = (columns: readonly Pick<WarehouseColumn, "name">[], of = ""): string =>
  columns.map(({ name }) => of + quoteIdentifier(name)).join(", ");

const declared = (columns: readonly WarehouseColumn[]): string =>
  columns.map((column) => `${quoteIdentifier(column.name)} ${sparkType(column)}`).join(", ");

export function viewOf(view: string, columns: readonly WarehouseColumn[], address: string): string {
  return `CREATE OR REPLACE TEMPORARY VIEW ${view} (${declared(columns)}) USING parquet OPTIONS (path ${sqlString(address)})`;
}

/** Delta allows these characters in names only if the files have other names. */
const needsMapping = /[ ,;{}()\n\t=]/;

export function creationOf(table: TableName, columns: readonly WarehouseColumn[]): string[] {
  const properties = columns.some(({ name }) => needsMapping.test(name))
    ? " TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"
    : "";
  return [
    `CREATE SCHEMA IF NOT EXISTS ${schemaName(table)}`,
    `CREATE TABLE IF NOT EXISTS ${sqlName(table)} (${declared(columns)}) USING delta${properties}`,
  ];
}

export const additionOf = (table: TableName, columns: readonly WarehouseColumn[]): string =>
  `ALTER TABLE ${sqlName(table)} ADD COLUMNS (${declared(columns)})`;

/** SQL: gives columns types that hold their values. Delta reads the files of the narrower types as the wider ones. */
export function wideningOf(table: TableName, columns: readonly RetypedColumn[]): string[] {
  if (columns.length === 0) return [];
  const name = sqlName(table);
  const changes = columns.flatMap(({ name: column, from, to }) =>
    fieldChanges(quoteIdentifier(column), from, to),
  );
  const properties = [
    "'delta.enableTypeWidening' = 'true'",
    ...(columns.some(({ to }) => /\bTIMESTAMP(?! WITH)/.test(to))
      ? ["'delta.feature.timestampNtz' = 'supported'"]
      : []),
  ];
  return [
    `ALTER TABLE ${name} SET TBLPROPERTIES (${properties.join(", ")})`,
    ...changes.map((change) => `ALTER TABLE ${name} ${change}`),
  ];
}

/** SQL: the changes of a column, or of its fields. */
function fieldChanges(path: string, from: string, to: string): string[] {
  if (from === to) return [];
  const [parts, wider] = [partsOf(from), partsOf(to)];
  if (!parts || !wider) return [`ALTER COLUMN ${path} TYPE ${sparkType({ type: to })}`];
  return [...wider].flatMap(([part, type]) => {
    const before = parts.get(part);
    const inside = `${path}.${part.startsWith('"') ? quoteIdentifier(part.slice(1, -1).replaceAll('""', '"')) : part}`;
    return before === undefined
      ? [`ADD COLUMNS (${inside} ${sparkType({ type })})`]
      : fieldChanges(inside, before, type);
  });
}

/** Delta drops a column only from a table that maps its columns by name. */
export const removalOf = (table: TableName, columns: readonly string[]): string[] => [
  `ALTER TABLE ${sqlName(table)} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')`,
  `ALTER TABLE ${sqlName(table)} DROP COLUMNS (${columns.map(quoteIdentifier).join(", ")})`,
];

/** What a statement writes, and where. */
export interface Written {
  readonly table: TableName;
  /** The columns of the staged rows. */
  readonly columns: readonly WarehouseColumn[];
  /** All columns of the table, in its order. */
  readonly tableColumns: readonly string[];
  readonly keys: readonly string[];
  /** Columns of the table that the source does not have, and whose values stay. */
  readonly kept: readonly string[];
}

const isAmong = (name: string, columns: readonly { readonly name: string }[]): boolean =>
  columns.some((column) => sameName(column.name, name));

/** SQL: the values of a row in the order of the table; NULL in columns that the source does not have. */
const inOrder = ({ columns, tableColumns, kept }: Written, from: string, keptFrom?: string): string =>
  tableColumns
    .map((name) => {
      if (isAmong(name, columns)) return `${from}.${quoteIdentifier(name)}`;
      const isKept = keptFrom !== undefined && kept.some((one) => sameName(one, name));
      return isKept ? `${keptFrom}.${quoteIdentifier(name)}` : "NULL";
    })
    .join(", ");

/** Spark cannot compare maps, but it can compare their entries. */
function comparable(value: string, { type }: WarehouseColumn): string {
  if (!/\bMAP\(/.test(type)) return value;
  return type.startsWith("MAP(") && type.endsWith(")")
    ? `sort_array(map_entries(${value}))`
    : `to_json(${value})`;
}

const sameValues = (columns: readonly WarehouseColumn[], one: string, other: string): string =>
  columns
    .map((column) => {
      const [a, b] = [one, other].map((row) => comparable(`${row}.${quoteIdentifier(column.name)}`, column));
      return `${a} <=> ${b}`;
    })
    .join(" AND ") || "true";

const sameKeys = (keys: readonly string[], one: string, other: string): string =>
  keys.map((key) => `${one}.${quoteIdentifier(key)} = ${other}.${quoteIdentifier(key)}`).join(" AND ");

/** The number of rows of a relation, and a digest of their values in any order. */
export function digestOf(columns: readonly WarehouseColumn[], relation: string): string {
  const values = columns.flatMap((column) => {
    const value = comparable(quoteIdentifier(column.name), column);
    return [`${value} IS NULL`, value];
  });
  const hash = (more: string) => `xxhash64(${[more, ...values].join(", ")})`;
  return `SELECT count(*), sum(CAST(${hash("1")} AS DECIMAL(38,0))), sum(CAST(${hash("'second'")} AS DECIMAL(38,0))) FROM ${relation}`;
}

/** SQL: inserts the staged rows, which are all new. */
export const insertion = (written: Written): string =>
  `INSERT INTO ${sqlName(written.table)} SELECT ${inOrder(written, "s")} FROM ${stagedView} s`;

/**
 * SQL: the staged rows to append. Of equal rows that the table may already have, only the surplus over their number in
 * the table is new.
 */
export function appendedRows(written: Written, watermark: string | undefined): string {
  const { table, columns } = written;
  const values = columns.map((column) => comparable(quoteIdentifier(column.name), column)).join(", ");
  const old = `SELECT *, row_number() OVER (PARTITION BY ${values} ORDER BY 1) AS _lakehelm_place FROM ${stagedView} WHERE NOT ${isNewColumn}`;
  const near =
    watermark === undefined
      ? ""
      : ` WHERE EXISTS (SELECT 1 FROM ${stagedView} b WHERE NOT b.${isNewColumn} AND b.${quoteIdentifier(watermark)} <=> t.${quoteIdentifier(watermark)})`;
  const first = columns.map(({ name }) => `any_value(${quoteIdentifier(name)}) AS ${quoteIdentifier(name)}`);
  const known = `SELECT ${first.join(", ")}, count(*) AS _lakehelm_known FROM (SELECT * FROM ${sqlName(table)} t${near}) GROUP BY ${values}`;
  return (
    `SELECT ${inOrder(written, "s")} FROM ${stagedView} s WHERE s.${isNewColumn}` +
    ` UNION ALL SELECT ${inOrder(written, "s")} FROM (${old}) s LEFT JOIN (${known}) k ON ${sameValues(columns, "s", "k")}` +
    ` WHERE s._lakehelm_place > coalesce(k._lakehelm_known, 0)`
  );
}

/**
 * SQL: the staged rows to append. Rows that the table may already have are new if the table does not have their keys
 * and watermark.
 */
export function appendedByKey(written: Written, watermark: string): string {
  const { table, keys } = written;
  const time = quoteIdentifier(watermark);
  return (
    `SELECT ${inOrder(written, "s")} FROM ${stagedView} s WHERE s.${isNewColumn}` +
    ` UNION ALL SELECT ${inOrder(written, "s")} FROM ${stagedView} s LEFT ANTI JOIN ${sqlName(table)} t ON ${sameKeys(keys, "s", "t")} AND s.${time} <=> t.${time} WHERE NOT s.${isNewColumn}`
  );
}

/** Replaces all rows, or those for which a condition holds. */
export function replacement(written: Written, condition?: string): string {
  const { table, keys, kept } = written;
  const target = sqlName(table);
  const into =
    condition === undefined
      ? `INSERT OVERWRITE ${target}`
      : `INSERT INTO ${target} REPLACE WHERE ${condition}`;
  if (kept.length === 0) return `${into} SELECT ${inOrder(written, "s")} FROM ${stagedView} s`;
  const values = kept.map((name) => `any_value(${quoteIdentifier(name)}) AS ${quoteIdentifier(name)}`);
  const key = keys.map(quoteIdentifier).join(", ");
  const before = `SELECT ${key}, ${values.join(", ")} FROM ${target} GROUP BY ${key}`;
  return `${into} SELECT ${inOrder(written, "s", "k")} FROM ${stagedView} s LEFT JOIN (${before}) k ON ${sameKeys(keys, "s", "k")}`;
}

/**
 * SQL: creates the table anew with other types and the staged rows. Delta's own properties belong to the files that are
 * replaced.
 */
export function rebuild(
  { table, columns, tableColumns, kept, keys }: Written,
  types: ReadonlyMap<string, string>,
  properties: Readonly<Record<string, string>>,
): string {
  const isKept = (name: string) => keys.length > 0 && kept.some((one) => sameName(one, name));
  const values = tableColumns.map((name) => {
    const from = isAmong(name, columns) ? "s." : isKept(name) ? "k." : undefined;
    const value = from === undefined ? "NULL" : from + quoteIdentifier(name);
    return `CAST(${value} AS ${types.get(name.toLowerCase()) ?? "STRING"}) AS ${quoteIdentifier(name)}`;
  });
  const own = Object.entries(properties).filter(([name]) => !name.startsWith("delta."));
  const mapped = tableColumns.some((name) => needsMapping.test(name))
    ? [["delta.columnMapping.mode", "name"]]
    : [];
  const listed = [...own, ...mapped].map(
    ([name = "", value = ""]) => `${sqlString(name)} = ${sqlString(value)}`,
  );
  const keptNames = tableColumns.filter(isKept).map(quoteIdentifier);
  const key = keys.map(quoteIdentifier).join(", ");
  const before = keptNames.map((name) => `any_value(${name}) AS ${name}`).join(", ");
  const join =
    keptNames.length === 0
      ? ""
      : ` LEFT JOIN (SELECT ${key}, ${before} FROM ${sqlName(table)} GROUP BY ${key}) k ON ${sameKeys(keys, "s", "k")}`;
  return `CREATE OR REPLACE TABLE ${sqlName(table)} USING delta${listed.length > 0 ? ` TBLPROPERTIES (${listed.join(", ")})` : ""} AS SELECT ${values.join(", ")} FROM ${stagedView} s${join}`;
}

/** SQL: the rows of the table that the source no longer has. */
export const goneRows = ({ table, keys }: Pick<Written, "table" | "keys">): string =>
  `${sqlName(table)} t LEFT ANTI JOIN ${keysView} k ON ${sameKeys(keys, "t", "k")}`;

/** SQL after a table `t`: only its rows with the staged keys. */
export const joinedKeys = (keys: readonly string[]): string =>
  `LEFT SEMI JOIN ${keysView} k ON ${sameKeys(keys, "t", "k")}`;

/** SQL: the staged rows that the table does not have with the same values. */
export const changedRows = ({ table, columns, keys }: Written): string =>
  `${stagedView} s LEFT ANTI JOIN ${sqlName(table)} t ON ${sameKeys(keys, "s", "t")} AND ${sameValues(columns, "s", "t")}`;

/** SQL: replaces all rows of the table by the staged rows. */
export const truncation = (written: Written): string =>
  `INSERT OVERWRITE ${sqlName(written.table)} SELECT ${inOrder(written, "s")} FROM ${stagedView} s`;

/** How many rows with the same values are deleted. */
export const countColumn = "_lakehelm_count";

/** SQL: deletes some of several equal rows, for which the table must be written anew, and adds the staged rows. */
export function rewriting(written: Written): string {
  const { table, columns, tableColumns } = written;
  const values = columns.map((column) => comparable(`t.${quoteIdentifier(column.name)}`, column)).join(", ");
  const all = tableColumns.map(quoteIdentifier).join(", ");
  const numbered = `SELECT t.*, row_number() OVER (PARTITION BY ${values} ORDER BY 1) AS _lakehelm_place, d.${countColumn} FROM ${sqlName(table)} t LEFT JOIN ${deletedView} d ON ${sameValues(columns, "t", "d")}`;
  return (
    `INSERT OVERWRITE ${sqlName(table)} SELECT ${all} FROM (${numbered}) WHERE _lakehelm_place > coalesce(${countColumn}, 0)` +
    ` UNION ALL SELECT ${inOrder(written, "s")} FROM ${stagedView} s`
  );
}

export function merging(
  written: Written,
  {
    gone: deleted,
    latest,
  }: {
    /** SQL: a relation `t` with the keys of rows to delete. */
    readonly gone?: string | undefined;
    /** A column: a row of the table with a greater value stays. */
    readonly latest?: string | undefined;
  },
): string {
  const { table, columns, keys, tableColumns, kept } = written;
  const isKey = (name: string) => keys.some((key) => sameName(key, name));
  const values = columns.filter(({ name }) => !isKey(name));
  const emptied = tableColumns.filter(
    (name) => !isAmong(name, columns) && !kept.some((one) => sameName(one, name)),
  );
  const gone = "_lakehelm_gone";
  const deletes = deleted !== undefined;
  const nulls = columns.map(({ name }) => (isKey(name) ? `t.${quoteIdentifier(name)}` : "NULL"));
  const source = deletes
    ? `SELECT ${list(columns)}, false AS ${gone} FROM ${stagedView} UNION ALL SELECT ${nulls.join(", ")}, true FROM ${deleted}`
    : `SELECT ${list(columns)} FROM ${stagedView}`;
  const conditions = [
    ...(deletes ? [`NOT s.${gone}`] : []),
    `NOT (${sameValues(values, "t", "s")})`,
    ...(latest === undefined
      ? []
      : [`NOT coalesce(t.${quoteIdentifier(latest)} > s.${quoteIdentifier(latest)}, false)`]),
  ];
  const assigned = [
    ...values.map(({ name }) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`),
    ...emptied.map((name) => `t.${quoteIdentifier(name)} = NULL`),
  ];
  return [
    `MERGE INTO ${sqlName(table)} t USING (${source}) s ON ${sameKeys(keys, "t", "s")}`,
    ...(deletes ? [`WHEN MATCHED AND s.${gone} THEN DELETE`] : []),
    ...(values.length > 0
      ? [`WHEN MATCHED AND ${conditions.join(" AND ")} THEN UPDATE SET ${assigned.join(", ")}`]
      : []),
    `WHEN NOT MATCHED${deletes ? ` AND NOT s.${gone}` : ""} THEN INSERT (${list(columns)}) VALUES (${list(columns, "s.")})`,
  ].join(" ");
}
