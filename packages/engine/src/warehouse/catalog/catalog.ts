import type { DuckDBConnection } from "@duckdb/node-api";
import type { CatalogColumn, CatalogTable } from "../../protocol/catalog.ts";
import type { EngineRequests } from "../../protocol/requests.ts";
import { databricksType } from "../../protocol/types.ts";
import { databaseAlias, internalSchema, literal, sqlName } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";
import { readTags, type TagLookup } from "./tags.ts";

type CatalogFilter = EngineRequests["catalog"][0];
type CatalogContent = EngineRequests["catalog"][1];

/** Reads the part of the catalog that callers can see. */
export async function readCatalog(warehouse: Warehouse, filter: CatalogFilter): Promise<CatalogContent> {
  const connection = await warehouse.connect();
  try {
    const names = lowerCase(filter);
    const catalogs = warehouse.catalogs.filter((name) => (names.catalog ?? name) === name);
    const tables: CatalogTable[] = [];
    const schemas: CatalogContent["schemas"] = [];
    for (const catalog of catalogs) {
      const found = await tablesOf(connection, catalog, names);
      tables.push(...found);
      const used = new Set(found.map(({ schema }) => schema));
      for (const name of await schemasOf(connection, catalog)) {
        // DuckDB creates a schema "main" in every file. It is shown only if it is used.
        if ((names.schema ?? name) === name && (name !== "main" || used.has(name)))
          schemas.push({ catalog, name });
      }
    }
    return { catalogs, schemas, tables };
  } finally {
    connection.closeSync();
  }
}

type NameFilter = Pick<CatalogFilter, "catalog" | "schema" | "table">;

const lowerCase = ({ catalog, schema, table }: NameFilter): NameFilter => ({
  ...(catalog !== undefined && { catalog: catalog.toLowerCase() }),
  ...(schema !== undefined && { schema: schema.toLowerCase() }),
  ...(table !== undefined && { table: table.toLowerCase() }),
});

async function schemasOf(connection: DuckDBConnection, catalog: string): Promise<string[]> {
  const found = await connection.runAndReadAll(
    `SELECT schema_name FROM duckdb_schemas() WHERE ${isShown(catalog)}
     AND schema_name NOT IN ('information_schema', 'pg_catalog') ORDER BY ALL`,
  );
  return found.getRowsJson().map(([name]) => String(name));
}

async function tablesOf(
  connection: DuckDBConnection,
  catalog: string,
  names: NameFilter,
): Promise<CatalogTable[]> {
  const which = [
    isShown(catalog),
    "NOT internal",
    ...(names.schema === undefined ? [] : [`schema_name = ${literal(names.schema)}`]),
    ...(names.table === undefined ? [] : [`name = ${literal(names.table)}`]),
  ].join(" AND ");
  const found = await connection.runAndReadAll(
    `SELECT schema_name, name, kind, comment FROM (
       SELECT database_name, schema_name, table_name AS name, 'table' AS kind, comment, internal FROM duckdb_tables()
       UNION ALL SELECT database_name, schema_name, view_name, 'view', comment, internal FROM duckdb_views()
     ) WHERE ${which} ORDER BY ALL`,
  );
  if (found.currentRowCount === 0) return [];
  const tags = await readTags(connection, catalog);
  const columns = await columnsOf(connection, catalog, tags);
  const tables: CatalogTable[] = [];
  for (const [schemaName, tableName, kind, comment] of found.getRowsJson()) {
    const [schema, name] = [String(schemaName), String(tableName)];
    tables.push({
      catalog,
      schema,
      name,
      kind: kind === "view" ? "view" : "table",
      comment: comment === null || comment === undefined ? null : String(comment),
      tags: tags(schema, name),
      // DuckDB counts the rows of a table without reading them. A view would have to run.
      rows: kind === "view" ? null : await countOf(connection, sqlName({ catalog, schema, table: name })),
      columns: columns.get(`${schema}.${name}`) ?? [],
    });
  }
  return tables;
}

async function countOf(connection: DuckDBConnection, table: string): Promise<number> {
  const found = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`);
  return Number(found.getRowsJson()[0]?.[0]);
}

async function columnsOf(
  connection: DuckDBConnection,
  catalog: string,
  tags: TagLookup,
): Promise<ReadonlyMap<string, CatalogColumn[]>> {
  const found = await connection.runAndReadAll(
    `SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
     WHERE ${isShown(catalog)} AND NOT internal ORDER BY schema_name, table_name, column_index`,
  );
  const columns = new Map<string, CatalogColumn[]>();
  for (const [schema, table, name, type, nullable, comment] of found.getRowsJson()) {
    const of = columns.get(`${schema}.${table}`) ?? [];
    columns.set(`${schema}.${table}`, of);
    of.push({
      name: String(name),
      type: databricksType(String(type)),
      nullable: nullable === true,
      comment: comment === null || comment === undefined ? null : String(comment),
      tags: tags(String(schema), String(table), String(name).toLowerCase()),
    });
  }
  return columns;
}

const isShown = (catalog: string): string =>
  `database_name = ${literal(databaseAlias(catalog))} AND schema_name <> ${literal(internalSchema)}`;
