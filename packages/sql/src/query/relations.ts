import { counted } from "@lakehelm/contract/text";
import {
  expressionOf,
  type Identifier,
  identifierOf,
  identifiersOf,
  isNode,
  nodesOf,
  type SyntaxNode,
} from "../parser/syntax-tree.ts";
import { builtInFunctions, tableFunctions } from "../vocabulary/functions.ts";
import { sourcesOf } from "./expression.ts";
import { addJoins, type FromClause } from "./joins.ts";
import { pivotRow, unpivotRow } from "./pivot.ts";
import type { QueryContext } from "./query-context.ts";
import { noColumns, type RowType, renameColumns, unknownRow, unnamedColumns } from "./row-type.ts";
import { type NameScope, type Relation, relation } from "./scope.ts";
import { tableRelation } from "./table.ts";

/** The relations of one entry of FROM. `scope` is visible to a LATERAL entry. */
export function relationsOf(node: unknown, scope: NameScope, context: QueryContext): FromClause {
  const expression = expressionOf(node);
  const kind = expression?.kind ?? "";
  const body = expression?.body ?? {};
  const one = (found: Relation): FromClause => ({ visible: [found], all: [found], joined: new Map() });
  switch (kind) {
    case "table": {
      const found = tableRelation(body, scope.ctes, context);
      const { alias: _, column_aliases: __, name: ___, schema: ____, catalog: _____, ...clauses } = body;
      sourcesOf(Object.values(clauses), scope, context);
      return one(aliased(found, body, context));
    }
    case "paren":
      return relationsOf(body.this, scope, context);
    case "alias":
    case "joined_table": {
      const inner =
        kind === "alias"
          ? relationsOf(body.this, scope, context)
          : addJoins(
              relationsOf(body.left, scope, context),
              nodesOf(body.joins),
              (right, left) =>
                relationsOf(right, { ...scope, relations: [...scope.relations, ...left] }, context),
              context,
            );
      if (!identifierOf(body.alias)) return inner;
      return one(aliased(relation([], together(inner.visible)), body, context));
    }
    case "subquery": {
      const outer = body.lateral === true ? scope : scope.outer;
      return one(aliased(relation([], context.query(node, { ctes: scope.ctes, outer })), body, context));
    }
    case "values":
      return one(aliased(relation([], context.query(node, scope)), body, context));
    case "lateral":
      return lateral(body, scope, context, one);
    case "pivot":
    case "unpivot": {
      const inner = together(relationsOf(body.this, scope, context).visible);
      const rows =
        kind === "pivot" ? pivotRow(body, inner, scope, context) : unpivotRow(body, inner, scope, context);
      const names = { alias: body.alias, column_aliases: body.alias_columns };
      return one(aliased(relation([], rows), names, context));
    }
    default:
      return one(relation([], functionRows(kind, body, scope, context)));
  }
}

/** The columns of a table function such as `explode(x)`; other functions are not allowed. */
function functionRows(kind: string, body: SyntaxNode, scope: NameScope, context: QueryContext): RowType {
  const name = (typeof body.name === "string" ? body.name : kind).toLowerCase();
  const { name: _, ...rest } = body;
  const sources = sourcesOf(Object.values(rest), scope, context);
  const at = callOf(name, context);
  if (!tableFunctions.has(name)) {
    // Unknown functions are reported elsewhere.
    if (builtInFunctions.has(name))
      context.report(
        at,
        `${name}() is not allowed in FROM: expected a declared table, a subquery, or one of ${[...tableFunctions.keys()].join(", ")}.`,
      );
    return unknownRow(at);
  }
  const columns = tableFunctions.get(name);
  return columns
    ? { columns: columns.map((column) => ({ name: column, at, sources })), open: [] }
    : unnamedColumns(at, sources);
}

/** LATERAL in FROM. The parser keeps its alias as plain text. */
function lateral(
  body: SyntaxNode,
  scope: NameScope,
  context: QueryContext,
  one: (found: Relation) => FromClause,
): FromClause {
  const inner = expressionOf(body.this);
  const rows =
    inner?.kind === "subquery" || inner?.kind === "select"
      ? context.query(body.this, { ctes: scope.ctes, outer: scope })
      : functionRows(inner?.kind ?? "", inner?.body ?? {}, scope, context);
  const at = rows.open[0]?.at ?? rows.columns[0]?.at ?? 0;
  const texts = Array.isArray(body.column_aliases) ? body.column_aliases : [];
  const names = texts.flatMap((name) => (typeof name === "string" ? [{ name, at }] : []));
  const alias = body.alias;
  return one(relation(typeof alias === "string" ? [[alias.toLowerCase()]] : [], renameColumns(rows, names)));
}

/** Applies `AS x` or `AS x (a, b)` to an entry of FROM. */
function aliased(found: Relation, { alias, column_aliases }: SyntaxNode, context: QueryContext): Relation {
  const name = identifierOf(alias);
  const columns = identifiersOf(column_aliases);
  if (!name?.name && columns.length === 0) return found;
  const rows = renamedColumns(found.rows, columns, context);
  return relation(name?.name ? [[name.name.toLowerCase()]] : found.names, rows);
}

/** Renames columns by a list such as `x (a, b)`, which must have the same length. */
export function renamedColumns(
  rows: RowType,
  columns: readonly Identifier[],
  context: QueryContext,
): RowType {
  const names = columns.map(({ name, from }) => ({ name, at: context.toOffset(from ?? 0) }));
  const [first] = names;
  if (first && rows.open.length === 0 && rows.columns.length !== names.length)
    context.report(
      first.at,
      `expected ${counted(rows.columns.length, "column name")}, found ${names.length}.`,
    );
  return renameColumns(rows, names);
}

const together = (relations: readonly Relation[]): RowType =>
  relations.length === 0
    ? noColumns
    : {
        columns: relations.flatMap(({ rows }) => rows.columns),
        open: relations.flatMap(({ rows }) => rows.open),
      };

/** The offset of the first call of a function. The parser keeps no offsets of functions. */
function callOf(name: string, { tokens }: QueryContext): number {
  const index = tokens.findIndex(
    (token, at) => token.value.toLowerCase() === name && tokens[at + 1]?.text === "(",
  );
  return tokens[index]?.start ?? 0;
}

/** `LATERAL VIEW explode(x) t AS a, b` */
export function lateralView(view: SyntaxNode, scope: NameScope, context: QueryContext): Relation {
  const call = expressionOf(view.this);
  const rows = functionRows(call?.kind ?? "", call?.body ?? {}, scope, context);
  const names = identifiersOf(view.column_aliases);
  return aliased(
    relation([], rows),
    {
      alias: isNode(view.table_alias) ? view.table_alias : undefined,
      column_aliases: names.length > 0 ? view.column_aliases : [],
    },
    context,
  );
}
