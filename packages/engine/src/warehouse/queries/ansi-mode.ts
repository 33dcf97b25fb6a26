import { wholeTypes } from "./ansi-macros.ts";
import { prefix } from "./spark-functions.ts";
import { functionCall, isNode, nodesIn, rewrite, type SyntaxNode } from "./syntax-tree.ts";

/** Aggregates of whole numbers, which DuckDB gives 128 bits. */
const totals = new Set(["sum", "count_if"]);
/** Units that a date keeps its day with. */
const days = new Set([
  "to_days",
  "to_weeks",
  "to_months",
  "to_quarters",
  "to_years",
  "to_decades",
  "to_centuries",
]);
const times = new Set(["to_hours", "to_minutes", "to_seconds", "to_milliseconds", "to_microseconds"]);
const guarded: ReadonlyMap<string, string> = new Map([
  ["/", "divide"],
  ["//", "div"],
  ["%", "mod"],
]);

/**
 * Gives a translated statement the values and types that ANSI mode gives it in Databricks: a division by zero and a sum
 * beyond BIGINT are errors, casts to whole numbers cut off, dates stay dates, and a text begins at 0 where it does at 1.
 */
export function applyAnsiMode(statement: SyntaxNode): void {
  rewrite(statement, (part) => {
    const changed = instead(part);
    return changed === part ? part : { ...changed, alias: part.alias };
  });
}

function instead(part: SyntaxNode): SyntaxNode {
  if (part.type === "PIVOT") return { ...part, aggregates: nodesIn(part.aggregates).map(bareTotal) };
  if (part.class === "CAST") return cast(part);
  if (part.class !== "FUNCTION" && part.class !== "WINDOW") return part;
  const name = nameOf(part);
  if (totals.has(name)) return ours("total", [{ ...part, alias: "" }]);
  if (part.class === "WINDOW") return part;
  const children = nodesIn(part.children);
  const guard = guarded.get(name);
  if (guard !== undefined && children.length === 2) return guardedBy(guard, part, children);
  if (name === "substring") return ours("substring", children);
  return name === "+" || name === "-" ? shifted(part, children) : part;
}

const ours = (name: string, children: readonly SyntaxNode[]): SyntaxNode =>
  functionCall(prefix + name, children);

const nameOf = ({ function_name: name }: SyntaxNode): string => String(name).toLowerCase();

/** What trunc() gives is whole: so DuckDB writes the numbers of intervals. */
function cast(part: SyntaxNode): SyntaxNode {
  const { child, cast_type: type, try_cast: mayFail } = part;
  const name = isNode(type) ? wholeTypes.get(String(type.id)) : undefined;
  if (name === undefined || !isNode(child) || nameOf(child) === "trunc") return part;
  return ours(mayFail ? `try_${name}` : name, [child]);
}

function guardedBy(guard: string, part: SyntaxNode, children: readonly SyntaxNode[]): SyntaxNode {
  const [number = {}, divisor = {}] = children;
  if (!isOtherThanZero(divisor)) return ours(guard, children);
  if (guard === "divide") return { ...part, children: [number, asDouble(divisor)] };
  return guard === "div" ? ours("div", children) : part;
}

/** A DECIMAL stands in a tree without its point, 0.5 as 5: other than zero it is all the same. */
const isOtherThanZero = ({ class: kind, value }: SyntaxNode): boolean =>
  kind === "CONSTANT" && isNode(value) && typeof value.value === "number" && value.value !== 0;

const asDouble = (child: SyntaxNode): SyntaxNode => ({
  class: "CAST",
  type: "OPERATOR_CAST",
  alias: "",
  child,
  cast_type: { id: "DOUBLE", type_info: null },
  try_cast: false,
});

/** DATE + INTERVAL 1 DAY is a time for DuckDB. */
function shifted(part: SyntaxNode, [left, right]: readonly SyntaxNode[]): SyntaxNode {
  if (!left || !right) return part;
  const [moment, interval] = isInterval(left) ? [right, left] : [left, right];
  if (days.has(nameOf(interval)) && !isInterval(moment))
    return ours("shift", [moment, { ...part, alias: "" }]);
  if (!times.has(nameOf(interval))) return part;
  const time = ours("moment", [moment]);
  return { ...part, children: moment === left ? [time, right] : [left, time] };
}

const isInterval = (part: SyntaxNode): boolean => days.has(nameOf(part)) || times.has(nameOf(part));

/** PIVOT takes nothing but aggregates. */
function bareTotal(part: SyntaxNode): SyntaxNode {
  const [aggregate] = nodesIn(part.children);
  return nameOf(part) === `${prefix}total` && aggregate ? { ...aggregate, alias: part.alias } : part;
}
