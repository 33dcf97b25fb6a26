import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import type { WarehouseScope } from "../protocol/scope.ts";
import type { TableName } from "../warehouse/names.ts";
import { prepareQuery } from "../warehouse/queries/prepared-query.ts";
import { queryProblem } from "../warehouse/queries/query-problem.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

interface AuthorViewContext {
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly scope: WarehouseScope;
  /** Tables of the flow that only its transaction can see yet. */
  readonly created: readonly TableName[];
}

/**
 * Creates a view from a SELECT of the flow's author, which may read what any query may read. `field` is the request field
 * with the SELECT.
 */
export async function createAuthorView(
  { warehouse, connection, scope, created }: AuthorViewContext,
  field: string,
  sql: string,
  create: (select: string) => string,
): Promise<void> {
  try {
    const prepared = await prepareQuery(
      warehouse,
      connection,
      { scope, sql, dialect: "databricks" },
      created,
    );
    await connection.run(create(prepared.sql));
  } catch (error) {
    const { memoryMb } = warehouse;
    const problem =
      error instanceof DataProblem ? error : queryProblem(error, { sql, columns: [], memoryMb });
    throw problem ? new DataProblem(`${field}: ${problem.message}`, { cause: error }) : error;
  }
}
