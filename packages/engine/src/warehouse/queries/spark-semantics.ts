import { orderMark, tryMark } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import { functionCall, isNode, nodesIn, rewrite, type SyntaxNode } from "./syntax-tree.ts";

/**
 * Gives a translated statement the meaning that it has in Databricks, where the library and DuckDB differ: a cast that
 * fails is an error, `||` and concat of NULL are NULL, a backslash in a pattern of LIKE takes the next character as it is,
 * ORDER BY ALL orders by every column, and range() has a column called id.
 */
export function applySparkSemantics(statement: SyntaxNode, sql: string): void {
  rewrite(statement, (part) => {
    if (part.class === "CAST") part.try_cast = false;
    if (part.class === "FUNCTION") {
      const called = String(part.function_name).toLowerCase();
      const [first, ...others] = nodesIn(part.children);
      if (called === tryMark && isNode(first)) return { ...first, alias: part.alias, try_cast: true };
      const escaping = likes.get(called);
      if (escaping !== undefined && first && needsEscape(others[0]))
        return { ...functionCall(escaping, [first, ...others, backslash()]), alias: part.alias };
      if (called === "concat" && first) return { ...others.reduce(joined, first), alias: part.alias };
    }
    if (isOrderMark(part)) return everyColumn();
    if (part.type === "ARRAY_EXTRACT") checkIndex(part, sql);
    if (part.type === "TABLE_FUNCTION" && isNode(part.function)) nameRange(part, part.function);
    return part;
  });
}

const joined = (left: SyntaxNode, right: SyntaxNode): SyntaxNode => functionCall("||", [left, right], true);

/** LIKE and its kin, as operators of DuckDB's, and the functions that take a mark before which % and _ are themselves. */
const likes: ReadonlyMap<string, string> = new Map([
  ["~~", "like_escape"],
  ["!~~", "not_like_escape"],
  ["~~*", "ilike_escape"],
  ["!~~*", "not_ilike_escape"],
]);

/** In Databricks that mark is a backslash. A pattern without one is found faster without the mark. */
const needsEscape = (pattern: SyntaxNode | undefined): boolean =>
  !isNode(pattern?.value) || String(pattern.value.value).includes("\\");

const backslash = (): SyntaxNode => ({
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  alias: "",
  value: { type: { id: "VARCHAR", type_info: null }, is_null: false, value: "\\" },
});

/** What DuckDB's parser makes of the ALL in ORDER BY ALL. */
const everyColumn = (): SyntaxNode => ({
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

const isOrderMark = ({ class: kind, column_names: names }: SyntaxNode): boolean =>
  kind === "COLUMN_REF" && Array.isArray(names) && names.length === 1 && names[0] === orderMark;

/** Databricks counts from 0, DuckDB from 1, and nobody knows before it runs whether it is a list or a map. */
function checkIndex({ children }: SyntaxNode, sql: string): void {
  const [, index] = nodesIn(children);
  const value = isNode(index?.value) ? index.value : {};
  if (isNode(value.type) && value.type.id === "VARCHAR") return;
  throw problemAt(
    sql,
    sql.indexOf("[") < 0 ? undefined : sql.indexOf("["),
    "an index in brackets is not supported: write get(list, 0), or element_at(map, key).",
  );
}

function nameRange(part: SyntaxNode, { function_name: called }: SyntaxNode): void {
  const names = part.column_name_alias;
  if (String(called).toLowerCase() !== "range" || !Array.isArray(names) || names.length > 0) return;
  names.push("id");
  part.alias ||= "range";
}
