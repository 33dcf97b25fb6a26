import type { SqlToken } from "../lexer/token.ts";

const listEnds = new Set([
  "from",
  "where",
  "group",
  "having",
  "qualify",
  "window",
  "order",
  "sort",
  "cluster",
  "distribute",
  "limit",
  "offset",
  "union",
  "except",
  "intersect",
  "minus",
  "lateral",
  ";",
]);

/**
 * The offset of each item of the outermost SELECT list. The parser keeps offsets of names only, and an expression without an
 * alias has none. `identifiers` are the tokens that are names.
 */
export function selectListOffsets(
  tokens: readonly SqlToken[],
  identifiers: ReadonlySet<number>,
): readonly number[] {
  const select = outermostSelect(tokens, identifiers);
  if (select < 0) return [];
  let index = select + 1;
  const skipped = (token: SqlToken | undefined) =>
    token?.kind === "hint" ||
    (token?.kind === "word" && (token.value === "distinct" || token.value === "all"));
  while (skipped(tokens[index]) && !identifiers.has(index)) index += 1;
  const starts: number[] = [];
  let depth = 0;
  for (let fresh = true; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    const { text, value, kind, start } = token;
    if (
      depth === 0 &&
      (text === ")" ||
        (!identifiers.has(index) && kind !== "quoted" && listEnds.has(value) && !isExcept(tokens, index)))
    )
      break;
    if (fresh) starts.push(start);
    fresh = depth === 0 && text === ",";
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
  }
  return starts;
}

/** `* EXCEPT (a)` continues the list. */
const isExcept = (tokens: readonly SqlToken[], index: number): boolean =>
  tokens[index]?.value === "except" && tokens[index - 1]?.text === "*" && tokens[index + 1]?.text === "(";

/** The first SELECT of the outermost query; -1 if there is none. */
function outermostSelect(tokens: readonly SqlToken[], identifiers: ReadonlySet<number>): number {
  let depth = 0;
  let around = 0;
  for (const [index, { text, value }] of tokens.entries()) {
    const before = tokens[index - 1]?.text;
    if (text === "(") {
      // `( SELECT …`, `( ( SELECT …` and `WITH … ) ( SELECT …`: the query itself is in parentheses.
      if (depth === around && (index === around || before === ")")) around += 1;
      depth += 1;
    }
    if (text === ")") depth -= 1;
    if (value === "select" && depth === around && !identifiers.has(index)) return index;
  }
  return -1;
}
