import { suggestion } from "@lakehelm/contract/text";
import { plainName } from "../names.ts";
import type { QueryReading } from "../read-query.ts";
import type { PlainDraft } from "./draft.ts";
import { type Known, noTable } from "./known.ts";
import type { PlainMeaning } from "./plan.ts";

type Create = PlainMeaning & { readonly verb: "create_table" };
type Insert = PlainMeaning & { readonly verb: "insert" };

/** Checks a plain statement against its table, and notes what that is afterwards. `read` is its query. */
export function takeEffect(draft: PlainDraft, read: QueryReading | undefined, known: Known): void {
  const { meaning, at } = draft;
  const { complain } = draft.statement;
  if (!meaning || meaning.verb === "create_schema") return;
  const name = plainName(meaning.table);
  const columns = known.unsure.has(name) ? undefined : known.tables.get(name);
  switch (meaning.verb) {
    // Who reads UPDATE, DELETE and MERGE looks at their table too.
    case "update":
    case "delete":
    case "merge":
      break;
    case "create_table":
      created(meaning, name, read, draft, known);
      break;
    case "drop_table":
    case "drop_view":
      if (!meaning.ifExists) mustBeThere(name, draft, known);
      known.tables.delete(name);
      break;
    case "insert":
      if (mustBeThere(name, draft, known) && columns) inserted(meaning, name, columns, read, draft);
      break;
    case "add_columns": {
      if (!mustBeThere(name, draft, known)) break;
      const twice = meaning.columns.find((column) => has(columns, column.name));
      if (twice) complain(at, `${name} has a column ${twice.name} already.`);
      if (columns) known.tables.set(name, [...columns, ...meaning.columns.map((column) => column.name)]);
      break;
    }
    case "describe":
      if (mustBeThere(name, draft, known) && "column" in meaning.change && columns)
        if (!has(columns, meaning.change.column))
          complain(at, noColumn(name, meaning.change.column, columns));
      break;
    case "truncate":
    case "keep":
      mustBeThere(name, draft, known);
  }
}

function mustBeThere(name: string, { statement, at }: PlainDraft, { tables }: Known): boolean {
  if (tables.has(name)) return true;
  statement.complain(
    at,
    noTable(name, () => suggestion(name, tables.keys())),
  );
  return false;
}

const has = (columns: readonly string[] | undefined, name: string): boolean =>
  columns?.some((one) => one.toLowerCase() === name.toLowerCase()) === true;

const noColumn = (table: string, column: string, columns: readonly string[]): string =>
  `${table} has no column ${column}.${suggestion(column, columns)}`;

function created(
  { columns, orReplace, ifNotExists }: Create,
  name: string,
  read: QueryReading | undefined,
  { isBroken, statement, at }: PlainDraft,
  known: Known,
): void {
  const isThere = known.tables.has(name);
  if (isThere && ifNotExists) return;
  if (isThere && !orReplace)
    statement.complain(at, `there is a table ${name} already: write OR REPLACE or IF NOT EXISTS.`);
  const given = read?.isWhole ? read.columns?.map((column) => column.name) : undefined;
  if (columns.length > 0 && read?.columns && given && given.length !== columns.length)
    statement.complain(at, `${name} names ${columns.length} columns, and its query gives ${given.length}.`);
  known.tables.set(name, columns.length > 0 ? columns.map((column) => column.name) : given);
  if (isBroken || (columns.length === 0 && !given)) known.unsure.add(name);
  else known.unsure.delete(name);
}

function inserted(
  { columns: named, byName }: Insert,
  name: string,
  columns: readonly string[],
  read: QueryReading | undefined,
  { statement, at, query }: PlainDraft,
): void {
  for (const column of named ?? [])
    if (!has(columns, column)) statement.complain(at, noColumn(name, column, columns));
  const given = read?.columns;
  if (!given || !read.isWhole) return;
  if (byName) {
    for (const column of given)
      if (!has(columns, column.name))
        statement.complain((query?.at ?? 0) + column.at, noColumn(name, column.name, columns));
    return;
  }
  const wanted = (named ?? columns).length;
  if (given.length !== wanted)
    statement.complain(
      query?.at ?? at,
      `${name} takes ${wanted} columns here, and the query gives ${given.length}.`,
    );
}
