import { dataType } from "./grammar/data-type.ts";
import { runGrammar } from "./grammar/grammar.ts";
import { tokenize } from "./lexer/lexer.ts";
import { limitProblem } from "./lexer/limits.ts";

/** Nothing if a text is a type such as `DECIMAL(10, 2)`, else a sentence. */
export function typeProblem(text: string): string | undefined {
  const { tokens, diagnostics } = tokenize(text);
  const wrong =
    diagnostics[0] ?? limitProblem(tokens) ?? runGrammar(dataType, tokens, text.length).diagnostic;
  return wrong?.message;
}
