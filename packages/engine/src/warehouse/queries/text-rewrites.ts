import { databricksType } from "../../protocol/types.ts";
import { momentCast, requireCast } from "./moment-casts.ts";
import { prefix } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import {
  castTo,
  choice,
  coalesce,
  column,
  type DuckDBNode,
  functionCall,
  isNode,
  isNotNull,
  lambda,
  nodesIn,
  numberConstant,
  textConstant,
  tried,
} from "./syntax-tree.ts";
import { nullConstant, type PlanType } from "./type-probe.ts";
import {
  decimalOf,
  isFloat,
  isNull,
  isWrittenText,
  macro,
  type Rewrite,
  shortestDecimal,
  type TypedOperand,
} from "./typed-operands.ts";
import { fieldOf, isNested, jsonOfValue, textOfValue } from "./value-text.ts";

const containsType = (type: PlanType, ids: readonly string[]): boolean => {
  const text = JSON.stringify(type);
  return ids.some((id) => text.includes(`"id":"${id}"`));
};

/** A value as Databricks writes it; undefined if DuckDB writes the same. */
function textForm({ node, type }: TypedOperand, sql: string): DuckDBNode | undefined {
  if (!type) return undefined;
  if (containsType(type, ["INTERVAL"]))
    throw problemAt(
      sql,
      undefined,
      `a value of the type ${shownType(type)} cannot be written as text here. Write its parts.`,
    );
  const isWritten = isFloat(type) || isNested(type) || type.id === "BLOB";
  return isWritten ? textOfValue(type, node) : undefined;
}

const shownType = ({ id, type_info: info }: PlanType): string =>
  id === "LIST" && info?.child_type ? `ARRAY<${shownType(info.child_type)}>` : databricksType(id);

const wholeMacros: ReadonlyMap<string, string> = new Map([
  ["TINYINT", "tinyint"],
  ["SMALLINT", "smallint"],
  ["INTEGER", "int"],
  ["BIGINT", "bigint"],
]);

export const cast: Rewrite = (node, [operand], sql) => {
  if (!operand?.type || !isNode(node.cast_type)) return undefined;
  const target = node.cast_type as unknown as PlanType;
  const changed = castOf({ target, mayFail: node.try_cast === true }, operand, sql);
  if (!changed) return undefined;
  const type = target.id === "DECIMAL" ? decimalOf(target) : undefined;
  return { node: changed, ...(type && { type }) };
};

/** A cast to an integer; undefined if the macro returns the right value. */
function wholeOf({ target, mayFail }: Cast, { node, type }: Part): DuckDBNode | undefined {
  // A DECIMAL of more digits than a long has is compared with the range of a small integer as a DOUBLE, as in Spark.
  if (type.id === "DECIMAL" && (type.type_info?.width ?? 0) > 18 && target.id !== "BIGINT") {
    const whole = wholeMacros.get(target.id) ?? "";
    return macro(mayFail ? `try_${whole}` : whole, [castTo("DOUBLE", node)]);
  }
  return momentCast({ target, mayFail }, { node, type });
}

/** `int(value)`, to which casts are rewritten before types are known. */
export const wholeCast =
  (id: string, mayFail: boolean): Rewrite =>
  (_node, [operand], sql) => {
    if (!operand?.type) return undefined;
    const target: PlanType = { id, type_info: null };
    requireCast(operand.type, target, sql);
    const node = wholeOf({ target, mayFail }, { node: operand.node, type: operand.type });
    return node && { node };
  };

interface Cast {
  readonly target: PlanType;
  readonly mayFail: boolean;
}

/** A cast as Databricks does it; undefined if DuckDB does the same. */
function castOf({ target, mayFail }: Cast, operand: TypedOperand, sql: string): DuckDBNode | undefined {
  const { node, type } = operand;
  if (!type) return undefined;
  requireCast(type, target, sql);
  const moment = momentCast({ target, mayFail }, { node, type });
  if (moment) return moment;
  if (target.id === "VARCHAR") return textForm(operand, sql);
  const decimal = target.id === "DECIMAL" ? decimalOf(target) : undefined;
  if (decimal && isFloat(type)) {
    const value = shortestDecimal(decimal, node);
    return mayFail ? tried(value) : value;
  }
  if (type.id === "VARCHAR" && (decimal || isFloat(target))) {
    const text = macro(decimal ? "decimal_text" : "number_text", [node]);
    return { ...castTo(target.id, text), cast_type: target, try_cast: mayFail };
  }
  if (type.id === "VARCHAR" && target.id === "BLOB") return functionCall("encode", [node]);
  if (type.id === "VARCHAR" && /^(?:DATE|TIMESTAMP.*)$/.test(target.id))
    return { ...castTo(target.id, macro("date_text", [node])), cast_type: target, try_cast: mayFail };
  return type.id === target.id && isNested(type) && !isSameType(type, target)
    ? castParts({ target, mayFail }, { node, type }, sql)
    : undefined;
}

const isSameType = (one: PlanType, other: PlanType): boolean => JSON.stringify(one) === JSON.stringify(other);

interface Part {
  readonly node: DuckDBNode;
  readonly type: PlanType;
}

/** Casts each part of a list, a map or a struct. */
function castParts({ target, mayFail }: Cast, { node, type }: Part, sql: string): DuckDBNode | undefined {
  const name = "spark_cast";
  const item = column(name);
  const each = (list: DuckDBNode, changed: DuckDBNode) =>
    functionCall("list_transform", [list, lambda([name], changed)]);
  const [from, to] = [type.type_info?.child_type, target.type_info?.child_type];
  if (type.id === "LIST")
    return from && to && each(node, castPart({ target: to, mayFail }, { node: item, type: from }, sql));
  if (type.id === "MAP") {
    const entry = from && to && castFields({ target: to, mayFail }, { node: item, type: from }, sql);
    return entry && functionCall("map_from_entries", [each(functionCall("map_entries", [node]), entry)]);
  }
  const fields = castFields({ target, mayFail }, { node: item, type }, sql);
  // A list of one element, so that the struct is computed once.
  const list = each(functionCall("list_value", [node]), choice(isNotNull(item), fields, nullConstant()));
  return functionCall("list_extract", [list, numberConstant(1)]);
}

/** A struct whose fields are taken in their order. */
function castFields({ target, mayFail }: Cast, { node, type }: Part, sql: string): DuckDBNode {
  const [from = [], to = []] = [type.type_info?.child_types, target.type_info?.child_types];
  if (from.length !== to.length)
    throw problemAt(
      sql,
      undefined,
      `DATATYPE_MISMATCH: a struct with ${from.length} fields cannot be cast to one with ${to.length}.`,
    );
  const fields = from.map(({ first, second }, at) => {
    const { first: alias, second: wanted } = to[at] as (typeof to)[number];
    // The fields of (1, 2) have no names.
    const field =
      first === "" ? functionCall("struct_extract", [node, numberConstant(at + 1)]) : fieldOf(node, first);
    return { ...castPart({ target: wanted, mayFail }, { node: field, type: second }, sql), alias };
  });
  return functionCall("struct_pack", fields);
}

function castPart({ target, mayFail }: Cast, { node, type }: Part, sql: string): DuckDBNode {
  if (isSameType(type, target)) return node;
  const whole = wholeMacros.get(target.id);
  if (whole !== undefined) {
    requireCast(type, target, sql);
    return wholeOf({ target, mayFail }, { node, type }) ?? macro(mayFail ? `try_${whole}` : whole, [node]);
  }
  if (target.id === "VARCHAR") return textOfValue(type, node);
  const changed = castOf({ target, mayFail }, { node, type }, sql);
  return changed ?? { ...castTo(target.id, node), cast_type: target, try_cast: mayFail };
}

/** A text that bind-repair.ts converts to a number, if the type is a text. */
export const replacedText: Rewrite = (_node, [operand, , to]) => {
  if (operand?.type?.id !== "VARCHAR" || !to) return undefined;
  const text = JSON.stringify(to.node);
  if (text.includes(`"${prefix}bigint"`)) return { node: macro("bigint", [operand.node]) };
  return text.includes('"DOUBLE"')
    ? { node: castTo("DOUBLE", macro("number_text", [operand.node])) }
    : undefined;
};

/** The name of a type, which is known before any row is read. */
export const typeName: Rewrite = (_node, [operand]) =>
  operand?.type && { node: macro("type_of", [operand.node, textConstant(simpleType(operand.type))]) };

const simpleNames: ReadonlyMap<string, string> = new Map([
  ["INTEGER", "int"],
  ["VARCHAR", "string"],
  ["BLOB", "binary"],
  ["TIMESTAMP", "timestamp_ntz"],
  ["TIMESTAMP WITH TIME ZONE", "timestamp"],
  ["NULL", "void"],
]);

function simpleType({ id, type_info: info }: PlanType): string {
  const { child_type: child, child_types: fields = [], width, scale } = info ?? {};
  if (id === "DECIMAL") return `decimal(${width},${scale})`;
  if (id === "LIST" && child) return `array<${simpleType(child)}>`;
  if (id === "MAP" && child)
    return `map<${(child.type_info?.child_types ?? []).map(({ second }) => simpleType(second)).join()}>`;
  if (id === "STRUCT")
    return `struct<${fields.map(({ first, second }) => `${first}:${simpleType(second)}`).join()}>`;
  return simpleNames.get(id) ?? id.toLowerCase();
}

/** NULL stays NULL. DuckDB recognizes it when it binds a text, and gives an expression that contains it no type. */
export const sameNull: Rewrite = (node, [operand]) =>
  isNull(operand?.type) ? { node, isNull: true } : undefined;

/**
 * Whether a text in quotes is a part of the concatenation: the plan does not tell the type of an operand beside NULL.
 */
const joinsTexts = (node: DuckDBNode): boolean => {
  // The operand may have a mark.
  if (node.class === "CASE" && isNode(node.else_expr)) return joinsTexts(node.else_expr);
  const [first] = nodesIn(node.children);
  if (node.function_name === `${prefix}local`) return first !== undefined && joinsTexts(first);
  return node.function_name === "||" && nodesIn(node.children).some(isWrittenText);
};

export const concatenation: Rewrite = (node, operands, sql) => {
  if (operands.every(({ type }) => type?.id === "BLOB")) return undefined;
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

/** concat_ws(): the elements of a list are parts too, and NULL is left out. */
export const joinedParts: Rewrite = (node, operands) => {
  const [separator, ...parts] = operands;
  if (!separator || parts.some(({ type }) => !type)) return undefined;
  const texts = parts.map(({ node: part, type }) => {
    if (isNull(type)) return functionCall("list_value", []);
    if (type?.id !== "LIST") return functionCall("list_value", [textOfValue(type as PlanType, part)]);
    return coalesce(textsOf(type, part), functionCall("list_value", []));
  });
  const list = texts.reduce((left, right) => functionCall("list_concat", [left, right]));
  const name = separator.node.class === "CONSTANT" ? "joined" : "joined_by";
  return { node: { ...node, function_name: prefix + name, children: [list, separator.node] } };
};

/** The elements of a list as texts. */
function textsOf(type: PlanType, list: DuckDBNode): DuckDBNode {
  const item = type.type_info?.child_type;
  if (!item || item.id === "VARCHAR") return list;
  const name = "spark_text";
  return functionCall("list_transform", [list, lambda([name], textOfValue(item, column(name)))]);
}

/** array_join() of a list of texts. */
export const joinedList: Rewrite = (node, operands) => {
  const [list, ...others] = operands;
  const item = list?.type?.type_info?.child_type;
  if (list?.type?.id !== "LIST") return undefined;
  const [separator, missing] = others;
  if (separator && separator.node.class !== "CONSTANT" && !missing)
    return { node: macro("joined_by", [textsOf(list.type, list.node), separator.node]) };
  if (item?.id === "VARCHAR") return undefined;
  return {
    node: { ...node, children: [textsOf(list.type, list.node), ...others.map(({ node: one }) => one)] },
  };
};

/** concat() of one value. */
export const oneText: Rewrite = (_node, [operand]) => {
  if (!operand?.type || isNull(operand.type)) return undefined;
  const isSame = ["VARCHAR", "BLOB", "LIST"].includes(operand.type.id);
  return { node: isSame ? operand.node : textOfValue(operand.type, operand.node) };
};

/** to_timestamp() of a text without a pattern. */
export const timestampOfText: Rewrite = (_node, operands) => {
  const [operand] = operands;
  if (operand?.type?.id !== "VARCHAR" || operands.length > 1) return undefined;
  return { node: castTo("TIMESTAMP WITH TIME ZONE", macro("date_text", [operand.node])) };
};

/** A function of bytes. For a text, it gets the bytes of the text. */
export const bytes: Rewrite = (node, [operand]) =>
  operand?.type?.id === "VARCHAR"
    ? { node: { ...node, children: [functionCall("encode", [operand.node])] } }
    : undefined;

/** A text is reversed by its characters: DuckDB keeps an accent after its letter. */
export const reversed: Rewrite = (_node, [operand]) =>
  operand?.type?.id === "VARCHAR" ? { node: macro("reverse_text", [operand.node]) } : undefined;

/** to_json() of a list, a map or a struct. */
export const json: Rewrite = (_node, [operand], sql) => {
  if (!operand?.type || isNull(operand.type)) return undefined;
  if (!isNested(operand.type))
    throw problemAt(sql, undefined, "to_json() needs a struct, a map or an array.");
  return { node: jsonOfValue(operand.type, operand.node) };
};
