import type { AutomationTask } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { fillTree, type TemplateValues, Unfilled } from "../templates.ts";

type Condition = NonNullable<AutomationTask["condition"]>;

/**
 * Two numbers are compared as numbers, anything else as text. Nothing (a NULL, the value of a query without rows) is equal to
 * the empty text, and no other comparison with it holds.
 */
export function conditionHolds({ left, op, right }: Condition, values: TemplateValues): boolean {
  const [a, b] = [fillTree(left, values), fillTree(right, values)];
  if (a === null || b === null) return op === "==" && textOf(a) === textOf(b);
  const order = compared(textOf(a), textOf(b));
  switch (op) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

/** As placeholders are filled in a text. */
function textOf(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : encodeJson(value);
}

function compared(a: string, b: string): number {
  const [m, n] = [numberOf(a), numberOf(b)];
  if (m === undefined || n === undefined) return a < b ? -1 : a > b ? 1 : 0;
  return m < n ? -1 : m > n ? 1 : 0;
}

/** Integers of any size as they are: a double cannot tell 2⁵³ from the next. */
function numberOf(text: string): number | bigint | undefined {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Whether a condition holds; otherwise the sentence for the log, and whether it could be judged at all. */
export function judge(
  condition: Condition,
  values: TemplateValues,
): "holds" | { readonly judged: boolean; readonly sentence: string } {
  try {
    if (conditionHolds(condition, values)) return "holds";
    const [left, right] = [condition.left, condition.right].map((side) => {
      const value = fillTree(side, values);
      return value === null ? "nothing" : JSON.stringify(textOf(value));
    });
    return { judged: true, sentence: `its condition does not hold, ${left} ${condition.op} ${right}.` };
  } catch (error) {
    if (!(error instanceof Unfilled)) throw error;
    return { judged: false, sentence: `Its condition cannot be judged: ${error.message}` };
  }
}
