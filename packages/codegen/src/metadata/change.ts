import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { quoteIdentifier, sqlName, sqlString, type TableName } from "@lakehelm/sql/names";

/** All that can ever come out: a description or tags, of the table or, where a column is named, of that column. */
export type MetadataChange = { readonly column: string | undefined } & (
  | { readonly kind: "describe"; readonly text: string }
  | { readonly kind: "set tags"; readonly tags: readonly (readonly [key: string, value: string])[] }
  | { readonly kind: "unset tag"; readonly key: string }
);

/** A change with its SQL statement. */
export type ChangeStatement = MetadataChange & { readonly sql: string };

/** The requested changes of the table (`undefined`) or of a column. */
export interface ChangePart {
  readonly column: string | undefined;
  readonly description: string | null | undefined;
  readonly tags: Readonly<Record<string, unknown>> | null | undefined;
  /** Where the request says so, for sentences about mistakes. */
  readonly descriptionAt: string;
  readonly tagsAt: string;
}

/** The table first, then the columns as the request has them. */
export function partsOf({ change }: GlossaryUpdateInput): ChangePart[] {
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
 * What a part of the request changes, in safe order. Tags are removed before others are set, so that an object with
 * as many tags as it can have takes a new one for an old one. Each removal stands alone: one that fails, because
 * somebody else was faster, takes no other with it.
 */
export function changesOf({ column, description, tags }: ChangePart): MetadataChange[] {
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

/** A tag's value as text, numbers and booleans as JSON writes them. Undefined: it is something else. */
export function tagText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  return typeof value === "number" && Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

export const withStatement = (table: TableName, change: MetadataChange): ChangeStatement => ({
  ...change,
  sql: statement(table, change),
});

function statement(table: TableName, change: MetadataChange): string {
  const { column } = change;
  const alter = `ALTER TABLE ${sqlName(table)}${column === undefined ? "" : ` ALTER COLUMN ${quoteIdentifier(column)}`}`;
  switch (change.kind) {
    case "describe":
      if (column !== undefined) return `${alter} COMMENT ${sqlString(change.text)}`;
      // Spark takes NULL here, but not for a column.
      return `COMMENT ON TABLE ${sqlName(table)} IS ${change.text === "" ? "NULL" : sqlString(change.text)}`;
    case "set tags":
      return `${alter} SET TAGS ${listed(change.tags.map(([key, value]) => `${sqlString(key)} = ${sqlString(value)}`))}`;
    case "unset tag":
      return `${alter} UNSET TAGS (${sqlString(change.key)})`;
  }
}

/** On the statement's line where that is short, otherwise one to a line. */
function listed(items: readonly string[]): string {
  const line = items.join(", ");
  return line.length <= 60 ? `(${line})` : `(\n  ${items.join(",\n  ")}\n)`;
}
