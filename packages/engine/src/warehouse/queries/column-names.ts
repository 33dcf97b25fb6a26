import type { DuckDBConnection } from "@duckdb/node-api";
import { isNode, rewrite, type SyntaxNode, writeExpressions } from "./syntax-tree.ts";

/** Changes a statement so that a column without a name is still called as its expression was written. */
export async function preserveColumnNames(
  connection: DuckDBConnection,
  statement: SyntaxNode,
  change: () => void,
): Promise<void> {
  const lists: SyntaxNode[][] = [];
  rewrite(statement, (part) => {
    if (part.type === "SELECT_NODE" && Array.isArray(part.select_list)) lists.push(part.select_list);
    return part;
  });
  const before = lists.map((list) => list.map((column) => JSON.stringify(column)));
  change();
  const changed = lists.flatMap((list, at) =>
    list.flatMap((column, index) => {
      const was = before[at]?.[index] ?? "";
      return column.alias === "" && was !== JSON.stringify(column) && !hasStar(column)
        ? [{ column, was }]
        : [];
    }),
  );
  if (changed.length === 0) return;
  const names = await writeExpressions(
    connection,
    changed.map(({ was }) => was),
  );
  for (const [index, { column }] of changed.entries()) column.alias = names[index];
}

/** It stands for several columns. */
const hasStar = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasStar)
    : isNode(value) && (value.class === "STAR" || Object.values(value).some(hasStar));
