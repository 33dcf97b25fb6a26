import { unicodeEscape } from "@lakehelm/sql/names";

/** A string literal on one line, in ASCII: no text can end it, split a cell or change what an editor shows. */
export function pythonString(text: string): string {
  const escaped = text.replace(
    /[^ !#-[\]-~]/gu,
    (character) => escapes[character] ?? unicodeEscape(character),
  );
  return `"${escaped}"`;
}

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
