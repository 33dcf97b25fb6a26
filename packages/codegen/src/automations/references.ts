import type { AutomationTask } from "@lakehelm/contract";

/** A placeholder of a definition, such as `{{tasks.count.value}}`, with the parts of its path. */
export interface TaskPlaceholder {
  readonly text: string;
  readonly path: readonly string[];
}

/** The placeholders of a text, without secrets, which the notebook fills in itself. */
export const placeholdersIn = (text: string): TaskPlaceholder[] =>
  [...text.matchAll(/\{\{([^{}]*)\}\}/g)].flatMap(({ 0: whole, 1: inner = "" }) =>
    inner.trimStart().startsWith("secrets/") ? [] : [{ text: whole, path: inner.trim().split(".") }],
  );

/** Replaces each placeholder of a text, except secrets, which the notebook fills in itself. */
export const replacePlaceholders = (text: string, replacement: (placeholder: string) => string): string =>
  text.replace(/\{\{([^{}]*)\}\}/g, (whole: string, inner: string) =>
    inner.trimStart().startsWith("secrets/") ? whole : replacement(whole),
  );

/** The placeholders in all strings of a task. */
export const placeholdersOf = ({ query, url, parameters }: AutomationTask): TaskPlaceholder[] =>
  placeholdersIn([query ?? "", url ?? "", ...textsIn(parameters)].join("\n"));

/** The placeholders in the list of a `for_each`. There, a row of a query is a map by column. */
export const itemPlaceholders = ({ for_each }: AutomationTask): TaskPlaceholder[] =>
  textsIn(for_each?.items)
    .flatMap(placeholdersIn)
    .map(({ text, path }) => ({
      text,
      path:
        path[0] === "tasks" && path.slice(2).join(".") === "output.rows"
          ? [...path.slice(0, 2), "items"]
          : path,
    }));

/** The key of the task value that a notebook must set for a placeholder; undefined if Databricks sets it. */
export function taskValueKey([root, , ...path]: readonly string[]): string | undefined {
  if (root !== "tasks" || path[0] === "status" || path[0] === "error") return undefined;
  return identifierOf(path);
}

/** A name with only letters, digits and "_", for a notebook parameter or a task value. */
export const identifierOf = (path: readonly string[]) => path.join("_").replace(/\W/g, "_");

/** The reference to a placeholder's value in a Databricks job. */
export function databricksReference(path: readonly string[]): string {
  const [root, name = "", field] = path;
  if (root === "item") return `{{${["input", ...path.slice(1)].join(".")}}}`;
  if (root === "parameters") return `{{job.parameters.${name}}}`;
  if (root === "run") return name === "id" ? "{{job.run_id}}" : "{{job.start_time.iso_datetime}}";
  if (root === "environment") return "${bundle.target}";
  if (field === "status") return `{{tasks.${name}.result_state}}`;
  return field === "error"
    ? `{{tasks.${name}.error_code}}`
    : `{{tasks.${name}.values.${taskValueKey(path)}}}`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
