import { stringify } from "yaml";
import { escapeInStrings } from "./escape.ts";

const options = { lineWidth: 0, aliasDuplicateObjects: false } as const;

export function toYaml(value: unknown): string {
  const text = stringify(value, options);
  // YAML has escapes only in double quotes.
  if (!/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u.test(text)) return text;
  const quoted = stringify(value, {
    ...options,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "QUOTE_DOUBLE",
    // A folded string would show a line break where the value has none.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return escapeInStrings(quoted);
}
