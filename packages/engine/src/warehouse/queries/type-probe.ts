import type { DuckDBConnection } from "@duckdb/node-api";
import { callTextFunction } from "./kept-statements.ts";
import { type DuckDBNode, isNode, nodesIn, textConstant, writeSql } from "./syntax-tree.ts";

/** A type as DuckDB's plans have it. */
export interface PlanType {
  readonly id: string;
  readonly type_info: {
    readonly width?: number;
    readonly scale?: number;
    readonly child_type?: PlanType;
    /** The fields of a struct. */
    readonly child_types?: readonly { readonly first: string; readonly second: PlanType }[];
  } | null;
}

/** The types of expressions, by their number. */
export type ProbedTypes = ReadonlyMap<number, PlanType>;

/** Rewrites a statement over tables that are yet to be created to one over tables that exist. */
export type ToBind = (sql: string) => Promise<string>;

const mark = "spark_type_";

/** An expression whose type the plan tells: CASE WHEN 'spark_type_7' IS NULL THEN NULL ELSE expression END. */
export const marked = (id: number, expression: DuckDBNode): DuckDBNode => ({
  class: "CASE",
  type: "CASE_EXPR",
  alias: "",
  case_checks: [
    {
      when_expr: {
        class: "OPERATOR",
        type: "OPERATOR_IS_NULL",
        alias: "",
        children: [textConstant(mark + id)],
      },
      then_expr: nullConstant(),
    },
  ],
  else_expr: expression,
});

export const nullConstant = (): DuckDBNode => ({
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  alias: "",
  value: { type: { id: "NULL", type_info: null }, is_null: true },
});

/**
 * The types of the marked expressions of a statement; undefined if it cannot be bound. An expression that has two types, because
 * its names mean different things at different places, is left out, and `isAmbiguous` is set.
 */
export async function probeTypes(
  connection: DuckDBConnection,
  statement: DuckDBNode,
  toBind: ToBind,
): Promise<{ readonly types: ProbedTypes; readonly isAmbiguous: boolean } | undefined> {
  const sql = await toBind(await writeSql(connection, statement));
  const plan = JSON.parse(await callTextFunction(connection, "json_serialize_plan", sql));
  if (plan.error) return undefined;
  const types = new Map<number, PlanType>();
  const ambiguous = new Set<number>();
  collect(plan, (id, type) => {
    const known = types.get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(type)) ambiguous.add(id);
    types.set(id, type);
  });
  for (const id of ambiguous) types.delete(id);
  return { types, isAmbiguous: ambiguous.size > 0 };
}

function collect(value: unknown, found: (id: number, type: PlanType) => void): void {
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (isNode(value)) {
    if (value.expression_class === "BOUND_CASE") {
      const id = markOf(value);
      if (id !== undefined) found(id, value.return_type as PlanType);
    }
    for (const item of Object.values(value)) collect(item, found);
  }
}

function markOf({ case_checks: checks }: DuckDBNode): number | undefined {
  const when = nodesIn(checks)[0]?.when_expr;
  const constant = isNode(when) ? nodesIn(when.children)[0]?.value : undefined;
  const text = isNode(constant) ? constant.value : undefined;
  return typeof text === "string" && text.startsWith(mark) ? Number(text.slice(mark.length)) : undefined;
}

/**
 * Numbers the expressions of a statement. Expressions that are written alike get the same number, so that GROUP BY
 * still finds them in the select list, unless they are in different queries or lambdas, where a name may mean something
 * else.
 */
export function numberExpressions(
  statement: DuckDBNode,
  /** Whether each expression gets a number of its own. */
  isUnique: boolean,
): Map<DuckDBNode, number> {
  const numbers = new Map<DuckDBNode, number>();
  const known = new Map<string, number>();
  let scopes = 0;
  const numberOf = (text: string): number => {
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    return number;
  };
  const visit = (value: unknown, scope: number): string => {
    if (Array.isArray(value)) return `[${value.map((item) => visit(item, scope)).join(",")}]`;
    if (!isNode(value)) return JSON.stringify(value) ?? "";
    const opens = value.type === "SELECT_NODE" || value.class === "LAMBDA";
    if (opens) scopes += 1;
    const inner = opens ? scopes : scope;
    const parts = Object.entries(value).map(([key, item]) => {
      const text = visit(item, inner);
      return key === "query_location" || key === "alias" ? "" : `${key}:${text}`;
    });
    const named = value.class === "COLUMN_REF" || isUnique ? `@${isUnique ? numbers.size : scope}` : "";
    const number = numberOf(`${parts.join(",")}${named}`);
    numbers.set(value, number);
    return `#${number}`;
  };
  visit(statement, 0);
  return numbers;
}
