import type { DuckDBConnection } from "@duckdb/node-api";
import { suggestion } from "@lakehelm/contract/text";
import type { CatalogMetadataChange, CatalogTable } from "../../protocol/catalog.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { fullName, literal, quote, sqlName, type TableName } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";
import { readCatalog } from "./catalog.ts";
import { writeTags } from "./tags.ts";

/** Changes comments and tags of one table or view. */
export const changeMetadata = (
  warehouse: Warehouse,
  change: CatalogMetadataChange,
): Promise<{ changed: boolean }> => changeMetadataOfTables(warehouse, [change]);

/** Changes several tables in one transaction. */
export async function changeMetadataOfTables(
  warehouse: Warehouse,
  changes: readonly CatalogMetadataChange[],
): Promise<{ changed: boolean }> {
  const before = await Promise.all(changes.map((change) => requireTableMetadata(warehouse, change)));
  const catalogs = new Set(changes.map(({ catalog }) => catalog.toLowerCase()));
  if (catalogs.size > 1) throw new DataProblem("One request can only change tables of one catalog.");
  const connection = await warehouse.connect();
  try {
    await connection.run("BEGIN");
    for (const [index, change] of changes.entries())
      await writeMetadata(connection, change, (before[index] as CatalogTable).kind);
    await warehouse.commit(connection);
  } finally {
    // Closing the connection rolls back what is not committed.
    connection.closeSync();
  }
  const after = await Promise.all(changes.map((change) => requireTableMetadata(warehouse, change)));
  return { changed: JSON.stringify(before) !== JSON.stringify(after) };
}

/** The table in the catalog. Throws a DataProblem with similar names if the table, or a column of it, does not exist. */
async function requireTableMetadata(
  warehouse: Warehouse,
  change: CatalogMetadataChange,
): Promise<CatalogTable> {
  const name = nameOf(change);
  const { tables } = await readCatalog(warehouse, { ...name, scope: change.scope });
  const [table] = tables;
  if (!table) {
    const near = suggestion(fullName(name), (await warehouse.relations()).map(fullName));
    throw new DataProblem(`There is no table ${JSON.stringify(fullName(name))}.${near}`);
  }
  for (const { column } of change.columns) {
    if (table.columns.some((known) => same(known.name, column))) continue;
    const near = suggestion(
      column,
      table.columns.map((known) => known.name),
    );
    throw new DataProblem(`${fullName(name)} has no column ${JSON.stringify(column)}.${near}`);
  }
  return table;
}

/** Call it within a transaction. The table and columns of the change must exist. */
export async function writeMetadata(
  connection: DuckDBConnection,
  change: Omit<CatalogMetadataChange, "scope">,
  kind: CatalogTable["kind"],
): Promise<void> {
  const name = nameOf(change);
  if (change.comment !== undefined) {
    await connection.run(
      `COMMENT ON ${kind.toUpperCase()} ${sqlName(name)} IS ${textOrNull(change.comment)}`,
    );
  }
  if (change.tags) await writeTags(connection, name, "", change.tags);
  for (const { column, comment, tags } of change.columns) {
    if (comment !== undefined) {
      await connection.run(`COMMENT ON COLUMN ${sqlName(name)}.${quote(column)} IS ${textOrNull(comment)}`);
    }
    if (tags) await writeTags(connection, name, column.toLowerCase(), tags);
  }
}

const nameOf = ({ catalog, schema, table }: Omit<CatalogMetadataChange, "scope">): TableName => ({
  catalog: catalog.toLowerCase(),
  schema: schema.toLowerCase(),
  table: table.toLowerCase(),
});

const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** An empty text removes the comment, as in Databricks. */
const textOrNull = (text: string | null): string => (text === null || text === "" ? "NULL" : literal(text));
