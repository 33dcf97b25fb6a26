import { unicodeEscape } from "@lakehelm/sql/names";
import { isMarked, pythonNames, splitAtMarks, withoutMarks } from "./name-marks.ts";

/**
 * A string literal on one line, in ASCII: no text can end the literal, split a cell or change what an editor shows. If
 * the text has marks for the environment's catalog and schema, the literal is a format string.
 */
export function pythonString(text: string): string {
  if (!isMarked(text)) return `"${escaped(text)}"`;
  const pieces = splitAtMarks(text).map((part) => {
    if (typeof part === "string") return escaped(part).replace(/[{}]/g, "$&$&");
    const { sql, plain } = pythonNames[part.name];
    return `{${part.quoted ? sql : plain}}`;
  });
  return `f"${pieces.join("")}"`;
}

const escaped = (text: string) =>
  text.replace(/[^ !#-[\]-~]/gu, (character) => escapes[character] ?? unicodeEscape(character));

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A text of several lines as one literal per line, which Python concatenates. */
export function pythonText(text: string): string {
  const lines = text.split(/(?<=\n)/);
  if (lines.length < 2) return pythonString(text);
  return `(\n${lines.map((line) => `    ${pythonString(line)}\n`).join("")})`;
}

/**
 * A text of several lines for an assignment at the beginning of a line: in triple quotes, as developers write SQL. Text
 * that could end the literal, split a cell or need an escape is written like `pythonText`.
 */
export function pythonBlock(text: string): string {
  const plain = withoutMarks(text);
  const isPlain = /^[ -[\]-~\n]*$/.test(plain) && !/"""|"$|^[ \t]*#/m.test(plain);
  if (!isPlain || !text.includes("\n")) return pythonText(text);
  const lines = text.split("\n").map((line) => pythonString(line));
  const inner = lines.map((line) => line.replace(/^f?"|"$/g, "").replaceAll('\\"', '"'));
  // In a format string all braces are doubled, also those on lines without names.
  const isFormat = isMarked(text);
  const body = inner.map((line, at) =>
    isFormat && !lines[at]?.startsWith("f") ? line.replace(/[{}]/g, "$&$&") : line,
  );
  return `${isFormat ? "f" : ""}"""\\\n${body.join("\n")}"""`;
}

/** A JSON value as Python. Long collections have one item per line. */
export function pythonValue(value: unknown, indent = ""): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return pythonString(value);
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => pythonValue(item, inner))
    : Object.entries(value).map(([key, item]) => `${pythonString(key)}: ${pythonValue(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const line = `${open}${items.join(", ")}${close}`;
  if (indent.length + line.length <= 88 && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
}
