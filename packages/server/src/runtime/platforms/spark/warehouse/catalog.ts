import { type CatalogTable, DataProblem } from "@lakehelm/engine";
import { isNoTable, jsonRowsOf, type SparkSession } from "@lakehelm/spark-connect";
import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import type { Cluster } from "../clusters.ts";
import { noTags, type TableTags, tagsIn } from "./tags.ts";

/** More tables would take minutes: the caller must name a schema. */
const mostTables = 2_000;
const atOnce = 8;

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

/** Lists the environment's catalogs. Spark itself lists a catalog only after its first use. */
export async function readCatalog(
  { configuration }: Pick<Cluster, "configuration">,
  session: SparkSession,
  filter: CatalogFilter,
  signal: AbortSignal,
): Promise<CatalogList> {
  const wanted = filter.catalog?.toLowerCase();
  const catalogs = configuration.catalogs.filter((name) => wanted === undefined || name === wanted);
  const { schema: inSchema, table } = filter;
  if (wanted !== undefined && catalogs.length > 0 && inSchema !== undefined && table !== undefined) {
    // One table needs no lists.
    const name = { catalog: wanted, schema: inSchema.toLowerCase(), table: table.toLowerCase() };
    const found = await readTable(session, name, signal);
    if (found) return { catalogs, schemas: [{ catalog: wanted, name: name.schema }], tables: [found] };
  }
  const schemas: CatalogList["schemas"] = [];
  const names: FullName[] = [];
  for (const catalog of catalogs) {
    const found = await texts(session, `SHOW SCHEMAS IN ${quoteIdentifier(catalog)}`, 0, signal);
    for (const schema of found.sort()) {
      if (filter.schema !== undefined && schema !== filter.schema.toLowerCase()) continue;
      schemas.push({ catalog, name: schema });
      const place = `${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`;
      const tables = await texts(session, `SHOW TABLES IN ${place}`, 1, signal);
      for (const table of tables.sort()) {
        if (filter.table === undefined || table === filter.table.toLowerCase())
          names.push({ catalog, schema, table });
      }
      if (names.length > mostTables) {
        throw new DataProblem(`The catalog ${catalog} has more than ${mostTables} tables. Name a schema.`);
      }
    }
  }
  const tables: CatalogTable[] = [];
  for (let at = 0; at < names.length; at += atOnce) {
    const some = await Promise.all(
      names.slice(at, at + atOnce).map((name) => readTable(session, name, signal)),
    );
    // A table can be dropped meanwhile.
    tables.push(...some.filter((table) => table !== undefined));
  }
  return { catalogs, schemas, tables };
}

export interface FullName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** Undefined: there is no such table. */
export async function readTable(
  session: SparkSession,
  { catalog, schema, table }: FullName,
  signal: AbortSignal,
): Promise<CatalogTable | undefined> {
  const lower = { catalog: catalog.toLowerCase(), schema: schema.toLowerCase(), table: table.toLowerCase() };
  const name = sqlName(lower);
  try {
    const columns = await session.columnsOfTable(name, { signal });
    const { comment, tags } = await detailsOf(session, name, signal);
    return {
      catalog: lower.catalog,
      schema: lower.schema,
      name: lower.table,
      kind: "table",
      comment,
      tags: tags.table,
      rows: null,
      columns: columns.map((column) => ({
        ...column,
        tags: tags.columns[column.name.toLowerCase()] ?? {},
      })),
    };
  } catch (error) {
    if (isNoTable(error)) return undefined;
    throw error;
  }
}

async function detailsOf(
  session: SparkSession,
  name: string,
  signal: AbortSignal,
): Promise<{ comment: string | null; tags: TableTags }> {
  const rows = await rowsOf(session, `DESCRIBE TABLE EXTENDED ${name}`, signal);
  const start = rows.findIndex(([key]) => key === "# Detailed Table Information");
  const details = start < 0 ? [] : rows.slice(start + 1);
  const detail = (key: string) => details.find(([one]) => one === key)?.[1];
  const comment = detail("Comment");
  const properties = detail("Table Properties");
  return {
    comment: typeof comment === "string" && comment !== "" ? comment : null,
    tags: typeof properties === "string" ? tagsIn(properties) : noTags,
  };
}

/** The texts of one column. */
const texts = async (
  session: SparkSession,
  sql: string,
  column: number,
  signal: AbortSignal,
): Promise<string[]> => (await rowsOf(session, sql, signal)).map((row) => String(row[column]));

/** The rows that a statement of ours returns. */
export async function rowsOf(session: SparkSession, sql: string, signal: AbortSignal): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const { arrow } of session.execute(sql, { signal })) rows.push(...jsonRowsOf(arrow));
  return rows;
}
