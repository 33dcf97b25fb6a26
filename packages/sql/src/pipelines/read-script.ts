import type { Sql } from "../load.ts";
import { newComplaints } from "./complaints.ts";
import { type Known, rememberingSql } from "./known.ts";
import { nodesOf, type PlainNode } from "./nodes.ts";
import { plainStatement, textOf } from "./plain-statement.ts";
import { readPlainStep } from "./plain-step.ts";
import type { PlanRules, ScriptReading, ScriptStatement } from "./plan.ts";
import { readSource } from "./read-source.ts";
import { readsOf } from "./reads.ts";
import { placeOfStatement } from "./statements/statement.ts";

export interface ScriptRules extends Pick<PlanRules, "catalog" | "schema" | "known" | "configuration"> {
  /** What problems call the text. */
  readonly path: string;
  /** Which `:name` have a value; without it, any. */
  readonly parameters?: readonly string[];
}

/** Reads the SQL of a task: queries and plain statements, each against what is there after those before it. */
export function readScript(sql: Sql, text: string, rules: ScriptRules): ScriptReading {
  const complaints = newComplaints();
  const reader = rememberingSql(sql);
  const drafts = readSource({ path: rules.path, text }, { ...rules, language: "script" }, complaints);
  const known: Known = { tables: new Map(rules.known), unsure: new Set() };
  const statements: ScriptStatement[] = [];
  for (const node of nodesOf(drafts)) {
    if (node.kind !== "plain" || complaints.isFull) continue;
    const reads = readsOf(reader, node, known);
    readPlainStep(reader, node.draft, known);
    statements.push(scriptStatement(node, reads));
  }
  const problems = complaints.all([rules.path]);
  return problems.length > 0 ? { problems } : { statements };
}

function scriptStatement({ draft, writes }: PlainNode, reads: readonly string[]): ScriptStatement {
  const { statement, query } = draft;
  const { tokens, within } = statement;
  const start = tokens[0]?.start ?? 0;
  const end = tokens.at(-1)?.end ?? 0;
  const parameters = statement.parameters
    .filter(({ from, to }) => from >= start && to <= end)
    .map(({ name, from, to }) => ({ name, from: from - start, to: to - start }));
  const plain = plainStatement(draft, reads, writes);
  if (plain) return { kind: "plain", verb: plain.meaning.verb, ...plain, parameters };
  const at = placeOfStatement(statement);
  return { kind: "query", ...textOf(statement, query), reads, within, at, parameters };
}
