import type { DuckDBConnection } from "@duckdb/node-api";
import { quote } from "../../warehouse/names.ts";
import { isPart, type Part, parse, rewrite, write } from "../../warehouse/queries/syntax-tree.ts";

/** What is read in the place of a table, by the name that DuckDB knows the table by: a name, or a SELECT in brackets. */
export type StandIns = ReadonlyMap<string, string>;

/** The tables that a SELECT names, one for each place where it does so. Its names are complete: shorter ones are of WITH. */
export async function tablesIn(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const found: string[] = [];
  rewrite(await treeOf(connection, sql), (part) => {
    if (isTable(part)) found.push(nameOf(part));
    return part;
  });
  return found;
}

/** The same SELECT over other relations. A table without an alias keeps its name as one, so that columns are still found. */
export async function withStandIns(
  connection: DuckDBConnection,
  sql: string,
  standIns: StandIns,
): Promise<string> {
  if (!names(sql, standIns.keys())) return sql;
  const used = (await tablesIn(connection, sql)).filter((name) => standIns.has(name));
  if (used.length === 0) return sql;
  const relations = new Map<string, Part>();
  for (const name of used) relations.set(name, await relationOf(connection, standIns.get(name) ?? name));
  const statement = await treeOf(connection, sql);
  const replaced: Part[] = [];
  rewrite(statement, (part) => {
    const relation = isTable(part) ? relations.get(nameOf(part)) : undefined;
    if (!relation) return part;
    replaced.push(part);
    return { ...relation, alias: part.alias || part.table_name, column_name_alias: part.column_name_alias };
  });
  shortenColumns(statement, replaced);
  return write(connection, statement);
}

/** Whether a text may name one of these tables: reading it as a tree takes a millisecond, and most name none. */
export function names(sql: string, tables: Iterable<string>): boolean {
  const text = sql.toLowerCase();
  for (const table of tables) {
    const [, last = ""] = /"((?:[^"]|"")+)"$/.exec(table.toLowerCase()) ?? [];
    if (text.includes(last)) return true;
  }
  return false;
}

/** What stands in FROM, as a part of a tree. */
async function relationOf(connection: DuckDBConnection, relation: string): Promise<Part> {
  const { node } = await treeOf(connection, `SELECT * FROM ${relation}`);
  if (!isPart(node) || !isPart(node.from_table)) throw new Error(`DuckDB reads no relation: ${relation}`);
  return node.from_table;
}

export async function treeOf(connection: DuckDBConnection, sql: string): Promise<Part> {
  const { statements, error } = await parse(connection, sql);
  const [statement] = statements ?? [];
  if (!statement) throw new Error(`DuckDB cannot read what it has written: ${error}\n${sql}`);
  return statement;
}

const isTable = (part: Part): boolean => part.type === "BASE_TABLE" && part.catalog_name !== "";

const nameOf = ({ catalog_name, schema_name, table_name }: Part): string =>
  [catalog_name, schema_name, table_name].map((name) => quote(String(name))).join(".");

/** `shop.sales.orders.id` and `sales.orders.id` become `orders.id`: the alias is all that is left of the name. */
function shortenColumns(statement: Part, replaced: readonly Part[]): void {
  rewrite(statement, (part) => {
    const names = part.class === "COLUMN_REF" && Array.isArray(part.column_names) ? part.column_names : [];
    for (const { catalog_name, schema_name, table_name } of replaced) {
      const full = [catalog_name, schema_name, table_name].map((name) => String(name).toLowerCase());
      for (const prefix of [full, full.slice(1)]) {
        const isPrefix = prefix.every((name, at) => String(names[at]).toLowerCase() === name);
        if (isPrefix && names.length > prefix.length) names.splice(0, prefix.length - 1);
      }
    }
    return part;
  });
}
