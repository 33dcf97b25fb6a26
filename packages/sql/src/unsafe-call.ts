import { suggestion } from "@lakehelm/contract/text";
import type { Diagnostic, SqlToken } from "./lexer/token.ts";
import { builtInFunctions, functionProblem, reasonAgainst } from "./vocabulary/functions.ts";
import { queryWords, types } from "./vocabulary/keywords.ts";

const noFunctions: ReadonlySet<string> = new Set();

/**
 * The first location where a query accesses more than the tables that it names: a function that is not built in or
 * reads more than its arguments, a program (`TRANSFORM … USING 'program'`), or a file in place of a table. For queries
 * that an engine runs unchanged.
 */
export function unsafeCall(tokens: readonly SqlToken[]): Diagnostic | undefined {
  for (const [at, token] of tokens.entries()) {
    const message = callProblem(tokens, at) ?? programProblem(tokens, at) ?? fileProblem(tokens, at);
    if (message !== undefined) return { at: token.start, message };
  }
  return undefined;
}

function callProblem(tokens: readonly SqlToken[], at: number): string | undefined {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!token || after?.text !== "(" || (token.kind !== "word" && token.kind !== "quoted")) return undefined;
  // This is the name of a table or CTE with a column list.
  if (before?.kind === "word" && ["as", "with", "recursive"].includes(before.value)) return undefined;
  if (before?.text === ".") {
    return `${token.text} has a schema in front: only built-in functions may be called, by their names alone.`;
  }
  const name = token.value.toLowerCase();
  if (token.kind === "word" && (queryWords.has(name) || types.has(name) || name === "range"))
    return undefined;
  const problem = functionProblem(name, noFunctions);
  if (problem === undefined || reasonAgainst(name) !== undefined) return problem;
  const looksLikeTable =
    before?.text === ")" ||
    before?.kind === "quoted" ||
    (before?.kind === "word" && !queryWords.has(before.value));
  const close = looksLikeTable ? "" : suggestion(name, builtInFunctions);
  // The name after a comma can also be a CTE.
  return `${problem}${close || (looksLikeTable || before?.text === "," ? aliasHint : "")}`;
}

const aliasHint =
  " To name the columns of a table, write AS in front of its name; of a CTE, name them in its SELECT.";

function programProblem(tokens: readonly SqlToken[], at: number): string | undefined {
  const isUsing = tokens[at]?.kind === "word" && tokens[at]?.value === "using";
  return isUsing && tokens[at + 1]?.kind === "string"
    ? "USING runs a program, which is not allowed."
    : undefined;
}

function fileProblem(tokens: readonly SqlToken[], at: number): string | undefined {
  const token = tokens[at];
  const isPath = token?.kind === "quoted" && /[/\\:]/.test(token.value) && tokens[at - 1]?.text === ".";
  return isPath ? `${token.text} is a path: files cannot be read by a query. Name a table.` : undefined;
}
