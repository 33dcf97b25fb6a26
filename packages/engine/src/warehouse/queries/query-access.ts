import { suggestion } from "@lakehelm/contract/text";
import type { QueryRequest } from "../../protocol/query.ts";
import type { WarehouseScope } from "../../protocol/scope.ts";
import { databaseAlias, fullName, type TableName } from "../names.ts";
import { nameForCaller } from "./spark-functions.ts";
import { findName, problemAt } from "./sql-text.ts";
import { isNode, type SyntaxNode } from "./syntax-tree.ts";

/** Functions that give rows and read nothing beside what they are given. All others may read files, settings or secrets. */
const tableFunctions = new Set(["range", "generate_series", "unnest", "repeat", "json_each", "json_tree"]);

/** Functions that tell of the machine, write, or run texts. */
const refused =
  /^(?:current_setting|getenv|getvariable|write_log|nextval|currval|json_(?:de)?serialize_.*|json_execute_.*|query|query_table|duckdb_.*|pragma_.*|pg_.*|has_.*_privilege|txid_current|current_quer.*|sleep.*)$/;

/** What may stand in FROM. */
const relations = new Set([
  "BASE_TABLE",
  "SUBQUERY",
  "JOIN",
  "TABLE_FUNCTION",
  "EXPRESSION_LIST",
  "EMPTY",
  "PIVOT",
]);

/** What a caller may name in the warehouse. */
interface VisibleTables {
  readonly tables: ReadonlySet<string>;
}

/**
 * Looks at every part of a SELECT: it reads only tables of the warehouse that a caller may see, calls nothing that reaches
 * further, and each table is written with the three names that DuckDB knows it by. Gives the tables.
 */
export function resolveTables(
  statement: SyntaxNode,
  { scope, sql }: Pick<QueryRequest, "scope" | "sql">,
  known: VisibleTables,
): TableName[] {
  const tables = new Map<string, TableName>();

  const table = (part: SyntaxNode): void => {
    const written = [part.catalog_name, part.schema_name, part.table_name]
      .map(String)
      .filter((name) => name !== "");
    const name = completed(written, scope);
    if (!known.tables.has(fullName(name))) {
      const near = suggestion(fullName(name), known.tables);
      throw problemAt(
        sql,
        findName(sql, written),
        `there is no table ${JSON.stringify(fullName(name))}.${near}`,
      );
    }
    tables.set(fullName(name), name);
    part.catalog_name = databaseAlias(name.catalog);
    part.schema_name = name.schema;
    part.table_name = name.table;
  };

  const call = (name: string, allowed: boolean): void => {
    const called = nameForCaller(name.toLowerCase());
    if (!allowed) throw problemAt(sql, findName(sql, [called], true), `${called}() cannot be used here.`);
  };

  const look = (value: unknown, ctes: ReadonlySet<string>): void => {
    if (Array.isArray(value)) for (const item of value) look(item, ctes);
    if (!isNode(value)) return;
    const visible = withOwn(value, ctes, look);
    if (value.class === "PARAMETER")
      throw problemAt(sql, undefined, "parameters are not filled in: write the value itself.");
    if (value.class === "FUNCTION")
      call(String(value.function_name), !refused.test(String(value.function_name).toLowerCase()));
    if (isRelation(value)) {
      const kind = String(value.type);
      if (!relations.has(kind))
        throw problemAt(sql, undefined, "only tables, views and queries can stand in FROM.");
      const isCte = value.schema_name === "" && ctesHave(visible, value.table_name);
      if (kind === "BASE_TABLE" && !isCte) table(value);
      if (kind === "TABLE_FUNCTION" && isNode(value.function)) {
        const name = String(value.function.function_name).toLowerCase();
        call(name, tableFunctions.has(name));
      }
    }
    for (const [key, item] of Object.entries(value)) if (key !== "cte_map") look(item, visible);
  };

  look(statement, new Set());
  renameCatalogs(statement, [...tables.values()]);
  return [...tables.values()];
}

/** Only what stands in FROM has these three. */
const isRelation = (part: SyntaxNode): boolean => "sample" in part && "alias" in part && !("class" in part);

const ctesHave = (ctes: ReadonlySet<string>, name: unknown): boolean => ctes.has(String(name).toLowerCase());

/** The names of WITH that hold in a query; each of them sees those before it, and itself where it is recursive. */
function withOwn(
  part: SyntaxNode,
  outer: ReadonlySet<string>,
  look: (value: unknown, ctes: ReadonlySet<string>) => void,
): ReadonlySet<string> {
  const entries =
    isNode(part.cte_map) && Array.isArray(part.cte_map.map) ? part.cte_map.map.filter(isNode) : [];
  const visible = new Set(outer);
  for (const { key, value } of entries) {
    const name = String(key).toLowerCase();
    const body = isNode(value) && isNode(value.query) ? value.query.node : undefined;
    const isRecursive = isNode(body) && body.type === "RECURSIVE_CTE_NODE";
    look(value, isRecursive ? new Set([...visible, name]) : visible);
    visible.add(name);
  }
  return visible;
}

function completed(written: readonly string[], scope: WarehouseScope): TableName {
  const [table = "", schema = scope.schema, catalog = scope.catalog] = written
    .map((name) => name.toLowerCase())
    .reverse();
  return { catalog: catalog.toLowerCase(), schema: schema.toLowerCase(), table };
}

/** `main.sales.orders.amount` is a column of `_main.sales.orders` for DuckDB. */
function renameCatalogs(value: unknown, tables: readonly TableName[]): void {
  if (Array.isArray(value)) for (const item of value) renameCatalogs(item, tables);
  if (!isNode(value)) return;
  const names = value.class === "COLUMN_REF" && Array.isArray(value.column_names) ? value.column_names : [];
  const full = names.slice(0, 3).join(".").toLowerCase();
  const table = names.length > 3 ? tables.find((name) => fullName(name) === full) : undefined;
  if (table) names[0] = databaseAlias(table.catalog);
  for (const item of Object.values(value)) renameCatalogs(item, tables);
}
