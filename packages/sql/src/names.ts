import { createHash } from "node:crypto";
import { columnNameProblem } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import { quoteIdentifier } from "./literals.ts";

/** A table by its three names. */
export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** What names of fewer than three parts are completed with. */
export interface NameDefaults {
  readonly catalog: string;
  readonly schema: string;
}

export const sqlName = ({ catalog, schema, table }: TableName): string =>
  [catalog, schema, table].map(quoteIdentifier).join(".");

/** The schema that a table is in. */
export const schemaName = ({ catalog, schema }: TableName): string =>
  [catalog, schema].map(quoteIdentifier).join(".");

/** As people write it and as it is compared: catalogs keep names in lower case. */
export const plainName = ({ catalog, schema, table }: TableName): string =>
  `${catalog}.${schema}.${table}`.toLowerCase();

/** A table beside another one: `<table>_unmatched` and the like. */
export const siblingTable = (name: TableName, suffix: string): TableName => ({
  ...name,
  table: name.table + suffix,
});

/** Reads `a.b.c`, `b.c` or `c`, parts in backticks if need be, and completes it with the default catalog and schema. */
export function readTableName(
  text: string,
  defaults: NameDefaults,
  what: string,
): TableName | { readonly problem: string } {
  const parts = text.match(/^(?:`(?:[^`]|``)*`|[^`.]+)(?:\.(?:`(?:[^`]|``)*`|[^`.]+))*$/u)
    ? text
        .match(/`(?:[^`]|``)*`|[^`.]+/gu)
        ?.map((part) => (part.startsWith("`") ? part.slice(1, -1).replaceAll("``", "`") : part))
    : undefined;
  if (!parts || parts.length > 3) {
    return {
      problem: `${what}: ${shown(text)} is not a table's name. Expected table, schema.table or catalog.schema.table.`,
    };
  }
  const [table = "", schema = defaults.schema, catalog = defaults.catalog] = parts.toReversed();
  const problem = [catalog, schema, table].map((part) => namePartProblem(part)).find((found) => found);
  return problem
    ? { problem: `${what}: ${shown(text)} cannot be used: ${problem}` }
    : { catalog, schema, table };
}

/** What Unity Catalog takes as the name of a catalog, schema or table, and generated text can carry. */
export function namePartProblem(name: string): string | undefined {
  if (/[\s./]/u.test(name)) return `the name ${shown(name)} contains a blank, a dot or a slash.`;
  return columnNameProblem(name);
}

/** The name of a flow or connector: a title for people, that also stands in YAML, where `${…}` and `{{…}}` are replaced. */
export function titleProblem(name: string): string | undefined {
  if (name.trim() === "") return "it is empty.";
  if ([...name].length > 100) return "it is longer than 100 characters.";
  if (hidden.test(name)) return "it contains a line end or an invisible character.";
  if (name.includes("${") || name.includes("{{"))
    return 'it contains "${" or "{{", which a bundle would replace.';
  return undefined;
}

/**
 * A name for a folder, a file or a resource: itself where it is plain, otherwise what is left of it and eight
 * digits of its hash. Two names never share one, on file systems that ignore case too.
 */
export const fileSlug = (name: string): string => slug(name, /^[a-z0-9][a-z0-9_-]*$/, "-");

/** The same for the name of a table that belongs to a connector or flow. */
export const tableSlug = (name: string): string => slug(name, /^[a-z][a-z0-9_]*$/, "_");

/** Names that Windows keeps for devices, in any folder. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/;

function slug(name: string, plain: RegExp, separator: string): string {
  const looksMade = /[-_][0-9a-f]{8}$/.test(name) || devices.test(name);
  if (plain.test(name) && name.length <= 64 && !looksMade) return name;
  const kept = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, separator)
    .replace(/^[-_]+|[-_]+$/g, "");
  const letterFirst = /^[a-z]/.test(kept) ? kept : `n${separator}${kept}`;
  const digits = createHash("sha256").update(name, "utf8").digest("hex").slice(0, 8);
  return `${letterFirst.slice(0, 48).replace(/[-_]+$/, "")}${separator}${digits}`;
}
