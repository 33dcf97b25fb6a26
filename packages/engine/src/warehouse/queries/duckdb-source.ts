import { problemAt } from "./sql-text.ts";

/** The longest operator of DuckDB has four characters, and a sign may follow it. */
const maxOperatorRun = 16;
const operator = /[-+*/<>=~!@#%^&|`?]/;

/**
 * A text as DuckDB's parser gets it: blanks replace comments, and a long run of operator characters is refused. For each
 * character of such a run the parser reads the rest of it again, and comments count as operators until it has seen their
 * second character: 20,000 times /**\/ took minutes that nothing could interrupt. All offsets stay the same.
 */
export function duckdbSource(sql: string): string {
  const kept: string[] = [];
  let from = 0;
  let run = 0;
  const blank = (start: number, end: number) => {
    kept.push(sql.slice(from, start), sql.slice(start, end).replace(/[^\n]/g, " "));
    from = end;
    return end;
  };
  for (let at = 0; at < sql.length; ) {
    const character = sql[at] ?? "";
    if (sql.startsWith("--", at)) {
      at = blank(at, endOf(sql, "\n", at));
      run = 0;
    } else if (sql.startsWith("/*", at)) {
      at = blank(at, commentEnd(sql, at));
      run = 0;
    } else if (character === "'" || character === '"') {
      at = quotationEnd(sql, at, character);
      run = 0;
    } else if (character === "$") {
      at = dollarQuotationEnd(sql, at);
      run = 0;
    } else {
      run = operator.test(character) ? run + 1 : 0;
      if (run > maxOperatorRun)
        throw problemAt(sql, at - run + 1, `more than ${maxOperatorRun} operators without a space.`);
      at += 1;
    }
  }
  return kept.join("") + sql.slice(from);
}

const endOf = (sql: string, text: string, from: number): number => {
  const found = sql.indexOf(text, from);
  return found < 0 ? sql.length : found;
};

/** Comments can be nested, as in PostgreSQL. */
function commentEnd(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  for (let depth = 0; ; ) {
    const found = mark.exec(sql);
    if (!found) return sql.length;
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
}

/** In a string that begins with E, a backslash escapes the next character. */
function quotationEnd(sql: string, start: number, quote: string): number {
  const hasEscapes = quote === "'" && /[eE]/.test(sql[start - 1] ?? "") && !/\w/.test(sql[start - 2] ?? "");
  for (let at = start + 1; at < sql.length; at += 1) {
    if (hasEscapes && sql[at] === "\\") at += 1;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  return sql.length;
}

/** `$$…$$` or `$tag$…$tag$`. A `$` that opens none is a character like any other. */
function dollarQuotationEnd(sql: string, start: number): number {
  const tag = /\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$/y;
  tag.lastIndex = start;
  const [open] = tag.exec(sql) ?? [];
  if (open === undefined) return start + 1;
  const close = sql.indexOf(open, start + open.length);
  return close < 0 ? sql.length : close + open.length;
}
