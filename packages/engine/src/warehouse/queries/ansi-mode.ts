import { wholeTypes } from "./ansi-macros.ts";
import { prefix } from "./spark-functions.ts";
import { type DuckDBNode, functionCall, isNode, nodesIn, rewrite } from "./syntax-tree.ts";

/** Integer aggregates. DuckDB returns 128 bits for them. */
const totals = new Set(["sum", "count_if"]);
/** Units that keep a date a date. */
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
 * Rewrites a translated statement to return the values and types of Databricks' ANSI mode: division by zero and a sum
 * beyond BIGINT are errors, casts to integers truncate, dates stay dates, and position 0 of a text is the same as position
 * 1.
 */
export function applyAnsiMode(statement: DuckDBNode): void {
  rewrite(statement, (node) => {
    const changed = ansiEquivalent(node);
    return changed === node ? node : { ...changed, alias: node.alias };
  });
}

function ansiEquivalent(node: DuckDBNode): DuckDBNode {
  if (node.type === "PIVOT") return { ...node, aggregates: nodesIn(node.aggregates).map(bareTotal) };
  if (node.class === "CAST") return cast(node);
  if (node.class !== "FUNCTION" && node.class !== "WINDOW") return node;
  const name = nameOf(node);
  if (totals.has(name)) return macroCall("total", [{ ...node, alias: "" }]);
  if (node.class === "WINDOW") return node;
  const children = nodesIn(node.children);
  const guard = guarded.get(name);
  if (guard !== undefined && children.length === 2) return guardedBy(guard, node, children);
  if (name === "substring") return macroCall("substring", children);
  return name === "+" || name === "-" ? dateShift(node, children) : node;
}

const macroCall = (name: string, children: readonly DuckDBNode[]): DuckDBNode =>
  functionCall(prefix + name, children);

const nameOf = ({ function_name: name }: DuckDBNode): string => String(name).toLowerCase();

/** DuckDB writes the numbers of intervals with trunc(), whose result is already an integer. */
function cast(node: DuckDBNode): DuckDBNode {
  const { child, cast_type: type, try_cast: mayFail } = node;
  const name = isNode(type) ? wholeTypes.get(String(type.id)) : undefined;
  if (name === undefined || !isNode(child) || nameOf(child) === "trunc") return node;
  return macroCall(mayFail ? `try_${name}` : name, [child]);
}

function guardedBy(guard: string, node: DuckDBNode, children: readonly DuckDBNode[]): DuckDBNode {
  const [number = {}, divisor = {}] = children;
  if (!isOtherThanZero(divisor)) return macroCall(guard, children);
  if (guard === "divide") return { ...node, children: [number, asDouble(divisor)] };
  return guard === "div" ? macroCall("div", children) : node;
}

/** A DECIMAL is in the tree without its decimal point, 0.5 as 5. That does not matter for a comparison with zero. */
const isOtherThanZero = ({ class: kind, value }: DuckDBNode): boolean =>
  kind === "CONSTANT" && isNode(value) && typeof value.value === "number" && value.value !== 0;

const asDouble = (child: DuckDBNode): DuckDBNode => ({
  class: "CAST",
  type: "OPERATOR_CAST",
  alias: "",
  child,
  cast_type: { id: "DOUBLE", type_info: null },
  try_cast: false,
});

/** In DuckDB, DATE + INTERVAL 1 DAY is a timestamp. */
function dateShift(node: DuckDBNode, [left, right]: readonly DuckDBNode[]): DuckDBNode {
  if (!left || !right) return node;
  const [moment, interval] = isInterval(left) ? [right, left] : [left, right];
  if (days.has(nameOf(interval)) && !isInterval(moment))
    return macroCall("shift", [moment, { ...node, alias: "" }]);
  if (!times.has(nameOf(interval))) return node;
  const time = macroCall("moment", [moment]);
  return { ...node, children: moment === left ? [time, right] : [left, time] };
}

const isInterval = (node: DuckDBNode): boolean => days.has(nameOf(node)) || times.has(nameOf(node));

/** PIVOT accepts only aggregates. */
function bareTotal(node: DuckDBNode): DuckDBNode {
  const [aggregate] = nodesIn(node.children);
  return nameOf(node) === `${prefix}total` && aggregate ? { ...aggregate, alias: node.alias } : node;
}
