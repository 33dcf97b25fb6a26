import { parseDatabricksType } from "../../protocol/types.ts";
import { duckdbDateFormat } from "./date-pattern.ts";
import { jsonValue, structSchema } from "./json-value.ts";
import { prefix, rowsMarker } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import {
  castTo,
  coalesce,
  column,
  copyOf,
  type DuckDBNode,
  functionCall,
  isNode,
  isNotNull,
  lambda,
  nodesIn,
  numberConstant,
  rewrite,
  textConstant,
  textOf,
} from "./syntax-tree.ts";

type Rewrite = (node: DuckDBNode, children: readonly DuckDBNode[], sql: string) => DuckDBNode;

const call = functionCall;
const macro = (name: string, children: readonly DuckDBNode[]): DuckDBNode => call(prefix + name, children);
const listOf = (children: readonly DuckDBNode[]): DuckDBNode => call("list_value", children);
const evenOf = (children: readonly DuckDBNode[]) => children.filter((_, index) => index % 2 === 0);
const oddOf = (children: readonly DuckDBNode[]) => children.filter((_, index) => index % 2 === 1);

const namedStruct: Rewrite = (_node, children, sql) => {
  const names = evenOf(children).map(textOf);
  if (names.includes(undefined) || children.length % 2 === 1)
    throw problemAt(sql, undefined, "named_struct() needs pairs of a name in quotes and a value.");
  return call(
    "struct_pack",
    oddOf(children).map((child, index) => ({ ...child, alias: names[index] })),
  );
};

/** The pattern of a date function in DuckDB's form. */
function patternOf(name: string, node: DuckDBNode | undefined, sql: string): DuckDBNode {
  const pattern = node && textOf(node);
  if (pattern === undefined)
    throw problemAt(sql, undefined, `${name}() needs a pattern in quotes, such as 'yyyy-MM-dd'.`);
  const { format, unknown } = { unknown: undefined, format: "", ...duckdbDateFormat(pattern) };
  if (unknown !== undefined)
    throw problemAt(sql, undefined, `${name}() does not support ${unknown} in a pattern here.`);
  return textConstant(format);
}

/** Patterns whose parts have a fixed number of digits. DuckDB would accept fewer. */
const isFixed = /^(?:yyyy|MM|dd|HH|mm|ss|[^A-Za-z'])+$/;

/** A text as a timestamp, by a pattern. */
function parsed(name: string, [text = {}, pattern]: readonly DuckDBNode[], sql: string): DuckDBNode {
  const format = patternOf(name, pattern, sql);
  const moment = call("strptime", [text, format]);
  const copy = isFixed.test((pattern && textOf(pattern)) ?? "") ? copyOf(text) : undefined;
  return copy ? macro("parsed_exactly", [copy, moment, { ...format }]) : moment;
}

/** A text as a timestamp, by a pattern. NULL if the text does not match the pattern. */
function triedParsed([text = {}, pattern]: readonly DuckDBNode[], sql: string): DuckDBNode {
  const format = patternOf("try_to_timestamp", pattern, sql);
  const moment = call("try_strptime", [text, format]);
  const copy = isFixed.test((pattern && textOf(pattern)) ?? "") ? copyOf(text) : undefined;
  return copy ? macro("tried_exactly", [copy, moment, { ...format }]) : moment;
}

const epoch =
  (name: string): Rewrite =>
  (node, children, sql) =>
    children.length < 2
      ? node
      : castTo("BIGINT", call("floor", [call("epoch", [parsed(name, children, sql)])]));

/** JSON text as a value of a type: a field that is missing or of another type is NULL. */
const fromJson: Rewrite = (_node, [text = {}, schema], sql) => {
  const written = schema && textOf(schema);
  const type =
    written === undefined
      ? undefined
      : (parseDatabricksType(written) ?? parseDatabricksType(`STRUCT<${written}>`));
  if (type === undefined)
    throw problemAt(sql, undefined, "from_json() needs a schema in quotes, such as 'a INT, b STRING'.");
  // DuckDB would not give NULL the type of the schema.
  if (isNode(text.value) && text.value.is_null)
    throw problemAt(sql, undefined, "from_json() of NULL is not supported here. Write CAST(NULL AS …).");
  const isStruct = type.startsWith("STRUCT");
  const json = macro(isStruct ? "json_object_text" : "json_text", [castTo("VARCHAR", text)]);
  return jsonValue(json, isStruct && written !== undefined ? structSchema(written) : (written ?? ""), type);
};

const percentileOf =
  (exact: string, isDouble: boolean): Rewrite =>
  (node, [number = {}, share = {}]) => ({
    ...node,
    function_name: exact,
    children: [isDouble ? castTo("DOUBLE", number) : number, share],
  });

/** In percentile_cont(0.5) WITHIN GROUP (ORDER BY number), the number is in the order. */
const asDouble: Rewrite = (node) => {
  const orders = isNode(node.order_bys) ? nodesIn(node.order_bys.orders) : [];
  const [order] = orders;
  if (!order || !isNode(order.expression)) return node;
  const expression = castTo("DOUBLE", order.expression);
  return { ...node, order_bys: { type: "ORDER_MODIFIER", orders: [{ ...order, expression }] } };
};

const both = (left: unknown, right: DuckDBNode): DuckDBNode =>
  isNode(left)
    ? { class: "CONJUNCTION", type: "CONJUNCTION_AND", alias: "", children: [left, right] }
    : right;

/** An aggregate that ignores NULL. Without values it returns an empty list. */
const collected =
  (distinct: boolean): Rewrite =>
  (node, [value = {}]) =>
    coalesce(
      {
        ...node,
        alias: "",
        function_name: "array_agg",
        distinct: distinct || node.distinct,
        filter: both(node.filter, isNotNull(value)),
      },
      listOf([]),
    );

/** The parameter and the body of a lambda. */
interface Lambda {
  readonly names: readonly string[];
  readonly body: DuckDBNode;
}

function lambdaOf(node: DuckDBNode | undefined): Lambda | undefined {
  if (node?.class !== "LAMBDA" || !isNode(node.lhs) || !isNode(node.expr)) return undefined;
  const parameters = node.lhs.class === "COLUMN_REF" ? [node.lhs] : nodesIn(node.lhs.children);
  return {
    names: parameters.flatMap(({ column_names: names }) =>
      Array.isArray(names) ? names.slice(0, 1).map(String) : [],
    ),
    body: node.expr,
  };
}

/** `payload:name`, which the library translates to `payload -> '$.name'`. */
export function jsonPath({ lhs, expr, alias }: DuckDBNode): DuckDBNode | undefined {
  const path = isNode(expr) ? textOf(expr) : undefined;
  if (!isNode(lhs) || !isNode(expr) || path === undefined || !path.startsWith("$")) return undefined;
  return { ...macro("get_json_object", [lhs, expr]), alias };
}

/** With a wildcard, DuckDB returns a list instead of JSON. */
const jsonObject: Rewrite = (node, [, path], sql) => {
  if (path && textOf(path)?.includes("*"))
    throw problemAt(sql, undefined, "a * in a path is not supported here: use from_json() with a schema.");
  return node;
};

/** The second parameter of a lambda counts from 0, in DuckDB from 1. */
const withIndex: Rewrite = (node, [list = {}, given]) => {
  const { names = [], body = {} } = lambdaOf(given) ?? {};
  const [item = "", index] = names;
  if (index === undefined) return node;
  const holder = { body };
  rewrite(holder, (inner) =>
    inner.class === "COLUMN_REF" && String(inner.column_names) === index
      ? castTo("INTEGER", call("-", [inner, numberConstant(1)], true))
      : inner,
  );
  return { ...node, children: [list, lambda([item, index], holder.body)] };
};

const lambdaProblem = (name: string, sql: string) =>
  problemAt(sql, undefined, `${name}() needs a lambda, such as x -> x > 0.`);

/** Whether a condition holds for any element, or for all. */
const matches =
  (name: string, every: boolean): Rewrite =>
  (_node, [list = {}, given], sql) => {
    const { names, body } = lambdaOf(given) ?? {};
    if (!names || !body) throw lambdaProblem(name, sql);
    return macro(every ? "all_true" : "any_true", [call("list_transform", [list, lambda(names, body)])]);
  };

const reduced =
  (name: string): Rewrite =>
  (_node, [list = {}, start = {}, given, finish], sql) => {
    const { names, body } = lambdaOf(given) ?? {};
    if (names?.length !== 2 || !body) throw lambdaProblem(name, sql);
    const result = call("list_reduce", [list, lambda(names, body), start]);
    if (!finish) return result;
    const last = lambdaOf(finish);
    if (last?.names.length !== 1) throw lambdaProblem(name, sql);
    const finished = call("list_transform", [listOf([result]), lambda(last.names, last.body)]);
    return call("list_extract", [finished, numberConstant(1)]);
  };

/** The body of a lambda, with its parameters replaced by parts of another parameter. */
function withParts({ names, body }: Lambda, parts: readonly DuckDBNode[]): DuckDBNode {
  const holder = { body };
  rewrite(holder, (inner) => {
    if (inner.class !== "COLUMN_REF" || !Array.isArray(inner.column_names)) return inner;
    const [name, ...fields] = inner.column_names.map(String);
    const part = parts[names.indexOf(name ?? "")];
    if (!part) return inner;
    const field = (value: DuckDBNode, key: string) => call("struct_extract", [value, textConstant(key)]);
    return { ...fields.reduce(field, part), alias: inner.alias };
  });
  return holder.body;
}

const entry = "spark_entry";

/** A function of a map and a lambda over its keys and values. */
const overEntries =
  (name: string, change: (map: DuckDBNode, body: DuckDBNode) => DuckDBNode): Rewrite =>
  (_node, [map = {}, given], sql) => {
    const found = lambdaOf(given);
    if (found?.names.length !== 2)
      throw problemAt(
        sql,
        undefined,
        `${name}() needs a lambda of a key and a value, such as (k, v) -> v > 0.`,
      );
    const body = withParts(found, [column(entry, "key"), column(entry, "value")]);
    return call("map_from_entries", [change(call("map_entries", [map]), body)]);
  };

const changedEntries =
  (pair: (body: DuckDBNode) => readonly [DuckDBNode, DuckDBNode]) =>
  (entries: DuckDBNode, body: DuckDBNode): DuckDBNode => {
    const [key, value] = pair(body);
    const changed = call("struct_pack", [
      { ...key, alias: "key" },
      { ...value, alias: "value" },
    ]);
    return call("list_transform", [entries, lambda([entry], changed)]);
  };

/** The shorter list is filled with NULL. */
const zipped: Rewrite = (_node, [list = {}, other = {}, given], sql) => {
  const found = lambdaOf(given);
  if (found?.names.length !== 2)
    throw problemAt(sql, undefined, "zip_with() needs a lambda of two elements, such as (x, y) -> x + y.");
  const part = (at: number) => call("struct_extract", [column(entry), numberConstant(at)]);
  const body = withParts(found, [part(1), part(2)]);
  return call("list_transform", [macro("zip", [list, other]), lambda([entry], body)]);
};

/** A text is the key of a map. Otherwise it may be the position in a list, which bind-repair.ts finds out. */
const elementAt: Rewrite = (_node, [collection = {}, key = {}], sql) =>
  textOf(key) === undefined
    ? macro("element", [collection, key, lengthOf(collection, sql)])
    : macro("map_item", [collection, key]);

/** With a number of digits, these functions return DECIMALs (decimal-rewrites.ts). */
const digitsOf =
  (name: string): Rewrite =>
  (node, children) =>
    children.length === 2 ? macro(`${name}_digits`, children) : node;

const size: Rewrite = (_node, [collection = {}]) => castTo("INTEGER", call("len", [collection]));

/** The length of a list, which bind-repair.ts replaces if it is a map. */
export function lengthOf(collection: DuckDBNode, sql: string): DuckDBNode {
  const copy = copyOf(collection);
  if (!copy) throw problemAt(sql, undefined, "this is nested too deeply: split it up with WITH.");
  return call("len", [copy]);
}

/** One column for each field of the structs in a list. */
const rowsOf = (list: DuckDBNode): DuckDBNode =>
  call("unnest", [list, { ...numberConstant(2), alias: "max_depth" }]);

const namesIn = (node: DuckDBNode | undefined): readonly string[] =>
  JSON.parse((node && textOf(node)) ?? "[]");

/** `stack(2, 1, 'a', 2, 'b') AS (n, s)` has the rows (1, 'a') and (2, 'b'). */
const stack: Rewrite = (_node, [columns, count, ...values], sql) => {
  const rows = isNode(count?.value) ? Number(count.value.value) : Number.NaN;
  if (!Number.isInteger(rows) || rows < 1 || values.length < rows)
    throw problemAt(sql, undefined, "stack() needs the number of rows, and at least one value for each.");
  const width = Math.ceil(values.length / rows);
  if (width * rows !== values.length)
    throw problemAt(sql, undefined, "stack() needs the same number of values for each row.");
  const names = namesIn(columns);
  return rowsOf(
    listOf(
      Array.from({ length: rows }, (_, row) =>
        call(
          "struct_pack",
          values
            .slice(row * width, (row + 1) * width)
            .map((value, at) => ({ ...value, alias: names[at] ?? `col${at}` })),
        ),
      ),
    ),
  );
};

/** `explode(map) AS (k, v)`. */
const explodedMap: Rewrite = (_node, [columns, map = {}]) => {
  const [key = "key", value = "value"] = namesIn(columns);
  const entry = call("struct_pack", [
    { ...column("entry", "key"), alias: key },
    { ...column("entry", "value"), alias: value },
  ]);
  return rowsOf(call("list_transform", [call("map_entries", [map]), lambda(["entry"], entry)]));
};

/** The rewrites by the function name in the translated statement. */
export const rewrites: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  [`${prefix}aggregate`, reduced("aggregate")],
  [`${prefix}approx_percentile`, percentileOf("quantile_disc", false)],
  [`${prefix}array`, (_node, children) => listOf(children)],
  [`${prefix}array_agg`, collected(false)],
  [`${prefix}boolean`, (_node, [value = {}]) => castTo("BOOLEAN", value)],
  [`${prefix}cardinality`, size],
  [`${prefix}ceil`, digitsOf("ceil")],
  [`${prefix}ceiling`, digitsOf("ceil")],
  [`${prefix}floor`, digitsOf("floor")],
  [`${prefix}double`, (_node, [value = {}]) => castTo("DOUBLE", value)],
  [`${prefix}float`, (_node, [value = {}]) => castTo("FLOAT", value)],
  [`${prefix}collect_list`, collected(false)],
  [`${prefix}collect_set`, collected(true)],
  [`${prefix}concat_ws`, (_node, children) => call("concat_ws", children)],
  [
    `${prefix}date_format`,
    (_node, [moment = {}, pattern], sql) =>
      call("strftime", [macro("date_or_time", [moment]), patternOf("date_format", pattern, sql)]),
  ],
  [`${prefix}element_at`, elementAt],
  [`${prefix}exists`, matches("exists", false)],
  [`${prefix}explode_outer`, (_node, [list = {}]) => call("unnest", [macro("never_empty", [list])])],
  [`${prefix}forall`, matches("forall", true)],
  [`${prefix}from_json`, fromJson],
  [
    `${prefix}from_unixtime`,
    (node, [seconds = {}, pattern], sql) =>
      pattern === undefined
        ? node
        : call("strftime", [call("to_timestamp", [seconds]), patternOf("from_unixtime", pattern, sql)]),
  ],
  [`${prefix}get_json_object`, jsonObject],
  [`${prefix}map`, (_node, children) => call("map", [listOf(evenOf(children)), listOf(oddOf(children))])],
  [
    `${prefix}map_filter`,
    overEntries("map_filter", (entries, body) => call("list_filter", [entries, lambda([entry], body)])),
  ],
  [
    `${prefix}map_concat`,
    (_node, [first = {}, ...others]) =>
      others.reduce((one, other) => macro("map_concat_two", [one, other]), first),
  ],
  [`${prefix}named_struct`, namedStruct],
  [`${prefix}percentile`, percentileOf("quantile_cont", true)],
  [`${prefix}percentile_approx`, percentileOf("quantile_disc", false)],
  [`${prefix}reduce`, reduced("reduce")],
  [`${rowsMarker}_explode`, explodedMap],
  [`${rowsMarker}_inline`, (_node, [, list = {}]) => rowsOf(list)],
  [`${rowsMarker}_stack`, stack],
  [
    `${prefix}sequence`,
    (node, [first = {}, last = {}, step]) =>
      step && /"to_(?:year|quarter|month|week|day|hour|minute|second|m)/.test(JSON.stringify(step))
        ? macro("sequence_of_times", [first, last, step])
        : node,
  ],
  [`${prefix}size`, size],
  [
    `${prefix}to_date`,
    (node, children, sql) =>
      children.length === 1 ? node : castTo("DATE", parsed("to_date", children, sql)),
  ],
  [
    `${prefix}to_timestamp`,
    (node, children, sql) =>
      children.length === 1
        ? node
        : castTo("TIMESTAMP WITH TIME ZONE", parsed("to_timestamp", children, sql)),
  ],
  [
    `${prefix}transform_keys`,
    overEntries(
      "transform_keys",
      changedEntries((body) => [body, column(entry, "value")]),
    ),
  ],
  [
    `${prefix}transform_values`,
    overEntries(
      "transform_values",
      changedEntries((body) => [column(entry, "key"), body]),
    ),
  ],
  [
    `${prefix}try_to_timestamp`,
    (node, children, sql) =>
      children.length === 1 ? node : castTo("TIMESTAMP WITH TIME ZONE", triedParsed(children, sql)),
  ],
  [`${prefix}to_unix_timestamp`, epoch("to_unix_timestamp")],
  [`${prefix}unix_timestamp`, epoch("unix_timestamp")],
  [`${prefix}zip_with`, zipped],
  ["date_diff", difference],
  ["date_part", (node, children) => partOf(node, children)],
  ["list_filter", withIndex],
  ["list_transform", withIndex],
  ["median", (node, [number = {}]) => ({ ...node, children: [castTo("DOUBLE", number)] })],
  ["corr", ofSeveral],
  ["regr_slope", ofSeveral],
  ["quantile_cont", asDouble],
  ["quantile_disc", asDouble],
]);

/** For a single pair of numbers, the aggregate is NULL; DuckDB computes NaN. */
function ofSeveral(node: DuckDBNode): DuckDBNode {
  const pairs = copyOf({ ...node, alias: "", function_name: "regr_count" });
  return pairs ? macro("of_several", [pairs, { ...node, alias: "" }]) : node;
}

/** In months the rule differs from DuckDB's: from January 31 to February 29 is no whole month. */
function difference(node: DuckDBNode, [unit = {}, first = {}, last = {}]: readonly DuckDBNode[]): DuckDBNode {
  if (nodesIn(node.children).length !== 3) return node;
  const name = textOf(unit)?.toLowerCase() ?? "";
  const months = monthsOf.get(name);
  const divided = (value: DuckDBNode, by: number) =>
    castTo("BIGINT", call("trunc", [call("/", [value, castTo("DOUBLE", numberConstant(by))], true)]));
  const moment = (of: DuckDBNode) => castTo("TIMESTAMP", of);
  if (months !== undefined) return divided(macro("whole_months", [moment(first), moment(last)]), months);
  const sub = { ...node, alias: "", function_name: "date_sub" };
  return name === "week"
    ? divided({ ...sub, children: [textConstant("day"), moment(ofMonday(first)), moment(ofMonday(last))] }, 7)
    : sub;
}

/**
 * For weeks, the library truncates dates to Mondays, which is undone here. A date_trunc() of the author has another
 * name here.
 */
function ofMonday(day: DuckDBNode): DuckDBNode {
  const [unit, inner] = nodesIn(day.children);
  if (day.function_name !== "date_trunc" || !unit || !inner || !/^week$/i.test(textOf(unit) ?? ""))
    return day;
  return inner.class === "CAST" && isNode(inner.child) ? inner.child : inner;
}

const monthsOf: ReadonlyMap<string, number> = new Map([
  ["year", 12],
  ["quarter", 3],
  ["month", 1],
]);

const wholeParts = new Set("year quarter month week day doy dayofyear hour minute".split(" "));

function partOf(node: DuckDBNode, [unit = {}, moment = {}]: readonly DuckDBNode[]): DuckDBNode {
  const name = textOf(unit)?.toLowerCase().replace(/s$/, "") ?? "";
  if (wholeParts.has(name)) return castTo("INTEGER", node);
  if (name === "second") return macro("seconds", [moment]);
  if (name === "dow" || name === "dayofweek") return macro("dayofweek", [moment]);
  return node;
}

const collectedOver =
  (distinct: boolean) =>
  (node: DuckDBNode): DuckDBNode =>
    coalesce(
      {
        ...node,
        alias: "",
        function_name: "array_agg",
        distinct: distinct || node.distinct,
        filter_expr: both(node.filter_expr, isNotNull(nodesIn(node.children)[0] ?? {})),
      },
      listOf([]),
    );

/** The rewrites of window functions. */
export const windowRewrites: ReadonlyMap<string, (node: DuckDBNode) => DuckDBNode> = new Map([
  [`${prefix}array_agg`, collectedOver(false)],
  [`${prefix}collect_list`, collectedOver(false)],
  [`${prefix}collect_set`, collectedOver(true)],
  ["corr", ofSeveral],
  ["regr_slope", ofSeveral],
]);
