import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { columnNameProblem } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import { namePartProblem } from "@lakehelm/sql/names";
import { changesOf, type ObjectChange, objectChanges, tagText } from "./change.ts";
import { columnKey, columnsByKey, type TableMetadata } from "./table-metadata.ts";

/** Databricks documents the limits of tags, but none for comments: this is the limit of the open-source Unity Catalog. */
const limits = { tags: 50, key: 255, value: 1000, description: 65_535 };

/** Every mistake of a request, each with its field. */
export function metadataProblems(request: GlossaryUpdateInput, known?: TableMetadata): string[] {
  const objects = objectChanges(request);
  const names = (["catalog_name", "schema_name", "table_name"] as const).flatMap((field) =>
    withField(field, namePartProblem(request[field])),
  );
  const rest = objects.flatMap((object) => [...descriptionProblems(object), ...tagProblems(object)]);
  return [...names, ...columnProblems(request, known), ...rest, ...emptinessProblems(objects)];
}

const withField = (field: string, problem: string | undefined) =>
  problem === undefined ? [] : [`${field}: ${problem}`];

function columnProblems({ change }: GlossaryUpdateInput, table?: TableMetadata): string[] {
  // A catalog entry without columns means that the columns are unknown.
  const there = table && Object.keys(table.columns).length > 0 ? columnsByKey(table) : undefined;
  const known = new Map<string, number>();
  return change.columns.flatMap(({ column }, at) => {
    const field = `change.columns[${at}].column`;
    const first = known.get(columnKey(column));
    if (first !== undefined) return [`${field}: ${shown(column)} is already in change.columns[${first}].`];
    known.set(columnKey(column), at);
    const problem = columnNameProblem(column);
    if (problem || !table || !there || there.has(columnKey(column))) return withField(field, problem);
    return [`${field}: the table has no column ${shown(column)}. ${listed(table)}`];
  });
}

/** Messages name at most 20 columns. */
const listed = ({ columns }: TableMetadata): string => {
  const names = Object.keys(columns);
  const more = names.length > 20 ? `, and ${names.length - 20} more` : "";
  return `Its columns are ${names.slice(0, 20).join(", ")}${more}.`;
};

const descriptionProblems = ({ description, descriptionAt }: ObjectChange): string[] =>
  typeof description === "string"
    ? withField(descriptionAt, textProblem(description, limits.description))
    : [];

function tagProblems({ column, tags, tagsAt }: ObjectChange): string[] {
  const entries = Object.entries(tags ?? {});
  const count = entries.filter(([, value]) => value !== null).length;
  const what = column === undefined ? "table" : "column";
  return [
    ...(count > limits.tags
      ? [`${tagsAt}: ${count} tags, but a ${what} can have at most ${limits.tags}.`]
      : []),
    ...entries.flatMap(([key, value]) => {
      const ofKey = keyProblem(key);
      const ofValue = value === null ? undefined : valueProblem(value);
      return [
        ...(ofKey ? [`${tagsAt}: the key ${shown(key)} ${ofKey}`] : []),
        ...(ofValue ? [`${tagsAt}, key ${shown(key)}: ${ofValue}`] : []),
      ];
    }),
  ];
}

function keyProblem(key: string): string | undefined {
  if (key === "") return "is empty.";
  if ([...key].length > limits.key) return `is longer than ${limits.key} characters.`;
  if (hidden.test(key)) return "contains an invisible character.";
  if (key.trim() !== key) return "begins or ends with a space.";
  const [refused] = /[.,\-=/:]/.exec(key) ?? [];
  return refused && `contains "${refused}". A key cannot contain any of . , - = / :.`;
}

function valueProblem(value: unknown): string | undefined {
  const text = tagText(value);
  if (text === undefined) {
    const what = typeof value === "number" ? "a number that JSON cannot represent" : describe(value);
    return `expected a string, a number, true, false, or null to remove the tag, but found ${what}.`;
  }
  if (text.trim() !== text) return "the value begins or ends with a space.";
  return textProblem(text, limits.value);
}

const describe = (value: unknown) => (Array.isArray(value) ? "a list" : "an object");

function textProblem(text: string, length: number): string | undefined {
  if (!text.isWellFormed()) return "the text contains an unpaired surrogate.";
  return [...text].length > length ? `the text is longer than ${length} characters.` : undefined;
}

const emptinessProblems = (objects: readonly ObjectChange[]): string[] =>
  objects.some((object) => changesOf(object).length > 0)
    ? []
    : ["change: nothing is changed. Expected a description or a tag, of the table or of a column."];
