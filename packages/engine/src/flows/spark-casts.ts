import type { DuckDBConnection } from "@duckdb/node-api";
import { wholeTypes } from "../warehouse/queries/ansi-macros.ts";
import { prefix } from "../warehouse/queries/spark-functions.ts";
import {
  type DuckDBNode,
  functionCall,
  isNode,
  nodesIn,
  parseSql,
  rewrite,
  textConstant,
  writeSql,
} from "../warehouse/queries/syntax-tree.ts";

/**
 * The SELECT of a flow's own view, with casts as in Spark: those to integers cut off the digits after the decimal point, where
 * DuckDB rounds. The macros exist on every connection of the warehouse.
 */
export async function withSparkCasts(connection: DuckDBConnection, sql: string): Promise<string> {
  const { statements } = await parseSql(connection, sql);
  const [statement] = statements ?? [];
  if (!statement) throw new Error(`DuckDB cannot parse a view of a flow: ${sql}`);
  rewrite(statement, (node) => {
    if (node.class === "CAST") return { ...sparkCast(node), alias: node.alias };
    return node.function_name === "rpad" ? { ...unpadded(node), alias: node.alias } : node;
  });
  return writeSql(connection, statement);
}

/** A CHAR, which the flow fills up with blanks, has none here: DuckDB would compare them. */
function unpadded(node: DuckDBNode): DuckDBNode {
  const [text] = nodesIn(node.children);
  return text ? functionCall("rtrim", [text, textConstant(" ")]) : node;
}

function sparkCast(node: DuckDBNode): DuckDBNode {
  const { child, cast_type: type } = node;
  const name = isNode(type) ? wholeTypes.get(String(type.id)) : undefined;
  return name === undefined || !isNode(child) ? node : functionCall(prefix + name, [child]);
}
