import { type CatalogColumn, type CatalogTable, DataProblem } from "@lakehelm/engine";
import type { WorkspaceClient } from "../client/client.ts";
import { segment } from "../client/path.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import type { Workspace } from "../workspaces.ts";
import { tagsOf } from "./tags.ts";

const unityCatalog = "/api/2.1/unity-catalog";
/** More tables would take minutes to read and fill the memory: the caller must name a schema. */
const mostTables = 20_000;
const mostSchemas = 300;

interface Named {
  readonly name?: string;
}

interface UnityTable extends Named {
  readonly catalog_name?: string;
  readonly schema_name?: string;
  readonly table_type?: string;
  readonly comment?: string;
  readonly columns?: readonly {
    readonly name?: string;
    readonly type_text?: string;
    readonly nullable?: boolean;
    readonly comment?: string;
    readonly position?: number;
  }[];
}

interface CatalogFilter {
  readonly catalog?: string;
  readonly schema?: string;
  readonly table?: string;
}

interface CatalogList {
  readonly catalogs: string[];
  readonly schemas: { catalog: string; name: string }[];
  readonly tables: CatalogTable[];
}

/**
 * Lists Unity Catalog. Without a catalog, schemas and tables are those of the environment's own catalog: a workspace may have
 * thousands of others. Tags are read for a table that is named, because each table and column takes a request.
 */
export async function readCatalog(
  { client, configuration }: Workspace,
  filter: CatalogFilter,
  signal: AbortSignal,
): Promise<CatalogList> {
  const catalog = (filter.catalog ?? configuration.catalog).toLowerCase();
  const { schema, table } = filter;
  if (filter.catalog !== undefined && schema !== undefined && table !== undefined) {
    // One request is enough, and only the right to see the table.
    const found = await readTable(client, { catalog, schema, table }, signal);
    const schemas = [{ catalog, name: schema.toLowerCase() }];
    if (found) return { catalogs: [catalog], schemas, tables: [found] };
  }
  const [catalogs, schemas] = await Promise.all([
    filter.catalog === undefined
      ? names(client, "catalogs", "catalogs", {}, signal)
      : existing(client, "catalogs", catalog, signal),
    filter.schema === undefined
      ? names(client, "schemas", "schemas", { catalog_name: catalog }, signal)
      : existing(client, "schemas", `${catalog}.${filter.schema.toLowerCase()}`, signal),
  ]);
  const shown = schemas
    .map((name) => name.slice(name.indexOf(".") + 1))
    .filter((name) => name !== "information_schema")
    .sort();
  if (shown.length > mostSchemas && filter.table === undefined) {
    throw new DataProblem(`The catalog ${catalog} has more than ${mostSchemas} schemas. Name one.`);
  }
  const tables: CatalogTable[] = [];
  for (const schema of shown) {
    if (filter.table !== undefined) {
      const name = { catalog, schema, table: filter.table.toLowerCase() };
      const found = await readTable(client, name, signal);
      if (found) tables.push(found);
    } else {
      const query = { catalog_name: catalog, schema_name: schema };
      const list = client.list<UnityTable>(`${unityCatalog}/tables`, "tables", query, { signal });
      for await (const table of list) tables.push(catalogTable(table));
    }
    if (tables.length > mostTables) {
      throw new DataProblem(`The catalog ${catalog} has more than ${mostTables} tables. Name a schema.`);
    }
  }
  tables.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return { catalogs: catalogs.sort(), schemas: shown.map((name) => ({ catalog, name })), tables };
}

const sortKey = ({ schema, name }: CatalogTable): string => `${schema}\0${name}`;

interface FullName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** A table with the tags of itself and of its columns; undefined if it does not exist, or may not be seen. */
export async function readTable(
  client: WorkspaceClient,
  { catalog, schema, table }: FullName,
  signal: AbortSignal,
): Promise<CatalogTable | undefined> {
  const name = [catalog, schema, table].map((part) => part.toLowerCase()).join(".");
  const found = await ifThere<UnityTable>(client, `tables/${segment(name)}`, signal);
  if (!found) return undefined;
  const read = catalogTable(found);
  const [tags, columns] = await Promise.all([
    tagsOf(client, "tables", name, signal),
    Promise.all(
      read.columns.map(async (column) => ({
        ...column,
        tags: await tagsOf(client, "columns", `${name}.${column.name}`, signal),
      })),
    ),
  ]);
  return { ...read, tags, columns };
}

const ifThere = <Answer extends object>(client: WorkspaceClient, path: string, signal: AbortSignal) =>
  client.get<Answer>(`${unityCatalog}/${path}`, {}, { signal }).catch((error: unknown) => {
    if (isWorkspaceError(error, "gone")) return undefined;
    throw error;
  });

async function names(
  client: WorkspaceClient,
  path: string,
  key: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const list = client.list<Named>(`${unityCatalog}/${path}`, key, query, { signal });
    return (await Array.fromAsync(list)).flatMap(({ name }) => name ?? []);
  } catch (error) {
    // The catalog itself is not there.
    if (isWorkspaceError(error, "gone")) return [];
    throw error;
  }
}

async function existing(
  client: WorkspaceClient,
  kind: "catalogs" | "schemas",
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  return (await ifThere(client, `${kind}/${segment(name)}`, signal)) ? [name] : [];
}

/** A materialized view stores rows, so it counts as a table. */
const views = new Set(["VIEW", "METRIC_VIEW"]);

function catalogTable(table: UnityTable): CatalogTable {
  const { catalog_name = "", schema_name = "", name = "", table_type = "", comment, columns = [] } = table;
  return {
    catalog: catalog_name,
    schema: schema_name,
    name,
    kind: views.has(table_type) ? "view" : "table",
    comment: comment || null,
    tags: {},
    rows: null,
    columns: columns
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
      .map(
        (column): CatalogColumn => ({
          name: column.name ?? "",
          type: typeOf(column.type_text ?? ""),
          nullable: column.nullable ?? true,
          comment: column.comment || null,
          tags: {},
        }),
      ),
  };
}

/** Types are written in capitals; names of fields in a type stay as they are. */
const typeOf = (text: string): string => (text.includes("<") ? text : text.toUpperCase());
