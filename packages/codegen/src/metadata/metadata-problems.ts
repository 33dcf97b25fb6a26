import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { columnNameProblem } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import { namePartProblem } from "@lakehelm/sql/names";
import { type ChangePart, changesOf, partsOf, tagText } from "./change.ts";
import { columnKey } from "./table-metadata.ts";

/** Databricks documents what its tags take, but no length for comments: this is what Unity Catalog's open store holds. */
const limits = { tags: 50, key: 255, value: 1000, description: 65_535 };

/** Every mistake of a request, each with its place. */
export function metadataProblems(request: GlossaryUpdateInput): string[] {
  const parts = partsOf(request);
  const names = (["catalog_name", "schema_name", "table_name"] as const).flatMap((field) =>
    withField(field, namePartProblem(request[field])),
  );
  const rest = parts.flatMap((part) => [...descriptionProblems(part), ...tagProblems(part)]);
  return [...names, ...columnProblems(request), ...rest, ...emptinessProblems(parts)];
}

const withField = (place: string, problem: string | undefined) =>
  problem === undefined ? [] : [`${place}: ${problem}`];

function columnProblems({ change }: GlossaryUpdateInput): string[] {
  const seen = new Map<string, number>();
  return change.columns.flatMap(({ column }, at) => {
    const place = `change.columns[${at}].column`;
    const first = seen.get(columnKey(column));
    if (first !== undefined) return [`${place}: ${shown(column)} is already in change.columns[${first}].`];
    seen.set(columnKey(column), at);
    return withField(place, columnNameProblem(column));
  });
}

const descriptionProblems = ({ description, descriptionAt }: ChangePart): string[] =>
  typeof description === "string"
    ? withField(descriptionAt, textProblem(description, limits.description))
    : [];

function tagProblems({ column, tags, tagsAt }: ChangePart): string[] {
  const entries = Object.entries(tags ?? {});
  const count = entries.filter(([, value]) => value !== null).length;
  const what = column === undefined ? "table" : "column";
  return [
    ...(count > limits.tags ? [`${tagsAt}: ${count} tags, but a ${what} has ${limits.tags} at most.`] : []),
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
  if (hidden.test(key)) return "contains a character that cannot be seen.";
  if (key.trim() !== key) return "begins or ends with a blank.";
  const [refused] = /[.,\-=/:]/.exec(key) ?? [];
  return refused && `contains "${refused}". Tags take none of . , - = / : in their keys.`;
}

function valueProblem(value: unknown): string | undefined {
  const text = tagText(value);
  if (text === undefined) {
    const what = typeof value === "number" ? "a number that JSON cannot write" : describe(value);
    return `expected a text, a number, true, false or null, which removes the tag, but found ${what}.`;
  }
  if (text.trim() !== text) return "the value begins or ends with a blank.";
  return textProblem(text, limits.value);
}

const describe = (value: unknown) => (Array.isArray(value) ? "a list" : "an object");

function textProblem(text: string, length: number): string | undefined {
  if (!text.isWellFormed()) return "the text contains half of a character (an unpaired surrogate).";
  return [...text].length > length ? `the text is longer than ${length} characters.` : undefined;
}

const emptinessProblems = (parts: readonly ChangePart[]): string[] =>
  parts.some((part) => changesOf(part).length > 0)
    ? []
    : ["change: nothing is changed. Expected a description or a tag, of the table or of a column."];
