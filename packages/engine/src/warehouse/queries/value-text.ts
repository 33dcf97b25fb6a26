import { prefix } from "./spark-functions.ts";
import {
  castTo,
  choice,
  coalesce,
  column,
  type DuckDBNode,
  functionCall,
  isNotNull,
  lambda,
  numberConstant,
  textConstant,
} from "./syntax-tree.ts";
import { nullConstant, type PlanType } from "./type-probe.ts";

/** How Spark writes values of each type: as text, or as JSON. */
interface Format {
  plain(type: PlanType, node: DuckDBNode): DuckDBNode;
  /** NULL in a list, a map or a struct. */
  readonly missing: string;
  list(items: DuckDBNode): DuckDBNode;
  entry(key: DuckDBNode, value: DuckDBNode): DuckDBNode;
  map(entries: DuckDBNode): DuckDBNode;
  struct(fields: readonly (readonly [name: string, value: DuckDBNode])[]): DuckDBNode;
}

const macro = (name: string, children: readonly DuckDBNode[]): DuckDBNode =>
  functionCall(prefix + name, children);
const joined = (...parts: readonly (string | DuckDBNode)[]): DuckDBNode =>
  parts
    .map((part) => (typeof part === "string" ? textConstant(part) : part))
    .reduce((left, right) => functionCall("||", [left, right], true));
/** The texts of a list that are not NULL. */
const separated = (list: DuckDBNode, by: string): DuckDBNode =>
  coalesce(functionCall("array_to_string", [list, textConstant(by)]), textConstant(""));
const listOf = (items: readonly DuckDBNode[]): DuckDBNode => functionCall("list_value", items);
const asText = (node: DuckDBNode): DuckDBNode => castTo("VARCHAR", node);

/** The types that hold others. */
export const isNested = ({ id }: PlanType): boolean => id === "LIST" || id === "MAP" || id === "STRUCT";

/** A function of a value that is computed once. */
export function onceOf(node: DuckDBNode, depth: number, body: (value: DuckDBNode) => DuckDBNode): DuckDBNode {
  const name = `spark_value${depth}`;
  const changed = functionCall("list_transform", [listOf([node]), lambda([name], body(column(name)))]);
  return functionCall("list_extract", [changed, numberConstant(1)]);
}

export function eachOf(list: DuckDBNode, depth: number, body: (item: DuckDBNode) => DuckDBNode): DuckDBNode {
  const name = `spark_item${depth}`;
  return functionCall("list_transform", [list, lambda([name], body(column(name)))]);
}

export const fieldOf = (node: DuckDBNode, name: string): DuckDBNode =>
  functionCall("struct_extract", [node, textConstant(name)]);

function written(format: Format, type: PlanType, node: DuckDBNode, depth = 0): DuckDBNode {
  const { child_type: child, child_types: fields = [] } = type.type_info ?? {};
  const orMissing = (inner: PlanType, value: DuckDBNode) =>
    coalesce(written(format, inner, value, depth + 1), textConstant(format.missing));
  if (type.id === "LIST" && child)
    return onceOf(node, depth, (list) =>
      choice(isNotNull(list), format.list(eachOf(list, depth, (item) => orMissing(child, item))), nullText()),
    );
  if (type.id === "MAP" && child) {
    const [key, value] = child.type_info?.child_types ?? [];
    if (key && value)
      return onceOf(node, depth, (map) => {
        const entries = eachOf(functionCall("map_entries", [map]), depth, (entry) =>
          format.entry(
            written(textFormat, key.second, fieldOf(entry, "key"), depth + 1),
            orMissing(value.second, fieldOf(entry, "value")),
          ),
        );
        return choice(isNotNull(map), format.map(entries), nullText());
      });
  }
  if (type.id === "STRUCT")
    return onceOf(node, depth, (struct) => {
      const parts = fields.map(
        ({ first, second }) => [first, written(format, second, fieldOf(struct, first), depth + 1)] as const,
      );
      return choice(isNotNull(struct), format.struct(parts), nullText());
    });
  return format.plain(type, node);
}

const nullText = (): DuckDBNode => asText(nullConstant());

const textFormat: Format = {
  missing: "null",
  plain({ id }, node) {
    if (id === "FLOAT" || id === "DOUBLE") return macro("double_text", [node]);
    if (id === "BLOB") return functionCall("decode", [node]);
    return asText(macro("local", [node]));
  },
  list: (items) => joined("[", separated(items, ", "), "]"),
  entry: (key, value) => joined(key, " -> ", value),
  map: (entries) => joined("{", separated(entries, ", "), "}"),
  struct: (fields) =>
    joined(
      "{",
      separated(listOf(fields.map(([, value]) => coalesce(value, textConstant("null")))), ", "),
      "}",
    ),
};

const quotedJson = (node: DuckDBNode): DuckDBNode => asText(functionCall("to_json", [node]));

const jsonFormat: Format = {
  missing: "null",
  plain({ id }, node) {
    if (id === "FLOAT" || id === "DOUBLE") return macro("json_double", [macro("double_text", [node])]);
    if (id === "TIMESTAMP" || id === "TIMESTAMP WITH TIME ZONE")
      return macro(id === "TIMESTAMP" ? "json_local" : "json_moment", [node]);
    if (id === "BLOB") return quotedJson(functionCall("to_base64", [node]));
    if (id === "VARCHAR" || id === "DATE") return quotedJson(asText(node));
    return asText(node);
  },
  list: (items) => joined("[", separated(items, ","), "]"),
  entry: (key, value) => joined(quotedJson(key), ":", value),
  map: (entries) => joined("{", separated(entries, ","), "}"),
  // A field that is NULL is left out.
  struct: (fields) =>
    joined(
      "{",
      separated(listOf(fields.map(([name, value]) => joined(`${JSON.stringify(name)}:`, value))), ","),
      "}",
    ),
};

/** A value as Spark's CAST(… AS STRING) writes it. */
export const textOfValue = (type: PlanType, node: DuckDBNode): DuckDBNode => written(textFormat, type, node);

/** A value as Spark's to_json() writes it. */
export const jsonOfValue = (type: PlanType, node: DuckDBNode): DuckDBNode => written(jsonFormat, type, node);
