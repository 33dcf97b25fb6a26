import type { SqlParser } from "../parser/sql-parser.ts";
import { changedTables, nodesOf, type PlainNode } from "./nodes.ts";
import { plainStatement, textOf } from "./plain-statement.ts";
import { analyzePlainStep } from "./plain-step.ts";
import type { PlanRules, ScriptAnalysis, ScriptStatement } from "./plan.ts";
import { problemList } from "./problem-list.ts";
import { readSource } from "./source-reader.ts";
import { statementLocation } from "./statements/statement.ts";
import { addOthers, cachingParser, type TableCatalog } from "./table-catalog.ts";
import { readsOf } from "./table-reads.ts";

export interface ScriptRules
  extends Pick<PlanRules, "catalog" | "schema" | "tables" | "unknown" | "configuration" | "othersExist"> {
  /** The path in the problems of this text. */
  readonly path: string;
  /** The names of `:name` parameters that have a value; undefined: any. */
  readonly parameters?: readonly string[];
}

/**
 * Analyzes the SQL of a task: queries and plain statements, each against the tables that exist after the previous
 * statements.
 */
export function readScript(parser: SqlParser, text: string, rules: ScriptRules): ScriptAnalysis {
  const found = problemList();
  const reader = cachingParser(parser);
  const drafts = readSource({ path: rules.path, text }, { ...rules, language: "script" }, found);
  const catalog: TableCatalog = { tables: new Map(rules.tables), invalid: new Set() };
  addOthers(catalog, rules.unknown ?? []);
  const statements: ScriptStatement[] = [];
  for (const node of nodesOf(drafts)) {
    if (node.kind !== "plain" || found.isFull) continue;
    if (rules.othersExist) {
      const others = changedTables(node);
      readsOf(reader, node, { ...catalog, onUnknown: (table) => others.push(table) });
      addOthers(catalog, others);
    }
    const reads = readsOf(reader, node, catalog);
    analyzePlainStep(reader, node.draft, catalog);
    statements.push(scriptStatement(node, reads));
  }
  const problems = found.all([rules.path]);
  return problems.length > 0 ? { problems } : { statements };
}

function scriptStatement({ draft, writes }: PlainNode, reads: readonly string[]): ScriptStatement {
  const { statement, query } = draft;
  const { tokens, defaults: within } = statement;
  const start = tokens[0]?.start ?? 0;
  const end = tokens.at(-1)?.end ?? 0;
  const parameters = statement.parameters
    .filter(({ from, to }) => from >= start && to <= end)
    .map(({ name, from, to }) => ({ name, from: from - start, to: to - start }));
  const plain = plainStatement(draft, reads, writes);
  if (plain) return { kind: "plain", verb: plain.meaning.verb, ...plain, parameters };
  const at = statementLocation(statement);
  return { kind: "query", ...textOf(statement, query), reads, defaults: within, location: at, parameters };
}
