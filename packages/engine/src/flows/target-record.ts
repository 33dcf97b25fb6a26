import type { DuckDBConnection } from "@duckdb/node-api";
import type { FlowShape } from "@lakehelm/contract/changes";
import { flowTargetsTable, isAbout } from "../warehouse/internal-tables.ts";
import { literal, type TableName } from "../warehouse/names.ts";

/** The shape of the flow that wrote the table last; undefined if the table was written before shapes were recorded. */
export async function readShape(
  connection: DuckDBConnection,
  name: TableName,
): Promise<FlowShape | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT shape FROM ${flowTargetsTable(name.catalog)} WHERE ${isAbout(name)}`,
  );
  const [row] = found.getRowsJson();
  return row && (JSON.parse(String(row[0])) as FlowShape);
}

/** Records the shape of the flow that writes the table, in the transaction that writes its rows. */
export async function writeShape(
  connection: DuckDBConnection,
  name: TableName,
  shape: FlowShape,
): Promise<void> {
  const table = flowTargetsTable(name.catalog);
  await connection.run(`DELETE FROM ${table} WHERE ${isAbout(name)}`);
  const values = [name.schema, name.table, JSON.stringify(shape)].map(literal);
  await connection.run(`INSERT INTO ${table} VALUES (${values.join(", ")})`);
}
