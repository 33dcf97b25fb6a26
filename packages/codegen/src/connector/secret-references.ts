import { isMap } from "@lakehelm/contract/connections";
import type { RequiredSecret } from "../artifact.ts";
import { pythonString, pythonValue } from "../text/python.ts";

const name = "[A-Za-z0-9_.@-]{1,128}";
const reference = new RegExp(`\\{\\{secrets/(${name})/(${name})\\}\\}`, "g");

export const referenceText = ({ scope, key }: RequiredSecret): string => `{{secrets/${scope}/${key}}}`;

export const referencesIn = (text: string): RequiredSecret[] =>
  [...text.matchAll(reference)].map(([, scope = "", key = ""]) => ({ scope, key }));

export const withoutReferences = (text: string): string => text.replace(reference, "");

/** A config value as Python, where each reference becomes a call of `secret(scope, key)`. */
export function pythonConfig(value: unknown, indent = ""): string {
  if (typeof value === "string") return pythonConfigText(value);
  if (!isMap(value)) return pythonValue(value, indent);
  const inner = `${indent}    `;
  const items = Object.entries(value).map(
    ([key, item]) => `${inner}${pythonString(key)}: ${pythonConfig(item, inner)},\n`,
  );
  return items.length === 0 ? "{}" : `{\n${items.join("")}${indent}}`;
}

function pythonConfigText(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(reference)) {
    if (match.index > end) parts.push(pythonString(text.slice(end, match.index)));
    parts.push(`secret(${pythonString(match[1] ?? "")}, ${pythonString(match[2] ?? "")})`);
    end = match.index + match[0].length;
  }
  if (end < text.length || parts.length === 0) parts.push(pythonString(text.slice(end)));
  return parts.join(" + ");
}
