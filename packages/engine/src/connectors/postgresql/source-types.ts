import type { WarehouseColumn } from "../../protocol/column.ts";

/** How to read a PostgreSQL column: the expression for `COPY (FORMAT binary)`, and the types of the rows. */
export interface ColumnDecoding {
  readonly type: string;
  readonly wire?: string;
  /** See WarehouseColumn. */
  readonly isNumericText?: true;
  /** SQL over the quoted column. */
  readonly expression: (column: string) => string;
  /** Bytes before the value: jsonb has a version byte. */
  readonly skip: number;
}

const asIs = (type: string, skip = 0): ColumnDecoding => ({ type, expression: (column) => column, skip });
const asText: ColumnDecoding = { type: "VARCHAR", expression: (column) => `${column}::text`, skip: 0 };

const numberAsText: ColumnDecoding = { ...asText, isNumericText: true };

/** By type name without the part in parentheses. */
const decodings: Readonly<Record<string, ColumnDecoding>> = {
  smallint: asIs("SMALLINT"),
  integer: asIs("INTEGER"),
  bigint: asIs("BIGINT"),
  oid: { type: "BIGINT", expression: (column) => `${column}::bigint`, skip: 0 },
  xid8: numberAsText,
  real: asIs("FLOAT"),
  "double precision": asIs("DOUBLE"),
  boolean: asIs("BOOLEAN"),
  text: asIs("VARCHAR"),
  "character varying": asIs("VARCHAR"),
  character: asIs("VARCHAR"),
  bpchar: asIs("VARCHAR"),
  name: asIs("VARCHAR"),
  date: asIs("DATE"),
  "time without time zone": asIs("TIME"),
  "timestamp without time zone": asIs("TIMESTAMP"),
  "timestamp with time zone": asIs("TIMESTAMP WITH TIME ZONE"),
  interval: asIs("INTERVAL"),
  uuid: asIs("UUID"),
  bytea: asIs("BLOB"),
  json: asIs("JSON"),
  jsonb: asIs("JSON", 1),
};

/**
 * How to read a column of type `origin`, as `format_type` writes it (`numeric(12,2)`, `timestamp(3) without time zone`,
 * `integer[]`); a domain as its base type. Unknown types are read as text. `dimensions` are the declared ones, which
 * PostgreSQL does not enforce.
 */
export function columnDecoding(origin: string, dimensions = 0): ColumnDecoding {
  if (origin.endsWith("[]")) return arrayDecoding(origin.slice(0, -2), dimensions);
  const bare = origin.replace(/\([^()]*\)/, "");
  if (bare === "numeric") return numericDecoding(origin);
  return decodings[bare] ?? asText;
}

/**
 * A numeric without bounds, or beyond those of DECIMAL, is stored as text, because no other warehouse type keeps every
 * digit.
 */
function numericDecoding(origin: string): ColumnDecoding {
  const bounds = /^numeric\((\d+),(-?\d+)\)$/.exec(origin);
  if (!bounds) return numberAsText;
  const [precision, scale] = [Number(bounds[1]), Number(bounds[2])];
  return precision <= 38 && scale >= 0 && scale <= precision
    ? asIs(`DECIMAL(${precision},${scale})`)
    : numberAsText;
}

/**
 * Arrays are read as a JSON list of the elements as text, because JSON numbers would lose digits. An array with more
 * dimensions than declared, or with a lower bound other than 1, is read as PostgreSQL writes it. This text cannot be
 * cast to a list, or to JSON, so its row is rejected.
 */
function arrayDecoding(element: string, dimensions: number): ColumnDecoding {
  const { type } = columnDecoding(element);
  if (dimensions > 1 || type === "JSON") {
    return {
      type: "JSON",
      wire: "VARCHAR",
      expression: (column) =>
        `CASE WHEN array_dims(${column}) ~ '\\[(?!1:)' THEN ${column}::text ELSE to_json(${column})::text END`,
      skip: 0,
    };
  }
  const elementType = type === "BLOB" || type === "INTERVAL" ? "VARCHAR" : type;
  return {
    type: `${elementType}[]`,
    wire: "JSON",
    expression: (column) =>
      `CASE WHEN array_ndims(${column}) > 1 OR array_lower(${column}, 1) <> 1 THEN to_json(${column}::text)::text ELSE array_to_json(${column}::text[])::text END`,
    skip: 0,
  };
}

/** How PostgreSQL orders and compares the values of a column. */
export interface ColumnOrder {
  /** A type of text: also `citext`, or one of another extension. */
  readonly isText: boolean;
  /** Ordered byte by byte, as the warehouse orders text. */
  readonly isBytewise: boolean;
  /** PostgreSQL may take different texts for the same value, as for `citext`, `numeric` and `jsonb`. */
  readonly isLoose: boolean;
}

/** Types that the warehouse stores as text have another order than their text, except types of text. */
export function sourceOrder(
  { type, isNumericText }: ColumnDecoding,
  { isText, isBytewise }: Omit<ColumnOrder, "isLoose">,
): WarehouseColumn["sourceOrder"] {
  if (type !== "VARCHAR" || isNumericText) return undefined;
  if (!isText) return "other";
  return isBytewise ? undefined : "collation";
}

export function columnOf(
  name: string,
  origin: string,
  decoding: ColumnDecoding,
  known: ColumnOrder,
): WarehouseColumn {
  const { type, wire, isNumericText } = decoding;
  const order = sourceOrder(decoding, known);
  const isWider = known.isLoose && /^(VARCHAR|JSON)(\[\])*$/.test(type);
  return {
    name,
    type,
    ...(wire && { wire }),
    ...(isNumericText && { isNumericText }),
    ...(order && { sourceOrder: order }),
    ...(isWider && { sourceEquality: "wider" as const }),
    origin,
  };
}
