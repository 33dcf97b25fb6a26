import { toJson } from "./json.ts";

/**
 * A line by RFC 4180, but with line feeds. NULL is an empty field, and an empty string is `""`. With `isSafe`, a
 * spreadsheet reads no string as a formula.
 */
export const csvLine = (values: readonly unknown[], isSafe = false): string =>
  `${values.map((value) => fieldOf(value, isSafe)).join(",")}\n`;

/** How a formula begins (OWASP: CSV injection), also in full width and after blanks that spreadsheets skip. */
const formula = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
/** A number with a sign is no formula. */
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function fieldOf(value: unknown, isSafe: boolean): string {
  if (value === null || value === undefined) return "";
  const plain = typeof value === "object" ? toJson(value, 0) : String(value);
  // After an apostrophe, spreadsheets show a text as it is.
  const text = isSafe && formula.test(plain) && !number.test(plain) ? `'${plain}` : plain;
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
