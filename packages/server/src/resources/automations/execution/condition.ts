import type { AutomationTask } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { fillTree, type TemplateValues, UnfilledPlaceholder } from "../templates.ts";

type Condition = NonNullable<AutomationTask["condition"]>;

/**
 * Compares two numbers as numbers and anything else as text. Null (a NULL, or the value of a query without rows) equals
 * the empty text; every other comparison with it is false.
 */
export function isTrue({ left, op, right }: Condition, values: TemplateValues): boolean {
  const [a, b] = [fillTree(left, values), fillTree(right, values)];
  if (a === null || b === null) return op === "==" && textOf(a) === textOf(b);
  const order = compareTexts(textOf(a), textOf(b));
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

/** The same conversion as for placeholders in a text. */
function textOf(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : encodeJson(value);
}

function compareTexts(a: string, b: string): number {
  const [m, n] = [numberOf(a), numberOf(b)];
  if (m === undefined || n === undefined) return a < b ? -1 : a > b ? 1 : 0;
  return m < n ? -1 : m > n ? 1 : 0;
}

/** Keeps big integers exact: a double cannot tell 2⁵³ from 2⁵³ + 1. */
function numberOf(text: string): number | bigint | undefined {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Evaluates a condition. If it does not hold: the log message, and whether it could be evaluated at all. */
export function evaluateCondition(
  condition: Condition,
  values: TemplateValues,
): "holds" | { readonly evaluated: boolean; readonly sentence: string } {
  try {
    if (isTrue(condition, values)) return "holds";
    const [left, right] = [condition.left, condition.right].map((side) => {
      const value = fillTree(side, values);
      return value === null ? "null" : JSON.stringify(textOf(value));
    });
    return { evaluated: true, sentence: `its condition is false: ${left} ${condition.op} ${right}.` };
  } catch (error) {
    if (!(error instanceof UnfilledPlaceholder)) throw error;
    return { evaluated: false, sentence: `Its condition cannot be evaluated: ${error.message}` };
  }
}
