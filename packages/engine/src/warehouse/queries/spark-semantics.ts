import { orderAllMarker, prefix, tryMarker } from "./spark-functions.ts";
import { jsonPath, lengthOf, rewrites, windowRewrites } from "./spark-rewrites.ts";
import {
  castTo,
  type DuckDBNode,
  everyColumn,
  functionCall,
  isNode,
  nodesIn,
  rewrite,
  textConstant,
  textOf,
} from "./syntax-tree.ts";

/**
 * Rewrites a translated statement where the library and DuckDB differ from Databricks: a failing cast is an error, `||` and
 * concat of NULL are NULL, a backslash in a LIKE pattern escapes the next character, ORDER BY ALL orders by every column,
 * and the column of range() is named id.
 */
export function applySparkSemantics(statement: DuckDBNode, sql: string): void {
  rewrite(statement, (node) => {
    if (node.class === "CAST") node.try_cast = false;
    if (node.class === "FUNCTION") {
      const called = String(node.function_name).toLowerCase();
      const [first, ...others] = nodesIn(node.children);
      if (called === tryMarker && isNode(first)) return { ...first, alias: node.alias, try_cast: true };
      const rewritten = rewrites.get(called)?.(node, nodesIn(node.children), sql);
      if (rewritten) return { ...rewritten, alias: node.alias };
      const escaping = likes.get(called);
      if (escaping !== undefined && first && needsEscape(others[0]))
        return { ...functionCall(escaping, [first, ...others, backslash()]), alias: node.alias };
      if (called === "concat" && first)
        return {
          ...(others.length === 0
            ? functionCall(`${prefix}one_text`, [first])
            : others.reduce(joined, first)),
          alias: node.alias,
        };
    }
    if (node.class === "WINDOW") {
      const rewritten = windowRewrites.get(String(node.function_name).toLowerCase())?.(node);
      if (rewritten) return { ...rewritten, alias: node.alias };
    }
    if (node.class === "LAMBDA") return jsonPath(node) ?? node;
    if (isOrderAllMarker(node)) return everyColumn();
    if (node.type === "ARRAY_EXTRACT") return indexed(node, sql);
    if (node.type === "EXPRESSION_LIST" && node.alias === "valueslist") nameValues(node);
    if (node.type === "TABLE_FUNCTION" && isNode(node.function)) nameColumn(node, node.function);
    if (node.type === "SELECT_NODE" && isNode(node.from_table)) return withPosition(node, node.from_table);
    return node;
  });
}

/** The library translates posexplode() to WITH ORDINALITY, whose position is a BIGINT. */
function withPosition(node: DuckDBNode, { with_ordinality: ordinality }: DuckDBNode): DuckDBNode {
  if (ordinality !== "WITH_ORDINALITY") return node;
  const typed = (one: DuckDBNode): DuckDBNode =>
    one.class === "FUNCTION" && one.function_name === "-"
      ? { ...castTo("INTEGER", { ...one, alias: "" }), alias: one.alias }
      : one;
  return { ...node, select_list: nodesIn(node.select_list).map(typed) };
}

const joined = (left: DuckDBNode, right: DuckDBNode): DuckDBNode => functionCall("||", [left, right], true);

/** LIKE operators in DuckDB, and the functions that take an escape character. */
const likes: ReadonlyMap<string, string> = new Map([
  ["~~", "like_escape"],
  ["!~~", "not_like_escape"],
  ["~~*", "ilike_escape"],
  ["!~~*", "not_ilike_escape"],
]);

/** Databricks escapes with a backslash. A pattern without one matches faster without an escape character. */
const needsEscape = (pattern: DuckDBNode | undefined): boolean =>
  !isNode(pattern?.value) || String(pattern.value.value).includes("\\");

const backslash = (): DuckDBNode => textConstant("\\");

const isOrderAllMarker = ({ class: kind, column_names: names }: DuckDBNode): boolean =>
  kind === "COLUMN_REF" && Array.isArray(names) && names.length === 1 && names[0] === orderAllMarker;

/** Databricks counts from 0 and DuckDB from 1. A text is the key of a map, or the name of a field. */
function indexed(node: DuckDBNode, sql: string): DuckDBNode {
  const [collection, index] = nodesIn(node.children);
  if (!collection || !index || textOf(index) !== undefined) return node;
  return {
    ...functionCall(`${prefix}item`, [collection, index, lengthOf(collection, sql)]),
    alias: node.alias,
  };
}

/** The columns of VALUES without names are col1, col2 and so on. */
function nameValues(node: DuckDBNode): void {
  const [row] = Array.isArray(node.values) ? node.values : [];
  if (Array.isArray(node.expected_names) && node.expected_names.length === 0)
    node.expected_names = nodesIn(row).map((_, index) => `col${index + 1}`);
}

/** The columns of table functions in Databricks. */
const tableColumns: ReadonlyMap<string, { readonly alias: string; readonly column: string }> = new Map([
  ["range", { alias: "range", column: "id" }],
  ["unnest", { alias: "explode", column: "col" }],
]);

function nameColumn(node: DuckDBNode, { function_name: called }: DuckDBNode): void {
  const [names, known] = [node.column_name_alias, tableColumns.get(String(called).toLowerCase())];
  if (known === undefined || !Array.isArray(names) || names.length > 0) return;
  names.push(known.column);
  node.alias ||= known.alias;
}
