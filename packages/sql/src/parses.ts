import { lonelyBracket } from "./brackets.ts";
import { tooMuch } from "./limits.ts";
import type { Sql } from "./load.ts";
import { parseProblem } from "./parse-problem.ts";
import { scan } from "./scan.ts";
import { sloppy } from "./sloppy.ts";
import { placeOf, unitsOf } from "./source-location.ts";
import { isOwn, ownStatement } from "./statements/own.ts";
import { readWith, withoutSemicolon } from "./statements/read-own.ts";
import { expressionOf } from "./syntax.ts";
import type { Remark, Token } from "./token.ts";
import { understood } from "./understood.ts";
import { unexplained } from "./unexplained.ts";
import { changeWords } from "./words/keywords.ts";

/** What the library may take a statement for. */
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

/** Nothing if one statement is sound in the Databricks dialect, else a sentence with the place. */
export function parses(sql: Sql, statement: string): string | undefined {
  const wrong = statementRemark(sql, statement);
  return wrong && `${placeOf(statement, wrong.at)}: ${wrong.message}`;
}

/** The same, with the place as an offset. */
export function statementRemark(sql: Sql, statement: string): Remark | undefined {
  const { tokens, remarks } = scan(statement);
  return (
    remarks[0] ??
    tooMuch(tokens) ??
    lonelyBracket(tokens) ??
    firstRemark(sql, statement, withoutSemicolon(tokens))
  );
}

function firstRemark(sql: Sql, text: string, tokens: readonly Token[]): Remark | undefined {
  const [head, second, , fourth] = tokens.map(({ value }) => value);
  if (!head) return { at: 0, message: "the statement is empty." };
  const semicolon = tokens.find(({ text: mark }) => mark === ";");
  if (semicolon) return { at: semicolon.start, message: "expected one statement, found a semicolon." };
  return isOwn(head, second ?? "", fourth ?? "")
    ? readWith(ownStatement, tokens, text.length).remark
    : libraryRemark(sql, text, tokens);
}

function libraryRemark(sql: Sql, text: string, tokens: readonly Token[]): Remark | undefined {
  // The library does not know WITH SCHEMA EVOLUTION: with blanks in its place all other words stay where they are.
  const known = text.replace(
    /^(\s*MERGE\s+)(WITH\s+SCHEMA\s+EVOLUTION)\b/i,
    (_all, merge: string, evolution: string) => merge + " ".repeat(evolution.length),
  );
  const words = known === text ? tokens : tokens.filter((_, index) => index === 0 || index > 3);
  const units = unitsOf(text);
  const parsed = sql.parse(known);
  if (parsed.error !== undefined) return parseProblem(parsed, words, units);
  const [statement] = parsed.statements;
  const { kind, body } = expressionOf(statement) ?? { kind: "", body: {} };
  const at = tokens[0]?.start ?? 0;
  if (!statement || parsed.statements.length !== 1 || !kinds.has(kind)) {
    return { at, message: `${tokens[0]?.text ?? ""} does not begin a statement that can be checked.` };
  }
  if (kind === "merge" && !(body.on && body.whens))
    return { at, message: "MERGE needs ON and at least one WHEN." };
  const names = understood(statement, words, units);
  const vocabulary = { words: changeWords, functions: new Set<string>() };
  return [...names.remarks, ...unexplained(words, names, vocabulary), ...sloppy(words, names)][0];
}
