import type { Sql } from "./load.ts";
import { parseProblem } from "./parse-problem.ts";
import type { Reading } from "./select/reading.ts";
import { sloppy } from "./sloppy.ts";
import { unitsOf } from "./source-location.ts";
import type { SyntaxNode } from "./syntax.ts";
import type { Token } from "./token.ts";
import { type Understood, understood } from "./understood.ts";
import { unexplained } from "./unexplained.ts";

interface StatementRules extends Pick<Reading, "declared" | "unsure" | "absent" | "catalog" | "schema"> {
  readonly functions?: readonly string[];
  /** Words that may stand in it beside those of a query. */
  readonly words: ReadonlySet<string>;
}

interface StatementTree {
  readonly statement: SyntaxNode;
  readonly names: Understood;
  /** What is known for reading it, without what only a query has. */
  readonly reading: Omit<Reading, "query">;
}

/** Hands one statement to the library, and tells each word that nobody accounts for. */
export function readStatement(
  sql: Sql,
  text: string,
  tokens: readonly Token[],
  { functions = [], words, declared, unsure, absent, catalog, schema }: StatementRules,
  complain: (at: number, message: string) => void,
): StatementTree | undefined {
  const units = unitsOf(text);
  const parsed = sql.parse(text);
  if (parsed.error !== undefined) {
    const { at, message } = parseProblem(parsed, tokens, units);
    complain(at, message);
    return undefined;
  }
  const [statement] = parsed.statements;
  if (!statement || parsed.statements.length !== 1) {
    complain(tokens[0]?.start ?? 0, "expected exactly one statement.");
    return undefined;
  }
  const names = understood(statement, tokens, units);
  const vocabulary = { words, functions: new Set(functions.map((name) => name.toLowerCase())) };
  for (const { at, message } of [
    ...names.remarks,
    ...unexplained(tokens, names, vocabulary),
    ...sloppy(tokens, names),
  ])
    complain(at, message);
  const known = { declared, unsure, absent, catalog, schema };
  const found = { tables: new Set<string>(), seen: new Set<SyntaxNode>() };
  return {
    statement,
    names,
    reading: { complain, units, tokens, ...known, ...found, outermost: undefined, items: [] },
  };
}
