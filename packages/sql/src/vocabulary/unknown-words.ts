import { suggestion } from "@lakehelm/contract/text";
import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import type { RecognizedNames } from "../parser/recognized-names.ts";
import { builtInFunctions, functionProblem } from "./functions.ts";
import { queryWords, types, units } from "./keywords.ts";

interface Vocabulary {
  /** Words that may stand in the statement beside those of a query. */
  readonly words: ReadonlySet<string>;
  /** Functions that may be called beside the built-in ones, in lower case. */
  readonly functions: ReadonlySet<string>;
}

/**
 * The library reads more than Databricks does and drops what it does not understand. So each word of the text must
 * be accounted for: as a name in the tree, as a word of the language, or as a function that may be called. What is
 * left over is a part that nobody understood, and is refused.
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
        message: `${text}() belongs to a schema: only built-in functions can be used, because another one may read any table.`,
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
    } else diagnostics.push({ at, message: `${text} is not understood here.` });
  }
  return diagnostics;
}
