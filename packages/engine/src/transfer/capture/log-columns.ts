import type { WarehouseColumn } from "../../protocol/column.ts";

/**
 * A column of a dataset as its values come from the log: as text, which the warehouse casts. A value that cannot be cast makes its
 * row a reject, as in a snapshot.
 */
export function loggedColumn(column: WarehouseColumn): WarehouseColumn {
  const { type, wire } = column;
  return wire !== undefined || type === "VARCHAR" || type === "BLOB"
    ? column
    : { ...column, wire: "VARCHAR" };
}

/** SQL: the staged value of a column, from the text in the log. */
export function valueOfText({ type, wire }: WarehouseColumn, text: string): string {
  if (type === "BLOB") return `unhex(substr(${text}, 3))`;
  if (wire === "JSON") return `CAST(${text} AS JSON)`;
  // DuckDB writes years before year 1 with "(BC)" after the date.
  if (type === "DATE" || type.startsWith("TIMESTAMP"))
    return String.raw`regexp_replace(${text}, '^(\S+)( .*)? BC$', '\1 (BC)\2')`;
  // DuckDB does not accept the sign that PostgreSQL writes after a negative part.
  if (type === "INTERVAL" || wire === "INTERVAL") return `replace(${text}, '+', '')`;
  return text;
}

/** SQL: the staged value of a column, from a value of the table. */
export function valueOfTable({ type, wire }: WarehouseColumn, value: string): string {
  if (type === "BLOB") return value;
  if (wire === "JSON" && type === "VARCHAR") return `CAST(${value} AS JSON)`;
  if (wire === "JSON") return `to_json(CAST(${value} AS VARCHAR[]))`;
  return `CAST(${value} AS VARCHAR)`;
}
