import {
  averageOf,
  type Decimal,
  mostDigits,
  productOf,
  quotientOf,
  remainderOf,
  roundedOf,
  sumOf,
  totalOf,
  wholeDecimals,
  widerOf,
} from "./decimal-types.ts";
import { prefix } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import {
  castTo,
  column,
  copyOf,
  type DuckDBNode,
  functionCall,
  lambda,
  nodesIn,
  numberConstant,
  textConstant,
  tried,
} from "./syntax-tree.ts";
import type { PlanType } from "./type-probe.ts";
import {
  castDecimal,
  decimalOf,
  decimalOperands,
  exactly,
  isDecimal,
  isFloat,
  isNumber,
  isWhole,
  macro,
  nodesOf,
  type Rewrite,
  shortestDecimal,
  type TypedOperand,
  widened,
  writtenInteger,
} from "./typed-operands.ts";

/** DuckDB computes with this many digits if neither operand has more. */
const narrow = 18;

const withoutDecimals = (node: DuckDBNode, operands: readonly TypedOperand[]) => {
  const children = widened(operands);
  return children && { node: { ...node, children } };
};

export const addition: Rewrite = (node, operands, sql) => {
  const [left, right] = operands;
  if (node.function_name === "-" && left?.type?.id === "DATE" && right?.type?.id === "DATE")
    throw problemAt(sql, undefined, "a date minus a date is not supported here. Write datediff(end, start).");
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return withoutDecimals(node, operands);
  const result = sumOf(one, other);
  // DuckDB has the same rule, but uses 18 digits if neither operand has more.
  const scale = Math.max(one.scale, other.scale);
  const isSame =
    scale === result.scale && (Math.max(one.width, other.width) > narrow || result.width <= narrow);
  if (isSame && operands.every(({ type }) => isDecimal(type))) return { node, type: result };
  const common = { width: scale === result.scale ? result.width : mostDigits, scale };
  return exactly(result, {
    ...node,
    children: nodesOf(operands).map((child) => castDecimal(common, child)),
  });
};

export const multiplication: Rewrite = (node, operands) => {
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return withoutDecimals(node, operands);
  const [left = {}, right = {}] = nodesOf(operands);
  const isWide = one.width + other.width > narrow;
  const width = isWide ? Math.max(one.width, narrow + 1) : one.width;
  return exactly(productOf(one, other), {
    ...node,
    children: [castDecimal({ ...one, width }, left), castDecimal(other, right)],
  });
};

export const remainder: Rewrite = (node, operands) => {
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return withoutDecimals(node, operands);
  const common = widerOf(one, other);
  return exactly(remainderOf(one, other), {
    ...node,
    children: nodesOf(operands).map((child) => castDecimal(common, child)),
  });
};

const wholeConstant = (zeros: number): DuckDBNode => castTo("HUGEINT", textConstant(`1${"0".repeat(zeros)}`));
const times = (left: DuckDBNode, right: DuckDBNode): DuckDBNode => functionCall("*", [left, right], true);

/** A DECIMAL as an integer without its point, times a power of ten. */
function unscaled({ width, scale }: Decimal, node: DuckDBNode, power: number): DuckDBNode {
  const shift = (whole: DuckDBNode) => (power > 0 ? times(whole, wholeConstant(power)) : whole);
  if (scale === 0) return shift(castTo("HUGEINT", node));
  if (width + scale <= mostDigits) {
    const factor = castDecimal({ width: scale + 1, scale: 0 }, textConstant(`1${"0".repeat(scale)}`));
    return shift(castTo("HUGEINT", times(castDecimal({ width: mostDigits, scale }, node), factor)));
  }
  // The product would have more digits than a DECIMAL.
  const text = castTo("VARCHAR", castDecimal({ width, scale }, node));
  return shift(castTo("HUGEINT", functionCall("replace", [text, textConstant("."), textConstant("")])));
}

/** The quotient of two DECIMALs, rounded half up, computed with integers of 128 bits. */
function exactQuotient(
  result: Decimal,
  number: { readonly type: Decimal; readonly node: DuckDBNode },
  divisor: { readonly type: Decimal; readonly node: DuckDBNode },
): DuckDBNode {
  const power = result.scale - number.type.scale + divisor.type.scale;
  const quotient = macro("quotient", [
    unscaled(number.type, number.node, power),
    unscaled(divisor.type, divisor.node, -power),
  ]);
  if (result.scale === 0) return castDecimal(result, quotient);
  const smallest = castDecimal(
    { width: result.scale, scale: result.scale },
    textConstant(`0.${"0".repeat(result.scale - 1)}1`),
  );
  return castDecimal(result, times(castDecimal({ width: mostDigits, scale: 0 }, quotient), smallest));
}

export const division: Rewrite = (_node, operands) => {
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return undefined;
  const [left = {}, right = {}] = nodesOf(operands);
  const type = quotientOf(one, other);
  return { node: exactQuotient(type, { type: one, node: left }, { type: other, node: right }), type };
};

export const total: Rewrite = (node, [operand]) => {
  if (!operand?.type || !isDecimal(operand.type)) return undefined;
  return exactly(totalOf(decimalOf(operand.type) as Decimal), node);
};

export const average: Rewrite = (node, [operand], sql) => {
  if (!operand?.type || !isDecimal(operand.type)) return undefined;
  const type = decimalOf(operand.type) as Decimal;
  const counted = copyOf({ ...node, alias: "", function_name: "count" });
  if (!counted) throw problemAt(sql, undefined, "this is nested too deeply: split it up with WITH.");
  const result = averageOf(type);
  const sum = { ...node, alias: "", function_name: "sum" };
  return {
    node: exactQuotient(
      result,
      { type: totalOf(type), node: sum },
      { type: { width: 20, scale: 0 }, node: counted },
    ),
    type: result,
  };
};

export const roundedBy =
  (resultOf: (type: Decimal, digits: number) => Decimal): Rewrite =>
  (node, [number, digits]) => {
    if (isWhole(number?.type)) return { node: castTo("BIGINT", number?.node ?? {}) };
    if (!number?.type || !isDecimal(number.type)) return undefined;
    const written = digits === undefined ? "0" : writtenInteger(digits.node);
    if (written === undefined) return undefined;
    return exactly(resultOf(decimalOf(number.type) as Decimal, Number(written)), node);
  };

/** try_add() and others of DECIMALs. NULL if the operation fails; an error of an operand stays one. */
export const triedWith =
  (operator: string, rewrite: Rewrite): Rewrite =>
  (_node, operands, sql) => {
    if (!decimalOperands(operands)) return undefined;
    const fields = ["one", "other"];
    const pair = functionCall(
      "struct_pack",
      operands.map(({ node }, at) => ({ ...node, alias: fields[at] ?? "" })),
    );
    const inner = operands.map(({ type }, at) => ({ node: column("pair", fields[at] ?? ""), type }));
    const plain = functionCall(operator, nodesOf(inner), true);
    const { node, type } = rewrite(plain, inner, sql) ?? { node: plain };
    const changed = functionCall("list_transform", [
      functionCall("list_value", [pair]),
      lambda(["pair"], tried(node)),
    ]);
    return { node: functionCall("list_extract", [changed, numberConstant(1)]), ...(type && { type }) };
  };

/** ceil() and floor() with a number of digits give a DECIMAL, also of a DOUBLE. */
export const wholeAt =
  (name: "ceil" | "floor"): Rewrite =>
  (_node, [number, digits], sql) => {
    const written = digits && writtenInteger(digits.node);
    const type = number?.type && (floatDecimals.get(number.type.id) ?? decimalOf(number.type));
    if (written === undefined)
      throw problemAt(sql, undefined, `${name}() needs its number of digits written in the statement.`);
    if (!number || !type) return undefined;
    const places = Number(written);
    const result = roundedOf(type, places);
    const value = isFloat(number.type) ? shortestDecimal(type, number.node) : castDecimal(type, number.node);
    if (places >= type.scale) return { node: castDecimal(result, value), type: result };
    if (places <= 0) {
      const whole = functionCall(name, [value]);
      const node =
        places === 0 ? whole : macro(`${name}_to`, [castTo("HUGEINT", whole), wholeConstant(-places)]);
      return { node: castDecimal(result, node), type: result };
    }
    const power = castDecimal({ width: places + 1, scale: 0 }, textConstant(`1${"0".repeat(places)}`));
    const shifted = times(castDecimal({ width: mostDigits - places, scale: type.scale }, value), power);
    const smallest = castDecimal(
      { width: places, scale: places },
      textConstant(`0.${"0".repeat(places - 1)}1`),
    );
    const whole = castDecimal({ width: mostDigits - places, scale: 0 }, functionCall(name, [shifted]));
    return { node: castDecimal(result, times(whole, smallest)), type: result };
  };

/** The DECIMAL as which Spark treats a FLOAT or a DOUBLE. */
const floatDecimals: ReadonlyMap<string, Decimal> = new Map([
  ["FLOAT", { width: 14, scale: 7 }],
  ["DOUBLE", { width: 30, scale: 15 }],
]);

/** The operators of two operands: `+` and `-` may have one. */
export const binary: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);

const arithmetic: ReadonlySet<unknown> = new Set(
  [...binary].concat(["divide", "mod", "pmod"].map((name) => prefix + name)),
);
const divisions: ReadonlySet<unknown> = new Set(["/", `${prefix}divide`]);

export const isArithmetic = (node: DuckDBNode): boolean =>
  node.class === "FUNCTION" && arithmetic.has(node.function_name) && nodesIn(node.children).length === 2;

const sizes = [...wholeDecimals.keys()];

/** The type of arithmetic without DECIMALs, if its operands are numbers. */
export function arithmeticType(
  { function_name: name }: DuckDBNode,
  types: readonly (PlanType | undefined)[],
): PlanType | undefined {
  if (!types.every(isNumber)) return undefined;
  if (types.some(isFloat) || divisions.has(name)) {
    const isSingle = types.every((type) => type?.id === "FLOAT") && !divisions.has(name);
    return { id: isSingle ? "FLOAT" : "DOUBLE", type_info: null };
  }
  if (!types.every(isWhole)) return undefined;
  const largest = Math.max(...types.map((type) => sizes.indexOf(type?.id ?? "")));
  return { id: sizes[largest] ?? "BIGINT", type_info: null };
}
