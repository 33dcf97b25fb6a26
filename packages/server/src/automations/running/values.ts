import type { AutomationDefinition, Run } from "@lakehelm/contract";
import type { TemplateValues } from "../templates.ts";
import { isOver, type TaskState } from "./task-state.ts";

/** What placeholders stand for at a moment of a run. The run's parameters win over the definition's. */
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

/** How many rows a query has found, or a run has changed. */
function rowsOf(kind: TaskState["kind"], output: NonNullable<TaskState["output"]>): number | null {
  if (kind === "sql") return Number(output.count ?? 0);
  if (kind !== "connector" && kind !== "flow") return null;
  const counts = [output.rows_inserted, output.rows_updated, output.rows_deleted];
  return counts.reduce<number>((sum, count) => sum + Number(count ?? 0), 0);
}
