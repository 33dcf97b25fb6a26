import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { fileSlug } from "@lakehelm/sql/names";
import { splitAtSemicolons } from "@lakehelm/sql/semicolons";
import type { Artifact } from "../artifact.ts";
import { parameterizedQuery } from "./parameterized-query.ts";
import {
  identifierOf,
  itemPlaceholders,
  placeholdersIn,
  placeholdersOf,
  type TaskPlaceholder,
  taskValueKey,
} from "./references.ts";

export const taskPath = (name: string) => `tasks/${fileSlug(name)}.json`;

/** The task values of each task: paths into the task's result, by key. */
export type TaskValues = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;

export function taskValuesOf({ tasks }: AutomationDefinition): TaskValues {
  const values = new Map<string, Record<string, readonly string[]>>();
  for (const { path } of tasks.flatMap((task) => [...allPlaceholders(task), ...itemPlaceholders(task)])) {
    const key = taskValueKey(path);
    const [, name = ""] = path;
    if (key !== undefined) values.set(name, { ...values.get(name), [key]: path.slice(2) });
  }
  return values;
}

/** The input of a task's notebook: its request, its placeholders and its task values. */
export function taskFile(task: AutomationTask, taskValues: TaskValues): Artifact {
  const placeholders = Object.fromEntries(
    placeholdersOf(task).map(({ text, path }) => [text, identifierOf(path)]),
  );
  const values = taskValues.get(task.name) ?? {};
  const content = { task: task.name, kind: task.kind, ...requestOf(task), placeholders, task_values: values };
  return {
    path: taskPath(task.name),
    content: `${JSON.stringify(content, withBigInts, 2)}\n`,
    fileType: "json",
    about: `The input of the task ${task.name}.`,
  };
}

/** Integers beyond 2^53 keep their digits. */
const withBigInts = (_: string, value: unknown) =>
  typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;

const allPlaceholders = (task: AutomationTask): TaskPlaceholder[] => [
  ...placeholdersOf(task),
  ...placeholdersIn(`${task.condition?.left ?? ""}\n${task.condition?.right ?? ""}`),
];

function requestOf({ kind, query, url, reference, parameters, script, command }: AutomationTask): object {
  if (kind === "python" || kind === "shell") {
    return { script: script ?? null, command: command ?? null, variables: parameters };
  }
  if (kind === "sql") {
    const parameterized = parameterizedQuery(query ?? "");
    const { parts } = splitAtSemicolons({ text: parameterized.sql, at: 0 });
    const statements = parts.map(({ text }) => text.trim()).filter(Boolean);
    return { statements, parameters: { ...parameters, ...parameterized.parameters } };
  }
  if (kind === "http") return { url, method: "POST", headers: {}, ...parameters };
  return { endpoint: reference, body: parameters };
}
