import { tokenize } from "../lexer/lexer.ts";

/** Functions without parentheses. The library reads these words as functions even in backticks. */
const misread = new Set(
  `current_date current_time current_timestamp current_user session_user system_user current_catalog current_schema localtimestamp curdate
  getdate now pi current_role localtime current_database sysdate systimestamp utc_date utc_time utc_timestamp`.split(
    /\s+/,
  ),
);

/** Private-use characters: the library reads them as letters, and names of callers do not need them. */
const first = 0xe000;
const disguised = /[\ue000-\ue07f]/g;

/**
 * A quoted name is never a function, but the library reads `current_date` in backticks as one. The first character of such a
 * name is replaced, so that all offsets stay, and `revealNames` restores it.
 */
export function disguiseNames(sql: string): string {
  if (!sql.includes("`") || sql.search(disguised) >= 0) return sql;
  const { tokens } = tokenize(sql);
  const parts: string[] = [];
  let from = 0;
  for (const [index, { kind, value, start }] of tokens.entries()) {
    if (kind !== "quoted" || !misread.has(value.toLowerCase()) || tokens[index + 1]?.text === "(") continue;
    // The offset after the backtick.
    const at = start + 1;
    parts.push(sql.slice(from, at), String.fromCharCode(first + sql.charCodeAt(at)));
    from = at + 1;
  }
  return parts.length === 0 ? sql : parts.join("") + sql.slice(from);
}

export const revealNames = (text: string): string =>
  text.replace(disguised, (character) => String.fromCharCode(character.charCodeAt(0) - first));

/** The library writes `now()` as CURRENT_TIMESTAMP, which DuckDB reads as a column if there is one with that name. */
export const callNow = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\bCURRENT_TIMESTAMP\b/g, (found) =>
    found === "CURRENT_TIMESTAMP" ? "now()" : found,
  );

/** Restores the names in a tree, in place. */
export function revealTree(tree: unknown): void {
  const open: unknown[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const fields = node as Record<string, unknown>;
    for (const [key, value] of Object.entries(fields)) {
      if (typeof value === "string") fields[key] = revealNames(value);
      else if (typeof value === "object" && value !== null) open.push(value);
    }
  }
}
