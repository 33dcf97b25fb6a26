import { plainName } from "../names/table-name.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import type { QueryDraft } from "./drafts.ts";
import type { PipelineNode } from "./nodes.ts";
import { isChange } from "./plain-step.ts";
import type { SourceStatement } from "./statements/statement.ts";
import { analyzeChangeIn, analyzeQueryIn, type TableCatalog } from "./table-catalog.ts";

/** The tables that a node reads. Problems are reported later, when columns are known. */
export function readsOf(parser: SqlParser, node: PipelineNode, all: TableCatalog): readonly string[] {
  const catalog: TableCatalog = { ...all, isSilent: true };
  const tablesOf = (query: QueryDraft | null, statement: SourceStatement): readonly string[] =>
    query ? analyzeQueryIn(parser, query, statement, catalog, false).tables : [];
  if (node.kind === "plain") {
    const { meaning, query, statement } = node.draft;
    if (query && isChange(node.draft)) return analyzeChangeIn(parser, query, statement, catalog).tables;
    if (meaning?.verb === "describe" || meaning?.verb === "keep") return [plainName(meaning.table)];
    return tablesOf(query, statement);
  }
  const { draft, flows } = node;
  const fed = flows.flatMap(({ input: { query, cdc }, statement }) =>
    cdc ? [plainName(cdc.source.table)] : tablesOf(query, statement),
  );
  return [...new Set([...tablesOf(draft.query, draft.statement), ...fed])];
}
