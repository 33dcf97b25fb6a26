/** Letters of a date pattern of Databricks, and the same in DuckDB's strftime and strptime. */
const formats: Readonly<Record<string, string>> = {
  y: "%Y",
  yyyy: "%Y",
  yy: "%y",
  M: "%-m",
  MM: "%m",
  MMM: "%b",
  MMMM: "%B",
  d: "%-d",
  dd: "%d",
  D: "%-j",
  DDD: "%j",
  E: "%a",
  EE: "%a",
  EEE: "%a",
  EEEE: "%A",
  H: "%-H",
  HH: "%H",
  h: "%-I",
  hh: "%I",
  m: "%-M",
  mm: "%M",
  s: "%-S",
  ss: "%S",
  SSS: "%g",
  SSSSSS: "%f",
  a: "%p",
};

/** `dd.MM.yyyy` as `%d.%m.%Y`, or the letters that have no equivalent. */
export function duckdbDateFormat(
  pattern: string,
): { readonly format: string; readonly unknown?: never } | { readonly unknown: string } {
  const parts: string[] = [];
  for (const [part] of pattern.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+|'/g)) {
    const format = formats[part];
    if (format !== undefined) parts.push(format);
    else if (/^[A-Za-z]/.test(part) || part === "'") return { unknown: part };
    else {
      const literal = part === "''" ? "'" : part.replace(/^'(.*)'$/s, "$1").replaceAll("''", "'");
      parts.push(literal.replaceAll("%", "%%"));
    }
  }
  return { format: parts.join("") };
}
