import type { DuckDBConnection } from "@duckdb/node-api";
import { quote } from "../../warehouse/names.ts";
import { type DuckDBNode, isNode, parseSql, rewrite, writeSql } from "../../warehouse/queries/syntax-tree.ts";

/** Replacements for tables, by DuckDB name: a name, or a SELECT in parentheses. */
export type TableSubstitutes = ReadonlyMap<string, string>;

/** The tables that a SELECT names, once per occurrence. Table names are qualified; shorter names are CTEs. */
export async function tablesIn(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const found: string[] = [];
  rewrite(await parseSelect(connection, sql), (node) => {
    if (isTable(node)) found.push(nameOf(node));
    return node;
  });
  return found;
}

/**
 * The SELECT over other relations. A table without an alias keeps its name as alias, so that column references still
 * resolve.
 */
export async function substituteTables(
  connection: DuckDBConnection,
  sql: string,
  substitutes: TableSubstitutes,
): Promise<string> {
  if (substitutes.size <= fewTables && !mayName(sql, substitutes.keys())) return sql;
  const used = (await tablesIn(connection, sql)).filter((name) => substitutes.has(name));
  if (used.length === 0) return sql;
  const relations = new Map<string, DuckDBNode>();
  for (const name of used) relations.set(name, await relationOf(connection, substitutes.get(name) ?? name));
  const statement = await parseSelect(connection, sql);
  const replaced: DuckDBNode[] = [];
  rewrite(statement, (node) => {
    const relation = isTable(node) ? relations.get(nameOf(node)) : undefined;
    if (!relation) return node;
    replaced.push(node);
    return { ...relation, alias: node.alias || node.table_name, column_name_alias: node.column_name_alias };
  });
  shortenColumns(statement, replaced);
  return writeSql(connection, statement);
}

/** Looking for more names than this takes longer than parsing. */
const fewTables = 200;

/** Whether a text may name one of these tables. Parsing it takes a millisecond, and most texts name none. */
export function mayName(sql: string, tables: Iterable<string>): boolean {
  const text = sql.toLowerCase();
  for (const table of tables) {
    // A name that contains ." is cut, which only makes more texts match.
    if (text.includes(table.slice(table.lastIndexOf('."') + 2, -1).toLowerCase())) return true;
  }
  return false;
}

/** The FROM node of a relation. */
async function relationOf(connection: DuckDBConnection, relation: string): Promise<DuckDBNode> {
  const { node } = await parseSelect(connection, `SELECT * FROM ${relation}`);
  if (!isNode(node) || !isNode(node.from_table)) throw new Error(`Not a relation: ${relation}`);
  return node.from_table;
}

export async function parseSelect(connection: DuckDBConnection, sql: string): Promise<DuckDBNode> {
  const { statements, error } = await parseSql(connection, sql);
  const [statement] = statements ?? [];
  if (!statement) throw new Error(`DuckDB cannot parse the SQL that it wrote: ${error}\n${sql}`);
  return statement;
}

const isTable = (node: DuckDBNode): boolean => node.type === "BASE_TABLE" && node.catalog_name !== "";

const nameOf = ({ catalog_name, schema_name, table_name }: DuckDBNode): string =>
  [catalog_name, schema_name, table_name].map((name) => quote(String(name))).join(".");

/** `shop.sales.orders.id` and `sales.orders.id` become `orders.id`, because only the alias is left. */
function shortenColumns(statement: DuckDBNode, replaced: readonly DuckDBNode[]): void {
  rewrite(statement, (node) => {
    const names = node.class === "COLUMN_REF" && Array.isArray(node.column_names) ? node.column_names : [];
    for (const { catalog_name, schema_name, table_name } of replaced) {
      const full = [catalog_name, schema_name, table_name].map((name) => String(name).toLowerCase());
      for (const prefix of [full, full.slice(1)]) {
        const isPrefix = prefix.every((name, at) => String(names[at]).toLowerCase() === name);
        if (isPrefix && names.length > prefix.length) names.splice(0, prefix.length - 1);
      }
    }
    return node;
  });
}
