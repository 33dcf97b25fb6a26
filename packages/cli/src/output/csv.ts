import { toJson } from "./json.ts";

/** RFC 4180, with line feeds. NULL is an empty field, and an empty text is `""`. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(fieldOf).join(",")}\n`;

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? toJson(value, 0) : String(value);
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
