import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import { datasetsTable, isAbout } from "./internal-tables.ts";
import { fullName, literal, type TableName } from "./names.ts";

/** The pipeline that owns a table, and the kind of its dataset. */
export interface DatasetOwnership {
  readonly pipeline: string;
  readonly kind: string;
  readonly properties: string;
  /** The definition of a view. A view with the same definition is not created again. */
  readonly definition: string;
}

/** Undefined if no pipeline owns the table. */
export async function readOwner(
  connection: DuckDBConnection,
  name: TableName,
): Promise<DatasetOwnership | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT pipeline, kind, properties, definition FROM ${datasetsTable(name.catalog)} WHERE ${isAbout(name)}`,
  );
  const [row] = found.getRowsJson();
  if (!row) return undefined;
  const [pipeline, kind, properties, definition] = row.map(String) as [string, string, string, string];
  return { pipeline, kind, properties, definition };
}

/** All datasets of all pipelines in a catalog. */
export async function readOwners(
  connection: DuckDBConnection,
  catalog: string,
): Promise<{ readonly name: TableName; readonly owner: DatasetOwnership }[]> {
  const found = await connection.runAndReadAll(
    `SELECT "schema", "table", pipeline, kind, properties, definition FROM ${datasetsTable(catalog)}`,
  );
  return found.getRowsJson().map((row) => {
    const [schema, table, pipeline, kind, properties, definition] = row.map(String) as Texts;
    return { name: { catalog, schema, table }, owner: { pipeline, kind, properties, definition } };
  });
}

type Texts = [string, string, string, string, string, string];

/** `before` is the current owner. */
export async function writeOwner(
  connection: DuckDBConnection,
  name: TableName,
  owner: DatasetOwnership,
  before: DatasetOwnership | undefined,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(owner)) return;
  await removeOwner(connection, name);
  const { pipeline, kind, properties, definition } = owner;
  const values = [name.schema, name.table, pipeline, kind, properties, definition].map(literal);
  await connection.run(`INSERT INTO ${datasetsTable(name.catalog)} VALUES (${values.join(", ")})`);
}

export async function removeOwner(connection: DuckDBConnection, name: TableName): Promise<void> {
  await connection.run(`DELETE FROM ${datasetsTable(name.catalog)} WHERE ${isAbout(name)}`);
}

/** Explains why only its pipeline may change a table. */
export const ownedByPipeline = (name: TableName, { pipeline }: Pick<DatasetOwnership, "pipeline">): string =>
  `${fullName(name)} is owned by the pipeline ${pipeline}. Only updates of that pipeline can change it.`;

/**
 * Call it in the transaction that writes, because a pipeline may have created the table since the last check. The catalog
 * must exist.
 */
export async function requireNoOwner(connection: DuckDBConnection, name: TableName): Promise<void> {
  const owner = await readOwner(connection, name);
  if (owner) throw new DataProblem(ownedByPipeline(name, owner));
}
