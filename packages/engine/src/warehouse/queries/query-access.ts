import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";
import type { QueryRequest } from "../../protocol/query.ts";
import type { WarehouseScope } from "../../protocol/scope.ts";
import { databaseAlias, fullName, type TableName } from "../names.ts";
import { nameForCaller } from "./spark-functions.ts";
import { findName, problemAt } from "./sql-text.ts";
import { type DuckDBNode, isNode } from "./syntax-tree.ts";

/** Table functions that read only their arguments. All others may read files, settings or secrets. */
const tableFunctions = new Set(["range", "generate_series", "unnest", "repeat", "json_each", "json_tree"]);

/** Functions that reveal the machine, write, or execute text. */
const forbiddenFunctions =
  /^(?:current_setting|getenv|getvariable|write_log|nextval|currval|json_(?:de)?serialize_.*|json_execute_.*|query|query_table|duckdb_.*|pragma_.*|pg_.*|has_.*_privilege|txid_current|current_quer.*|sleep.*)$/;

/** Nodes that are allowed in FROM. */
const relations = new Set([
  "BASE_TABLE",
  "SUBQUERY",
  "JOIN",
  "TABLE_FUNCTION",
  "EXPRESSION_LIST",
  "EMPTY",
  "PIVOT",
]);

/** A query reads a table that does not exist. It may be created later. */
export class MissingTable extends DataProblem {}

interface VisibleTables {
  readonly tables: ReadonlySet<string>;
}

/**
 * Checks every node of a SELECT: it may read only tables that callers can see, and call only functions without side
 * effects. Qualifies each table with the three names that DuckDB knows, and returns the tables. Throws `MissingTable`
 * if missing tables are the only problem.
 */
export function resolveTables(
  statement: DuckDBNode,
  { scope, sql }: Pick<QueryRequest, "scope" | "sql">,
  known: VisibleTables,
): TableName[] {
  const tables = new Map<string, TableName>();
  let missing: MissingTable | undefined;

  const table = (node: DuckDBNode): void => {
    const written = [node.catalog_name, node.schema_name, node.table_name]
      .map(String)
      .filter((name) => name !== "");
    const name = qualified(written, scope);
    if (!known.tables.has(fullName(name))) {
      const near = suggestion(fullName(name), known.tables);
      const sentence = `there is no table ${JSON.stringify(fullName(name))}.${near}`;
      const { message, position } = problemAt(sql, findName(sql, written), sentence);
      missing ??= new MissingTable(message, position && { position });
      return;
    }
    tables.set(fullName(name), name);
    node.catalog_name = databaseAlias(name.catalog);
    node.schema_name = name.schema;
    node.table_name = name.table;
  };

  const call = (name: string, allowed: boolean): void => {
    const functionName = nameForCaller(name.toLowerCase());
    if (!allowed)
      throw problemAt(sql, findName(sql, [functionName], true), `${functionName}() cannot be used here.`);
  };

  const visit = (value: unknown, ctes: ReadonlySet<string>): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, ctes);
    if (!isNode(value)) return;
    const visible = visibleCtes(value, ctes, visit);
    if (value.class === "PARAMETER")
      throw problemAt(sql, undefined, "parameters are not supported here: write the value itself.");
    if (value.class === "FUNCTION")
      call(String(value.function_name), !forbiddenFunctions.test(String(value.function_name).toLowerCase()));
    if (isRelation(value)) {
      const kind = String(value.type);
      if (!relations.has(kind))
        throw problemAt(sql, undefined, "FROM can only contain tables, views and queries.");
      const isCte = value.schema_name === "" && ctesHave(visible, value.table_name);
      if (kind === "BASE_TABLE" && !isCte) table(value);
      if (kind === "TABLE_FUNCTION" && isNode(value.function)) {
        const name = String(value.function.function_name).toLowerCase();
        call(name, tableFunctions.has(name));
      }
    }
    for (const [key, item] of Object.entries(value)) if (key !== "cte_map") visit(item, visible);
  };

  visit(statement, new Set());
  if (missing) throw missing;
  renameCatalogs(statement, [...tables.values()]);
  return [...tables.values()];
}

/** Only nodes in FROM have these properties. */
const isRelation = (node: DuckDBNode): boolean => "sample" in node && "alias" in node && !("class" in node);

const ctesHave = (ctes: ReadonlySet<string>, name: unknown): boolean => ctes.has(String(name).toLowerCase());

/** The CTE names that are visible in a query. Each CTE sees those before it, and itself if it is recursive. */
function visibleCtes(
  node: DuckDBNode,
  outer: ReadonlySet<string>,
  visit: (value: unknown, ctes: ReadonlySet<string>) => void,
): ReadonlySet<string> {
  const entries =
    isNode(node.cte_map) && Array.isArray(node.cte_map.map) ? node.cte_map.map.filter(isNode) : [];
  const visible = new Set(outer);
  for (const { key, value } of entries) {
    const name = String(key).toLowerCase();
    const body = isNode(value) && isNode(value.query) ? value.query.node : undefined;
    const isRecursive = isNode(body) && body.type === "RECURSIVE_CTE_NODE";
    visit(value, isRecursive ? new Set([...visible, name]) : visible);
    visible.add(name);
  }
  return visible;
}

function qualified(written: readonly string[], scope: WarehouseScope): TableName {
  const [table = "", schema = scope.schema, catalog = scope.catalog] = written
    .map((name) => name.toLowerCase())
    .reverse();
  return { catalog: catalog.toLowerCase(), schema: schema.toLowerCase(), table };
}

/** DuckDB needs `_main.sales.orders.amount` for `main.sales.orders.amount`. */
function renameCatalogs(value: unknown, tables: readonly TableName[]): void {
  if (Array.isArray(value)) for (const item of value) renameCatalogs(item, tables);
  if (!isNode(value)) return;
  const names = value.class === "COLUMN_REF" && Array.isArray(value.column_names) ? value.column_names : [];
  const full = names.slice(0, 3).join(".").toLowerCase();
  const table = names.length > 3 ? tables.find((name) => fullName(name) === full) : undefined;
  if (table) names[0] = databaseAlias(table.catalog);
  for (const item of Object.values(value)) renameCatalogs(item, tables);
}
