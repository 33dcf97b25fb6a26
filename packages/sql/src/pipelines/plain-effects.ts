import { counted, suggestion } from "@lakehelm/contract/text";
import { plainName } from "../names/table-name.ts";
import type { QueryAnalysis } from "../query/query-analysis.ts";
import type { PlainDraft } from "./drafts.ts";
import type { PlainMeaning } from "./plan.ts";
import { noSuchTable, type TableCatalog } from "./table-catalog.ts";

type Create = PlainMeaning & { readonly verb: "create_table" };
type Insert = PlainMeaning & { readonly verb: "insert" };

/** Checks a plain statement against its table, and applies its effect to the catalog. `read` is its query. */
export function applyEffect(draft: PlainDraft, read: QueryAnalysis | undefined, catalog: TableCatalog): void {
  const { meaning, at } = draft;
  const { report } = draft.statement;
  if (!meaning || meaning.verb === "create_schema") return;
  const name = plainName(meaning.table);
  const columns = catalog.invalid.has(name) ? undefined : catalog.tables.get(name);
  switch (meaning.verb) {
    // The analysis of UPDATE, DELETE and MERGE checks their table.
    case "update":
    case "delete":
    case "merge":
      break;
    case "create_table":
      created(meaning, name, read, draft, catalog);
      break;
    case "drop_table":
    case "drop_view":
      if (!meaning.ifExists) requireTable(name, draft, catalog);
      catalog.tables.delete(name);
      break;
    case "insert":
      if (requireTable(name, draft, catalog) && columns) inserted(meaning, name, columns, read, draft);
      break;
    case "add_columns": {
      if (!requireTable(name, draft, catalog)) break;
      const existing = meaning.columns.find((column) => has(columns, column.name));
      if (existing) report(at, `${name} already has a column ${existing.name}.`);
      if (columns) catalog.tables.set(name, [...columns, ...meaning.columns.map((column) => column.name)]);
      break;
    }
    case "describe":
      if (requireTable(name, draft, catalog) && "column" in meaning.change && columns)
        if (!has(columns, meaning.change.column)) report(at, noColumn(name, meaning.change.column, columns));
      break;
    case "truncate":
    case "keep":
      requireTable(name, draft, catalog);
  }
}

function requireTable(name: string, { statement, at }: PlainDraft, { tables }: TableCatalog): boolean {
  if (tables.has(name)) return true;
  statement.report(
    at,
    noSuchTable(name, () => suggestion(name, tables.keys())),
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
  read: QueryAnalysis | undefined,
  { isBroken, statement, at }: PlainDraft,
  catalog: TableCatalog,
): void {
  const exists = catalog.tables.has(name);
  if (exists && ifNotExists) return;
  if (exists && !orReplace)
    statement.report(at, `the table ${name} already exists: write OR REPLACE or IF NOT EXISTS.`);
  const given = read?.isComplete ? read.columns?.map((column) => column.name) : undefined;
  if (columns.length > 0 && read?.columns && given && given.length !== columns.length)
    statement.report(
      at,
      `${name} has ${counted(columns.length, "column")}, but its query has ${given.length}.`,
    );
  catalog.tables.set(name, columns.length > 0 ? columns.map((column) => column.name) : given);
  if (isBroken || (columns.length === 0 && !given)) catalog.invalid.add(name);
  else catalog.invalid.delete(name);
}

function inserted(
  { columns: named, byName }: Insert,
  name: string,
  columns: readonly string[],
  read: QueryAnalysis | undefined,
  { statement, at, query }: PlainDraft,
): void {
  for (const column of named ?? [])
    if (!has(columns, column)) statement.report(at, noColumn(name, column, columns));
  const given = read?.columns;
  if (!given || !read.isComplete) return;
  if (byName) {
    for (const column of given)
      if (!has(columns, column.name))
        statement.report((query?.at ?? 0) + column.at, noColumn(name, column.name, columns));
    return;
  }
  const expected = (named ?? columns).length;
  if (given.length !== expected)
    statement.report(
      query?.at ?? at,
      `${name} needs ${counted(expected, "column")} here, but the query has ${given.length}.`,
    );
}
