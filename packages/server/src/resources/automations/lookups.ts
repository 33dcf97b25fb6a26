import type { AutomationDefinition } from "@lakehelm/contract";
import type { ScriptPlan } from "@lakehelm/engine";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { callProblem, type FindReleasedCalls } from "./call-graph.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** Queries for what a definition may refer to; read-only. */
export interface Lookups {
  connector(name: string, environmentId: string): Promise<boolean>;
  flow(name: string, environmentId: string): Promise<boolean>;
  pipeline(name: string, environmentId: string): Promise<boolean>;
  agent(name: string, environmentId: string): Promise<boolean>;
  channel(id: string, environmentId: string): Promise<boolean>;
  /** What statements would read and write, and their problems. Undefined if the platform cannot plan statements. */
  plan(env: EnvironmentContext, script: PlannedScript, signal: AbortSignal): Promise<ScriptPlan | undefined>;
}

interface PlannedScript {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** References to resources that do not exist. */
export async function referenceFindings(
  { tasks, notifications }: AutomationDefinition,
  lookups: Lookups,
  { environment }: EnvironmentContext,
): Promise<ValidationFinding[]> {
  const found: ValidationFinding[] = [];
  for (const [at, { name, kind, reference }] of tasks.entries()) {
    if (!reference || kind === "sql" || kind === "http" || kind === "automation") continue;
    if (kind === "python" || kind === "shell") continue;
    if (await lookups[kind](reference, environment.id)) continue;
    // Agents are registered once for all environments.
    const where = kind === "agent" ? "" : ` in ${environment.name}`;
    const sentence = `Task "${name}" refers to the ${kind} "${reference}", which does not exist${where}.`;
    found.push(finding(sentence, "tasks", at, "reference"));
  }
  for (const [when, channels] of Object.entries(notifications ?? {})) {
    for (const [at, channel] of channels.entries()) {
      if (await lookups.channel(channel, environment.id)) continue;
      const sentence = `The channel "${channel}" is not bound in ${environment.name}.`;
      found.push(finding(sentence, "notifications", when, at));
    }
  }
  return found;
}

/** Automations that are called and have no release there, or that call each other in a circle. */
export async function callFindings(
  { tasks }: AutomationDefinition,
  alias: string,
  find: FindReleasedCalls,
  { environment }: EnvironmentContext,
): Promise<ValidationFinding[]> {
  const found: ValidationFinding[] = [];
  // This automation is identified by the job of its release in the environment or, without a release, by its alias.
  const own = { alias, jobId: (await find(alias, environment.id))?.jobId ?? "" };
  for (const [at, { name, kind, reference }] of tasks.entries()) {
    if (kind !== "automation" || !reference) continue;
    const problem =
      (await callProblem(own, reference, environment.id, find)) ??
      ((await find(reference, environment.id))
        ? undefined
        : `It calls the automation "${reference}", which has no release in ${environment.name}.`);
    if (problem !== undefined) found.push(finding(`Task "${name}": ${problem}`, "tasks", at, "reference"));
  }
  return found;
}
