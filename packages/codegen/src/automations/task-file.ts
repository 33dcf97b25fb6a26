import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { fileSlug } from "@lakehelm/sql/names";
import { splitAtSemicolons } from "@lakehelm/sql/semicolons";
import type { Artifact } from "../artifact.ts";
import { parameterizedQuery } from "./parameterized-query.ts";
import {
  identifierOf,
  type Placeholder,
  placeholdersIn,
  placeholdersOf,
  taskValueKey,
} from "./references.ts";

export const taskPath = (name: string) => `tasks/${fileSlug(name)}.json`;

/** The task values of each task: paths into its result, by key. */
export type TaskValues = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;

export function taskValuesOf({ tasks }: AutomationDefinition): TaskValues {
  const tells = new Map<string, Record<string, readonly string[]>>();
  for (const { path } of tasks.flatMap(allPlaceholders)) {
    const key = taskValueKey(path);
    const [, name = ""] = path;
    if (key !== undefined) tells.set(name, { ...tells.get(name), [key]: path.slice(2) });
  }
  return tells;
}

/** The input of a task's notebook: its request, its placeholders and its task values. */
export function taskFile(task: AutomationTask, told: TaskValues): Artifact {
  const fills = Object.fromEntries(placeholdersOf(task).map(({ text, path }) => [text, identifierOf(path)]));
  const tells = told.get(task.name) ?? {};
  const content = { task: task.name, kind: task.kind, ...requestOf(task), fills, tells };
  return {
    path: taskPath(task.name),
    content: `${JSON.stringify(content, withBigInts, 2)}\n`,
    fileType: "json",
    about: `What the task ${task.name} does.`,
  };
}

/** Integers beyond 2^53 keep their digits. */
const withBigInts = (_: string, value: unknown) =>
  typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;

const allPlaceholders = (task: AutomationTask): Placeholder[] => [
  ...placeholdersOf(task),
  ...placeholdersIn(`${task.condition?.left ?? ""}\n${task.condition?.right ?? ""}`),
];

function requestOf({ kind, query, url, reference, parameters }: AutomationTask): object {
  if (kind === "sql") {
    const marked = parameterizedQuery(query ?? "");
    const { parts } = splitAtSemicolons({ text: marked.sql, at: 0 });
    const statements = parts.map(({ text }) => text.trim()).filter(Boolean);
    return { statements, parameters: { ...parameters, ...marked.parameters } };
  }
  if (kind === "http") return { url, method: "POST", headers: {}, ...parameters };
  return { endpoint: reference, body: parameters };
}
