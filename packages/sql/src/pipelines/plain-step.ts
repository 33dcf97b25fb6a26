import type { SqlParser } from "../parser/sql-parser.ts";
import type { PlainDraft } from "./drafts.ts";
import { applyEffect } from "./plain-effects.ts";
import { analyzeChangeIn, analyzeQueryIn, type TableCatalog } from "./table-catalog.ts";

const changes = new Set(["update", "delete", "merge"]);

/** Whether the library reads a statement as a whole. */
export const isChange = ({ meaning }: PlainDraft): boolean => meaning !== null && changes.has(meaning.verb);

/** Reads a plain statement against the tables that are there when it runs, and notes what it changes of them. */
export function analyzePlainStep(parser: SqlParser, draft: PlainDraft, catalog: TableCatalog): void {
  const { meaning, query, statement } = draft;
  for (const { at } of query?.streams ?? [])
    statement.report(at, "only a streaming table takes what is new: read the whole table, without STREAM.");
  // A list of columns, or the table that is there, has the names: then the query needs none.
  const isNamed =
    (meaning?.verb === "create_table" && meaning.columns.length === 0) ||
    (meaning?.verb === "insert" && meaning.byName);
  const read =
    query && !isChange(draft) ? analyzeQueryIn(parser, query, statement, catalog, isNamed) : undefined;
  const changed = query && isChange(draft) ? analyzeChangeIn(parser, query, statement, catalog) : undefined;
  for (const { at, message } of [...(read?.diagnostics ?? []), ...(changed?.diagnostics ?? [])])
    statement.report((query?.at ?? 0) + at, message);
  applyEffect(draft, read, catalog);
}
