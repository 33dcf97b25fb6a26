import {
  expressionOf,
  type Identifier,
  identifierOf,
  identifiersOf,
  isNode,
  nodesOf,
  type SyntaxNode,
} from "../syntax.ts";
import { builtIn, tableFunctions } from "../words/functions.ts";
import { sourcesOf } from "./expression.ts";
import { type Joining, joinedWith } from "./joins.ts";
import { pivoted, unpivoted } from "./pivot.ts";
import type { Reading } from "./reading.ts";
import { anything, nothing, type Rows, renamed, unnamed } from "./rows.ts";
import { type Relation, relation, type Scope } from "./scope.ts";
import { tableRelation } from "./table.ts";

/** What one entry of FROM brings. `scope` is what a LATERAL one sees. */
export function relationsOf(node: unknown, scope: Scope, reading: Reading): Joining {
  const expression = expressionOf(node);
  const kind = expression?.kind ?? "";
  const body = expression?.body ?? {};
  const one = (found: Relation): Joining => ({ visible: [found], all: [found], joined: new Map() });
  switch (kind) {
    case "table": {
      const found = tableRelation(body, scope.ctes, reading);
      const { alias: _, column_aliases: __, name: ___, schema: ____, catalog: _____, ...clauses } = body;
      sourcesOf(Object.values(clauses), scope, reading);
      return one(aliased(found, body, reading));
    }
    case "paren":
      return relationsOf(body.this, scope, reading);
    case "alias":
    case "joined_table": {
      const inner =
        kind === "alias"
          ? relationsOf(body.this, scope, reading)
          : joinedWith(
              relationsOf(body.left, scope, reading),
              nodesOf(body.joins),
              (right, left) =>
                relationsOf(right, { ...scope, relations: [...scope.relations, ...left] }, reading),
              reading,
            );
      if (!identifierOf(body.alias)) return inner;
      return one(aliased(relation([], together(inner.visible)), body, reading));
    }
    case "subquery": {
      const outer = body.lateral === true ? scope : scope.outer;
      return one(aliased(relation([], reading.query(node, { ctes: scope.ctes, outer })), body, reading));
    }
    case "values":
      return one(aliased(relation([], reading.query(node, scope)), body, reading));
    case "lateral":
      return lateral(body, scope, reading, one);
    case "pivot":
    case "unpivot": {
      const inner = together(relationsOf(body.this, scope, reading).visible);
      const rows =
        kind === "pivot" ? pivoted(body, inner, scope, reading) : unpivoted(body, inner, scope, reading);
      const names = { alias: body.alias, column_aliases: body.alias_columns };
      return one(aliased(relation([], rows), names, reading));
    }
    default:
      return one(relation([], functionRows(kind, body, scope, reading)));
  }
}

/** The rows of `explode(x)` and the like; any other function is refused. */
function functionRows(kind: string, body: SyntaxNode, scope: Scope, reading: Reading): Rows {
  const name = (typeof body.name === "string" ? body.name : kind).toLowerCase();
  const { name: _, ...rest } = body;
  const sources = sourcesOf(Object.values(rest), scope, reading);
  const at = callOf(name, reading);
  if (!tableFunctions.has(name)) {
    // Others are refused wherever they stand.
    if (builtIn.has(name))
      reading.complain(
        at,
        `${name}() cannot stand in FROM: expected a declared table, a subquery, or one of ${[...tableFunctions.keys()].join(", ")}.`,
      );
    return anything(at);
  }
  const columns = tableFunctions.get(name);
  return columns
    ? { columns: columns.map((column) => ({ name: column, at, sources })), rest: [] }
    : unnamed(at, sources);
}

/** LATERAL in FROM, whose alias the library keeps as mere text. */
function lateral(
  body: SyntaxNode,
  scope: Scope,
  reading: Reading,
  one: (found: Relation) => Joining,
): Joining {
  const inner = expressionOf(body.this);
  const rows =
    inner?.kind === "subquery" || inner?.kind === "select"
      ? reading.query(body.this, { ctes: scope.ctes, outer: scope })
      : functionRows(inner?.kind ?? "", inner?.body ?? {}, scope, reading);
  const at = rows.rest[0]?.at ?? rows.columns[0]?.at ?? 0;
  const texts = Array.isArray(body.column_aliases) ? body.column_aliases : [];
  const names = texts.flatMap((name) => (typeof name === "string" ? [{ name, at }] : []));
  const alias = body.alias;
  return one(relation(typeof alias === "string" ? [[alias.toLowerCase()]] : [], renamed(rows, names)));
}

/** `AS x` or `AS x (a, b)` around something in FROM. */
function aliased(found: Relation, { alias, column_aliases }: SyntaxNode, reading: Reading): Relation {
  const name = identifierOf(alias);
  const columns = identifiersOf(column_aliases);
  if (!name?.name && columns.length === 0) return found;
  const rows = renamedColumns(found.rows, columns, reading);
  return relation(name?.name ? [[name.name.toLowerCase()]] : found.names, rows);
}

/** Columns under the names of a list such as `x (a, b)`, which must be as many. */
export function renamedColumns(rows: Rows, columns: readonly Identifier[], reading: Reading): Rows {
  const names = columns.map(({ name, from }) => ({ name, at: reading.units(from ?? 0) }));
  const [first] = names;
  if (first && rows.rest.length === 0 && rows.columns.length !== names.length)
    reading.complain(first.at, `${names.length} names for ${rows.columns.length} columns.`);
  return renamed(rows, names);
}

const together = (relations: readonly Relation[]): Rows =>
  relations.length === 0
    ? nothing
    : {
        columns: relations.flatMap(({ rows }) => rows.columns),
        rest: relations.flatMap(({ rows }) => rows.rest),
      };

/** The library keeps no place of functions: it is the first call of that name. */
function callOf(name: string, { tokens }: Reading): number {
  const index = tokens.findIndex(
    (token, at) => token.value.toLowerCase() === name && tokens[at + 1]?.text === "(",
  );
  return tokens[index]?.start ?? 0;
}

/** LATERAL VIEW explode(x) t AS a, b */
export function lateralView(view: SyntaxNode, scope: Scope, reading: Reading): Relation {
  const call = expressionOf(view.this);
  const rows = functionRows(call?.kind ?? "", call?.body ?? {}, scope, reading);
  const names = identifiersOf(view.column_aliases);
  return aliased(
    relation([], rows),
    {
      alias: isNode(view.table_alias) ? view.table_alias : undefined,
      column_aliases: names.length > 0 ? view.column_aliases : [],
    },
    reading,
  );
}
