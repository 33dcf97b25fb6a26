import type { PreparedQuery } from "./prepared-query.ts";
import { isNode } from "./syntax-tree.ts";

/**
 * The same rows in an order that does not change between requests, so that pages fit together. Some results get an extra
 * last column. An existing ORDER BY is kept. Otherwise DuckDB returns rows in the order in which its threads finish:
 * numbering them forces table order, and grouped rows, which have none, are sorted.
 */
export function inStableOrder({ sql, statement }: PreparedQuery): string {
  if (hasModifier(statement.node, "ORDER_MODIFIER")) return sql;
  return isShuffled(statement)
    ? `SELECT * FROM (${sql}) ORDER BY ALL`
    : `SELECT *, row_number() OVER () FROM (${sql})`;
}

const hasModifier = (node: unknown, kind: string): boolean =>
  isNode(node) && Array.isArray(node.modifiers) && node.modifiers.some((modifier) => modifier.type === kind);

/** Whether rows are hashed anywhere: grouped, made distinct, or compared by a set operation. */
function isShuffled(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isShuffled);
  if (!isNode(value)) return false;
  const isGrouped =
    value.aggregate_handling === "FORCE_AGGREGATES" ||
    (Array.isArray(value.group_expressions) && value.group_expressions.length > 0);
  const isCompared = value.type === "SET_OPERATION_NODE" && value.setop_all !== true;
  return (
    isGrouped ||
    isCompared ||
    hasModifier(value, "DISTINCT_MODIFIER") ||
    Object.values(value).some(isShuffled)
  );
}
