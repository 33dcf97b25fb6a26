import { databricksType, splitTypes } from "../../protocol/types.ts";

/** A type with the parts that decide how a value is written into a column. */
export type TypeTree =
  | { readonly kind: "void" }
  | { readonly kind: "integer"; readonly name: string; readonly digits: number }
  | { readonly kind: "decimal"; readonly name: string; readonly precision: number; readonly scale: number }
  | { readonly kind: "float"; readonly name: "FLOAT" | "DOUBLE" }
  | { readonly kind: "text"; readonly name: "STRING" }
  | { readonly kind: "boolean"; readonly name: "BOOLEAN" }
  | { readonly kind: "binary"; readonly name: "BINARY" }
  | { readonly kind: "moment"; readonly name: string }
  | { readonly kind: "array"; readonly name: string; readonly element: TypeTree }
  | { readonly kind: "map"; readonly name: string; readonly key: TypeTree; readonly value: TypeTree }
  | {
      readonly kind: "struct";
      readonly name: string;
      readonly fields: readonly { readonly name: string; readonly type: TypeTree }[];
    }
  /** Spark has no such type, or none of its values can be converted. */
  | { readonly kind: "other"; readonly name: string };

/** The most digits that a value of the type has. */
const integers: Readonly<Record<string, number>> = { TINYINT: 3, SMALLINT: 5, INT: 10, BIGINT: 19 };

/** A type as DuckDB's typeof() writes it. */
export function typeTree(duckdb: string): TypeTree {
  const text = duckdb.trim();
  if (text === '"NULL"' || text === "NULL") return { kind: "void" };
  const name = databricksType(text);
  const list = /^(.*)\[\d*\]$/s.exec(text)?.[1];
  if (list !== undefined) return { kind: "array", name, element: typeTree(list) };
  const [, nested = "", inside = ""] = /^(STRUCT|MAP)\((.*)\)$/s.exec(text) ?? [];
  const parts = nested === "" ? [] : splitTypes(inside);
  if (nested === "MAP")
    return { kind: "map", name, key: typeTree(parts[0] ?? ""), value: typeTree(parts[1] ?? "") };
  if (nested === "STRUCT") {
    const fields = parts.map((field) => {
      const [, quoted = "", type = ""] = /^("(?:[^"]|"")*"|\S+)\s+(.*)$/s.exec(field) ?? [];
      const isQuoted = quoted.startsWith('"');
      return {
        name: isQuoted ? quoted.slice(1, -1).replaceAll('""', '"') : quoted,
        type: typeTree(type),
      };
    });
    return { kind: "struct", name, fields };
  }
  return plainType(name);
}

function plainType(name: string): TypeTree {
  const digits = integers[name];
  if (digits !== undefined) return { kind: "integer", name, digits };
  const [, precision = 0, scale = 0] = (/^DECIMAL\((\d+),(\d+)\)$/.exec(name) ?? []).map(Number);
  if (precision > 0) return { kind: "decimal", name, precision, scale };
  switch (name) {
    case "FLOAT":
    case "DOUBLE":
      return { kind: "float", name };
    case "STRING":
      return { kind: "text", name };
    case "BOOLEAN":
      return { kind: "boolean", name };
    case "BINARY":
      return { kind: "binary", name };
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMP_NTZ":
      return { kind: "moment", name };
    default:
      return { kind: "other", name };
  }
}

export const typeName = (type: TypeTree): string => (type.kind === "void" ? "VOID" : type.name);
