import type { Diagnostic, SqlToken } from "./token.ts";

/** Reading takes about 3 ms for a thousand words, and must not hold up everybody else. */
export const maxTokens = 40_000;
const maxDepth = 200;
/**
 * The library builds `a + b + c …` as a tree that is as deep as the chain is long, and runs out of stack at some
 * thousands: after that nobody can say what state it is in. So it never sees such a text.
 */
const maxChain = 2_000;

/** Why a text is not handed to the library, or nothing. */
export function limitProblem(tokens: readonly Pick<SqlToken, "text" | "start">[]): Diagnostic | undefined {
  const last = tokens[maxTokens];
  if (last) return { at: last.start, message: `the text has more than ${maxTokens} words.` };
  // How long the chain is on each level of brackets that is open, and all of them together.
  const chains = [0];
  let together = 0;
  for (const { text, start } of tokens) {
    const level = chains.length - 1;
    if (text === "," || text === ";" || text === ")" || text === "]") {
      together -= chains[level] ?? 0;
      if (text === "," || text === ";" || level === 0) chains[level] = 0;
      else chains.pop();
    } else {
      chains[level] = (chains[level] ?? 0) + 1;
      together += 1;
      if (text === "(" || text === "[") chains.push(0);
    }
    if (chains.length > maxDepth)
      return { at: start, message: `more than ${maxDepth} brackets are open at once.` };
    if (together > maxChain)
      return { at: start, message: `more than ${maxChain} words follow each other without a comma.` };
  }
  return undefined;
}
