import type { DuckDBConnection } from "@duckdb/node-api";
import { ansiCast } from "../warehouse/queries/ansi-mode.ts";
import {
  type DuckDBNode,
  functionCall,
  nodesIn,
  parseSql,
  rewrite,
  textConstant,
  writeSql,
} from "../warehouse/queries/syntax-tree.ts";
import { typedStatement } from "../warehouse/queries/typed-statement.ts";

/**
 * A SELECT of a flow's plan, with casts as in Spark: a cast to an integer truncates the digits after the decimal point,
 * which DuckDB would round, and a DOUBLE becomes the DECIMAL or the text that Spark writes. The tables that the SELECT
 * reads must exist on the connection.
 */
export async function withSparkCasts(connection: DuckDBConnection, sql: string): Promise<string> {
  const { statements } = await parseSql(connection, sql);
  const [statement] = statements ?? [];
  if (!statement) throw new Error(`DuckDB cannot parse a SELECT of a flow: ${sql}`);
  rewrite(statement, (node) => {
    if (node.class === "CAST") return { ...ansiCast(node), alias: node.alias };
    return node.function_name === "rpad" ? { ...unpadded(node), alias: node.alias } : node;
  });
  const typed = await typedStatement(
    connection,
    { sql: await writeSql(connection, statement), statement },
    sql,
    asIs,
  );
  return typed.sql;
}

const asIs = async (text: string): Promise<string> => text;

/** Flows pad a CHAR with blanks, which are removed here, because DuckDB would compare them. */
function unpadded(node: DuckDBNode): DuckDBNode {
  const [text] = nodesIn(node.children);
  return text ? functionCall("rtrim", [text, textConstant(" ")]) : node;
}
