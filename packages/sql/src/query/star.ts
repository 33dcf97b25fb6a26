import { identifierOf, identifiersOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import type { QueryContext } from "./query-context.ts";
import { type RowType, unknownRow, withoutColumns } from "./row-type.ts";
import type { NameScope } from "./scope.ts";

/** The columns of `*`, `t.*` and `* EXCEPT (a, b)`. `at` is the offset of the star. */
export function starRow(star: SyntaxNode, scope: NameScope, at: number, context: QueryContext): RowType {
  const table = identifierOf(star.table);
  const offset = table?.from === undefined ? at : context.toOffset(table.from);
  for (const foreign of ["replace", "rename"]) {
    if (Array.isArray(star[foreign]))
      context.report(offset, `* ${foreign.toUpperCase()} is not supported by Databricks: list the columns.`);
  }
  const owner = table?.name.toLowerCase();
  const relations =
    owner === undefined
      ? scope.relations
      : scope.relations.filter(({ names }) => names.some((name) => name.join(".") === owner)).slice(0, 1);
  if (owner !== undefined && relations.length === 0) {
    context.report(offset, `${table?.name} is not a table here: list the fields of a struct one by one.`);
    return unknownRow(offset);
  }
  const all = relations.map(({ rows }) => rows);
  const rows: RowType = {
    columns: owner === undefined ? onceJoined(all, scope) : all.flatMap(({ columns }) => columns),
    open: all.flatMap(({ open }) => open),
  };
  const left = new Set(identifiersOf(star.except).map(({ name }) => name.toLowerCase()));
  return withoutColumns(rows, left);
}

/** A column that USING merges is included once. */
function onceJoined(all: readonly RowType[], { joined }: NameScope): RowType["columns"] {
  const given = new Set<string>();
  return all
    .flatMap(({ columns }) => columns)
    .flatMap((column) => {
      const key = column.name.toLowerCase();
      const sources = joined.get(key);
      if (!sources) return [column];
      if (given.has(key)) return [];
      given.add(key);
      return [{ ...column, sources }];
    });
}
