import { type Decimal, wholeDecimals } from "./decimal-types.ts";
import { prefix } from "./spark-functions.ts";
import { castTo, type DuckDBNode, functionCall, isNode, numberConstant, textOf } from "./syntax-tree.ts";
import { nullConstant, type PlanType } from "./type-probe.ts";

/** An operand with its type, if that is known. */
export interface TypedOperand {
  readonly node: DuckDBNode;
  readonly type: PlanType | undefined;
}

/** The replacement of an expression, and its type if it is a DECIMAL. */
interface TypedRewrite {
  readonly node: DuckDBNode;
  readonly type?: Decimal;
  /** Whether the expression is always NULL. */
  readonly isNull?: true;
}

export type Rewrite = (
  node: DuckDBNode,
  operands: readonly TypedOperand[],
  sql: string,
) => TypedRewrite | undefined;

export const macro = (name: string, children: readonly DuckDBNode[]): DuckDBNode =>
  functionCall(prefix + name, children);

/** A cast to a DECIMAL. */
export const castDecimal = ({ width, scale }: Decimal, child: DuckDBNode): DuckDBNode => ({
  ...castTo("DECIMAL", child),
  cast_type: {
    id: "DECIMAL",
    type_info: { type: "DECIMAL_TYPE_INFO", alias: "", extension_info: null, width, scale },
  },
});

/** A FLOAT or a DOUBLE as a DECIMAL by its shortest text: 1.005 is 1.01, although the binary value is a little less. */
export const shortestDecimal = (type: Decimal, child: DuckDBNode): DuckDBNode =>
  macro("shortest_decimal", [
    castTo("DOUBLE", child),
    castDecimal(type, nullConstant()),
    numberConstant(type.scale),
  ]);

export const exactly = (type: Decimal, node: DuckDBNode): TypedRewrite => ({
  node: castDecimal(type, { ...node, alias: "" }),
  type,
});

export const isDecimal = (type: PlanType | undefined): boolean => type?.id === "DECIMAL";
export const isNull = (type: PlanType | undefined): boolean => type?.id === "NULL";
export const isFloat = (type: PlanType | undefined): boolean => type?.id === "DOUBLE" || type?.id === "FLOAT";
export const isWhole = (type: PlanType | undefined): boolean => wholeDecimals.has(type?.id ?? "");
export const isNumber = (type: PlanType | undefined): boolean =>
  isDecimal(type) || isWhole(type) || isFloat(type);

export const decimalOf = ({ id, type_info: info }: PlanType): Decimal | undefined =>
  id === "DECIMAL" ? { width: info?.width ?? 18, scale: info?.scale ?? 3 } : wholeDecimals.get(id);

/** The number of an integer that is written in the statement. */
export function writtenInteger({ class: kind, value }: DuckDBNode): string | undefined {
  if (kind !== "CONSTANT" || !isNode(value) || !isNode(value.type)) return undefined;
  return wholeDecimals.has(String(value.type.id)) ? String(value.value) : undefined;
}

/**
 * Numbers whose common type is different in DuckDB: in Databricks, a FLOAT beside a DECIMAL or an integer is a DOUBLE,
 * and an integer in the statement is an INT, not as small as the other operand. Undefined if nothing changes.
 */
export function widened(
  operands: readonly TypedOperand[],
  { hasIntegers = true }: { readonly hasIntegers?: boolean } = {},
): DuckDBNode[] | undefined {
  if (!operands.every(({ type }) => isNumber(type) || isNull(type))) return undefined;
  const isSmall = hasIntegers && operands.some(({ type }) => /^(?:TINY|SMALL)INT$/.test(type?.id ?? ""));
  const isExact = operands.some(({ type }) => isWhole(type) || isDecimal(type));
  const nodes = operands.map(({ node, type }) => {
    if (isExact && type?.id === "FLOAT") return castTo("DOUBLE", node);
    return isSmall && type?.id === "INTEGER" && writtenInteger(node) !== undefined
      ? castTo("INTEGER", node)
      : node;
  });
  return nodes.some((node, at) => node !== operands[at]?.node) ? nodes : undefined;
}

/**
 * The operands of arithmetic as DECIMALs; undefined if no operand is a DECIMAL, or if one has no DECIMAL that
 * corresponds to it.
 */
export function decimalOperands(operands: readonly TypedOperand[]): Decimal[] | undefined {
  if (!operands.some(({ type }) => isDecimal(type))) return undefined;
  const [known] = operands.flatMap(({ type }) => (type && decimalOf(type)) ?? []);
  const types = operands.map(({ node, type }) => {
    // An integer in the statement has as many digits as it needs.
    const written = writtenInteger(node);
    if (written !== undefined) return { width: written.replace("-", "").length, scale: 0 };
    if (isNull(type)) return known;
    return type && decimalOf(type);
  });
  return types.includes(undefined) ? undefined : (types as Decimal[]);
}

export const nodesOf = (operands: readonly TypedOperand[]): DuckDBNode[] => operands.map(({ node }) => node);

export const isWrittenText = (node: DuckDBNode): boolean =>
  (node.class === "CONSTANT" && textOf(node) !== undefined) ||
  (node.class === "CAST" && isNode(node.child) && isWrittenText(node.child) && isCastTo(node, "VARCHAR"));

const isCastTo = ({ cast_type: type }: DuckDBNode, id: string): boolean => isNode(type) && type.id === id;

/** The type of a DECIMAL in the statement: as many digits as it needs. DuckDB has one more in 0.5. */
export function writtenDecimal({ class: kind, value }: DuckDBNode): Decimal | undefined {
  if (kind !== "CONSTANT" || !isNode(value) || !isNode(value.type) || value.type.id !== "DECIMAL")
    return undefined;
  const scale = Number((value.type.type_info as { scale?: number } | null)?.scale ?? 0);
  const written =
    JSON.isRawJSON(value.value) || typeof value.value === "number" ? JSON.stringify(value.value) : "";
  // More than 18 digits are two numbers in the tree.
  const { width = 0 } = (value.type.type_info as { width?: number } | null) ?? {};
  return { width: written === "" ? width : Math.max(written.replace("-", "").length, scale), scale };
}
