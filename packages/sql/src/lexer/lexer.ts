import { characterProblem, hiddenCharacters } from "./characters.ts";
import { maxTokens } from "./limits.ts";
import type { Diagnostic, SqlToken, TokenizedText } from "./token.ts";

const blanks = /[\t\n\r ]+/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?:bd|[lsyfd])?/iy;
const mark = /<=>|>>>|->|=>|::|<=|>=|<>|!=|==|\|\||<<|>>|[()[\].,:;<>=+\-*/%~&|^!]/y;
const wordRest = /[\p{L}\p{N}_]+/uy;
const prefix = /[rRxX](?=['"])/y;
/** A hint contains names of strategies, tables and columns, and numbers. */
const hint = /^[\w\s(),.`]*$/;

/**
 * Splits a text into tokens by the lexical rules of Spark and Databricks.
 *
 * It is stricter than they are: it rejects a text if two lexers could disagree about where a comment, a string or a
 * word ends. Every text that it accepts is split in the same way by this lexer, the SQL parser and the engine.
 */
export function tokenize(text: string): TokenizedText {
  const tokens: SqlToken[] = [];
  const diagnostics: Diagnostic[] = [...hiddenCharacters(text)];
  const report = (at: number, message: string) => diagnostics.push({ at, message });
  const push = (kind: SqlToken["kind"], start: number, end: number, value?: string): number => {
    const written = text.slice(start, end);
    tokens.push({ kind, text: written, value: value ?? written, start, end });
    return end;
  };
  const endOf = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };

  const lineComment = (at: number): number => {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const comment = text.slice(at, end).replace(/\r$/, "");
    if (comment.endsWith("\\"))
      report(at, "this comment ends in a backslash, so Spark would continue it on the next line.");
    if (comment.includes("\r"))
      report(at, "this comment contains a carriage return, which ends it in some engines only.");
    return end;
  };

  const blockComment = (at: number): number => {
    const close = text.indexOf("*/", at + 2);
    if (close < 0) {
      report(at, "this comment is never closed: expected */.");
      return text.length;
    }
    const inside = text.slice(at + 2, close);
    if (inside.includes("/*"))
      report(at, "nested comments are not supported by every engine: remove the inner /*.");
    if (!inside.startsWith("+")) return close + 2;
    if (tokens.at(-1)?.value !== "select") report(at, "a hint must follow SELECT directly.");
    if (!hint.test(inside.slice(1)))
      report(at, "a hint can contain only names, numbers, commas and parentheses.");
    return push("hint", at, close + 2);
  };

  /** Strings and names in backticks. A doubled quote inside stands for one quote. */
  const quotation = (at: number, open: number): number => {
    const quote = text[open] ?? "";
    const raw = /r/i.test(text.slice(at, open));
    for (let end = open + 1; end < text.length; end += 1) {
      if (text[end] === "\\" && quote !== "`" && !raw) end += 1;
      else if (text[end] === quote && (raw || text[end + 1] !== quote)) {
        const inside = text.slice(open + 1, end).replaceAll("``", "`");
        return quote === "`" ? push("quoted", at, end + 1, inside) : push("string", at, end + 1);
      } else if (text[end] === quote) end += 1;
    }
    report(
      at,
      quote === "`"
        ? "this name is never closed: expected `."
        : `this string is never closed: expected ${quote}.`,
    );
    return text.length;
  };

  const plainWord = (at: number, end: number, kind: "word" | "number"): number => {
    const tail = endOf(wordRest, end);
    if (tail < 0) return push(kind, at, end, text.slice(at, end).toLowerCase());
    report(
      at,
      `put the name ${text.slice(at, tail)} in backticks: an unquoted name has only a-z, 0-9 and _, and does not start with a digit.`,
    );
    return tail;
  };

  const next = (at: number): number => {
    const blank = endOf(blanks, at);
    if (blank > 0) return blank;
    if (text.startsWith("--", at)) return lineComment(at);
    if (text.startsWith("/*", at)) return blockComment(at);
    const open = Math.max(endOf(prefix, at), at);
    if (/['"`]/.test(text[open] ?? "")) return quotation(at, open);
    const digits = endOf(number, at);
    if (digits > 0) return plainWord(at, digits, "number");
    const letters = endOf(word, at);
    if (letters > 0) return plainWord(at, letters, "word");
    const sign = endOf(mark, at);
    if (sign > 0) return push("mark", at, sign);
    const odd = String.fromCodePoint(text.codePointAt(at) ?? 0);
    report(at, characterProblem(odd));
    return at + odd.length;
  };

  // Each character of garbage would give a diagnostic, so the loop stops at twenty diagnostics, and at the token limit.
  for (let at = 0; at < text.length && diagnostics.length < 20 && tokens.length <= maxTokens; ) at = next(at);
  return { tokens, diagnostics };
}
