import { type SqlToken, tokenize } from "@lakehelm/sql";

/**
 * Rewrites `STRUCT(day, n)`, which orders by several columns, to a struct with named fields, which the warehouse supports.
 * Other expressions are returned unchanged.
 */
export function sequenceValue(sequenceBy: string): string {
  const { tokens } = tokenize(sequenceBy);
  const [name, open] = tokens;
  if (name?.kind !== "word" || name.value !== "struct" || open?.text !== "(") return sequenceBy;
  if (closing(tokens) !== tokens.length - 1) return sequenceBy;
  const fields = between(tokens.slice(2, -1)).map((words, at) => {
    const [first, last] = [words[0], words.at(-1)];
    const text = sequenceBy.slice(first?.start, last?.end);
    const isName = words.length === 1 && (first?.kind === "word" || first?.kind === "quoted");
    const field = isName ? (first?.value ?? "") : `col${at + 1}`;
    return `'${field.replaceAll("'", "\\'")}', ${text}`;
  });
  return `named_struct(${fields.join(", ")})`;
}

/** The index of the parenthesis that closes the first one. */
function closing(tokens: readonly SqlToken[]): number {
  let depth = 0;
  return tokens.findIndex(({ text }) => {
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    return text === ")" && depth === 0;
  });
}

/** The tokens between commas. */
function between(tokens: readonly SqlToken[]): SqlToken[][] {
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === "(" || token.text === "[") depth += 1;
    if (token.text === ")" || token.text === "]") depth -= 1;
    if (token.text === "," && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
