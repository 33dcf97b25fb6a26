import type { DuckDBConnection } from "@duckdb/node-api";

/** A part of a statement as DuckDB's own parser gives it. */
export type SyntaxNode = { [key: string]: unknown };

interface ParsedSql {
  readonly statements: readonly SyntaxNode[];
  readonly error?: never;
}

export interface ParseFailure {
  readonly statements?: never;
  /** Empty where it is some other statement than a SELECT. */
  readonly error: string;
  /** Counts characters of the text. */
  readonly at: number | undefined;
}

/** DuckDB reads a text of SELECTs into trees; it refuses every other statement, and then has no more to say. */
export async function parseSql(connection: DuckDBConnection, sql: string): Promise<ParsedSql | ParseFailure> {
  const answer = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  const read = JSON.parse(String(answer.getRows()[0]?.[0]), exactNumbers);
  if (!isNode(read)) throw new Error("DuckDB gave no tree of a statement.");
  if (!read.error) return { statements: nodesIn(read.statements) };
  const at = read.position === undefined ? undefined : Number(read.position);
  return { error: read.error_type === "parser" ? String(read.error_message) : "", at };
}

/** The text of a tree: what was looked at is what runs. */
export async function writeSql(connection: DuckDBConnection, statement: SyntaxNode): Promise<string> {
  const tree = JSON.stringify({ error: false, statements: [statement] });
  const answer = await connection.runAndReadAll("SELECT json_deserialize_sql($1::VARCHAR::JSON)", [tree]);
  return String(answer.getRows()[0]?.[0]);
}

/** The texts of expressions, each given as the JSON of its tree. */
export async function writeExpressions(
  connection: DuckDBConnection,
  expressions: readonly string[],
): Promise<string[]> {
  const trees = expressions.map((expression) => selectOf.replace("[]", () => `[${expression}]`));
  const answer = await connection.runAndReadAll(
    "SELECT json_deserialize_sql(value) FROM json_each($1::VARCHAR::JSON)",
    [`[${trees.join(",")}]`],
  );
  return answer.getRows().map(([text]) => String(text).slice("SELECT ".length));
}

/** The tree of a SELECT of nothing: its first list is that of the columns. */
const selectOf = JSON.stringify({
  error: false,
  statements: [
    {
      node: {
        type: "SELECT_NODE",
        select_list: [],
        modifiers: [],
        cte_map: { map: [] },
        from_table: { type: "EMPTY", alias: "", sample: null },
        where_clause: null,
        group_expressions: [],
        group_sets: [],
        aggregate_handling: "STANDARD_HANDLING",
        having: null,
        sample: null,
        qualify: null,
      },
      named_param_map: [],
    },
  ],
});

/** Numbers that JavaScript would write in another way than they came, such as 2^63 - 1 and 10.0, stay as they came. */
function exactNumbers(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined && String(value) !== source
    ? JSON.rawJSON(source)
    : value;
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

export const nodesIn = (value: unknown): readonly SyntaxNode[] =>
  Array.isArray(value) ? value.filter(isNode) : [];

/** A call of a function, or an operator of DuckDB's, which is one as well. */
export const functionCall = (
  name: string,
  children: readonly SyntaxNode[],
  isOperator = false,
): SyntaxNode => ({
  class: "FUNCTION",
  type: "FUNCTION",
  alias: "",
  function_name: name,
  schema: "",
  children,
  filter: null,
  order_bys: { type: "ORDER_MODIFIER", orders: [] },
  distinct: false,
  is_operator: isOperator,
  export_state: false,
  catalog: "",
});

/** Changes every part of a tree in place, children first; what `change` gives takes the part's place. */
export function rewrite(value: unknown, change: (part: SyntaxNode) => SyntaxNode): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      rewrite(item, change);
      if (isNode(item)) value[index] = change(item);
    }
  } else if (isNode(value)) {
    for (const [key, item] of Object.entries(value)) {
      rewrite(item, change);
      if (isNode(item)) value[key] = change(item);
    }
  }
}
