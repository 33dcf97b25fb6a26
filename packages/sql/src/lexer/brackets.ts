import type { Diagnostic, SqlToken } from "./token.ts";

const closes: Readonly<Record<string, string>> = { "(": ")", "[": "]" };

/** The first bracket without a matching one. */
export function unbalancedBracket(tokens: readonly SqlToken[]): Diagnostic | undefined {
  const open: SqlToken[] = [];
  for (const token of tokens) {
    if (token.kind !== "mark") continue;
    if (token.text in closes) open.push(token);
    else if (token.text === ")" || token.text === "]") {
      const last = open.pop();
      if (closes[last?.text ?? ""] !== token.text)
        return { at: token.start, message: `unexpected ${token.text}: no bracket is open here.` };
    }
  }
  const left = open.at(-1);
  return (
    left && { at: left.start, message: `this ${left.text} is never closed: expected ${closes[left.text]}.` }
  );
}
