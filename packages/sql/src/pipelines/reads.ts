import type { Sql } from "../load.ts";
import { plainName } from "../names.ts";
import type { QueryDraft } from "./draft.ts";
import { changeIn, type Known, queryIn } from "./known.ts";
import type { Node } from "./nodes.ts";
import { isChange } from "./plain-step.ts";
import type { Statement } from "./statements/statement.ts";

/** What a node reads, of all tables that there may be. What is wrong with it is told later, when columns are known. */
export function readsOf(sql: Sql, node: Node, all: Known): readonly string[] {
  const known: Known = { ...all, isQuiet: true };
  const tablesOf = (query: QueryDraft | null, statement: Statement): readonly string[] =>
    query ? queryIn(sql, query, statement, known, false).tables : [];
  if (node.kind === "plain") {
    const { meaning, query, statement } = node.draft;
    if (query && isChange(node.draft)) return changeIn(sql, query, statement, known).tables;
    if (meaning?.verb === "describe" || meaning?.verb === "keep") return [plainName(meaning.table)];
    return tablesOf(query, statement);
  }
  const { draft, flows } = node;
  const fed = flows.flatMap(({ fed: { query, cdc }, statement }) =>
    cdc ? [plainName(cdc.source.table)] : tablesOf(query, statement),
  );
  return [...new Set([...tablesOf(draft.query, draft.statement), ...fed])];
}
