import type { SqlParser } from "../parser/sql-parser.ts";
import type { PlainDraft } from "./drafts.ts";
import { applyEffect } from "./plain-effects.ts";
import { analyzeChangeIn, analyzeQueryIn, type TableCatalog } from "./table-catalog.ts";

const changes = new Set(["update", "delete", "merge"]);

/** Whether the parser reads the statement as a whole. */
export const isChange = ({ meaning }: PlainDraft): boolean => meaning !== null && changes.has(meaning.verb);

/** Analyzes a plain statement against the tables that exist when it runs, and applies its effect to them. */
export function analyzePlainStep(parser: SqlParser, draft: PlainDraft, catalog: TableCatalog): void {
  const { meaning, query, statement } = draft;
  for (const { at } of query?.streams ?? [])
    statement.report(at, "only a streaming table can read a stream: remove STREAM.");
  // If a column list or an existing table determines the names, the query needs none.
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
