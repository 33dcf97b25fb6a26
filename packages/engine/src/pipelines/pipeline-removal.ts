import type { DuckDBConnection } from "@duckdb/node-api";
import { completedWorkTable, datasetsTable, streamCheckpointsTable } from "../warehouse/internal-tables.ts";
import { databaseAlias, internalSchema, literal, quote, sqlName } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { dropEventTables } from "./cdc/event-tables.ts";
import { splitName } from "./storage.ts";

/**
 * Ends a pipeline's ownership. Its tables and views stay without an owner; everything else of the pipeline is deleted.
 * Idempotent. Each catalog has its own transaction.
 */
export async function removePipeline(
  warehouse: Warehouse,
  pipeline: string,
  signal: RequestContext["signal"],
): Promise<null> {
  for (const catalog of warehouse.catalogs)
    await inTransaction(warehouse, signal, (connection) => removeFromCatalog(connection, catalog, pipeline));
  return null;
}

async function removeFromCatalog(
  connection: DuckDBConnection,
  catalog: string,
  pipeline: string,
): Promise<void> {
  const ofPipeline = `WHERE pipeline = ${literal(pipeline)}`;
  const found = await connection.runAndReadAll(
    `SELECT "schema", "table" FROM ${datasetsTable(catalog)} ${ofPipeline}`,
  );
  for (const row of found.getRowsJson()) {
    const [schema, table] = row.map(String) as [string, string];
    const isPrivate = schema === internalSchema;
    // The name of a private table is the pipeline's id, a space, and the author's name.
    const name = isPrivate ? table.slice(pipeline.length + 1) : `${schema}.${table}`;
    await dropEventTables(connection, pipeline, { table: splitName(`${catalog}.${name}`) });
    if (isPrivate && !(await isInView(connection, catalog, table)))
      await connection.run(`DROP TABLE IF EXISTS ${sqlName({ catalog, schema, table })}`);
  }
  await connection.run(`DELETE FROM ${datasetsTable(catalog)} ${ofPipeline}`);
  await connection.run(`DELETE FROM ${streamCheckpointsTable(catalog)} ${ofPipeline}`);
  await connection.run(`DELETE FROM ${completedWorkTable(catalog)} WHERE owner = ${literal(pipeline)}`);
}

/** A remaining view may still need private tables. */
async function isInView(connection: DuckDBConnection, catalog: string, table: string): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `SELECT 1 FROM duckdb_views() WHERE database_name = ${literal(databaseAlias(catalog))} AND contains(sql, ${literal(quote(table))})`,
  );
  return found.currentRowCount > 0;
}
