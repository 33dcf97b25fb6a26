import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { quoteIdentifier, sqlName, sqlString, type TableName } from "@lakehelm/sql/names";

/** A change of a description or of tags, of a table or of a column. No other change is possible. */
export type TableMetadataChange = { readonly column: string | undefined } & (
  | { readonly kind: "describe"; readonly text: string }
  | { readonly kind: "set tags"; readonly tags: readonly (readonly [key: string, value: string])[] }
  | { readonly kind: "unset tag"; readonly key: string }
);

export type ChangeStatement = TableMetadataChange & { readonly sql: string };

/** The requested changes of a column, or of the table (`undefined`). */
export interface ObjectChange {
  readonly column: string | undefined;
  readonly description: string | null | undefined;
  readonly tags: Readonly<Record<string, unknown>> | null | undefined;
  /** The field of the request, for problems. */
  readonly descriptionAt: string;
  readonly tagsAt: string;
}

/** The changes of the table first, then those of the columns in the order of the request. */
export function objectChanges({ change }: GlossaryUpdateInput): ObjectChange[] {
  return [
    {
      column: undefined,
      description: change.table_description,
      tags: change.table_tags,
      descriptionAt: "change.table_description",
      tagsAt: "change.table_tags",
    },
    ...change.columns.map(({ column, description, column_tags }, at) => ({
      column,
      description,
      tags: column_tags,
      descriptionAt: `change.columns[${at}].description`,
      tagsAt: `change.columns[${at}].column_tags`,
    })),
  ];
}

/**
 * The changes of one object, in a safe order. Tags are removed before others are set, so that an object with the
 * maximum number of tags can exchange some. Each removal is a separate statement: if it fails because the tag no longer
 * exists, the others still run.
 */
export function changesOf({ column, description, tags }: ObjectChange): TableMetadataChange[] {
  const entries = Object.entries(tags ?? {});
  const set = entries.flatMap(([key, value]) =>
    value === null ? [] : [[key, tagText(value) ?? ""] as const],
  );
  return [
    ...(typeof description === "string" ? [{ kind: "describe", column, text: description } as const] : []),
    ...entries.flatMap(([key, value]) =>
      value === null ? [{ kind: "unset tag", column, key } as const] : [],
    ),
    ...(set.length > 0 ? [{ kind: "set tags", column, tags: set } as const] : []),
  ];
}

/** A tag's value as a string; numbers and booleans as in JSON. Undefined for any other value. */
export function tagText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  return typeof value === "number" && Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

export const withStatement = (table: TableName, change: TableMetadataChange): ChangeStatement => ({
  ...change,
  sql: statement(table, change),
});

function statement(table: TableName, change: TableMetadataChange): string {
  const { column } = change;
  const alter = `ALTER TABLE ${sqlName(table)}${column === undefined ? "" : ` ALTER COLUMN ${quoteIdentifier(column)}`}`;
  switch (change.kind) {
    case "describe":
      if (column !== undefined) return `${alter} COMMENT ${sqlString(change.text)}`;
      // Spark accepts NULL for a table, but not for a column.
      return `COMMENT ON TABLE ${sqlName(table)} IS ${change.text === "" ? "NULL" : sqlString(change.text)}`;
    case "set tags":
      return `${alter} SET TAGS ${listed(change.tags.map(([key, value]) => `${sqlString(key)} = ${sqlString(value)}`))}`;
    case "unset tag":
      return `${alter} UNSET TAGS (${sqlString(change.key)})`;
  }
}

/** One line if it is short, otherwise one item per line. */
function listed(items: readonly string[]): string {
  const line = items.join(", ");
  return line.length <= 60 ? `(${line})` : `(\n  ${items.join(",\n  ")}\n)`;
}
