import { type CatalogTable, DataProblem } from "@lakehelm/engine";
import { sqlName, sqlString } from "@lakehelm/sql/names";

/** Tags of a table and of its columns, by lower-case names. */
export interface TableTags {
  readonly table: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const noTags: TableTags = { table: {}, columns: {} };

/**
 * Spark's catalogs have no tags, so they are a property of the table: they are dropped and copied with it, and every server sees
 * them. Base64: Spark prints properties as one text, without quotes.
 */
const property = "lakehelm.tags";
const inProperties = /(?:\[|,)\s*lakehelm\.tags=([A-Za-z0-9_-]*)/;
const mostCharacters = 100_000;

/** The tags in the text of all properties in DESCRIBE TABLE EXTENDED. */
export function tagsIn(properties: string): TableTags {
  const [, encoded] = inProperties.exec(properties) ?? [];
  if (!encoded) return noTags;
  try {
    return { ...noTags, ...(JSON.parse(Buffer.from(encoded, "base64url").toString()) as TableTags) };
  } catch {
    // Somebody else has written this property.
    return noTags;
  }
}

/** The statement that gives a table its tags. */
export function setTags({ catalog, schema, name, tags, columns }: CatalogTable): string {
  const all: TableTags = {
    table: tags,
    columns: Object.fromEntries(
      columns
        .filter((column) => Object.keys(column.tags).length > 0)
        .map((one) => [one.name.toLowerCase(), one.tags]),
    ),
  };
  const text = Buffer.from(JSON.stringify(all)).toString("base64url");
  const full = { catalog, schema, table: name };
  if (text.length > mostCharacters)
    throw new DataProblem(`The tags of ${catalog}.${schema}.${name} are too long. Remove some.`);
  return `ALTER TABLE ${sqlName(full)} SET TBLPROPERTIES (${sqlString(property)} = '${text}')`;
}
