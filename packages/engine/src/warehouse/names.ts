import { DataProblem } from "../protocol/problem.ts";
import type { WarehouseScope } from "../protocol/scope.ts";

/** A table of the warehouse by its three names, all lower case: as in Databricks, case does not tell names apart. */
export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** Ours in every catalog: marks, rejects, tags. It is shown to nobody and cannot be named. */
export const internalSchema = "_lakehelm";

/** Names that DuckDB keeps for itself as names of databases. */
const reserved = new Set(["main", "temp", "system", "memory"]);

/** What a catalog is attached as. No catalog of a caller begins with "_", so that the two never meet. */
export const databaseAlias = (catalog: string): string => (reserved.has(catalog) ? `_${catalog}` : catalog);

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const sqlName = ({ catalog, schema, table }: TableName): string =>
  [databaseAlias(catalog), schema, table].map(quote).join(".");
export const fullName = ({ catalog, schema, table }: TableName): string => `${catalog}.${schema}.${table}`;

/** `table`, `schema.table` or `catalog.schema.table`, parts in backticks or double quotes where they hold dots. */
export function parseTableName(text: string, scope: WarehouseScope): TableName {
  const parts = text.match(/`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^.`"]+/g) ?? [];
  const rest = text.replace(/`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^.`"]+/g, "");
  if (parts.length < 1 || parts.length > 3 || rest !== ".".repeat(parts.length - 1)) {
    throw new DataProblem(
      `${JSON.stringify(text)} is not the name of a table: expected table, schema.table or catalog.schema.table.`,
    );
  }
  const bare = parts.map(unquoted);
  const [table, schema = scope.schema, catalog = scope.catalog] = bare.reverse() as [string, ...string[]];
  for (const [what, name] of Object.entries({ catalog, schema, table })) {
    if (what === "table" ? name !== "" : /^[a-z0-9][\w-]*$/i.test(name)) continue;
    throw new DataProblem(
      `${JSON.stringify(text)}: ${JSON.stringify(name)} cannot be the name of a ${what}. It begins with a letter or a digit and has letters, digits, "_" and "-".`,
    );
  }
  return { catalog: catalog.toLowerCase(), schema: schema.toLowerCase(), table: table.toLowerCase() };
}

function unquoted(part: string): string {
  const mark = part[0];
  if (mark !== "`" && mark !== '"') return part.trim();
  return part.slice(1, -1).replaceAll(mark + mark, mark);
}
