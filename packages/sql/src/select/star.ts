import { identifierOf, identifiersOf, type SyntaxNode } from "../syntax.ts";
import type { Reading } from "./reading.ts";
import { anything, type Rows, without } from "./rows.ts";
import type { Scope } from "./scope.ts";

/** What `*`, `t.*` and `* EXCEPT (a, b)` stand for. `at` is where the star is. */
export function starred(star: SyntaxNode, scope: Scope, at: number, reading: Reading): Rows {
  const table = identifierOf(star.table);
  const place = table?.from === undefined ? at : reading.units(table.from);
  for (const foreign of ["replace", "rename"]) {
    if (Array.isArray(star[foreign]))
      reading.complain(place, `* ${foreign.toUpperCase()} is not known to Databricks: name the columns.`);
  }
  const owner = table?.name.toLowerCase();
  const relations =
    owner === undefined
      ? scope.relations
      : scope.relations.filter(({ names }) => names.some((name) => name.join(".") === owner)).slice(0, 1);
  if (owner !== undefined && relations.length === 0) {
    reading.complain(place, `${table?.name} is not a table here: name the fields of a struct one by one.`);
    return anything(place);
  }
  const all = relations.map(({ rows }) => rows);
  const rows: Rows = {
    columns: owner === undefined ? onceJoined(all, scope) : all.flatMap(({ columns }) => columns),
    rest: all.flatMap(({ rest }) => rest),
  };
  const left = new Set(identifiersOf(star.except).map(({ name }) => name.toLowerCase()));
  return without(rows, left);
}

/** A column that USING made one of two comes once. */
function onceJoined(all: readonly Rows[], { joined }: Scope): Rows["columns"] {
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
