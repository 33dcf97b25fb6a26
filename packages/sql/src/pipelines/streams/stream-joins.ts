import type { SqlToken } from "../../lexer/token.ts";

const joinWords = new Set("natural inner cross left right full outer semi anti lateral".split(" "));

/**
 * The first token of each join that returns rows of the side that is not the stream. `carrier` is the token of the
 * stream; `words` are the tokens of the same query that are not names.
 */
export function nonStreamJoins(
  carrier: number,
  words: readonly number[],
  tokens: readonly SqlToken[],
): readonly number[] {
  const found: number[] = [];
  for (const index of words) {
    if (tokens[index]?.value !== "join") continue;
    let first = index;
    while (joinWords.has(tokens[first - 1]?.value ?? "")) first -= 1;
    const kinds = new Set(tokens.slice(first, index).map(({ value }) => value));
    if (!isJoined(tokens, index, carrier)) continue;
    const isRight = index < carrier;
    const isOther = isRight
      ? kinds.has("left") || kinds.has("semi") || kinds.has("anti")
      : kinds.has("right");
    if (kinds.has("full") || isOther) found.push(first);
  }
  return found;
}

/** Whether the stream is one side of a join. The right side ends before the next join. */
function isJoined(tokens: readonly SqlToken[], join: number, carrier: number): boolean {
  const step = carrier > join ? 1 : -1;
  const [opens, closes] = step > 0 ? ["(", ")"] : [")", "("];
  let depth = 0;
  for (let index = join + step; index !== carrier; index += step) {
    const { text, value } = tokens[index] ?? {};
    if (text === opens) depth += 1;
    if (text === closes) depth -= 1;
    const isCut = text === "," || (step > 0 && value === "join");
    if (depth < 0 || (depth === 0 && isCut)) return false;
  }
  return true;
}
