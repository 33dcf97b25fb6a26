import type { SqlToken } from "../lexer/token.ts";
import { parseErrorDiagnostic } from "../parser/parse-error.ts";
import { type RecognizedNames, recognizeNames } from "../parser/recognized-names.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import { syntaxRuleViolations } from "../parser/syntax-rules.ts";
import type { SyntaxNode } from "../parser/syntax-tree.ts";
import { utf16Offsets } from "../source-location.ts";
import { unknownWords } from "../vocabulary/unknown-words.ts";
import type { QueryContext } from "./query-context.ts";

interface StatementRules
  extends Pick<QueryContext, "declared" | "types" | "invalid" | "unknownTable" | "catalog" | "schema"> {
  readonly functions?: readonly string[];
  /** Keywords allowed in addition to those of a query. */
  readonly words: ReadonlySet<string>;
}

interface ParsedStatement {
  readonly statement: SyntaxNode;
  readonly names: RecognizedNames;
  /** The context for the analysis, without the parts that only a query has. */
  readonly context: Omit<QueryContext, "query">;
}

/** Parses one statement and reports each word that the tree does not account for. */
export function parseStatement(
  parser: SqlParser,
  text: string,
  tokens: readonly SqlToken[],
  { functions = [], words, declared, types, invalid, unknownTable, catalog, schema }: StatementRules,
  report: (at: number, message: string) => void,
): ParsedStatement | undefined {
  const toOffset = utf16Offsets(text);
  const misplaced = withBeforeChange(tokens);
  if (misplaced !== undefined) {
    report(tokens[0]?.start ?? 0, misplaced);
    return undefined;
  }
  const parsed = parser.parse(text);
  if (parsed.error !== undefined) {
    const { at, message } = parseErrorDiagnostic(parsed, tokens, toOffset);
    report(at, message);
    return undefined;
  }
  const [statement] = parsed.statements;
  if (!statement || parsed.statements.length !== 1) {
    report(tokens[0]?.start ?? 0, "expected exactly one statement.");
    return undefined;
  }
  const names = recognizeNames(statement, tokens, toOffset);
  const vocabulary = { words, functions: new Set(functions.map((name) => name.toLowerCase())) };
  for (const { at, message } of [
    ...names.diagnostics,
    ...unknownWords(tokens, names, vocabulary),
    ...syntaxRuleViolations(tokens, names),
  ])
    report(at, message);
  const known = { declared, ...(types && { types }), invalid, unknownTable, catalog, schema };
  const found = { tables: new Set<string>(), references: [], visited: new Set<SyntaxNode>() };
  return {
    statement,
    names,
    context: { report, toOffset, tokens, ...known, ...found, outermost: undefined, items: [] },
  };
}

const placesOfWith: ReadonlyMap<string, string> = new Map([
  ["insert", "Write it after the name of the table: INSERT INTO orders WITH …"],
  ["merge", "Write it in the parentheses after USING."],
  ["update", "Write its queries where they are used."],
  ["delete", "Write its queries where they are used."],
]);

/** What to write in place of `WITH recent AS (…) INSERT INTO …`. */
function withBeforeChange(tokens: readonly SqlToken[]): string | undefined {
  if (tokens[0]?.value !== "with") return undefined;
  let depth = 0;
  for (const [index, { text, value }] of tokens.entries()) {
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    const place = depth === 0 && tokens[index - 1]?.text === ")" ? placesOfWith.get(value) : undefined;
    if (place !== undefined) return `a WITH before ${value.toUpperCase()} is not supported. ${place}`;
  }
  return undefined;
}
