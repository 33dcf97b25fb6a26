import type { DuckDBConnection } from "@duckdb/node-api";
import { wholeTypes } from "../warehouse/queries/ansi-macros.ts";
import { prefix } from "../warehouse/queries/spark-functions.ts";
import {
  type DuckDBNode,
  functionCall,
  isNode,
  parseSql,
  rewrite,
  writeSql,
} from "../warehouse/queries/syntax-tree.ts";

/**
 * The SELECT of a flow's own view, with casts to integers as in Spark: they cut off the digits after the decimal point, where
 * DuckDB rounds. The macros exist on every connection of the warehouse.
 */
export async function withSparkCasts(connection: DuckDBConnection, sql: string): Promise<string> {
  const { statements } = await parseSql(connection, sql);
  const [statement] = statements ?? [];
  if (!statement) throw new Error(`DuckDB cannot parse a view of a flow: ${sql}`);
  rewrite(statement, (node) => (node.class === "CAST" ? { ...sparkCast(node), alias: node.alias } : node));
  return writeSql(connection, statement);
}

function sparkCast(node: DuckDBNode): DuckDBNode {
  const { child, cast_type: type } = node;
  const name = isNode(type) ? wholeTypes.get(String(type.id)) : undefined;
  return name === undefined || !isNode(child) ? node : functionCall(prefix + name, [child]);
}
