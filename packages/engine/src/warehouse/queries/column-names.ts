import type { DuckDBConnection } from "@duckdb/node-api";
import { type DuckDBNode, isNode, rewrite, writeExpressions } from "./syntax-tree.ts";

/** Changes a statement, but keeps the names of unnamed columns: each is named after its expression as it was written. */
export async function preserveColumnNames(
  connection: DuckDBConnection,
  statement: DuckDBNode,
  change: () => void,
): Promise<void> {
  const lists: DuckDBNode[][] = [];
  rewrite(statement, (node) => {
    if (node.type === "SELECT_NODE" && Array.isArray(node.select_list)) lists.push(node.select_list);
    return node;
  });
  const before = lists.map((list) => list.map((column) => JSON.stringify(column)));
  change();
  const changed = lists.flatMap((list, at) =>
    list.flatMap((column, index) => {
      const original = before[at]?.[index] ?? "";
      return column.alias === "" && original !== JSON.stringify(column) && !hasStar(column)
        ? [{ column, was: original }]
        : [];
    }),
  );
  if (changed.length === 0) return;
  const names = await writeExpressions(
    connection,
    changed.map(({ was: original }) => original),
  );
  for (const [index, { column }] of changed.entries()) column.alias = names[index];
}

/** A star selects several columns, and so does unnest(list, max_depth := 2). */
const hasStar = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasStar)
    : isNode(value) &&
      (value.class === "STAR" || value.alias === "max_depth" || Object.values(value).some(hasStar));
