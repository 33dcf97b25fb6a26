/** Java's pattern letters, which Spark uses, and the strptime directives of DuckDB. */
const directives: Readonly<Record<string, string>> = {
  yyyy: "%Y",
  yy: "%y",
  MMMM: "%B",
  MMM: "%b",
  MM: "%m",
  M: "%m",
  dd: "%d",
  d: "%d",
  HH: "%H",
  H: "%H",
  hh: "%I",
  h: "%I",
  mm: "%M",
  ss: "%S",
  SSS: "%f",
  SSSSSS: "%f",
  a: "%p",
  X: "%z",
  XX: "%z",
  XXX: "%z",
  Z: "%z",
  EEE: "%a",
  EEEE: "%A",
};

/** Converts `dd.MM.yyyy HH:mm` to strptime's syntax. A pattern with "%" already has it. */
export function timePattern(
  sparkPattern: string,
): { readonly pattern: string } | { readonly problem: string } {
  if (sparkPattern.includes("%")) return { pattern: sparkPattern };
  let pattern = "";
  for (const [token] of sparkPattern.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z]/g)) {
    if (token.startsWith("'")) pattern += token === "''" ? "'" : token.slice(1, -1).replaceAll("''", "'");
    else if (/[A-Za-z]/.test(token)) {
      const directive = directives[token];
      if (directive === undefined)
        return { problem: `${JSON.stringify(token)} in ${JSON.stringify(sparkPattern)} is not supported.` };
      pattern += directive;
    } else pattern += token;
  }
  return { pattern };
}
