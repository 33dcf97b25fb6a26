import { orderAllMarker, tryMarker } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import { type DuckDBNode, functionCall, isNode, nodesIn, rewrite } from "./syntax-tree.ts";

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
      const escaping = likes.get(called);
      if (escaping !== undefined && first && needsEscape(others[0]))
        return { ...functionCall(escaping, [first, ...others, backslash()]), alias: node.alias };
      if (called === "concat" && first) return { ...others.reduce(joined, first), alias: node.alias };
    }
    if (isOrderAllMarker(node)) return everyColumn();
    if (node.type === "ARRAY_EXTRACT") checkIndex(node, sql);
    if (node.type === "TABLE_FUNCTION" && isNode(node.function)) nameRange(node, node.function);
    return node;
  });
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

const backslash = (): DuckDBNode => ({
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  alias: "",
  value: { type: { id: "VARCHAR", type_info: null }, is_null: false, value: "\\" },
});

/** The node that DuckDB's parser creates for the ALL in ORDER BY ALL. */
const everyColumn = (): DuckDBNode => ({
  class: "STAR",
  type: "STAR",
  alias: "",
  relation_name: "",
  exclude_list: [],
  replace_list: [],
  columns: true,
  expr: null,
  qualified_exclude_list: [],
  rename_list: [],
});

const isOrderAllMarker = ({ class: kind, column_names: names }: DuckDBNode): boolean =>
  kind === "COLUMN_REF" && Array.isArray(names) && names.length === 1 && names[0] === orderAllMarker;

/** Databricks counts from 0 and DuckDB from 1, and whether it is a list or a map is known only when the query runs. */
function checkIndex({ children }: DuckDBNode, sql: string): void {
  const [, index] = nodesIn(children);
  const value = isNode(index?.value) ? index.value : {};
  if (isNode(value.type) && value.type.id === "VARCHAR") return;
  throw problemAt(
    sql,
    sql.indexOf("[") < 0 ? undefined : sql.indexOf("["),
    "an index in brackets is not supported: write get(list, 0), or element_at(map, key).",
  );
}

function nameRange(node: DuckDBNode, { function_name: called }: DuckDBNode): void {
  const names = node.column_name_alias;
  if (String(called).toLowerCase() !== "range" || !Array.isArray(names) || names.length > 0) return;
  names.push("id");
  node.alias ||= "range";
}
