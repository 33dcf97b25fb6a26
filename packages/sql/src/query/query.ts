import {
  expressionOf,
  identifierOf,
  identifiersOf,
  isNode,
  nodesOf,
  type SyntaxNode,
} from "../parser/syntax-tree.ts";
import { oneOf, union } from "./column-sources.ts";
import { sourcesOf } from "./expression.ts";
import type { QueryContext } from "./query-context.ts";
import { renamedColumns } from "./relations.ts";
import { type RowType, tablesOfRow, unknownRow } from "./row-type.ts";
import { type EnclosingScope, emptyScope, relation } from "./scope.ts";
import { selectRow } from "./select.ts";

/** Analyzes a query of any kind and returns its columns. */
export function queryRow(node: unknown, enclosing: EnclosingScope, context: QueryContext): RowType {
  const { kind, body } = expressionOf(node) ?? { kind: "", body: {} };
  switch (kind) {
    case "select": {
      context.visited.add(body);
      return selectRow(body, withCtes(body, enclosing, context), context);
    }
    case "union":
    case "intersect":
    case "except":
      return setOperationRow(kind, body, withCtes(body, enclosing, context), context);
    case "paren":
      return queryRow(body.this, enclosing, context);
    case "subquery": {
      const rows = queryRow(body.this, enclosing, context);
      ordering(body, rows, enclosing, context);
      return rows;
    }
    case "values":
      return valuesRow(body, enclosing, context);
    default:
      context.report(0, `expected a query, found ${kind.replaceAll("_", " ") || "another statement"}.`);
      return unknownRow(0);
  }
}

/** Adds the CTEs of WITH. Each is visible to later ones, and with RECURSIVE to itself once its first part is known. */
function withCtes(body: SyntaxNode, enclosing: EnclosingScope, context: QueryContext): EnclosingScope {
  const clause = body.with;
  if (!isNode(clause)) return enclosing;
  let { ctes } = enclosing;
  for (const cte of nodesOf(clause.ctes)) {
    const name = identifierOf(cte.alias);
    const key = name?.name.toLowerCase() ?? "";
    const columns = identifiersOf(cte.columns);
    const here = { ...enclosing, ctes };
    const inner = expressionOf(cte.this);
    const rows =
      clause.recursive === true && inner?.kind === "union"
        ? setOperationRow("union", inner.body, withCtes(inner.body, here, context), context, (left) => [
            key,
            renamedColumns(left, columns, context),
          ])
        : queryRow(cte.this, here, context);
    ctes = new Map([...ctes, [key, renamedColumns(rows, columns, context)]]);
  }
  return { ...enclosing, ctes };
}

/** UNION, INTERSECT and EXCEPT: the names come from the left side, the sources from both sides by position. */
function setOperationRow(
  kind: string,
  body: SyntaxNode,
  enclosing: EnclosingScope,
  context: QueryContext,
  itself?: (left: RowType) => readonly [string, RowType],
): RowType {
  const left = queryRow(body.left, enclosing, context);
  const ctes = itself ? new Map([...enclosing.ctes, itself(left)]) : enclosing.ctes;
  const right = queryRow(body.right, { ...enclosing, ctes }, context);
  const at = right.columns[0]?.at ?? left.columns[0]?.at ?? 0;
  if (body.by_name === true || body.corresponding === true)
    context.report(
      at,
      `${kind.toUpperCase()} BY NAME is not supported by Databricks: select the columns in the same order.`,
    );
  const open = left.open.length > 0 || right.open.length > 0;
  if (!open && left.columns.length !== right.columns.length)
    context.report(
      at,
      `${kind.toUpperCase()} needs the same number of columns on both sides: the left has ${left.columns.length}, the right has ${right.columns.length}.`,
    );
  const rows: RowType = {
    columns: left.columns.map((column, index) => ({
      ...column,
      sources: union(
        column.sources,
        open ? oneOf(tablesOfRow(right), "*") : (right.columns[index]?.sources ?? []),
      ),
    })),
    open: [...left.open, ...right.open],
  };
  ordering(body, rows, enclosing, context);
  return rows;
}

/** ORDER BY, LIMIT and similar clauses of a set operation or a subquery refer to its columns. */
function ordering(body: SyntaxNode, rows: RowType, enclosing: EnclosingScope, context: QueryContext): void {
  const scope = { ...emptyScope(enclosing), relations: [relation([], rows)] };
  const clauses = ["order_by", "limit", "offset", "distribute_by", "sort_by", "cluster_by", "on_columns"];
  for (const clause of clauses) sourcesOf(body[clause], scope, context);
}

/** The columns of VALUES are col1, col2 and so on. */
function valuesRow(body: SyntaxNode, enclosing: EnclosingScope, context: QueryContext): RowType {
  const scope = emptyScope(enclosing);
  const columns: RowType["columns"][number][] = [];
  for (const row of nodesOf(body.expressions)) {
    for (const [index, value] of nodesOf(row.expressions).entries()) {
      const sources = sourcesOf(value, scope, context);
      const column = columns[index] ?? { name: `col${index + 1}`, at: context.items[0] ?? 0, sources: [] };
      columns[index] = { ...column, sources: union(column.sources, sources) };
    }
  }
  return { columns, open: [] };
}
