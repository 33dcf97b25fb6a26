import type { DuckDBConnection } from "@duckdb/node-api";
import { loadSqlParser, selectItemOffsets } from "@lakehelm/sql";
import { isNode, nodesIn, writeSql } from "../../warehouse/queries/syntax-tree.ts";
import { parseSelect } from "./table-substitution.ts";

/**
 * The offset, in the author's text, of the select item that causes an error. DuckDB does not always report it, so each item
 * is tried alone. Undefined if no single item is the cause.
 */
export async function failingItem(
  connection: DuckDBConnection,
  {
    authors: authorSql,
    sql,
    error,
  }: { readonly authors: string; readonly sql: string; readonly error: unknown },
  attempt: (sql: string) => Promise<unknown>,
): Promise<number | undefined> {
  const statement = await parseSelect(connection, sql);
  const items = nodesIn(isNode(statement.node) ? statement.node.select_list : []);
  const offsets = selectItemOffsets(await loadSqlParser(), authorSql);
  if (!isNode(statement.node) || items.length !== offsets.length) return undefined;
  for (const [at, item] of items.entries()) {
    const single = await writeSql(connection, {
      ...statement,
      node: { ...statement.node, select_list: [item] },
    });
    const message = await attempt(single).then(
      () => undefined,
      (found) => firstLine(found),
    );
    if (message === firstLine(error)) return offsets[at];
  }
  return undefined;
}

const firstLine = (error: unknown): string | undefined =>
  error instanceof Error ? error.message.split("\n")[0] : undefined;
