import { suggestion } from "@lakehelm/contract/text";
import { type CatalogMetadataChange, type CatalogTable, DataProblem } from "@lakehelm/engine";
import { quoteIdentifier, sqlName, sqlString } from "@lakehelm/sql/names";

/** One statement, and the statement that undoes it. */
export interface MetadataStep {
  readonly apply: string;
  readonly undo: string;
}

type Annotated = Pick<CatalogTable, "comment" | "tags">;
type Tags = Readonly<Record<string, string | null>>;

/** The statements that give a table the wanted comments and tags; none if it already has them. */
export function metadataSteps(table: CatalogTable, change: CatalogMetadataChange): MetadataStep[] {
  const name = sqlName({ catalog: table.catalog, schema: table.schema, table: table.name });
  const alter = `ALTER ${table.kind.toUpperCase()} ${name}`;
  return [
    ...commentSteps(`COMMENT ON TABLE ${name}`, table, change.comment),
    ...tagSteps(alter, table, change.tags),
    ...change.columns.flatMap(({ column: wanted, comment, tags }) => {
      const column = table.columns.find((known) => known.name.toLowerCase() === wanted.toLowerCase());
      if (!column) {
        const near = suggestion(
          wanted,
          table.columns.map((known) => known.name),
        );
        const full = `${table.catalog}.${table.schema}.${table.name}`;
        throw new DataProblem(`${full} has no column ${JSON.stringify(wanted)}.${near}`);
      }
      const quoted = quoteIdentifier(column.name);
      return [
        ...commentSteps(`COMMENT ON COLUMN ${name}.${quoted}`, column, comment),
        ...tagSteps(`${alter} ALTER COLUMN ${quoted}`, column, tags),
      ];
    }),
  ];
}

function commentSteps(
  target: string,
  { comment: before }: Annotated,
  wanted: string | null | undefined,
): MetadataStep[] {
  if (wanted === undefined) return [];
  const text = wanted || null;
  if (text === before) return [];
  const to = (value: string | null) => `${target} IS ${value === null ? "NULL" : sqlString(value)}`;
  return [{ apply: to(text), undo: to(before) }];
}

/** Tags are removed before others are set: an object may already have the most tags that are allowed. */
function tagSteps(target: string, { tags: before }: Annotated, wanted: Tags = {}): MetadataStep[] {
  const set = (key: string, value: string) => `${target} SET TAGS (${sqlString(key)} = ${sqlString(value)})`;
  const unset = (key: string) => `${target} UNSET TAGS (${sqlString(key)})`;
  const removed = Object.entries(wanted).flatMap(([key, value]): MetadataStep[] => {
    const old = before[key];
    return value === null && old !== undefined ? [{ apply: unset(key), undo: set(key, old) }] : [];
  });
  const added = Object.entries(wanted).flatMap(([key, value]): MetadataStep[] => {
    const old = before[key];
    if (value === null || value === old) return [];
    return [{ apply: set(key, value), undo: old === undefined ? unset(key) : set(key, old) }];
  });
  return [...removed, ...added];
}

/** The table after a change, for the next change of the same table. */
export function afterChange(table: CatalogTable, change: CatalogMetadataChange): CatalogTable {
  const next = <Kind extends Annotated>(
    before: Kind,
    { comment, tags }: { readonly comment?: string | null; readonly tags?: Tags },
  ): Kind => ({
    ...before,
    ...(comment !== undefined && { comment: comment || null }),
    tags: Object.fromEntries(
      Object.entries({ ...before.tags, ...tags }).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      ),
    ),
  });
  return {
    ...next(table, change),
    columns: table.columns.map((column) =>
      change.columns
        .filter((one) => one.column.toLowerCase() === column.name.toLowerCase())
        .reduce((before, one) => next(before, one), column),
    ),
  };
}
