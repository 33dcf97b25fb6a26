import type { Diagnostic } from "../lexer/token.ts";
import type { NotebookCell } from "./cells.ts";

/** Semicolons, and the starts of strings, names and comments that can contain them. */
const signs = /['"`;]|--|\/\*/g;

/** The text between two semicolons. */
export interface StatementText extends NotebookCell {
  /** The comments, by offsets in this text. */
  readonly comments: readonly { readonly from: number; readonly to: number }[];
}

/** Splits a text at its semicolons. Values are not substituted yet, so it cannot be parsed further. */
export function splitAtSemicolons({ text, at: start }: NotebookCell): {
  readonly parts: readonly StatementText[];
  readonly diagnostic: Diagnostic | undefined;
} {
  const parts: StatementText[] = [];
  let from = 0;
  let comments: { readonly from: number; readonly to: number }[] = [];
  const close = (to: number): void => {
    const part = text.slice(from, to);
    if (part.trim() !== "") parts.push({ text: part, at: start + from, comments });
    from = to + 1;
    comments = [];
  };
  let diagnostic: Diagnostic | undefined;
  signs.lastIndex = 0;
  for (let sign = signs.exec(text); sign && !diagnostic; sign = signs.exec(text)) {
    const { index: at, 0: mark } = sign;
    if (mark === ";") {
      close(at);
      continue;
    }
    const end = endOf(mark, text, at);
    if (end < 0) diagnostic = { at: start + at, message: unclosed(mark) };
    else signs.lastIndex = end;
    if (mark === "--" || mark === "/*") comments.push({ from: at - from, to: end - from });
  }
  if (!diagnostic) close(text.length);
  return { parts, diagnostic };
}

function unclosed(mark: string): string {
  if (mark === "/*") return "this comment is never closed: expected */.";
  return `this ${mark === "`" ? "name" : "string"} is never closed: expected ${mark}.`;
}

/** The end of a string, a name or a comment; -1 if it is never closed. */
function endOf(mark: string, text: string, at: number): number {
  if (mark !== "--" && mark !== "/*") return quoteEnd(text, at);
  const end = mark === "--" ? text.indexOf("\n", at) : text.indexOf("*/", at + 2);
  if (end < 0) return mark === "--" ? text.length : -1;
  return mark === "--" ? end : end + 2;
}

/** A doubled quote closes one string and opens the next. */
function quoteEnd(text: string, at: number): number {
  const quote = text[at];
  const raw = quote === "`" || /(?:^|\W)r$/i.test(text.slice(Math.max(0, at - 2), at));
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\" && !raw) end += 1;
    else if (text[end] === quote) return end + 1;
  }
  return -1;
}
