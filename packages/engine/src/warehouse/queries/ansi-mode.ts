import { wholeTypes } from "./ansi-macros.ts";
import { prefix } from "./spark-functions.ts";
import {
  castTo,
  coalesce,
  type DuckDBNode,
  everyColumn,
  functionCall,
  isNode,
  nodesIn,
  numberConstant,
  rewrite,
  selectFrom,
  textOf,
} from "./syntax-tree.ts";

/** Integer aggregates. DuckDB returns 128 bits for them. */
const totals = new Set(["sum", "count_if"]);
/** Functions whose results have another type in DuckDB. */
const resultTypes: ReadonlyMap<string, string> = new Map([
  ...(
    "array_length bit_count generate_subscripts bit_length day dayofmonth dayofyear dense_rank hour len length levenshtein minute month ntile " +
    "octet_length quarter rank row_number second strpos week weekofyear year"
  )
    .split(" ")
    .map((name) => [name, "INTEGER"] as const),
  ["factorial", "BIGINT"],
  ["sign", "DOUBLE"],
]);
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
  if (node.type === "PIVOT") return pivoted(node);
  if (node.class === "CAST") return ansiCast(node);
  if (node.type === "GROUPING_FUNCTION") return castTo("TINYINT", { ...node, alias: "" });
  if (node.class === "CONSTANT") return exactDouble(node);
  if (node.class !== "FUNCTION" && node.class !== "WINDOW") return node;
  const name = nameOf(node);
  if (totals.has(name)) {
    const total = macroCall("total", [{ ...node, alias: "" }]);
    return name === "count_if" ? coalesce(total, numberConstant(0)) : total;
  }
  const type = resultTypes.get(name);
  if (type !== undefined) return castTo(type, { ...node, alias: "" });
  if (node.class === "WINDOW") return node;
  const children = nodesIn(node.children).map(arithmetic.has(name) ? withoutLiteral : asIs);
  const guard = guarded.get(name);
  if (guard !== undefined && children.length === 2) return guardedBy(guard, { ...node, children }, children);
  if (name === "substring") return macroCall("substring", children);
  if (name === "||") return { ...node, children: children.map(asText) };
  const changed = arithmetic.has(name) ? { ...node, children } : node;
  return name === "+" || name === "-" ? dateShift(changed, children) : changed;
}

const arithmetic = new Set(["+", "-", "*", "/", "//", "%"]);
const asIs = (node: DuckDBNode): DuckDBNode => node;

/** DuckDB would convert a text in quotes to the type of the other operand, Databricks to BIGINT or DOUBLE (bind-repair.ts). */
const withoutLiteral = (node: DuckDBNode): DuckDBNode =>
  node.class === "CONSTANT" && textOf(node) !== undefined ? castTo("VARCHAR", node) : node;

/** A timestamp as text has no time zone. */
const asText = (node: DuckDBNode): DuckDBNode =>
  node.class === "CONSTANT" ? node : macroCall("local", [node]);

const macroCall = (name: string, children: readonly DuckDBNode[]): DuckDBNode =>
  functionCall(prefix + name, children);

const nameOf = ({ function_name: name }: DuckDBNode): string => String(name).toLowerCase();

/**
 * A cast to an integer truncates, and a timestamp as text has no time zone. DuckDB writes the numbers of intervals with trunc(),
 * whose result is already an integer.
 */
export function ansiCast(node: DuckDBNode): DuckDBNode {
  const { child, cast_type: type, try_cast: mayFail } = node;
  if (isNode(type) && type.id === "VARCHAR" && isNode(child) && child.class !== "CONSTANT")
    return { ...node, child: macroCall("local", [child]) };
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

const asDouble = (child: DuckDBNode): DuckDBNode => castTo("DOUBLE", child);

/** DuckDB writes the DOUBLE 1e3 as 1000.0, which it would read as a DECIMAL. */
const exactDouble = (node: DuckDBNode): DuckDBNode =>
  isNode(node.value) && isNode(node.value.type) && node.value.type.id === "DOUBLE"
    ? castTo("DOUBLE", { ...node, alias: "" })
    : node;

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

/** PIVOT accepts only aggregates: its integers get the type of totals in a query around it. */
function pivoted(node: DuckDBNode): DuckDBNode {
  const { alias, column_name_alias: columns } = node;
  const pivot = {
    ...node,
    alias: "",
    column_name_alias: [],
    aggregates: nodesIn(node.aggregates).map(bareTotal),
  };
  const query = selectFrom(pivot, [macroCall("total", [everyColumn()])]);
  return {
    type: "SUBQUERY",
    alias,
    sample: null,
    subquery: { node: query, named_param_map: [] },
    column_name_alias: columns,
  };
}

function bareTotal(node: DuckDBNode): DuckDBNode {
  const [aggregate] = nodesIn(node.children);
  const isWrapped = nameOf(node) === `${prefix}total` || node.type === "OPERATOR_COALESCE";
  return isWrapped && aggregate ? bareTotal({ ...aggregate, alias: node.alias }) : node;
}
