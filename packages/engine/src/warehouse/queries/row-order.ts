import type { PreparedQuery } from "./prepared-query.ts";
import { isNode } from "./syntax-tree.ts";

/**
 * The same rows in an order that is the same next time, so that pages fit each other; some with a column more at the end. What
 * has an order of its own keeps it. Else DuckDB gives rows as its threads come by them: numbering holds them to the order of
 * the table, and what was grouped has none, so it is sorted.
 */
export function inStableOrder({ sql, statement }: PreparedQuery): string {
  if (hasModifier(statement.node, "ORDER_MODIFIER")) return sql;
  return isShuffled(statement)
    ? `SELECT * FROM (${sql}) ORDER BY ALL`
    : `SELECT *, row_number() OVER () FROM (${sql})`;
}

const hasModifier = (node: unknown, kind: string): boolean =>
  isNode(node) && Array.isArray(node.modifiers) && node.modifiers.some((modifier) => modifier.type === kind);

/** Whether rows are found by a hash of them anywhere: grouped, made unique or compared. */
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
