import type { DuckDBConnection } from "@duckdb/node-api";
import { isPart, type Part, partsOf, write } from "../../warehouse/queries/syntax-tree.ts";
import { treeOf } from "./table-substitution.ts";

/** The expressions that a SELECT gives, each as a text of DuckDB's. */
export async function expressionsOf(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const { node } = await treeOf(connection, sql);
  const alone = await treeOf(connection, "SELECT 1");
  const texts: string[] = [];
  for (const expression of partsOf(isPart(node) ? node.select_list : [])) {
    const select: Part = {
      ...alone,
      node: { ...(alone.node as Part), select_list: [{ ...expression, alias: "" }] },
    };
    texts.push((await write(connection, select)).slice("SELECT ".length));
  }
  return texts;
}
