import type { WarehouseColumn } from "../../protocol/column.ts";

/** A column from information_schema. */
export interface MysqlColumn {
  readonly name: string;
  /** `bigint` */
  readonly kind: string;
  /** `bigint(20) unsigned` */
  readonly declared: string;
  readonly precision: number;
  readonly scale: number;
  /** Declared as JSON, on a server that stores JSON as text. */
  readonly isJson: boolean;
  /** Undefined if the column has no text. */
  readonly collation: { readonly charset: string; readonly name: string } | undefined;
}

export const backquoted = (name: string): string => `\`${name.replaceAll("`", "``")}\``;

/** The smallest type that holds all values. Unsigned columns need a wider one. */
const integers: Readonly<Record<string, readonly [signed: string, unsigned: string]>> = {
  tinyint: ["TINYINT", "SMALLINT"],
  smallint: ["SMALLINT", "INTEGER"],
  mediumint: ["INTEGER", "INTEGER"],
  int: ["INTEGER", "BIGINT"],
  bigint: ["BIGINT", "DECIMAL(20,0)"],
};

const others: Readonly<Record<string, string>> = {
  float: "FLOAT",
  double: "DOUBLE",
  date: "DATE",
  datetime: "TIMESTAMP",
  timestamp: "TIMESTAMP WITH TIME ZONE",
  time: "TIME",
  year: "SMALLINT",
  json: "JSON",
  uuid: "UUID",
  binary: "BLOB",
  varbinary: "BLOB",
  tinyblob: "BLOB",
  blob: "BLOB",
  mediumblob: "BLOB",
  longblob: "BLOB",
};

function typeOf(
  { kind, declared, precision, scale, isJson }: MysqlColumn,
  tinyIntIsBoolean: boolean,
): string {
  const integer = integers[kind];
  if (integer) {
    if (tinyIntIsBoolean && declared === "tinyint(1)") return "BOOLEAN";
    return integer[/unsigned|zerofill/.test(declared) ? 1 : 0];
  }
  // MySQL has up to 65 digits and the warehouse 38. Text keeps them all.
  if (kind === "decimal") return precision <= 38 ? `DECIMAL(${precision},${scale})` : "VARCHAR";
  if (kind === "bit") return precision === 1 ? "BOOLEAN" : precision < 64 ? "BIGINT" : "DECIMAL(20,0)";
  return isJson ? "JSON" : (others[kind] ?? "VARCHAR");
}

/** The wire type, if it differs. */
function wireOf(type: string): string | undefined {
  if (/^(TINYINT|SMALLINT|INTEGER)$/.test(type)) return "BIGINT";
  if (type === "FLOAT") return "DOUBLE";
  return /^(DECIMAL|DATE|TIME|UUID)/.test(type) ? "VARCHAR" : undefined;
}

/** Collations that order text byte by byte. Others pad it with blanks, or follow a language. */
const bytewise = /^utf8(mb[34])?_(0900|nopad)_bin$/;

/**
 * Enums, sets, addresses and geometries are stored as text, and have another order. MariaDB orders a UUID by its last
 * part first, except for UUIDs whose text is in the order of time.
 */
function orderOf(
  { kind, collation }: MysqlColumn,
  type: string,
  isNumericText: boolean,
): WarehouseColumn["sourceOrder"] {
  if (type === "UUID") return "collation";
  if (type !== "VARCHAR" || isNumericText) return undefined;
  if (collation === undefined || kind === "enum" || kind === "set") return "other";
  return bytewise.test(collation.name) ? undefined : "collation";
}

export function columnOf(column: MysqlColumn, tinyIntIsBoolean: boolean): WarehouseColumn {
  const type = typeOf(column, tinyIntIsBoolean);
  const wire = wireOf(type);
  const isNumericText = column.kind === "decimal" && type === "VARCHAR";
  const sourceOrder = orderOf(column, type, isNumericText);
  return {
    name: column.name,
    type,
    ...(wire && { wire }),
    ...(isNumericText && { isNumericText }),
    ...(sourceOrder && { sourceOrder }),
    // Most collations of MySQL ignore case or blanks at the end.
    ...(type === "VARCHAR" && sourceOrder === "collation" && { sourceEquality: "wider" as const }),
    origin: column.declared,
  };
}

const geometric = /^(geometry|point|linestring|polygon|multi.*|geom.*collection)$/;

/** The expression to select, so that its text is exact. */
export function expressionOf({ name, kind }: Pick<MysqlColumn, "name" | "kind">): string {
  const column = backquoted(name);
  // As text, a FLOAT is rounded to six digits; as a DOUBLE it is exact. Bits are sent as bytes, but as text if they are a
  // number.
  if (kind === "float") return `${column} + 0e0`;
  if (kind === "bit") return `${column} + 0`;
  return geometric.test(kind) ? `ST_AsText(${column})` : column;
}
