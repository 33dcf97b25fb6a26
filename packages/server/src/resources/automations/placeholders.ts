import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { stringsIn } from "./string-values.ts";
import { tasksBefore } from "./task-order.ts";
import { type Placeholder, placeholdersIn } from "./templates.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** The fields of an ended task that placeholders can use; `output` also with a path into it. */
const taskFields = ["value", "status", "error", "rows", "output"];
const runFields = ["id", "time"];

/** Reports placeholders that could never be filled. */
export function placeholderFindings({ tasks, parameters }: AutomationDefinition): ValidationFinding[] {
  const names = new Set(tasks.map(({ name }) => name));
  return tasks.flatMap((task, at) => {
    let before: Set<string> | undefined;
    const problemOf = (
      { path: [root, name = "", field, ...deeper] }: Placeholder,
      [place]: ValidationFinding["path"],
    ): string | undefined => {
      switch (root) {
        case "item":
          if (!task.for_each) return "but only a task with for_each has an item";
          return place === "condition" || place === "for_each"
            ? "but the item is not known there: conditions and the list come before the items"
            : undefined;
        case "parameters":
          return Object.hasOwn(parameters, name) ? undefined : "which is not a parameter of this automation";
        case "run":
          return runFields.includes(name) && field === undefined
            ? undefined
            : "but a run has only id and time";
        case "environment":
          return name === "name" && field === undefined ? undefined : "but an environment has only name";
        case "tasks":
          if (!names.has(name)) return "which is not a task of this automation";
          before ??= tasksBefore(tasks, task.name);
          if (!before.has(name)) return `but does not depend on "${name}"`;
          if (!taskFields.includes(field ?? "")) return `but a task has only ${taskFields.join(", ")}`;
          return field === "output" || deeper.length === 0
            ? undefined
            : `but only "output" has nested fields`;
        default:
          return "but placeholders begin with parameters, tasks, run or environment";
      }
    };
    return [...templatesOf(task)].flatMap(([text, path]) =>
      placeholdersIn(text).flatMap((placeholder) => {
        const problem = problemOf(placeholder, path);
        if (problem === undefined) return [];
        return [finding(`Task "${task.name}" uses ${placeholder.text}, ${problem}.`, "tasks", at, ...path)];
      }),
    );
  });
}

/** Every text of a task in which placeholders are filled, with its path in the task. */
function* templatesOf({
  query,
  url,
  condition,
  parameters,
  for_each,
}: AutomationTask): Generator<[text: string, path: ValidationFinding["path"]]> {
  if (query) yield [query, ["query"]];
  if (url) yield [url, ["url"]];
  if (condition) {
    yield [condition.left, ["condition", "left"]];
    yield [condition.right, ["condition", "right"]];
  }
  yield* stringsIn(parameters, ["parameters"]);
  if (for_each) yield* stringsIn(for_each.items, ["for_each", "items"]);
}
