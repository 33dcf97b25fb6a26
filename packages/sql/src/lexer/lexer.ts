import { characterProblem, hiddenCharacters } from "./characters.ts";
import { maxTokens } from "./limits.ts";
import type { Diagnostic, SqlToken, TokenizedText } from "./token.ts";

const blanks = /[\t\n\r ]+/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?:bd|[lsyfd])?/iy;
const mark = /<=>|>>>|->|=>|::|<=|>=|<>|!=|==|\|\||<<|>>|[()[\].,:;<>=+\-*/%~&|^!]/y;
const moreOfAWord = /[\p{L}\p{N}_]+/uy;
const prefix = /[rRxX](?=['"])/y;
/** What a hint may hold: names of strategies, tables and columns, and numbers. */
const hint = /^[\w\s(),.`]*$/;

/**
 * Cuts a text into words by the lexical rules of Spark and Databricks.
 *
 * It is stricter than they are: where two readers could disagree about where a comment, a string or a word
 * ends, it refuses the text. What it accepts is cut alike by this reader, the SQL library and the engine.
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
      report(at, "this comment ends in a backslash, and Spark would read on in the next line.");
    if (comment.includes("\r"))
      report(at, "this comment holds a carriage return, where some readers end it and some do not.");
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
      report(at, "a comment within a comment is not read the same way everywhere: remove the inner /*.");
    if (!inside.startsWith("+")) return close + 2;
    if (tokens.at(-1)?.value !== "select") report(at, "a hint belongs right after SELECT.");
    if (!hint.test(inside.slice(1)))
      report(at, "a hint holds names, numbers, commas and parentheses, nothing else.");
    return push("hint", at, close + 2);
  };

  /** Strings and names in backticks, whose quote may be doubled inside. */
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
    const tail = endOf(moreOfAWord, end);
    if (tail < 0) return push(kind, at, end, text.slice(at, end).toLowerCase());
    report(
      at,
      `put the name ${text.slice(at, tail)} in backticks: a bare name is made of a-z, 0-9 and _, and begins with no digit.`,
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

  // Garbage would complain of every character: the first twenty tell enough. A text that is too long is not read on.
  for (let at = 0; at < text.length && diagnostics.length < 20 && tokens.length <= maxTokens; ) at = next(at);
  return { tokens, diagnostics };
}
