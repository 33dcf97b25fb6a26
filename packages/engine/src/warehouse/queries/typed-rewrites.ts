import {
  between,
  chosen,
  coalesced,
  comparison,
  contained,
  greatest,
  listed,
} from "./common-type-rewrites.ts";
import {
  addition,
  average,
  binary,
  division,
  multiplication,
  remainder,
  roundedBy,
  total,
} from "./decimal-rewrites.ts";
import { roundedOf, wholeOf } from "./decimal-types.ts";
import { prefix } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import { type DuckDBNode, isNode, nodesIn } from "./syntax-tree.ts";
import { cast, concatenation, joinedPart, sameNull } from "./text-rewrites.ts";
import { macro, type Rewrite } from "./typed-operands.ts";

const extreme: Rewrite = (node, [operand], sql) => {
  if (operand?.type?.id !== "STRUCT") return undefined;
  const name = String(node.function_name);
  throw problemAt(
    sql,
    undefined,
    `${name}() of a struct is not supported here, because NULL has another place in its order. Write ${name}_by(value, key).`,
  );
};

const upperCase: Rewrite = (node, [operand]) =>
  operand && { node: { ...node, children: [macro("without_ligatures", [operand.node])] } };

const functions: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ["+", addition],
  ["-", addition],
  ["*", multiplication],
  ["/", division],
  [`${prefix}divide`, division],
  ["%", remainder],
  [`${prefix}mod`, remainder],
  [`${prefix}pmod`, remainder],
  ["sum", total],
  ["avg", average],
  ["min", extreme],
  ["max", extreme],
  ["round", roundedBy(roundedOf)],
  [`${prefix}bround`, roundedBy(roundedOf)],
  [`${prefix}ceil`, roundedBy(wholeOf)],
  [`${prefix}ceiling`, roundedBy(wholeOf)],
  [`${prefix}floor`, roundedBy(wholeOf)],
  ["greatest", greatest],
  ["least", greatest],
  ["list_value", listed],
  ["||", concatenation],
  [`${prefix}local`, sameNull],
  [`${prefix}scalar`, joinedPart],
  ["upper", upperCase],
]);

const operators: ReadonlyMap<unknown, Rewrite> = new Map<unknown, Rewrite>([
  ["OPERATOR_COALESCE", coalesced],
  ["COMPARE_IN", contained],
  ["COMPARE_NOT_IN", contained],
]);

const windows: ReadonlySet<string> = new Set(["sum", "avg", "min", "max"]);

/** Where an operand is, so that it can be replaced. */
export interface Place {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

/** How a node depends on the types of its operands, and where these are; undefined if it does not. */
export function typedRewrite(
  node: DuckDBNode,
): { readonly rewrite: Rewrite; readonly places: Place[] } | undefined {
  const of = (...keys: string[]): Place[] =>
    keys.flatMap((key) => (isNode(node[key]) ? [{ holder: node, key }] : []));
  const children = (): Place[] =>
    (Array.isArray(node.children) ? node.children : []).flatMap((child, key) =>
      isNode(child) ? [{ holder: node.children as Place["holder"], key }] : [],
    );
  if (node.class === "COMPARISON") return { rewrite: comparison, places: of("left", "right") };
  if (node.class === "BETWEEN") return { rewrite: between, places: of("input", "lower", "upper") };
  if (node.class === "CAST") return { rewrite: cast, places: of("child") };
  if (node.class === "CASE") {
    const checks = nodesIn(node.case_checks).map((holder) => ({ holder, key: "then_expr" }));
    return { rewrite: chosen, places: [...checks, ...of("else_expr")] };
  }
  if (node.class === "OPERATOR") {
    const rewrite = operators.get(node.type);
    return rewrite && { rewrite, places: children() };
  }
  const name = String(node.function_name).toLowerCase();
  const isCall = node.class === "FUNCTION" || (node.class === "WINDOW" && windows.has(name));
  const rewrite = isCall ? functions.get(name) : undefined;
  if (!rewrite || (binary.has(name) && nodesIn(node.children).length !== 2)) return undefined;
  const places = children();
  const divisor = name === "/" ? nodesIn(node.children)[1] : undefined;
  // A number in the statement was cast, to divide by a DOUBLE.
  if (divisor?.class === "CAST" && isNode(divisor.child) && divisor.child.class === "CONSTANT")
    return { rewrite, places: [...places.slice(0, 1), { holder: divisor, key: "child" }] };
  return { rewrite, places };
}
