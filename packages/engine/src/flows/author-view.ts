import type { DuckDBConnection } from "@duckdb/node-api";
import { substituteTables, type TableSubstitutes } from "../pipelines/code/table-substitution.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { WarehouseScope } from "../protocol/scope.ts";
import { quote, type TableName } from "../warehouse/names.ts";
import { prepareQuery } from "../warehouse/queries/prepared-query.ts";
import { queryProblem } from "../warehouse/queries/query-problem.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

interface AuthorViewContext {
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly scope: WarehouseScope;
  /** Tables of the flow that only its transaction can see yet. */
  readonly created: readonly TableName[];
  /** Empty tables in place of `created`, by DuckDB name, if this transaction does not have those tables either. */
  readonly standIns?: TableSubstitutes;
}

/**
 * Creates a view from a SELECT of the flow's author, which may read what any query may read. `field` is the request
 * field with the SELECT. Returns whether the SELECT reads a view: a SELECT never names the target of its flow, but a
 * view may read the target.
 */
export async function createAuthorView(
  { warehouse, connection, scope, created, standIns = new Map() }: AuthorViewContext,
  field: string,
  sql: string,
  create: (select: string) => string,
): Promise<boolean> {
  try {
    const prepared = await prepareQuery(
      warehouse,
      connection,
      { scope, sql, dialect: "databricks" },
      created,
      undefined,
      undefined,
      (text) => substituteTables(connection, text, standIns),
    );
    await connection.run(create(await substituteTables(connection, prepared.sql, standIns)));
    return await includesView(connection, prepared.tables);
  } catch (error) {
    const { memoryMb } = warehouse;
    const problem =
      error instanceof DataProblem ? error : queryProblem(error, { sql, columns: [], memoryMb });
    throw problem ? new DataProblem(`${field}: ${problem.message}`, { cause: error }) : error;
  }
}

async function includesView(connection: DuckDBConnection, tables: readonly string[]): Promise<boolean> {
  const views = await connection.runAndReadAll(
    "SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal AND NOT temporary",
  );
  const names = views.getRowsJson().map((parts) => parts.map((part) => quote(String(part))).join("."));
  return names.some((name) => tables.some((table) => table.toLowerCase() === name.toLowerCase()));
}
