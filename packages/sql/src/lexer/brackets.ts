import type { Diagnostic, SqlToken } from "./token.ts";

const closes: Readonly<Record<string, string>> = { "(": ")", "[": "]" };

/** The first bracket that has no partner. */
export function unbalancedBracket(tokens: readonly SqlToken[]): Diagnostic | undefined {
  const open: SqlToken[] = [];
  for (const token of tokens) {
    if (token.kind !== "mark") continue;
    if (token.text in closes) open.push(token);
    else if (token.text === ")" || token.text === "]") {
      const last = open.pop();
      if (closes[last?.text ?? ""] !== token.text)
        return { at: token.start, message: `this ${token.text} closes nothing that is open.` };
    }
  }
  const left = open.at(-1);
  return (
    left && { at: left.start, message: `this ${left.text} is never closed: expected ${closes[left.text]}.` }
  );
}
