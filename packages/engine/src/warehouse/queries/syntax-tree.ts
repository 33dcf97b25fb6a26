import type { DuckDBConnection } from "@duckdb/node-api";
import { quote } from "../names.ts";
import { callTextFunction } from "./kept-statements.ts";

/** A node of DuckDB's own syntax tree. */
export type DuckDBNode = { [key: string]: unknown };

interface ParsedSql {
  readonly statements: readonly DuckDBNode[];
  readonly error?: never;
}

export interface ParseFailure {
  readonly statements?: never;
  /** Empty if the statement is not a SELECT. */
  readonly error: string;
  /** Counted in characters. */
  readonly at: number | undefined;
}

/** Parses SELECT statements. DuckDB refuses every other statement without a message. */
export async function parseSql(connection: DuckDBConnection, sql: string): Promise<ParsedSql | ParseFailure> {
  const read = JSON.parse(await callTextFunction(connection, "json_serialize_sql", sql), exactNumbers);
  if (!isNode(read)) throw new Error("DuckDB returned no syntax tree.");
  if (!read.error) return { statements: nodesIn(read.statements) };
  const at = read.position === undefined ? undefined : Number(read.position);
  return { error: read.error_type === "parser" ? String(read.error_message) : "", at };
}

/** The SQL of a tree. Only SQL that was written from a checked tree is run. */
export async function writeSql(connection: DuckDBConnection, statement: DuckDBNode): Promise<string> {
  const tree = JSON.stringify({ error: false, statements: [statement] });
  return callTextFunction(connection, "json_deserialize_sql", tree.replace(starOfTable, quotedStar));
}

/** DuckDB quotes every name that it writes, except the table of `t.*`. */
const starOfTable = /"relation_name":"((?:[^"\\]|\\.)+)"/g;
const quotedStar = (_: string, name: string): string =>
  `"relation_name":${JSON.stringify(quote(JSON.parse(`"${name}"`)))}`;

/** The SQL of expressions, each given as the JSON of its tree. */
export async function writeExpressions(
  connection: DuckDBConnection,
  expressions: readonly string[],
): Promise<string[]> {
  const trees = expressions.map((expression) => selectOf.replace("[]", () => `[${expression}]`));
  const answer = await connection.runAndReadAll(
    "SELECT json_deserialize_sql(value) FROM json_each($1::VARCHAR::JSON)",
    [`[${trees.join(",")}]`],
  );
  return answer.getRows().map(([text]) => String(text).slice("SELECT ".length));
}

export const selectFrom = (from: DuckDBNode, list: readonly DuckDBNode[]): DuckDBNode => ({
  type: "SELECT_NODE",
  select_list: list,
  modifiers: [],
  cte_map: { map: [] },
  from_table: from,
  where_clause: null,
  group_expressions: [],
  group_sets: [],
  aggregate_handling: "STANDARD_HANDLING",
  having: null,
  sample: null,
  qualify: null,
});

/** The tree of an empty SELECT. Its first list is the select list. */
const selectOf = JSON.stringify({
  error: false,
  statements: [{ node: selectFrom({ type: "EMPTY", alias: "", sample: null }, []), named_param_map: [] }],
});

/** The node of the ALL in ORDER BY ALL, and of COLUMNS(*). */
export const everyColumn = (): DuckDBNode => ({
  class: "STAR",
  type: "STAR",
  alias: "",
  relation_name: "",
  exclude_list: [],
  replace_list: [],
  columns: true,
  expr: null,
  qualified_exclude_list: [],
  rename_list: [],
});

/** Keeps the digits of numbers that JavaScript would write differently, such as 2^63 - 1 and 10.0. */
function exactNumbers(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined && String(value) !== source
    ? JSON.rawJSON(source)
    : value;
}

export const copyTree = (statement: DuckDBNode): DuckDBNode =>
  JSON.parse(JSON.stringify(statement), exactNumbers) as DuckDBNode;

/** The most characters of JSON in a copy. A copy of a copy of a copy doubles each time. */
const maxCopied = 200_000;

/** A copy of an expression, or undefined if it is too large. */
export function copyOf(node: DuckDBNode): DuckDBNode | undefined {
  const text = JSON.stringify(node);
  const copy = text.length > maxCopied ? undefined : JSON.parse(text, exactNumbers);
  return isNode(copy) ? copy : undefined;
}

export const isNode = (value: unknown): value is DuckDBNode =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

export const nodesIn = (value: unknown): readonly DuckDBNode[] =>
  Array.isArray(value) ? value.filter(isNode) : [];

/** A call of a function or of an operator, which is a function in DuckDB. */
export const functionCall = (
  name: string,
  children: readonly DuckDBNode[],
  isOperator = false,
): DuckDBNode => ({
  class: "FUNCTION",
  type: "FUNCTION",
  alias: "",
  function_name: name,
  schema: "",
  children,
  filter: null,
  order_bys: { type: "ORDER_MODIFIER", orders: [] },
  distinct: false,
  is_operator: isOperator,
  export_state: false,
  catalog: "",
});

/** A macro would take the alias of its argument for the name of a parameter. */
export const castTo = (type: string, child: DuckDBNode): DuckDBNode => ({
  class: "CAST",
  type: "OPERATOR_CAST",
  alias: "",
  child: { ...child, alias: "" },
  cast_type: { id: type, type_info: null },
  try_cast: false,
});

export const textConstant = (value: string): DuckDBNode => ({
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  alias: "",
  value: { type: { id: "VARCHAR", type_info: null }, is_null: false, value },
});

export const numberConstant = (value: number): DuckDBNode => ({
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  alias: "",
  value: { type: { id: "INTEGER", type_info: null }, is_null: false, value },
});

export const column = (...names: readonly string[]): DuckDBNode => ({
  class: "COLUMN_REF",
  type: "COLUMN_REF",
  alias: "",
  column_names: [...names],
});

export const lambda = (names: readonly string[], body: DuckDBNode): DuckDBNode => ({
  class: "LAMBDA",
  type: "LAMBDA",
  alias: "",
  lhs:
    names.length === 1
      ? column(names[0] ?? "")
      : functionCall(
          "row",
          names.map((name) => column(name)),
        ),
  expr: body,
});

const operator = (type: string, children: readonly DuckDBNode[]): DuckDBNode => ({
  class: "OPERATOR",
  type,
  alias: "",
  children,
});

export const isNotNull = (child: DuckDBNode): DuckDBNode => operator("OPERATOR_IS_NOT_NULL", [child]);
/** NULL if the expression fails. */
export const tried = (child: DuckDBNode): DuckDBNode => operator("OPERATOR_TRY", [child]);
export const coalesce = (...children: readonly DuckDBNode[]): DuckDBNode =>
  operator("OPERATOR_COALESCE", children);

/** `CASE WHEN condition THEN value ELSE other END`. */
export const choice = (condition: DuckDBNode, value: DuckDBNode, other: DuckDBNode): DuckDBNode => ({
  class: "CASE",
  type: "CASE_EXPR",
  alias: "",
  case_checks: [{ when_expr: condition, then_expr: value }],
  else_expr: other,
});

/** The text of a string that is written in the statement. */
export const textOf = ({ value }: DuckDBNode): string | undefined =>
  isNode(value) && isNode(value.type) && value.type.id === "VARCHAR" ? String(value.value) : undefined;

/** Replaces every node of a tree in place by the result of `change`, children first. */
export function rewrite(value: unknown, change: (node: DuckDBNode) => DuckDBNode): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      rewrite(item, change);
      if (isNode(item)) value[index] = change(item);
    }
  } else if (isNode(value)) {
    for (const [key, item] of Object.entries(value)) {
      rewrite(item, change);
      if (isNode(item)) value[key] = change(item);
    }
  }
}
