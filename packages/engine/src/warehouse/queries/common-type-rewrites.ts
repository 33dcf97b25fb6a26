import { type Decimal, widerOf } from "./decimal-types.ts";
import { problemAt } from "./sql-text.ts";
import { castTo, type DuckDBNode, nodesIn } from "./syntax-tree.ts";
import type { PlanType } from "./type-probe.ts";
import {
  castDecimal,
  decimalOf,
  isDecimal,
  isFloat,
  isNull,
  isNumber,
  isWhole,
  isWrittenText,
  macro,
  nodesOf,
  type Rewrite,
  type TypedOperand,
  widened,
} from "./typed-operands.ts";

/** The common type of alternatives, if one of them is a DECIMAL or a text in quotes is beside numbers. */
function alternatives(
  operands: readonly TypedOperand[],
): { readonly nodes: DuckDBNode[]; readonly type?: Decimal } | undefined {
  const written = operands.filter(({ node }) => isWrittenText(node));
  const others = operands.filter(({ node, type }) => !isWrittenText(node) && !isNull(type));
  if (others.length === 0 || !others.every(({ type }) => isNumber(type))) return undefined;
  if (written.length > 0) {
    const isWholeBesideText = others.every(({ type }) => isWhole(type));
    return { nodes: nodesOf(operands).map((node) => (isWholeBesideText ? asBigint : asDouble)(node)) };
  }
  if (!others.some(({ type }) => isDecimal(type)) || others.some(({ type }) => isFloat(type))) {
    const nodes = widened(operands);
    return nodes && { nodes };
  }
  const types = others.map(({ type }) => decimalOf(type as PlanType) as Decimal);
  const type = types.reduce(widerOf);
  const isSame = ({ width, scale }: Decimal) => width === type.width && scale === type.scale;
  if (others.every(({ type: of }) => isDecimal(of)) && types.every(isSame)) return undefined;
  return {
    nodes: operands.map(({ node, type: of }) => (isNull(of) ? node : castDecimal(type, node))),
    type,
  };
}

const asDouble = (node: DuckDBNode): DuckDBNode => castTo("DOUBLE", node);
const asBigint = (node: DuckDBNode): DuckDBNode =>
  isWrittenText(node) ? macro("bigint", [castTo("VARCHAR", node)]) : castTo("BIGINT", node);

export const coalesced: Rewrite = (node, operands) => {
  const found = alternatives(operands);
  return found && { node: { ...node, children: found.nodes }, ...(found.type && { type: found.type }) };
};

export const listed: Rewrite = (node, operands) => {
  const found = alternatives(operands);
  return found && { node: { ...node, children: found.nodes } };
};

export const greatest: Rewrite = (node, operands, sql) => {
  const isMixed =
    operands.some(({ node: one }) => isWrittenText(one)) && operands.some(({ type }) => isNumber(type));
  if (isMixed)
    throw problemAt(sql, undefined, `${String(node.function_name)}() of a text and a number needs a cast.`);
  return coalesced(node, operands, sql);
};

export const chosen: Rewrite = (node, operands) => {
  const found = alternatives(operands);
  if (!found) return undefined;
  const checks = nodesIn(node.case_checks);
  const changed = {
    ...node,
    case_checks: checks.map((check, at) => ({ ...check, then_expr: found.nodes[at] })),
    else_expr: found.nodes[checks.length] ?? node.else_expr,
  };
  return { node: changed, ...(found.type && { type: found.type }) };
};

/** A text in quotes beside a number is a BIGINT or a DOUBLE, regardless of the type of the number. */
function comparedNodes(operands: readonly TypedOperand[], sql: string): DuckDBNode[] | undefined {
  const isBoolean = operands.some(({ type }) => type?.id === "BOOLEAN");
  const isText = ({ node, type }: TypedOperand) => isWrittenText(node) || type?.id === "VARCHAR";
  const numbers = operands.filter((operand) => isNumber(operand.type) && !isText(operand));
  if (isBoolean && numbers.length > 0)
    throw problemAt(sql, undefined, "a number cannot be compared with a BOOLEAN. Write a cast.");
  if (numbers.length === 0 || !operands.some(isText)) return widened(operands, { hasIntegers: false });
  const isWholeBesideText = numbers.every(({ type }) => isWhole(type));
  return operands.map((operand) => {
    const { node } = operand;
    if (!isText(operand)) return node;
    const text = castTo("VARCHAR", node);
    return isWholeBesideText ? macro("bigint", [text]) : asDouble(macro("number_text", [text]));
  });
}

export const comparison: Rewrite = (node, operands, sql) => {
  const [left, right] = comparedNodes(operands, sql) ?? [];
  return left && right && { node: { ...node, left, right } };
};

export const between: Rewrite = (node, operands, sql) => {
  const [input, lower, upper] = comparedNodes(operands, sql) ?? [];
  return input && { node: { ...node, input, lower, upper } };
};

export const contained: Rewrite = (node, operands, sql) => {
  const children = comparedNodes(operands, sql);
  return children && { node: { ...node, children } };
};
