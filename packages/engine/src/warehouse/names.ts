import type { TableName } from "@lakehelm/sql/names";
import { DataProblem } from "../protocol/problem.ts";
import type { WarehouseScope } from "../protocol/scope.ts";

/** In the warehouse all names are lower case: as in Databricks, names are not case-sensitive. */
export type { TableName } from "@lakehelm/sql/names";

/** Holds Lakehelm's own tables in every catalog: checkpoints, rejects, tags. Queries can neither see nor name it. */
export const internalSchema = "_lakehelm";

/** Database names that DuckDB reserves. */
const reserved = new Set(["main", "temp", "system", "memory"]);

/** The name under which a catalog is attached. Catalog names never begin with "_", so aliases are unique. */
export const databaseAlias = (catalog: string): string => (reserved.has(catalog) ? `_${catalog}` : catalog);

/** Replaces the aliases of tables in a text of the engine by the names that callers know. */
export const withCatalogNames = (text: string): string =>
  text.replace(/(?<![\w.])_(main|temp|system|memory)(?=\.\w)/g, "$1");

export function quote(name: string): string {
  if (name.includes("\0"))
    throw new DataProblem(`${JSON.stringify(name)} cannot be a name: it has the character NUL.`);
  return `"${name.replaceAll('"', '""')}"`;
}

/** DuckDB's parser ends at a NUL, also in a text. */
export const literal = (text: string): string =>
  text.includes("\0")
    ? `(${text.split("\0").map(literal).join(" || chr(0) || ")})`
    : `'${text.replaceAll("'", "''")}'`;

export const sqlName = ({ catalog, schema, table }: TableName): string =>
  [databaseAlias(catalog), schema, table].map(quote).join(".");
export const fullName = ({ catalog, schema, table }: TableName): string => `${catalog}.${schema}.${table}`;

/** Parses `table`, `schema.table` or `catalog.schema.table`. Parts may be in backticks or double quotes. */
export function parseTableName(text: string, scope: WarehouseScope): TableName {
  const parts = text.match(/`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^.`"]+/g) ?? [];
  const rest = text.replace(/`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^.`"]+/g, "");
  if (parts.length < 1 || parts.length > 3 || rest !== ".".repeat(parts.length - 1)) {
    throw new DataProblem(
      `${JSON.stringify(text)} is not a table name. Expected table, schema.table or catalog.schema.table.`,
    );
  }
  const bare = parts.map(unquoted);
  const [table, schema = scope.schema, catalog = scope.catalog] = bare.reverse() as [string, ...string[]];
  for (const [what, name] of Object.entries({ catalog, schema, table })) {
    if (what === "table" ? name !== "" : /^[a-z0-9][\w-]*$/i.test(name)) continue;
    throw new DataProblem(
      `${JSON.stringify(text)}: ${JSON.stringify(name)} is not a valid ${what} name. It must begin with a letter or digit and contain only letters, digits, "_" and "-".`,
    );
  }
  return { catalog: catalog.toLowerCase(), schema: schema.toLowerCase(), table: table.toLowerCase() };
}

function unquoted(part: string): string {
  const delimiter = part[0];
  if (delimiter !== "`" && delimiter !== '"') return part.trim();
  return part.slice(1, -1).replaceAll(delimiter + delimiter, delimiter);
}
