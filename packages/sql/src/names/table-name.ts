import { columnNameProblem } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { quoteIdentifier } from "./literals.ts";

/** A table by its catalog, schema and name. */
export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** The defaults for names of fewer than three parts. */
export interface NameDefaults {
  readonly catalog: string;
  readonly schema: string;
}

export const sqlName = ({ catalog, schema, table }: TableName): string =>
  [catalog, schema, table].map(quoteIdentifier).join(".");

/** The schema of a table, as SQL. */
export const schemaName = ({ catalog, schema }: NameDefaults): string =>
  [catalog, schema].map(quoteIdentifier).join(".");

/** The name for messages and comparisons: in lower case, as catalogs store names. */
export const plainName = ({ catalog, schema, table }: TableName): string =>
  `${catalog}.${schema}.${table}`.toLowerCase();

/** Another table of the same schema: `<table>_unmatched`, for example. */
export const siblingTable = (name: TableName, suffix: string): TableName => ({
  ...name,
  table: name.table + suffix,
});

/** Parses `a.b.c`, `b.c` or `c`, with optional backticks, and adds the default catalog and schema. */
export function readTableName(
  text: string,
  defaults: NameDefaults,
  field: string,
): TableName | { readonly problem: string } {
  const parts = text.match(/^(?:`(?:[^`]|``)*`|[^`.]+)(?:\.(?:`(?:[^`]|``)*`|[^`.]+))*$/u)
    ? text
        .match(/`(?:[^`]|``)*`|[^`.]+/gu)
        ?.map((part) => (part.startsWith("`") ? part.slice(1, -1).replaceAll("``", "`") : part))
    : undefined;
  if (!parts || parts.length > 3) {
    return {
      problem: `${field}: ${shown(text)} is not a table name. Expected table, schema.table or catalog.schema.table.`,
    };
  }
  const [table = "", schema = defaults.schema, catalog = defaults.catalog] = parts.toReversed();
  const problem = [catalog, schema, table].map((part) => namePartProblem(part)).find((found) => found);
  return problem
    ? { problem: `${field}: ${shown(text)} cannot be used: ${problem}` }
    : { catalog, schema, table };
}

/** Why a text cannot be the name of a catalog, schema or table in Unity Catalog and in generated code. */
export function namePartProblem(name: string): string | undefined {
  if (/[\s./]/u.test(name)) return `the name ${shown(name)} contains a space, a dot or a slash.`;
  return columnNameProblem(name);
}
