import { type DuckDBNode, functionCall, isNotNull, numberConstant } from "./syntax-tree.ts";
import type { PlanType } from "./type-probe.ts";
import type { Rewrite } from "./typed-operands.ts";
import { eachOf, fieldOf, isNested, onceOf } from "./value-text.ts";

/**
 * A list or a struct in whose order NULL comes first, as in Spark; in DuckDB NULL comes last. Each part becomes a pair:
 * whether it is not NULL, and its value.
 */
function ordered(type: PlanType, node: DuckDBNode, depth: number): DuckDBNode {
  const { child_type: child, child_types: fields = [] } = type.type_info ?? {};
  const part = (inner: PlanType, value: DuckDBNode): DuckDBNode =>
    functionCall("struct_pack", [
      { ...isNotNull(value), alias: "known" },
      { ...(isNested(inner) ? ordered(inner, value, depth + 1) : value), alias: "value" },
    ]);
  if (type.id === "LIST" && child) return eachOf(node, depth, (item) => part(child, item));
  if (type.id !== "STRUCT") return node;
  return onceOf(node, depth, (value) =>
    functionCall("spark_json_struct", [
      value,
      functionCall(
        "struct_pack",
        fields.map(({ first, second }, at) => {
          // The fields of (1, 2) have no names.
          const field =
            first === ""
              ? functionCall("struct_extract", [value, numberConstant(at + 1)])
              : fieldOf(value, first);
          return { ...part(second, field), alias: `f${at}` };
        }),
      ),
    ]),
  );
}

const inOrder = /^COMPARE_(?:LESSTHAN|GREATERTHAN)(?:OREQUALTO)?$/;

/** Comparisons such as `<` of two lists or structs. */
export const orderedComparison: Rewrite = (node, operands) => {
  const isOrdered = inOrder.test(String(node.type));
  if (!isOrdered || !operands.every(({ type }) => type?.id === "LIST" || type?.id === "STRUCT"))
    return undefined;
  const [left, right] = operands.map(({ node: one, type }) => ordered(type as PlanType, one, 0));
  return { node: { ...node, left, right } };
};
