import type { DuckDBConnection } from "@duckdb/node-api";
import { datasetsOf, doneOf, streamsOf } from "../warehouse/internal-tables.ts";
import { attachedAs, literal, ownSchema, quote, sqlName } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { forgetEvents } from "./cdc/event-application.ts";
import { named } from "./storage.ts";

/**
 * A pipeline is gone: its tables and views stay, as nobody's, and nothing else of it does. It may be asked again. Each catalog
 * has a transaction of its own.
 */
export async function freeTables(
  warehouse: Warehouse,
  pipeline: string,
  signal: RequestContext["signal"],
): Promise<null> {
  for (const catalog of warehouse.catalogs)
    await inTransaction(warehouse, signal, (connection) => free(connection, catalog, pipeline));
  return null;
}

async function free(connection: DuckDBConnection, catalog: string, pipeline: string): Promise<void> {
  const mine = `WHERE pipeline = ${literal(pipeline)}`;
  const found = await connection.runAndReadAll(
    `SELECT "schema", "table" FROM ${datasetsOf(catalog)} ${mine}`,
  );
  for (const row of found.getRowsJson()) {
    const [schema, table] = row.map(String) as [string, string];
    const isPrivate = schema === ownSchema;
    // A private table is called as its pipeline and, after a blank, as its author calls it.
    const called = isPrivate ? table.slice(pipeline.length + 1) : `${schema}.${table}`;
    await forgetEvents(connection, pipeline, { table: named(`${catalog}.${called}`) });
    if (isPrivate && !(await isInView(connection, catalog, table)))
      await connection.run(`DROP TABLE IF EXISTS ${sqlName({ catalog, schema, table })}`);
  }
  await connection.run(`DELETE FROM ${datasetsOf(catalog)} ${mine}`);
  await connection.run(`DELETE FROM ${streamsOf(catalog)} ${mine}`);
  await connection.run(`DELETE FROM ${doneOf(catalog)} WHERE owner = ${literal(pipeline)}`);
}

/** A view that stays still needs the tables that only it sees. */
async function isInView(connection: DuckDBConnection, catalog: string, table: string): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `SELECT 1 FROM duckdb_views() WHERE database_name = ${literal(attachedAs(catalog))} AND contains(sql, ${literal(quote(table))})`,
  );
  return found.currentRowCount > 0;
}
