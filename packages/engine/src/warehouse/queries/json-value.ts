import { parseDatabricksType, typeParts } from "../../protocol/types.ts";
import { prefix } from "./spark-functions.ts";
import { castTo, column, type DuckDBNode, functionCall, lambda, textConstant } from "./syntax-tree.ts";

/** Spark reads a JSON value of another type as NULL. DuckDB would convert "1" and 1.5 to integers. */
const checks: ReadonlyMap<string, string> = new Map([
  ...["TINYINT", "SMALLINT", "INTEGER", "BIGINT"].map((type) => [type, "json_whole"] as const),
  ...["FLOAT", "DOUBLE"].map((type) => [type, "json_number"] as const),
  ["BOOLEAN", "json_boolean"],
]);

const transformed = (json: DuckDBNode, type: string): DuckDBNode =>
  functionCall("json_transform", [json, textConstant(JSON.stringify(type))]);

/** Structs without their brackets: `a INT, b STRING`. */
export const structSchema = (written: string): string =>
  parseDatabricksType(written) === undefined ? `STRUCT<${written}>` : written;

/** A JSON text as a value of a type of Databricks, which DuckDB calls `type`. */
export function jsonValue(json: DuckDBNode, written: string, type: string, depth = 0): DuckDBNode {
  const check = checks.get(type);
  if (check !== undefined) return transformed(functionCall(prefix + check, [json]), type);
  const parts = typeParts(written);
  const [item] = parts.types;
  if (parts.kind === "STRUCT" && parts.names.length > 0) {
    // The fields of the struct as JSON, which are then read one by one.
    const quoted = parts.names.map((name) => `"${name.replaceAll('"', '""')}"`);
    const fields = transformed(json, `STRUCT(${quoted.map((name) => `${name} JSON`).join(", ")})`);
    const name = `spark_json${depth}`;
    const read = parts.names.map((field, at) => {
      const inner = parts.types[at] ?? "";
      const value = functionCall("struct_extract", [column(name), textConstant(field)]);
      return { ...jsonValue(value, inner, parseDatabricksType(inner) ?? "", depth + 1), alias: field };
    });
    const body = functionCall(`${prefix}json_struct`, [column(name), functionCall("struct_pack", read)]);
    const list = functionCall("list_transform", [functionCall("list_value", [fields]), lambda([name], body)]);
    return functionCall("list_extract", [list, one()]);
  }
  if (parts.kind === "ARRAY" && item !== undefined) {
    const items = transformed(json, "JSON[]");
    const name = `spark_json${depth}`;
    const inner = lambda([name], jsonValue(column(name), item, parseDatabricksType(item) ?? "", depth + 1));
    const list = `spark_list${depth}`;
    const read = functionCall("list_transform", [column(list), inner]);
    const body = functionCall(`${prefix}json_items`, [column(list), read]);
    const once = functionCall("list_transform", [functionCall("list_value", [items]), lambda([list], body)]);
    return functionCall("list_extract", [once, one()]);
  }
  return transformed(json, type);
}

const one = (): DuckDBNode => castTo("INTEGER", textConstant("1"));
