import { databricksType } from "../../protocol/types.ts";
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
  wholeOf,
  widerOf,
} from "./decimal-types.ts";
import { prefix } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import {
  castTo,
  copyOf,
  type DuckDBNode,
  functionCall,
  isNode,
  nodesIn,
  textConstant,
  textOf,
} from "./syntax-tree.ts";
import type { PlanType } from "./type-probe.ts";

/** An operand with its type, if that is known. */
interface TypedOperand {
  readonly node: DuckDBNode;
  readonly type: PlanType | undefined;
}

/** An expression in place of another one, and its type if it is a DECIMAL. */
interface TypedRewrite {
  readonly node: DuckDBNode;
  readonly type?: Decimal;
  /** It is always NULL. */
  readonly isNull?: true;
}

type Rewrite = (node: DuckDBNode, operands: readonly TypedOperand[], sql: string) => TypedRewrite | undefined;

const macro = (name: string, children: readonly DuckDBNode[]): DuckDBNode =>
  functionCall(prefix + name, children);

/** A cast to a DECIMAL. */
const castDecimal = ({ width, scale }: Decimal, child: DuckDBNode): DuckDBNode => ({
  ...castTo("DECIMAL", child),
  cast_type: {
    id: "DECIMAL",
    type_info: { type: "DECIMAL_TYPE_INFO", alias: "", extension_info: null, width, scale },
  },
});

const exactly = (type: Decimal, node: DuckDBNode): TypedRewrite => ({
  node: castDecimal(type, { ...node, alias: "" }),
  type,
});

const isDecimal = (type: PlanType | undefined): boolean => type?.id === "DECIMAL";
const isNull = (type: PlanType | undefined): boolean => type?.id === "NULL";
const isFloat = (type: PlanType | undefined): boolean => type?.id === "DOUBLE" || type?.id === "FLOAT";
const isWhole = (type: PlanType | undefined): boolean => wholeDecimals.has(type?.id ?? "");
const isNumber = (type: PlanType | undefined): boolean => isDecimal(type) || isWhole(type) || isFloat(type);

const decimalOf = ({ id, type_info: info }: PlanType): Decimal | undefined =>
  id === "DECIMAL" ? { width: info?.width ?? 18, scale: info?.scale ?? 3 } : wholeDecimals.get(id);

/** The number of an integer that is written in the statement. */
function writtenInteger({ class: kind, value }: DuckDBNode): string | undefined {
  if (kind !== "CONSTANT" || !isNode(value) || !isNode(value.type)) return undefined;
  return wholeDecimals.has(String(value.type.id)) ? String(value.value) : undefined;
}

/** The operands of arithmetic as DECIMALs; undefined if none is one, or one is something else. */
function decimalOperands(operands: readonly TypedOperand[]): Decimal[] | undefined {
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

const nodesOf = (operands: readonly TypedOperand[]): DuckDBNode[] => operands.map(({ node }) => node);

/** DuckDB computes with so many digits if both operands have no more. */
const narrow = 18;

const addition: Rewrite = (node, operands, sql) => {
  const [left, right] = operands;
  if (node.function_name === "-" && left?.type?.id === "DATE" && right?.type?.id === "DATE")
    throw problemAt(sql, undefined, "a date minus a date is not supported here. Write datediff(end, start).");
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return undefined;
  const result = sumOf(one, other);
  // DuckDB has the same rule, but 18 digits for two operands that have no more.
  const isSame = Math.max(one.width, other.width) > narrow || result.width <= narrow;
  if (isSame && operands.every(({ type }) => isDecimal(type))) return { node, type: result };
  const scale = Math.max(one.scale, other.scale);
  const common = { width: scale === result.scale ? result.width : mostDigits, scale };
  return exactly(result, {
    ...node,
    children: nodesOf(operands).map((child) => castDecimal(common, child)),
  });
};

const multiplication: Rewrite = (node, operands) => {
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return undefined;
  const [left = {}, right = {}] = nodesOf(operands);
  const isWide = one.width + other.width > narrow;
  const width = isWide ? Math.max(one.width, narrow + 1) : one.width;
  return exactly(productOf(one, other), {
    ...node,
    children: [castDecimal({ ...one, width }, left), castDecimal(other, right)],
  });
};

const remainder: Rewrite = (node, operands) => {
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return undefined;
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

const division: Rewrite = (_node, operands) => {
  const [one, other] = decimalOperands(operands) ?? [];
  if (!one || !other) return undefined;
  const [left = {}, right = {}] = nodesOf(operands);
  const type = quotientOf(one, other);
  return { node: exactQuotient(type, { type: one, node: left }, { type: other, node: right }), type };
};

const total: Rewrite = (node, [operand]) => {
  if (!operand?.type || !isDecimal(operand.type)) return undefined;
  return exactly(totalOf(decimalOf(operand.type) as Decimal), node);
};

const average: Rewrite = (node, [operand], sql) => {
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

const roundedBy =
  (resultOf: (type: Decimal, digits: number) => Decimal): Rewrite =>
  (node, [number, digits]) => {
    if (!number?.type || !isDecimal(number.type)) return undefined;
    const written = digits === undefined ? "0" : writtenInteger(digits.node);
    if (written === undefined) return undefined;
    return exactly(resultOf(decimalOf(number.type) as Decimal, Number(written)), node);
  };

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
  if (!others.some(({ type }) => isDecimal(type)) || others.some(({ type }) => isFloat(type)))
    return undefined;
  const types = others.map(({ type }) => decimalOf(type as PlanType) as Decimal);
  const type = types.reduce(widerOf);
  const isSame = ({ width, scale }: Decimal) => width === type.width && scale === type.scale;
  if (others.every(({ type: of }) => isDecimal(of)) && types.every(isSame)) return undefined;
  return {
    nodes: operands.map(({ node, type: of }) => (isNull(of) ? node : castDecimal(type, node))),
    type,
  };
}

const isWrittenText = (node: DuckDBNode): boolean =>
  (node.class === "CONSTANT" && textOf(node) !== undefined) ||
  (node.class === "CAST" && isNode(node.child) && isWrittenText(node.child) && isCastTo(node, "VARCHAR"));

const isCastTo = ({ cast_type: type }: DuckDBNode, id: string): boolean => isNode(type) && type.id === id;

const asDouble = (node: DuckDBNode): DuckDBNode => castTo("DOUBLE", node);
const asBigint = (node: DuckDBNode): DuckDBNode =>
  isWrittenText(node) ? macro("bigint", [castTo("VARCHAR", node)]) : castTo("BIGINT", node);

const coalesced: Rewrite = (node, operands) => {
  const found = alternatives(operands);
  return found && { node: { ...node, children: found.nodes }, ...(found.type && { type: found.type }) };
};

const listed: Rewrite = (node, operands) => {
  const found = alternatives(operands);
  return found && { node: { ...node, children: found.nodes } };
};

const greatest: Rewrite = (node, operands, sql) => {
  const isMixed =
    operands.some(({ node: one }) => isWrittenText(one)) && operands.some(({ type }) => isNumber(type));
  if (isMixed)
    throw problemAt(sql, undefined, `${String(node.function_name)}() of a text and a number needs a cast.`);
  return coalesced(node, operands, sql);
};

const chosen: Rewrite = (node, operands) => {
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

/** A text in quotes beside a number is a BIGINT or a DOUBLE, whatever type the number has. */
function comparedNodes(operands: readonly TypedOperand[], sql: string): DuckDBNode[] | undefined {
  const isBoolean = operands.some(({ type }) => type?.id === "BOOLEAN");
  const numbers = operands.filter(({ node, type }) => isNumber(type) && !isWrittenText(node));
  if (isBoolean && numbers.length > 0)
    throw problemAt(sql, undefined, "a number cannot be compared with a BOOLEAN. Write a cast.");
  if (numbers.length === 0 || !operands.some(({ node }) => isWrittenText(node))) return undefined;
  const isWholeBesideText = numbers.every(({ type }) => isWhole(type));
  return operands.map(({ node }) => {
    if (!isWrittenText(node)) return node;
    return isWholeBesideText ? asBigint(node) : asDouble(node);
  });
}

const comparison: Rewrite = (node, operands, sql) => {
  const [left, right] = comparedNodes(operands, sql) ?? [];
  return left && right && { node: { ...node, left, right } };
};

const between: Rewrite = (node, operands, sql) => {
  const [input, lower, upper] = comparedNodes(operands, sql) ?? [];
  return input && { node: { ...node, input, lower, upper } };
};

const contained: Rewrite = (node, operands, sql) => {
  const children = comparedNodes(operands, sql);
  return children && { node: { ...node, children } };
};

const containsType = (type: PlanType, ids: readonly string[]): boolean => {
  const text = JSON.stringify(type);
  return ids.some((id) => text.includes(`"id":"${id}"`));
};
const floats = ["DOUBLE", "FLOAT"];

/** A value as Databricks writes it; undefined if DuckDB writes the same. */
function textForm({ node, type }: TypedOperand, sql: string): DuckDBNode | undefined {
  if (!type) return undefined;
  if (isFloat(type)) return macro("double_text", [node]);
  const isNested = type.id === "LIST" && containsType(type, floats);
  if (isNested || containsType(type, ["STRUCT", "MAP", "INTERVAL"]))
    throw problemAt(
      sql,
      undefined,
      `a value of the type ${shownType(type)} cannot be written as text here. Write to_json(), or its parts.`,
    );
  return undefined;
}

const shownType = ({ id, type_info: info }: PlanType): string =>
  id === "LIST" && info?.child_type ? `ARRAY<${shownType(info.child_type)}>` : databricksType(id);

const wholeMacros: ReadonlyMap<string, string> = new Map([
  ["TINYINT", "tinyint"],
  ["SMALLINT", "smallint"],
  ["INTEGER", "int"],
  ["BIGINT", "bigint"],
]);

const cast: Rewrite = (node, [operand], sql) => {
  if (!operand?.type || !isNode(node.cast_type)) return undefined;
  const target = node.cast_type as unknown as PlanType;
  if (target.id === "VARCHAR") {
    const text = textForm(operand, sql);
    return text && { node: text };
  }
  const isShortened =
    ["LIST", "STRUCT", "MAP"].includes(target.id) &&
    containsType(target, [...wholeMacros.keys()]) &&
    containsType(operand.type, ["DECIMAL", ...floats]);
  if (!isShortened) return undefined;
  const name = wholeMacros.get(target.type_info?.child_type?.id ?? "");
  if (target.id !== "LIST" || operand.type.id !== "LIST" || name === undefined)
    throw problemAt(
      sql,
      undefined,
      "decimals in a map, a struct or a list of lists cannot be cast to integers here. Cast each part.",
    );
  const item: DuckDBNode = { class: "COLUMN_REF", type: "COLUMN_REF", alias: "", column_names: ["item"] };
  const each = { class: "LAMBDA", type: "LAMBDA", alias: "", lhs: item };
  const expr = macro(node.try_cast ? `try_${name}` : name, [{ ...item }]);
  return { node: functionCall("list_transform", [operand.node, { ...each, expr }]) };
};

/** NULL stays NULL. DuckDB sees that when it binds a text, and gives what contains it no type. */
const sameNull: Rewrite = (node, [operand]) => (isNull(operand?.type) ? { node, isNull: true } : undefined);

/** Whether a text in quotes is a part of it: the plan does not tell the type of what is beside NULL. */
const joinsTexts = (node: DuckDBNode): boolean => {
  // It may have a mark.
  if (node.class === "CASE" && isNode(node.else_expr)) return joinsTexts(node.else_expr);
  const [first] = nodesIn(node.children);
  if (node.function_name === `${prefix}local`) return first !== undefined && joinsTexts(first);
  return node.function_name === "||" && nodesIn(node.children).some(isWrittenText);
};

const concatenation: Rewrite = (node, operands, sql) => {
  const isText = operands.every(
    ({ node: child, type }) => type?.id === "VARCHAR" || isNull(type) || (!type && joinsTexts(child)),
  );
  if (isText && operands.some(({ type }) => isNull(type)))
    return { node: castTo("VARCHAR", { ...node, alias: "" }), isNull: true };
  let isChanged = false;
  const children = operands.map((operand) => {
    const { node: child, type } = operand;
    if (type?.id === "LIST") return child;
    const text = textForm(operand, sql);
    isChanged ||= text !== undefined;
    return text ?? child;
  });
  return isChanged ? { node: { ...node, children } } : undefined;
};

const joinedPart: Rewrite = (node, operands, sql) => {
  const [operand] = operands;
  const text = operand && operand.type?.id !== "LIST" ? textForm(operand, sql) : undefined;
  return text && { node: { ...node, children: [text] } };
};

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
const binary: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);

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
  if (divisions.has(name) || types.some(isFloat)) return { id: "DOUBLE", type_info: null };
  if (!types.every(isWhole)) return undefined;
  const largest = Math.max(...types.map((type) => sizes.indexOf(type?.id ?? "")));
  return { id: sizes[largest] ?? "BIGINT", type_info: null };
}

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

export { castDecimal };
