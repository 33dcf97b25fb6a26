import { databricksType } from "../../protocol/types.ts";
import { prefix } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";
import { castTo, type DuckDBNode, functionCall, isNode, nodesIn } from "./syntax-tree.ts";
import type { PlanType } from "./type-probe.ts";
import { isFloat, isNull, isWrittenText, macro, type Rewrite, type TypedOperand } from "./typed-operands.ts";

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

export const cast: Rewrite = (node, [operand], sql) => {
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
export const sameNull: Rewrite = (node, [operand]) =>
  isNull(operand?.type) ? { node, isNull: true } : undefined;

/** Whether a text in quotes is a part of it: the plan does not tell the type of what is beside NULL. */
const joinsTexts = (node: DuckDBNode): boolean => {
  // It may have a mark.
  if (node.class === "CASE" && isNode(node.else_expr)) return joinsTexts(node.else_expr);
  const [first] = nodesIn(node.children);
  if (node.function_name === `${prefix}local`) return first !== undefined && joinsTexts(first);
  return node.function_name === "||" && nodesIn(node.children).some(isWrittenText);
};

export const concatenation: Rewrite = (node, operands, sql) => {
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

export const joinedPart: Rewrite = (node, operands, sql) => {
  const [operand] = operands;
  const text = operand && operand.type?.id !== "LIST" ? textForm(operand, sql) : undefined;
  return text && { node: { ...node, children: [text] } };
};
