import type { DuckDBConnection } from "@duckdb/node-api";
import { type DuckDBNode, isNode, nodesIn, writeSql } from "../../warehouse/queries/syntax-tree.ts";
import { parseSelect } from "./table-substitution.ts";

/** The expressions of a select list, as DuckDB SQL. */
export async function expressionsOf(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const { node } = await parseSelect(connection, sql);
  const template = await parseSelect(connection, "SELECT 1");
  const texts: string[] = [];
  for (const expression of nodesIn(isNode(node) ? node.select_list : [])) {
    const select: DuckDBNode = {
      ...template,
      node: { ...(template.node as DuckDBNode), select_list: [{ ...expression, alias: "" }] },
    };
    texts.push((await writeSql(connection, select)).slice("SELECT ".length));
  }
  return texts;
}
