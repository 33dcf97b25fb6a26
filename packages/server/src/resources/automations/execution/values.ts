import type { AutomationDefinition, Run } from "@lakehelm/contract";
import type { TemplateValues } from "../templates.ts";
import { isOver, type TaskOutput, type TaskState } from "./task-state.ts";

/** The current values of placeholders in a run. The run's parameters override the definition's. */
export function templateValues(
  { parameters }: Pick<AutomationDefinition, "parameters">,
  { id, cause }: Pick<Run, "id" | "cause">,
  environment: { readonly name: string },
  tasks: readonly TaskState[],
): TemplateValues {
  return {
    parameters: { ...parameters, ...cause.parameters },
    tasks: Object.fromEntries(tasks.filter(isOver).map((task) => [task.name, valuesOf(task)])),
    run: { id, time: cause.time },
    environment: { name: environment.name },
  };
}

function valuesOf({ kind, status, error, output }: TaskState) {
  const value = kind === "http" || kind === "agent" ? output?.body : output?.value;
  return { status, error, output, value: value ?? null, rows: output ? rowsOf(kind, output) : null };
}

/**
 * The row count of the last query; without a query, the number of rows that the statements, or a child run, changed.
 */
function rowsOf(kind: TaskState["kind"], output: TaskOutput): number | null {
  switch (kind) {
    case "sql":
      return hasQuery(output)
        ? Number(output.count ?? 0)
        : sumOf(output.inserted, output.updated, output.deleted);
    case "connector":
    case "flow":
      return sumOf(output.rows_inserted, output.rows_updated, output.rows_deleted);
    default:
      return null;
  }
}

/** Only queries have columns; they are missing if the output was too large. */
const hasQuery = ({ columns }: TaskOutput) => !Array.isArray(columns) || columns.length > 0;

const sumOf = (...counts: unknown[]) => counts.reduce<number>((sum, count) => sum + Number(count ?? 0), 0);
