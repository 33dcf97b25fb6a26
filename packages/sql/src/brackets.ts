import type { Remark, Token } from "./token.ts";

const closes: Readonly<Record<string, string>> = { "(": ")", "[": "]" };

/** The first bracket that has no partner. */
export function lonelyBracket(tokens: readonly Token[]): Remark | undefined {
  const open: Token[] = [];
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
