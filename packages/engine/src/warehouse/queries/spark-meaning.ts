import { problemAt } from "./places.ts";
import { tryMark } from "./spark-functions.ts";
import { isPart, type Part, partsOf, rewrite } from "./tree.ts";

/**
 * Gives a translated statement the meaning that it has in Databricks, where the library and DuckDB differ: a cast that
 * fails is an error, `||` and concat of NULL are NULL, and range() has a column called id.
 */
export function meanAsInSpark(statement: Part, sql: string): void {
  rewrite(statement, (part) => {
    if (part.class === "CAST") part.try_cast = false;
    if (part.class === "FUNCTION") {
      const called = String(part.function_name).toLowerCase();
      const [first, ...others] = partsOf(part.children);
      if (called === tryMark && isPart(first)) return { ...first, alias: part.alias, try_cast: true };
      if (called === "concat" && first) return { ...others.reduce(joined, first), alias: part.alias };
    }
    if (part.type === "ARRAY_EXTRACT") checkIndex(part, sql);
    if (part.type === "TABLE_FUNCTION" && isPart(part.function)) nameRange(part, part.function);
    return part;
  });
}

const joined = (left: Part, right: Part): Part => ({
  class: "FUNCTION",
  type: "FUNCTION",
  alias: "",
  function_name: "||",
  schema: "",
  children: [left, right],
  filter: null,
  order_bys: { type: "ORDER_MODIFIER", orders: [] },
  distinct: false,
  is_operator: true,
  export_state: false,
  catalog: "",
});

/** Databricks counts from 0, DuckDB from 1, and nobody knows before it runs whether it is a list or a map. */
function checkIndex({ children }: Part, sql: string): void {
  const [, index] = partsOf(children);
  const value = isPart(index?.value) ? index.value : {};
  if (isPart(value.type) && value.type.id === "VARCHAR") return;
  throw problemAt(
    sql,
    sql.indexOf("[") < 0 ? undefined : sql.indexOf("["),
    "an index in brackets is not supported: write get(list, 0), or element_at(map, key).",
  );
}

function nameRange(part: Part, { function_name: called }: Part): void {
  const names = part.column_name_alias;
  if (String(called).toLowerCase() !== "range" || !Array.isArray(names) || names.length > 0) return;
  names.push("id");
  part.alias ||= "range";
}
