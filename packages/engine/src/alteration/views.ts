import type { DuckDBConnection } from "@duckdb/node-api";
import type { AlterTableResult } from "../protocol/alteration.ts";
import { DataProblem } from "../protocol/problem.ts";
import {
  databaseAlias,
  fullName,
  internalSchema,
  literal,
  quote,
  sqlName,
  type TableName,
} from "../warehouse/names.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { declaration, type StoredChange } from "./column-change.ts";

/** The most views that are checked, because each is bound twice. */
const mostViews = 1_000;

/**
 * The views that can be read now, but not with the new columns. Leaves an empty table with the new columns in the transaction, which
 * the caller rolls back.
 */
export async function findBrokenViews(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  table: TableName,
  { columns }: StoredChange,
): Promise<AlterTableResult["brokenViews"]> {
  const catalogs = new Map(warehouse.catalogs.map((catalog) => [databaseAlias(catalog), catalog]));
  const found = await connection.runAndReadAll(
    `SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal AND schema_name <> ${literal(internalSchema)}
     AND contains(lower(sql), ${literal(table.table)}) ORDER BY ALL LIMIT ${mostViews + 1}`,
  );
  const views = found.getRowsJson().flatMap(([alias, schema, view]): TableName[] => {
    const catalog = catalogs.get(String(alias));
    return catalog === undefined ? [] : [{ catalog, schema: String(schema), table: String(view) }];
  });
  if (views.length > mostViews)
    throw new DataProblem(
      `More than ${mostViews} views may read ${fullName(table)}: they cannot be checked.`,
    );
  const readable: TableName[] = [];
  for (const view of views) {
    if ((await problemOf(connection, view)) === undefined) readable.push(view);
  }
  if (readable.length === 0) return [];
  await connection.run(`ALTER TABLE ${sqlName(table)} RENAME TO ${quote(`${table.table} before`)}`);
  await connection.run(`CREATE TABLE ${sqlName(table)} (${columns.map(declaration).join(", ")})`);
  const broken: AlterTableResult["brokenViews"][number][] = [];
  for (const view of readable) {
    const reason = await problemOf(connection, view);
    if (reason !== undefined) broken.push({ name: fullName(view), reason });
  }
  return broken;
}

async function problemOf(connection: DuckDBConnection, view: TableName): Promise<string | undefined> {
  try {
    await connection.run(`SELECT * FROM ${sqlName(view)} LIMIT 0`);
    return undefined;
  } catch (error) {
    const [first = ""] = (error as Error).message.split("\n");
    return first.replace(/^(?:Binder|Catalog) Error: /, "");
  }
}
