import type { AutomationTask } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { boundQuery } from "./running/bound-query.ts";
import { fillTree, placeholdersIn, type TemplateValues } from "./templates.ts";

/** Statements, and the values of `:name` in them. */
export interface Script {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** As it will be run. Of what other tasks will say nothing is known: null fits everywhere. */
export function sampledScript(
  { query, parameters }: AutomationTask,
  values: TemplateValues,
): Script | undefined {
  if (!query) return undefined;
  const used = placeholdersIn(`${query}\n${encodeJson(parameters)}`);
  const sample = { ...values, tasks: nullsAt(used.map(({ path }) => path)) };
  const bound = boundQuery(query, sample);
  const own = Object.entries(parameters).map(([name, value]) => [name, fillTree(value, sample)]);
  return { sql: bound.sql, parameters: { ...Object.fromEntries(own), ...bound.parameters } };
}

/** `{ count: { value: null } }` for `tasks.count.value`. */
function nullsAt(paths: readonly (readonly string[])[]): TemplateValues["tasks"] {
  const tasks: Record<string, Record<string, unknown>> = {};
  for (const [root, ...steps] of paths) {
    if (root !== "tasks") continue;
    let inner: Record<string, unknown> = tasks;
    for (const [depth, step] of steps.entries()) {
      const there = Object.hasOwn(inner, step) ? inner[step] : undefined;
      const isLast = depth === steps.length - 1;
      const next = isMap(there) ? there : isLast ? null : {};
      inner[step] = next;
      if (next) inner = next;
    }
  }
  return tasks;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** What a run would know, but for its tasks. */
export const sampleValues = (
  parameters: TemplateValues["parameters"],
  environment: string,
): TemplateValues => ({
  parameters,
  tasks: {},
  run: { id: "00000000-0000-7000-8000-000000000000", time: "2026-01-01T00:00:00.000Z" },
  environment: { name: environment },
});
