import { has } from "@lakehelm/contract/schema";
import { placeholdersIn, type TemplateValues } from "../templates.ts";

/**
 * The column types of values from earlier query tasks, by name, for templates that consist of one placeholder. JSON has
 * no decimals and no big integers: without its column type, a decimal or big integer would become a string.
 */
export function columnTypes(
  templates: Iterable<readonly [name: string, template: unknown]>,
  values: TemplateValues,
  /** The column types of the current item, if it is a row. */
  itemTypes: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const types: Record<string, string> = {};
  for (const [name, template] of templates) {
    const [only] = typeof template === "string" ? placeholdersIn(template) : [];
    const type =
      only && only.text === template
        ? (itemType(only.path, itemTypes) ?? typeAt(only.path, values))
        : undefined;
    if (type !== undefined) types[name] = type;
  }
  return types;
}

const itemType = ([root, column = ""]: readonly string[], types: Readonly<Record<string, string>>) =>
  root === "item" && Object.hasOwn(types, column) ? types[column] : undefined;

/** `tasks.x.value` has the type of the first column, `tasks.x.output.rows.0.2` that of the third. */
function typeAt(
  [root, task = "", ...rest]: readonly string[],
  { tasks }: TemplateValues,
): string | undefined {
  const cell = /^(?:(?:output\.)?value|output\.rows\.\d+\.(\d+))$/.exec(rest.join("."));
  if (root !== "tasks" || !cell || !Object.hasOwn(tasks, task)) return undefined;
  const output = tasks[task]?.output;
  const columns = has(output, "columns") && Array.isArray(output.columns) ? output.columns : [];
  const column: unknown = columns[Number(cell[1] ?? 0)];
  return has(column, "type") ? String(column.type) : undefined;
}
