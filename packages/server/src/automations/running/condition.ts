import type { AutomationTask } from "@lakehelm/contract";
import { fill, type TemplateValues, Unfilled } from "../templates.ts";

type Condition = NonNullable<AutomationTask["condition"]>;

/** Two numbers are compared as numbers, anything else as text. */
export function conditionHolds({ left, op, right }: Condition, values: TemplateValues): boolean {
  const [a, b] = [fill(left, values), fill(right, values)];
  const order = isNumber(a) && isNumber(b) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0;
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

const isNumber = (text: string) => text.trim() !== "" && Number.isFinite(Number(text));

/** Whether a condition holds; otherwise the sentence for the log, and whether it could be judged at all. */
export function judge(
  condition: Condition,
  values: TemplateValues,
): "holds" | { readonly judged: boolean; readonly sentence: string } {
  try {
    if (conditionHolds(condition, values)) return "holds";
    const [left, right] = [condition.left, condition.right].map((text) => JSON.stringify(fill(text, values)));
    return { judged: true, sentence: `its condition does not hold, ${left} ${condition.op} ${right}.` };
  } catch (error) {
    if (!(error instanceof Unfilled)) throw error;
    return { judged: false, sentence: `Its condition cannot be judged: ${error.message}` };
  }
}
