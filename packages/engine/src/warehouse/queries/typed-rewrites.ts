import { wholeTypes } from "./ansi-macros.ts";
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
  triedWith,
  wholeAt,
} from "./decimal-rewrites.ts";
import { roundedOf, wholeOf } from "./decimal-types.ts";
import { orderedComparison } from "./nested-order.ts";
import { prefix } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import { castTo, type DuckDBNode, isNode, nodesIn, numberConstant } from "./syntax-tree.ts";
import {
  bytes,
  cast,
  concatenation,
  joinedList,
  joinedParts,
  json,
  oneText,
  replacedText,
  reversed,
  sameNull,
  timestampOfText,
  typeName,
  wholeCast,
} from "./text-rewrites.ts";
import { isFloat, isWhole, macro, type Rewrite } from "./typed-operands.ts";

const extreme: Rewrite = (node, [operand], sql) => {
  const kinds = new Map([
    ["STRUCT", "a struct"],
    ["LIST", "an array"],
  ]);
  const kind = kinds.get(operand?.type?.id ?? "");
  if (kind === undefined) return undefined;
  const name = String(node.function_name);
  throw problemAt(
    sql,
    undefined,
    `${name}() of ${kind} is not supported here, because NULL has another place in its order. Write ${name}_by(value, key).`,
  );
};

/** A FLOAT is rounded by the text of the DOUBLE with the same value. */
const roundedNumber =
  (name: string): Rewrite =>
  (node, operands, sql) => {
    const [number, digits] = operands;
    if (digits && JSON.stringify(digits.node).includes('"COLUMN_REF"'))
      throw problemAt(
        sql,
        undefined,
        "the number of digits of round() and bround() must be the same for all rows.",
      );
    if (number && isWhole(number.type))
      return {
        node: macro(name.replace("double", "whole"), [number.node, digits?.node ?? numberConstant(0)]),
      };
    if (
      name === "bround_double" &&
      number?.type?.id === "DECIMAL" &&
      (number.type.type_info?.width ?? 0) > 15
    )
      throw problemAt(
        sql,
        undefined,
        "bround() of a DECIMAL with more than 15 digits is not supported here. Write round().",
      );
    if (!isFloat(number?.type)) return roundedBy(roundedOf)(node, operands, sql);
    const asDouble = castTo("DOUBLE", number?.node ?? {});
    const rounded = macro(name, [asDouble, digits?.node ?? numberConstant(0)]);
    return { node: number?.type?.id === "FLOAT" ? castTo("FLOAT", rounded) : rounded };
  };

const upperCase: Rewrite = (node, [operand]) =>
  operand && { node: { ...node, children: [macro("without_ligatures", [operand.node])] } };

const lowerCase: Rewrite = (node, [operand]) =>
  operand && { node: { ...node, children: [macro("lowered", [operand.node])] } };

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
  ["round", roundedNumber("round_double")],
  [`${prefix}bround`, roundedNumber("bround_double")],
  [`${prefix}ceil`, roundedBy(wholeOf)],
  [`${prefix}ceiling`, roundedBy(wholeOf)],
  [`${prefix}floor`, roundedBy(wholeOf)],
  [`${prefix}ceil_digits`, wholeAt("ceil")],
  [`${prefix}floor_digits`, wholeAt("floor")],
  [`${prefix}try_add`, triedWith("+", addition)],
  [`${prefix}try_subtract`, triedWith("-", addition)],
  [`${prefix}try_multiply`, triedWith("*", multiplication)],
  [`${prefix}typeof`, typeName],
  ["replace_type", replacedText],
  ["greatest", greatest],
  ["least", greatest],
  ["list_value", listed],
  ["||", concatenation],
  [`${prefix}local`, sameNull],
  [`${prefix}array_join`, joinedList],
  ["concat_ws", joinedParts],
  [`${prefix}to_json`, json],
  ["upper", upperCase],
  ["lower", lowerCase],
  ["reverse", reversed],
  [`${prefix}base64`, bytes],
  [`${prefix}one_text`, oneText],
  [`${prefix}to_timestamp`, timestampOfText],
  ...[...wholeTypes].flatMap(([type, name]): [string, Rewrite][] => [
    [`${prefix}${name}`, wholeCast(type, false)],
    [`${prefix}try_${name}`, wholeCast(type, true)],
  ]),
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

/**
 * How a node depends on the types of its operands, and where the operands are; undefined if it does not depend on
 * types.
 */
export function typedRewrite(
  node: DuckDBNode,
): { readonly rewrite: Rewrite; readonly places: Place[] } | undefined {
  const of = (...keys: string[]): Place[] =>
    keys.flatMap((key) => (isNode(node[key]) ? [{ holder: node, key }] : []));
  const children = (): Place[] =>
    (Array.isArray(node.children) ? node.children : []).flatMap((child, key) =>
      isNode(child) ? [{ holder: node.children as Place["holder"], key }] : [],
    );
  if (node.class === "COMPARISON")
    return {
      rewrite: (...compared) => orderedComparison(...compared) ?? comparison(...compared),
      places: of("left", "right"),
    };
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
