import type { Diagnostic, SqlToken } from "./token.ts";

/** Parsing takes about 3 ms per thousand tokens, and blocks other requests. */
export const maxTokens = 40_000;
/**
 * To locate an alias, the parser searches from the beginning of the text, so blanks, comments and long literals add to
 * the time of every alias. 40,000 tokens of 10 characters each take half a second.
 */
const maxWork = maxTokens * 400_000;
const maxDepth = 200;
/**
 * The parser builds `a + b + c …` as a tree as deep as the chain is long. With a few thousand operators its stack
 * overflows and its state is undefined afterwards, so it never gets such a text.
 */
const maxChain = 2_000;

/** Why a text is too large for the parser; undefined if it is not too large. */
export function limitProblem(tokens: readonly Pick<SqlToken, "text" | "start">[]): Diagnostic | undefined {
  const last = tokens[maxTokens];
  if (last) return { at: last.start, message: `the text has more than ${maxTokens} tokens.` };
  const end = tokens.at(-1);
  if (end && tokens.length * (end.start + end.text.length) > maxWork)
    return { at: end.start, message: "the text is too long for its number of tokens: shorten its literals." };
  // The length of the chain at each open bracket, and their sum.
  const chains = [0];
  let total = 0;
  for (const { text, start } of tokens) {
    const level = chains.length - 1;
    if (text === "," || text === ";" || text === ")" || text === "]") {
      total -= chains[level] ?? 0;
      if (text === "," || text === ";" || level === 0) chains[level] = 0;
      else chains.pop();
    } else {
      chains[level] = (chains[level] ?? 0) + 1;
      total += 1;
      if (text === "(" || text === "[") chains.push(0);
    }
    if (chains.length > maxDepth)
      return { at: start, message: `more than ${maxDepth} brackets are open at once.` };
    if (total > maxChain)
      return { at: start, message: `the expression has more than ${maxChain} tokens without a comma.` };
  }
  return undefined;
}
