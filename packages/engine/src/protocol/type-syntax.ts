const longestType = 100_000;
const deepestType = 64;

/**
 * Whether a text is one type as DuckDB writes it, such as `DECIMAL(12,2)`, `STRUCT("a b" VARCHAR, c INTEGER[])[]` or
 * `TIMESTAMP WITH TIME ZONE`. Types become part of statements, and some of them come from foreign files: any other text
 * could be a statement of its own.
 */
export const isDuckdbType = (text: string): boolean => typeNames(text) !== undefined;

/** The names of a type and of those within it: `MAP`, `VARCHAR` and `INTEGER` of `MAP(VARCHAR, INTEGER[])`. Undefined for another text. */
export function typeNames(text: string): readonly string[] | undefined {
  if (text.length > longestType) return undefined;
  const tokens = tokensOf(text);
  const names: string[] = [];
  let at = 0;
  const accept = (pattern: RegExp): boolean => {
    if (!pattern.test(tokens?.[at] ?? "")) return false;
    at += 1;
    return true;
  };

  function isType(depth: number): boolean {
    if (depth > deepestType || !accept(/^["A-Za-z_]/)) return false;
    names.push(tokens?.[at - 1] ?? "");
    // TIMESTAMP WITH TIME ZONE, TIME WITH TIME ZONE
    if (accept(/^WITH$/) && !(accept(/^TIME$/) && accept(/^ZONE$/))) return false;
    if (accept(/^\($/)) {
      do if (!isArgument(depth)) return false;
      while (accept(/^,$/));
      if (!accept(/^\)$/)) return false;
    }
    while (accept(/^\[$/)) {
      accept(/^\d/);
      if (!accept(/^\]$/)) return false;
    }
    return true;
  }

  /** A number, a text, a type, or a name and a type. */
  function isArgument(depth: number): boolean {
    if (accept(/^[\d']/)) return true;
    const next = tokens?.[at + 1] ?? "";
    if (/^["A-Za-z_]/.test(next) && next !== "WITH") at += 1;
    return isType(depth + 1);
  }

  return tokens !== undefined && isType(0) && at === tokens.length ? names : undefined;
}

/** Names, numbers, quoted names and texts, parentheses, brackets and commas; undefined if there is anything else. */
function tokensOf(text: string): string[] | undefined {
  const token = /\s*(?:([A-Za-z_]\w*|\d+|"(?:[^"]|"")*"|'(?:[^']|'')*'|[(),[\]])|$)/y;
  const tokens: string[] = [];
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (found === null) return undefined;
    if (found[1] !== undefined) tokens.push(found[1]);
  }
  return tokens;
}
