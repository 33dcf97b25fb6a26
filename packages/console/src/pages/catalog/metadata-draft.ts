import type { GlossaryUpdateInput } from "@lakehelm/contract";
import type { CatalogTable } from "../../data/catalog.ts";

/** The description and tags of a table or column. */
export interface Annotation {
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The edited annotations: the table's under the empty string, a column's under its name. */
export type Draft = ReadonlyMap<string, Annotation>;

/** The current annotation of a table or column. */
export function annotationOf(table: CatalogTable, part: string): Annotation {
  const { comment, tags } =
    part === "" ? table : (table.columns.find(({ name }) => name === part) ?? { comment: null, tags: {} });
  return { description: comment ?? "", tags };
}

/** One line per tag: `domain=sales`, or only the name. */
export const tagsText = (tags: Annotation["tags"]): string =>
  Object.entries(tags)
    .map(([name, value]) => (value === "" ? name : `${name}=${value}`))
    .join("\n");

export function parseTags(text: string): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const at = line.indexOf("=");
    const name = (at < 0 ? line : line.slice(0, at)).trim();
    if (name !== "") tags[name] = at < 0 ? "" : line.slice(at + 1).trim();
  }
  return tags;
}

export interface Difference {
  readonly part: string;
  /** `description`, or the name of a tag. */
  readonly what: string;
  /** Undefined: there is no value. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Every description and tag that the draft would change. */
export function differences(table: CatalogTable, draft: Draft): Difference[] {
  const found: Difference[] = [];
  for (const [part, { description, tags }] of draft) {
    const now = annotationOf(table, part);
    if (description !== now.description)
      found.push({
        part,
        what: "description",
        before: now.description || undefined,
        after: description || undefined,
      });
    for (const name of new Set([...Object.keys(now.tags), ...Object.keys(tags)]))
      if (now.tags[name] !== tags[name])
        found.push({ part, what: `tag ${name}`, before: now.tags[name], after: tags[name] });
  }
  return found;
}

/** The change as a request, with only the differences. */
export function changeOf(table: CatalogTable, draft: Draft): GlossaryUpdateInput {
  const part = (name: string) => {
    const wanted = draft.get(name);
    const now = annotationOf(table, name);
    if (!wanted) return { description: undefined, tags: undefined };
    const names = [...new Set([...Object.keys(now.tags), ...Object.keys(wanted.tags)])];
    const changed = names.filter((tag) => now.tags[tag] !== wanted.tags[tag]);
    return {
      description: wanted.description === now.description ? undefined : wanted.description,
      tags:
        changed.length === 0
          ? undefined
          : Object.fromEntries(changed.map((tag) => [tag, wanted.tags[tag] ?? null])),
    };
  };
  const own = part("");
  return {
    catalog_name: table.catalog,
    schema_name: table.schema,
    table_name: table.name,
    change: {
      ...(own.description !== undefined && { table_description: own.description }),
      ...(own.tags && { table_tags: own.tags }),
      columns: [...draft.keys()]
        .filter((name) => name !== "")
        .map((column) => ({ column, ...part(column) }))
        .filter(({ description, tags }) => description !== undefined || tags !== undefined)
        .map(({ column, description, tags }) => ({
          column,
          ...(description !== undefined && { description }),
          ...(tags && { column_tags: tags }),
        })),
    },
  };
}
