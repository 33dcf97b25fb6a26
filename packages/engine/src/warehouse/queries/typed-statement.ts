import type { DuckDBConnection } from "@duckdb/node-api";
import { preserveColumnNames } from "./column-names.ts";
import { arithmeticType, isArithmetic } from "./decimal-rewrites.ts";
import { problemAt } from "./sql-text.ts";
import { copyTree, type DuckDBNode, isNode, nodesIn, rewrite, writeSql } from "./syntax-tree.ts";
import {
  marked,
  numberExpressions,
  type PlanType,
  type ProbedTypes,
  probeTypes,
  type ToBind,
} from "./type-probe.ts";
import { castDecimal, writtenDecimal } from "./typed-operands.ts";
import { type Place, typedRewrite } from "./typed-rewrites.ts";

interface BoundStatement {
  readonly sql: string;
  readonly statement: DuckDBNode;
}

/**
 * Each pass knows the types of the expressions that the pass before it has changed: expressions in subqueries in
 * expressions.
 */
const maxPasses = 8;

/**
 * Rewrites expressions that depend on the types of their operands: DuckDB computes the quotient of DECIMALs as DOUBLE,
 * for example. DuckDB's binder tells the types: every operand is marked, the statement is planned, and the plan has the
 * types of the marks. A statement that cannot be bound with its marks stays as it is; a statement that cannot be bound
 * after it was rewritten is refused.
 */
export async function typedStatement(
  connection: DuckDBConnection,
  bound: BoundStatement,
  sql: string,
  toBind: ToBind,
): Promise<BoundStatement> {
  requireTypedLists(bound.statement, sql);
  let isRefused = false;
  for (const isUnique of [false, true]) {
    const found = await typesOf(connection, bound.statement, { sql, toBind, isUnique });
    isRefused ||= found === "refused";
    if (typeof found === "string") continue;
    if (!found.isChanged) return bound;
    const statement = copyTree(bound.statement);
    const numbers = numberExpressions(statement, isUnique);
    await preserveColumnNames(connection, statement, () => {
      change(statement, { numbers, types: found.types, isMarked: false, sql });
    });
    return { sql: await writeSql(connection, statement), statement };
  }
  if (isRefused) throw problemAt(sql, undefined, notSupported);
  return bound;
}

const notSupported =
  "DECIMALs are computed here in a place, or with more digits, than is supported. Cast them to DOUBLE or to fewer digits, or compute them in a subquery.";

/**
 * The types; "unknown" if the marked statement cannot be bound, "refused" if the rewritten statement cannot be bound.
 */
async function typesOf(
  connection: DuckDBConnection,
  original: DuckDBNode,
  { sql, toBind, isUnique }: { readonly sql: string; readonly toBind: ToBind; readonly isUnique: boolean },
): Promise<{ readonly types: ProbedTypes; readonly isChanged: boolean } | "unknown" | "refused"> {
  let types: ProbedTypes = new Map();
  let isChanged = false;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const statement = copyTree(original);
    const numbers = numberExpressions(statement, isUnique);
    const { hasMarks, changed } = change(statement, { numbers, types, isMarked: true, sql });
    isChanged = changed;
    if (!hasMarks) break;
    const found = await probeTypes(connection, statement, toBind);
    if (!found && pass > 0) return "refused";
    if (!found || (found.isAmbiguous && !isUnique)) return "unknown";
    if (isSame(found.types, types)) break;
    types = found.types;
  }
  return { types, isChanged };
}

const isSame = (left: ProbedTypes, right: ProbedTypes): boolean =>
  left.size === right.size &&
  [...left].every(([id, type]) => JSON.stringify(type) === JSON.stringify(right.get(id)));

interface Change {
  readonly numbers: Map<DuckDBNode, number>;
  readonly types: ProbedTypes;
  /** Whether the operands get marks. */
  readonly isMarked: boolean;
  readonly sql: string;
}

function change(
  statement: DuckDBNode,
  { numbers, types, isMarked, sql }: Change,
): { readonly hasMarks: boolean; readonly changed: boolean } {
  const computed = new Map<number, PlanType>();
  const severalRows = nodesWithRows(statement);
  let hasMarks = false;
  let changed = false;
  const typeOf = (node: DuckDBNode): PlanType | undefined => {
    const number = numbers.get(node);
    if (number === undefined) return undefined;
    if (node.class === "CONSTANT" && isNode(node.value)) {
      const { is_null: isNull, type } = node.value;
      return isNull ? { id: "NULL", type_info: null } : (type as PlanType);
    }
    return computed.get(number) ?? types.get(number);
  };
  const replacing = (node: DuckDBNode, by: DuckDBNode): DuckDBNode => {
    const number = numbers.get(node);
    if (number !== undefined) numbers.set(by, number);
    return by;
  };
  rewrite(statement, (node) => {
    const literal = writtenDecimal(node);
    if (literal) {
      const number = numbers.get(node);
      const { width } = (node.value as { type: { type_info: { width: number } } }).type.type_info;
      if (number !== undefined) computed.set(number, planType(literal));
      if (width === literal.width) return node;
      changed = true;
      return replacing(node, { ...castDecimal(literal, { ...node, alias: "" }), alias: node.alias });
    }
    if (node.type === "SET_OPERATION_NODE") requireSameKinds(node, typeOf, sql);
    const found = typedRewrite(node);
    const places = found?.places ?? columnsOf(node);
    if (places.length === 0) return node;
    const operands = places.map((place) => {
      const operand = at(place);
      return { operand, type: typeOf(operand) };
    });
    if (isMarked) {
      for (const place of places) {
        const operand = at(place);
        const number = numbers.get(operand);
        if (operand.class === "CONSTANT" || number === undefined || severalRows.has(operand)) continue;
        // The type of arithmetic is computed. A mark on each sum of a long chain would nest too deeply.
        if (isArithmetic(operand) && isArithmetic(node)) continue;
        hasMarks = true;
        place.holder[place.key] = { ...marked(number, { ...operand, alias: "" }), alias: operand.alias };
      }
    }
    if (!found) return node;
    const typed = found.places.map((place, index) => ({ node: at(place), type: operands[index]?.type }));
    const rewritten = found.rewrite(node, typed, sql);
    const number = numbers.get(node);
    if (!rewritten?.type && isArithmetic(node)) {
      const plain = arithmeticType(
        node,
        typed.map(({ type }) => type),
      );
      if (plain && number !== undefined) computed.set(number, plain);
    }
    if (!rewritten) return node;
    changed ||= rewritten.node !== node;
    if (rewritten.type && number !== undefined) computed.set(number, planType(rewritten.type));
    if (rewritten.isNull && number !== undefined) computed.set(number, { id: "NULL", type_info: null });
    if (rewritten.node === node) return node;
    return replacing(node, { ...rewritten.node, alias: node.alias });
  });
  return { hasMarks, changed };
}

const at = ({ holder, key }: Place): DuckDBNode => {
  const node = holder[key];
  return isNode(node) ? node : {};
};

const planType = ({ width, scale }: { readonly width: number; readonly scale: number }): PlanType => ({
  id: "DECIMAL",
  type_info: { width, scale },
});

/** The columns of both queries of a UNION: only their types are checked. */
function columnsOf(node: DuckDBNode): Place[] {
  if (node.type !== "SET_OPERATION_NODE") return [];
  return [node.left, node.right].flatMap((side) => {
    const list = isNode(side) ? side.select_list : undefined;
    return nodesIn(list).map((_, key) => ({ holder: list as Place["holder"], key }));
  });
}

type TypeOf = (node: DuckDBNode) => PlanType | undefined;

const numbersOnly = /^(?:TINYINT|SMALLINT|INTEGER|BIGINT|FLOAT|DOUBLE|DECIMAL)$/;

function requireSameKinds(node: DuckDBNode, typeOf: TypeOf, sql: string): void {
  const [left = [], right = []] = [node.left, node.right].map((side) =>
    isNode(side) ? nodesIn(side.select_list) : [],
  );
  if ([...left, ...right].some(({ class: kind }) => kind === "STAR")) return;
  for (const [index, one] of left.entries()) {
    const other = right[index];
    const kinds = [one, other].map((side) => (side && typeOf(side)?.id) ?? "");
    if (kinds.includes("VARCHAR") && kinds.some((kind) => numbersOnly.test(kind)))
      throw problemAt(
        sql,
        undefined,
        `column ${index + 1} is a number in one SELECT and a text in the other. Write a cast.`,
      );
  }
}

/** The type of an empty list or map is unknown, unless another expression determines it. */
function requireTypedLists({ node }: DuckDBNode, sql: string): void {
  for (const { class: kind, function_name: name, children } of isNode(node)
    ? nodesIn(node.select_list)
    : []) {
    const isEmptyList = kind === "FUNCTION" && name === "list_value" && nodesIn(children).length === 0;
    const isEmptyMap =
      kind === "FUNCTION" &&
      name === "map" &&
      nodesIn(children).every(
        (list) => list.function_name === "list_value" && nodesIn(list.children).length === 0,
      );
    if (isEmptyList || isEmptyMap)
      throw problemAt(
        sql,
        undefined,
        `an empty ${isEmptyList ? "list" : "map"} has no type here. Write a cast, such as ${isEmptyList ? "CAST(array() AS ARRAY<INT>)" : "CAST(map() AS MAP<STRING, INT>)"}.`,
      );
  }
}

/** Expressions that give several rows. They cannot be in a CASE, so they get no mark. */
function nodesWithRows(statement: DuckDBNode): Set<DuckDBNode> {
  const found = new Set<DuckDBNode>();
  const visit = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.map(visit).includes(true);
    if (!isNode(value)) return false;
    const isRows =
      value.class === "FUNCTION" && /^(?:unnest|generate_subscripts)$/.test(String(value.function_name));
    const hasRows = Object.values(value).map(visit).includes(true) || isRows || value.class === "STAR";
    if (hasRows) found.add(value);
    return hasRows && value.type !== "SELECT_NODE";
  };
  visit(statement);
  return found;
}
