import { ddlStatement, isDdl } from "./grammar/ddl.ts";
import { runGrammar, withoutSemicolon } from "./grammar/grammar.ts";
import { unbalancedBracket } from "./lexer/brackets.ts";
import { tokenize } from "./lexer/lexer.ts";
import { limitProblem } from "./lexer/limits.ts";
import type { Diagnostic, SqlToken } from "./lexer/token.ts";
import { parseErrorDiagnostic } from "./parser/parse-error.ts";
import { recognizeNames } from "./parser/recognized-names.ts";
import type { SqlParser } from "./parser/sql-parser.ts";
import { syntaxRuleViolations } from "./parser/syntax-rules.ts";
import { expressionOf } from "./parser/syntax-tree.ts";
import { describeLocation, utf16Offsets } from "./source-location.ts";
import { changeWords } from "./vocabulary/keywords.ts";
import { unknownWords } from "./vocabulary/unknown-words.ts";

/** The kinds of statements that the parser may return. */
const kinds = new Set([
  "select",
  "union",
  "intersect",
  "except",
  "values",
  "subquery",
  "insert",
  "merge",
  "delete",
  "update",
  "create_view",
]);

/** Why a statement is not valid in the Databricks dialect, as a sentence with its location; undefined if it is valid. */
export function statementProblem(parser: SqlParser, statement: string): string | undefined {
  const wrong = statementDiagnostic(parser, statement);
  return wrong && `${describeLocation(statement, wrong.at)}: ${wrong.message}`;
}

/** Like `statementProblem`, with an offset. */
export function statementDiagnostic(parser: SqlParser, statement: string): Diagnostic | undefined {
  const { tokens, diagnostics } = tokenize(statement);
  return (
    diagnostics[0] ??
    limitProblem(tokens) ??
    unbalancedBracket(tokens) ??
    firstDiagnostic(parser, statement, withoutSemicolon(tokens))
  );
}

function firstDiagnostic(
  parser: SqlParser,
  text: string,
  tokens: readonly SqlToken[],
): Diagnostic | undefined {
  const [head, second, , fourth] = tokens.map(({ value }) => value);
  if (!head) return { at: 0, message: "the statement is empty." };
  const semicolon = tokens.find(({ text: mark }) => mark === ";");
  if (semicolon) return { at: semicolon.start, message: "expected a single statement, found a semicolon." };
  return isDdl(head, second ?? "", fourth ?? "")
    ? runGrammar(ddlStatement, tokens, text.length).diagnostic
    : parserDiagnostic(parser, text, tokens);
}

function parserDiagnostic(
  parser: SqlParser,
  text: string,
  tokens: readonly SqlToken[],
): Diagnostic | undefined {
  // The parser does not know WITH SCHEMA EVOLUTION. Blanks replace it, so that all other tokens keep their offsets.
  const known = text.replace(
    /^(\s*MERGE\s+)(WITH\s+SCHEMA\s+EVOLUTION)\b/i,
    (_all, merge: string, evolution: string) => merge + " ".repeat(evolution.length),
  );
  const words = known === text ? tokens : tokens.filter((_, index) => index === 0 || index > 3);
  const toOffset = utf16Offsets(text);
  const parsed = parser.parse(known);
  if (parsed.error !== undefined) return parseErrorDiagnostic(parsed, words, toOffset);
  const [statement] = parsed.statements;
  const { kind, body } = expressionOf(statement) ?? { kind: "", body: {} };
  const at = tokens[0]?.start ?? 0;
  if (!statement || parsed.statements.length !== 1 || !kinds.has(kind)) {
    return { at, message: `${tokens[0]?.text ?? ""} does not start a supported statement.` };
  }
  if (kind === "merge" && !(body.on && body.whens))
    return { at, message: "MERGE needs ON and at least one WHEN." };
  const names = recognizeNames(statement, words, toOffset);
  const vocabulary = { words: changeWords, functions: new Set<string>() };
  return [
    ...names.diagnostics,
    ...unknownWords(words, names, vocabulary),
    ...syntaxRuleViolations(words, names),
  ][0];
}
