import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { mentionsSecret } from "../../../../core/secrets/references.ts";
import type { DefinitionProblem } from "../../platform.ts";
import { folderTriggerProblem } from "./workspace-trigger.ts";

/** The parameters of jobs with generated code. */
const flowParameters = ["business_date", "full_refresh", "discard_history"];

/** What a job in a workspace cannot do, with a sentence for each. */
export function automationProblems(definition: AutomationDefinition): DefinitionProblem[] {
  const { tasks, trigger, parameters, max_concurrent_tasks } = definition;
  const problems: DefinitionProblem[] = [];
  const refuse = (message: string, ...path: DefinitionProblem["path"]) => problems.push({ path, message });
  if (max_concurrent_tasks) {
    refuse(
      "A job in a Databricks workspace starts every task that is ready, so max_concurrent_tasks is not available there. Use depends_on to run tasks one after the other.",
      "max_concurrent_tasks",
    );
  }
  const path = trigger?.file_arrival?.path;
  const problem = path === undefined ? undefined : folderTriggerProblem(path);
  if (problem !== undefined) refuse(problem, "trigger", "file_arrival", "path");
  for (const [name, value] of Object.entries(parameters)) {
    if (!mentionsSecret(JSON.stringify(value) ?? "")) continue;
    refuse(
      `The parameter "${name}" refers to a secret. A job in a Databricks workspace shows its parameters: refer to the secret in the parameters of the task.`,
      "parameters",
      name,
    );
  }
  for (const [at, task] of tasks.entries()) {
    for (const [key, message] of taskProblems(task)) {
      refuse(`Task "${task.name}": ${message}`, "tasks", at, key);
    }
  }
  return problems;
}

function taskProblems(task: AutomationTask): (readonly [keyof AutomationTask, string])[] {
  const { kind, reference, parameters, retries, retry_seconds, max_retry_seconds } = task;
  const problems: (readonly [keyof AutomationTask, string])[] = [];
  if (reference?.includes("{{")) {
    problems.push([
      "reference",
      "What a task runs in a Databricks workspace is fixed when it is released, so its reference has no placeholders there.",
    ]);
  }
  if (retries > 1 && max_retry_seconds && max_retry_seconds > retry_seconds) {
    problems.push([
      "max_retry_seconds",
      "The pause between retries does not grow in a Databricks workspace. Leave max_retry_seconds out.",
    ]);
  }
  const names = Object.keys(parameters);
  if (kind === "pipeline") {
    const others = names.filter((name) => name !== "full_refresh");
    if (others.length > 0 || !["undefined", "boolean"].includes(typeof parameters.full_refresh)) {
      problems.push([
        "parameters",
        "A pipeline task in a Databricks workspace has the parameter full_refresh, true or false, and no other.",
      ]);
    }
  }
  if (kind === "connector" && names.length > 0) {
    problems.push([
      "parameters",
      "A connector task in a Databricks workspace moves all datasets from their last watermark on, and takes no parameters. Leave them out.",
    ]);
  }
  if (kind === "flow" && names.some((name) => !flowParameters.includes(name))) {
    problems.push([
      "parameters",
      `A run of a flow has the parameters ${flowParameters.join(", ")}, and no other.`,
    ]);
  }
  return problems;
}
