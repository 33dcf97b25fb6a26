import { expressionOf, identifierOf, identifiersOf, isNode, nodesOf, type SyntaxNode } from "../syntax.ts";
import { sourcesOf } from "./expression.ts";
import type { Reading } from "./reading.ts";
import { renamedColumns } from "./relations.ts";
import { anything, type Rows, tablesOfRows } from "./rows.ts";
import { emptyScope, relation, type Surroundings } from "./scope.ts";
import { selectRows } from "./select.ts";
import { oneOf, union } from "./sources.ts";

/** Reads a query of any kind, and says which columns it gives. */
export function queryRows(node: unknown, surroundings: Surroundings, reading: Reading): Rows {
  const { kind, body } = expressionOf(node) ?? { kind: "", body: {} };
  switch (kind) {
    case "select": {
      reading.seen.add(body);
      return selectRows(body, withCtes(body, surroundings, reading), reading);
    }
    case "union":
    case "intersect":
    case "except":
      return setRows(kind, body, withCtes(body, surroundings, reading), reading);
    case "paren":
      return queryRows(body.this, surroundings, reading);
    case "subquery": {
      const rows = queryRows(body.this, surroundings, reading);
      ordering(body, rows, surroundings, reading);
      return rows;
    }
    case "values":
      return valuesRows(body, surroundings, reading);
    default:
      reading.complain(0, `expected a query, found ${kind.replaceAll("_", " ") || "something else"}.`);
      return anything(0);
  }
}

/** The CTEs of WITH, each seen by those after it; with RECURSIVE also by itself, once its beginning is known. */
function withCtes(body: SyntaxNode, surroundings: Surroundings, reading: Reading): Surroundings {
  const clause = body.with;
  if (!isNode(clause)) return surroundings;
  let { ctes } = surroundings;
  for (const cte of nodesOf(clause.ctes)) {
    const name = identifierOf(cte.alias);
    const key = name?.name.toLowerCase() ?? "";
    const columns = identifiersOf(cte.columns);
    const here = { ...surroundings, ctes };
    const inner = expressionOf(cte.this);
    const rows =
      clause.recursive === true && inner?.kind === "union"
        ? setRows("union", inner.body, withCtes(inner.body, here, reading), reading, (left) => [
            key,
            renamedColumns(left, columns, reading),
          ])
        : queryRows(cte.this, here, reading);
    ctes = new Map([...ctes, [key, renamedColumns(rows, columns, reading)]]);
  }
  return { ...surroundings, ctes };
}

/** UNION and the like: the names come from the left, the sources from both sides by position. */
function setRows(
  kind: string,
  body: SyntaxNode,
  surroundings: Surroundings,
  reading: Reading,
  itself?: (left: Rows) => readonly [string, Rows],
): Rows {
  const left = queryRows(body.left, surroundings, reading);
  const ctes = itself ? new Map([...surroundings.ctes, itself(left)]) : surroundings.ctes;
  const right = queryRows(body.right, { ...surroundings, ctes }, reading);
  const at = right.columns[0]?.at ?? left.columns[0]?.at ?? 0;
  if (body.by_name === true || body.corresponding === true)
    reading.complain(
      at,
      `${kind.toUpperCase()} BY NAME is not known to Databricks: name the columns in the same order.`,
    );
  const open = left.rest.length > 0 || right.rest.length > 0;
  if (!open && left.columns.length !== right.columns.length)
    reading.complain(
      at,
      `${kind.toUpperCase()} needs as many columns on its right (${right.columns.length}) as on its left (${left.columns.length}).`,
    );
  const rows: Rows = {
    columns: left.columns.map((column, index) => ({
      ...column,
      sources: union(
        column.sources,
        open ? oneOf(tablesOfRows(right), "*") : (right.columns[index]?.sources ?? []),
      ),
    })),
    rest: [...left.rest, ...right.rest],
  };
  ordering(body, rows, surroundings, reading);
  return rows;
}

/** ORDER BY, LIMIT and the like around a set operation or a subquery see its columns. */
function ordering(body: SyntaxNode, rows: Rows, surroundings: Surroundings, reading: Reading): void {
  const scope = { ...emptyScope(surroundings), relations: [relation([], rows)] };
  const clauses = ["order_by", "limit", "offset", "distribute_by", "sort_by", "cluster_by", "on_columns"];
  for (const clause of clauses) sourcesOf(body[clause], scope, reading);
}

/** VALUES gives col1, col2 and so on. */
function valuesRows(body: SyntaxNode, surroundings: Surroundings, reading: Reading): Rows {
  const scope = emptyScope(surroundings);
  const columns: Rows["columns"][number][] = [];
  for (const row of nodesOf(body.expressions)) {
    for (const [index, value] of nodesOf(row.expressions).entries()) {
      const sources = sourcesOf(value, scope, reading);
      const column = columns[index] ?? { name: `col${index + 1}`, at: reading.items[0] ?? 0, sources: [] };
      columns[index] = { ...column, sources: union(column.sources, sources) };
    }
  }
  return { columns, rest: [] };
}
