import { suggestion } from "@lakehelm/contract/text";
import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import type { RecognizedNames } from "../parser/recognized-names.ts";
import { builtInFunctions, functionProblem } from "./functions.ts";
import { clauseWords, queryWords, types, units } from "./keywords.ts";

export const noDefault = "DEFAULT is not supported here: leave the column out, or write its value.";

interface Vocabulary {
  /** Keywords allowed in the statement in addition to those of a query. */
  readonly words: ReadonlySet<string>;
  /** Functions allowed in addition to the built-in ones, in lower case. */
  readonly functions: ReadonlySet<string>;
}

/**
 * The parser accepts more than Databricks does, and drops what it does not understand. So each word of the text must be
 * a name in the tree, a keyword or an allowed function. Any other word is reported.
 */
export function unknownWords(
  tokens: readonly SqlToken[],
  { identifiers: named, unlocated: unplaced }: RecognizedNames,
  { words, functions }: Vocabulary,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "word" && token.kind !== "quoted") continue;
    const { value, text, start: at } = token;
    const name = value.toLowerCase();
    const before = tokens[index - 1];
    const called = tokens[index + 1]?.text === "(";
    if (called && before?.text === ".") {
      diagnostics.push({
        at,
        message: `${text}() is a function of a schema: only built-in functions are allowed, because a user-defined one can read any table.`,
      });
      continue;
    }
    if (named.has(index)) continue;
    const known = queryWords.has(name) || words.has(name) || types.has(name) || units.has(name);
    if (token.kind === "word" && known) continue;
    const alias = before?.value === "as" || before?.text === ")";
    if (unplaced.has(name) && (!called || alias)) continue;
    if (called) {
      const message = functionProblem(name, functions);
      const close = builtInFunctions.has(name) ? "" : suggestion(name, builtInFunctions);
      if (message !== undefined) diagnostics.push({ at, message: message + close });
    } else
      diagnostics.push({
        at,
        message: name === "default" ? noDefault : `unexpected ${text}.${suggestion(name, clauseWords)}`,
      });
  }
  return diagnostics;
}
