import type { WarehouseColumn } from "../../protocol/column.ts";
import { quote } from "../../warehouse/names.ts";
import { digitsOf, holdsDecimal, kindOf } from "../target/type-kinds.ts";
import { columnDecoding } from "./source-types.ts";

/** How the values of a column are written to a PostgreSQL column. */
export interface ColumnEncoding {
  /** DuckDB SQL whose binary form the column accepts; undefined if there is none. */
  readonly direct: string | undefined;
  /** DuckDB SQL whose binary form the staging column accepts. */
  readonly toStage: string;
  /** The type of the staging column. It accepts every value, so that bad values are found row by row. */
  readonly stageType: string;
  /** PostgreSQL SQL: the value of a staging column. */
  fromStage(staged: string): string;
}

const integers: Readonly<Record<string, { readonly bytes: number; readonly cast: string }>> = {
  smallint: { bytes: 2, cast: "SMALLINT" },
  integer: { bytes: 4, cast: "INTEGER" },
  bigint: { bytes: 8, cast: "BIGINT" },
};

/** Bytes of the smallest signed integer that holds the type, and decimal digits. */
const integerSizes: Readonly<Record<string, { readonly bytes: number; readonly digits: number }>> = {
  TINYINT: { bytes: 2, digits: 3 },
  UTINYINT: { bytes: 2, digits: 3 },
  SMALLINT: { bytes: 2, digits: 5 },
  USMALLINT: { bytes: 4, digits: 5 },
  INTEGER: { bytes: 4, digits: 10 },
  UINTEGER: { bytes: 8, digits: 10 },
  BIGINT: { bytes: 8, digits: 19 },
  UBIGINT: { bytes: 16, digits: 20 },
  HUGEINT: { bytes: 16, digits: 39 },
};

const texts = new Set(["text", "character varying", "character", "bpchar", "citext", "name"]);

/** Types with the same binary form in both systems. */
const binaryTypes: Readonly<Record<string, readonly string[]>> = {
  boolean: ["BOOLEAN"],
  real: ["FLOAT"],
  "double precision": ["DOUBLE", "FLOAT"],
  date: ["DATE"],
  "time without time zone": ["TIME"],
  "timestamp without time zone": ["TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"],
  "timestamp with time zone": ["TIMESTAMP WITH TIME ZONE"],
  interval: ["INTERVAL"],
  uuid: ["UUID"],
  bytea: ["BLOB"],
};

const bareOf = (base: string): string => base.replace(/\([^()]*\)/, "");

/** The type of a new column. */
export function declaredType(type: string): string {
  const size = integerSizes[type];
  if (size) {
    if (size.bytes === 16) return `numeric(${size.digits},0)`;
    return size.bytes === 2 ? "smallint" : size.bytes === 4 ? "integer" : "bigint";
  }
  const kind = kindOf(type);
  if (kind === "decimal") return `numeric(${digitsOf(type).precision},${digitsOf(type).scale})`;
  if (kind === "json" || kind === "nested") return "jsonb";
  if (type === "UHUGEINT") return "numeric(39,0)";
  return (
    Object.keys(binaryTypes).find(
      (name) => binaryTypes[name]?.[0] === type || binaryTypes[name]?.includes(type),
    ) ?? "text"
  );
}

/**
 * How to write a column to a PostgreSQL column of type `base` (`numeric(12,2)`, `integer[]`); undefined if that type
 * cannot hold every value.
 */
export function columnEncoding({ name, type }: WarehouseColumn, base: string): ColumnEncoding | undefined {
  const value = quote(name);
  const bare = bareOf(base);
  const kind = kindOf(type);
  if (base.endsWith("[]")) return arrayEncoding(value, type, base);
  if (integers[bare]) {
    const { bytes, cast } = integers[bare];
    return (integerSizes[type]?.bytes ?? 99) <= bytes ? binary(`CAST(${value} AS ${cast})`, bare) : undefined;
  }
  if (bare === "numeric") return numericEncoding(value, type, base);
  if (binaryTypes[bare]) {
    return binaryTypes[bare].includes(type)
      ? binary(`CAST(${value} AS ${binaryTypes[bare][0]})`, bare)
      : undefined;
  }
  if (bare === "json" || bare === "jsonb") {
    if (kind !== "json" && kind !== "nested") return undefined;
    const json = `CAST(${kind === "nested" ? `to_json(${value})` : value} AS VARCHAR)`;
    // jsonb has a version byte before the text.
    const direct = bare === "jsonb" ? `chr(1) || ${json}` : `${json} || ''`;
    return { ...asText(json, bare), direct };
  }
  const text = `CAST(${value} AS VARCHAR)`;
  if (texts.has(bare)) {
    const fits = kind === "text" || kind === "json" || kind === "fine timestamp";
    return fits ? textEncoding(text, base) : undefined;
  }
  // A type that is read as text is written as text.
  return type === "VARCHAR" && columnDecoding(base).type === "VARCHAR" ? asText(text, base) : undefined;
}

const binary = (direct: string, stageType: string): ColumnEncoding => ({
  direct,
  toStage: direct,
  stageType,
  fromStage: (staged) => staged,
});

const asText = (text: string, base: string): ColumnEncoding => ({
  direct: undefined,
  toStage: `${text} || ''`,
  stageType: "text",
  fromStage: (staged) => `${staged}::${base}`,
});

/**
 * Without a cast: a cast to varchar(3) would truncate longer text instead of refusing it. PostgreSQL truncates blanks
 * beyond the length even without a cast, so a text that is too long gets another character at its end.
 */
function textEncoding(text: string, base: string): ColumnEncoding {
  const length = /^character varying\((\d+)\)$/.exec(base)?.[1];
  const refused = (value: string) =>
    length === undefined
      ? value
      : `CASE WHEN length(${value}) > ${length} THEN ${value} || '.' ELSE ${value} END`;
  return { ...asText(text, base), direct: `${refused(text)} || ''`, fromStage: refused };
}

function numericEncoding(value: string, type: string, base: string): ColumnEncoding | undefined {
  const isBounded = base !== "numeric";
  const size = integerSizes[type];
  if (size) {
    const holds = !isBounded || holdsDecimal(base, `DECIMAL(${size.digits},0)`);
    return holds ? binary(`CAST(${value} AS HUGEINT)`, "numeric") : undefined;
  }
  if (kindOf(type) === "decimal") {
    return !isBounded || holdsDecimal(base, type) ? binary(value, "numeric") : undefined;
  }
  const isUnsigned = type === "UHUGEINT" && (!isBounded || holdsDecimal(base, "DECIMAL(39,0)"));
  const isText = type === "VARCHAR" && columnDecoding(base).type === "VARCHAR";
  return isUnsigned || isText ? asText(`CAST(${value} AS VARCHAR)`, base) : undefined;
}

/** Writes a list as a JSON list of its elements as text. PostgreSQL casts each element to the column's type. */
function arrayEncoding(value: string, type: string, base: string): ColumnEncoding | undefined {
  if (!type.endsWith("[]")) return undefined;
  const element = { name: "", type: type.slice(0, -2), origin: "" };
  const elementBase = base.slice(0, -2);
  if (columnDecoding(base).type !== type && !columnEncoding(element, elementBase)) return undefined;
  const cast = texts.has(bareOf(elementBase)) ? "" : `::${base}`;
  return {
    ...asText(`CAST(to_json(CAST(${value} AS VARCHAR[])) AS VARCHAR)`, base),
    fromStage: (staged) =>
      `CASE WHEN ${staged} IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(${staged}::json)) END${cast}`,
  };
}
