import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { toQuartz } from "@lakehelm/schedule";
import { readTableName } from "@lakehelm/sql/names";
import { type BundleTrigger, triggerFields } from "../bundle.ts";
import { type NotebookKind, notebookPath } from "./notebooks.ts";
import {
  databricksReference,
  identifierOf,
  itemPlaceholders,
  placeholdersIn,
  placeholdersOf,
  type TaskPlaceholder,
} from "./references.ts";
import { taskPath } from "./task-file.ts";

/** The bundle variable with the id of another job or pipeline. */
export type VariableOf = (kind: AutomationTask["kind"], name: string) => string;

/** A definition as a Databricks job, without pauses, because they belong to operation, not configuration. */
export function automationJob(
  name: string,
  definition: AutomationDefinition,
  variableOf: VariableOf,
): object {
  const { tasks, parameters, overlap, timeout_seconds } = definition;
  const trigger = triggerOf(definition);
  const defaults = Object.entries(parameters).map(([key, value]) => ({ name: key, default: textOf(value) }));
  return {
    name,
    tags: { kind: "automation" },
    ...triggerFields(trigger),
    max_concurrent_runs: overlap ? 10 : 1,
    // A run that is due while another run is active waits for the end of that run.
    ...(trigger.kind !== "live" && { queue: { enabled: true } }),
    ...(timeout_seconds && { timeout_seconds }),
    ...(defaults.length > 0 && { parameters: defaults }),
    tasks: tasks.flatMap((task) => jobTasks(task, variableOf)),
  };
}

export const isNotebook = (kind: AutomationTask["kind"]): kind is NotebookKind =>
  kind === "sql" || kind === "http" || kind === "agent" || kind === "python" || kind === "shell";

function triggerOf({ schedule, trigger }: AutomationDefinition): BundleTrigger {
  if (schedule) {
    const converted = toQuartz(schedule.cron);
    if ("problem" in converted) return { kind: "manual" };
    const timezone = schedule.timezone ?? "UTC";
    return { kind: "schedule", schedule: { cron: schedule.cron, quartz: converted.quartz, timezone } };
  }
  const { table_update: tables, file_arrival: files, continuous } = trigger ?? {};
  if (tables) {
    return {
      kind: "table_update",
      tables: tables.table_names.map(fullName),
      condition: tables.condition === "all" ? "ALL_UPDATED" : "ANY_UPDATED",
      waits: delaysOf(tables),
    };
  }
  if (files) return { kind: "file_arrival", url: files.path, waits: delaysOf(files) };
  return { kind: continuous ? "live" : "manual" };
}

const defaultSchema = { catalog: "${var.catalog}", schema: "${var.schema}" };

function fullName(text: string): string {
  const name = readTableName(text, { catalog: "-", schema: "-" }, "");
  if ("problem" in name) return text;
  const { catalog, schema, table } = name;
  return `${catalog === "-" ? defaultSchema.catalog : catalog}.${schema === "-" ? defaultSchema.schema : schema}.${table}`;
}

/** Databricks accepts no delay, or at least 60 seconds. */
function delaysOf(waits: {
  readonly wait_after_last_change_seconds: number;
  readonly min_time_between_triggers_seconds: number;
}) {
  const atLeastMinute = (seconds: number) => (seconds === 0 ? undefined : Math.max(60, seconds));
  const wait = atLeastMinute(waits.wait_after_last_change_seconds);
  const between = atLeastMinute(waits.min_time_between_triggers_seconds);
  return {
    ...(between && { min_time_between_triggers_seconds: between }),
    ...(wait && { wait_after_last_change_seconds: wait }),
  };
}

/** On Databricks a condition is a separate task with the same dependencies, and the task depends on its outcome. */
function jobTasks(task: AutomationTask, variableOf: VariableOf): object[] {
  const { name, depends_on, run_if, condition } = task;
  const dependencies = {
    ...(depends_on.length > 0 && {
      depends_on: depends_on.map((other) => ({ task_key: other })),
      run_if: run_if.toUpperCase(),
    }),
  };
  const body = repeatedBody(task, { ...taskBody(task, variableOf), ...retryFields(task) });
  if (!condition) return [{ task_key: name, ...dependencies, ...body }];
  const key = `${name.slice(0, 97)}-if`;
  return [
    { task_key: key, ...dependencies, condition_task: conditionTask(condition) },
    { task_key: name, depends_on: [{ task_key: key, outcome: "true" }], ...body },
  ];
}

/** Databricks repeats the inner task, with its retries, for each item; `{{input}}` refers to the item. */
function repeatedBody(task: AutomationTask, body: object): object {
  const { name, for_each } = task;
  if (!for_each) return body;
  const { items, concurrency } = for_each;
  const inputs = replaced(textOf(items), itemPlaceholders(task));
  return {
    for_each_task: { inputs, concurrency, task: { task_key: `${name.slice(0, 95)}-item`, ...body } },
  };
}

const operators = {
  "==": "EQUAL_TO",
  "!=": "NOT_EQUAL",
  "<": "LESS_THAN",
  "<=": "LESS_THAN_OR_EQUAL",
  ">": "GREATER_THAN",
  ">=": "GREATER_THAN_OR_EQUAL",
} as const;

/** Databricks' names for the states of tasks. */
const states: Readonly<Record<string, string>> = {
  succeeded: "success",
  skipped: "excluded",
  cancelled: "canceled",
};

function conditionTask({ left, op, right }: NonNullable<AutomationTask["condition"]>) {
  const isStatus = [left, right].some((side) => /^\{\{\s*tasks\.[^.{}]+\.status\s*\}\}$/.test(side));
  const side = (text: string) =>
    placeholdersIn(text).reduce(
      (rest, used) => rest.replaceAll(used.text, databricksReference(used.path)),
      isStatus ? (states[text] ?? text) : text,
    );
  return { op: operators[op], left: side(left), right: side(right) };
}

function taskBody(task: AutomationTask, variableOf: VariableOf): object {
  const { kind, reference, parameters } = task;
  if (isNotebook(kind)) {
    const filled = placeholdersOf(task).map(({ path }) => [identifierOf(path), databricksReference(path)]);
    const base_parameters = {
      task_file: `../${taskPath(task.name)}`,
      ...(kind === "sql" && defaultSchema),
      ...(kind === "http" && { idempotency_key: idempotencyKey(task) }),
      ...Object.fromEntries(filled),
    };
    return {
      notebook_task: { notebook_path: `../${notebookPath(kind)}`, base_parameters },
    };
  }
  const id = `\${var.${variableOf(kind, reference ?? "")}}`;
  if (kind === "pipeline") {
    return {
      pipeline_task: { pipeline_id: id, ...(parameters.full_refresh === true && { full_refresh: true }) },
    };
  }
  const values = Object.entries(parameters).map(([key, value]) => [key, withReferences(textOf(value))]);
  return {
    run_job_task: { job_id: id, ...(values.length > 0 && { job_parameters: Object.fromEntries(values) }) },
  };
}

/** Databricks does not number the items, so the item itself is part of the key. */
const idempotencyKey = ({ name, for_each }: AutomationTask) =>
  `{{job.run_id}}/${name}${for_each ? "/{{input}}" : ""}`;

const withReferences = (text: string) => replaced(text, placeholdersIn(text));

const replaced = (text: string, placeholders: readonly TaskPlaceholder[]) =>
  placeholders.reduce((rest, used) => rest.replaceAll(used.text, databricksReference(used.path)), text);

const retryFields = ({ retries, retry_seconds, timeout_seconds }: AutomationTask) => ({
  ...(retries > 0 && { max_retries: retries, min_retry_interval_millis: retry_seconds * 1000 }),
  ...(timeout_seconds && { timeout_seconds }),
});

const textOf = (value: unknown) => (typeof value === "string" ? value : encodeJson(value));
