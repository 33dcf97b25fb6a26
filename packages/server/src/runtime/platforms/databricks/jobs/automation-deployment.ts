import { automationBundle, automationReferences, deploymentOf } from "@lakehelm/codegen";
import type { AutomationDefinition, AutomationTask, JobTrigger } from "@lakehelm/contract";
import { conflict } from "../../../../core/errors.ts";
import { secretTextsIn } from "../../../../core/secrets/secret-extraction.ts";
import { taskDestination } from "../../../../core/secrets/task-destination.ts";
import { subjectOf } from "../../../../core/store/store.ts";
import { generationContextOf } from "../../generation-context.ts";
import { endpointOf } from "../components/requests.ts";
import { automationProblems } from "./automation-problems.ts";
import { type DeploymentTarget, installed, type JobDeployment } from "./deployment.ts";
import { ownSecrets, type SecretSource } from "./own-secrets.ts";
import type { Place } from "./place.ts";
import { withPause, workspaceTrigger } from "./workspace-trigger.ts";

/** The id in the workspace of what a task runs; undefined: it has none there. */
type ReferenceOf = (
  kind: AutomationTask["kind"],
  name: string,
  environmentId: string,
) => Promise<string | undefined>;

/** Looks up what the tasks of an automation refer to. */
export interface AutomationParts {
  readonly referenceOf: ReferenceOf;
  agent(reference: string): Promise<{ readonly id: string; readonly name: string } | undefined>;
}

interface AutomationTarget extends DeploymentTarget, Pick<Place, "secretId"> {
  readonly trigger: JobTrigger | undefined;
  readonly isPaused: boolean;
}

/**
 * A released definition as a job in the workspace: each of its tasks becomes a task of the job. Throws 409 with
 * everything that such a job cannot express.
 */
export async function automationDeployment(
  alias: string,
  declared: AutomationDefinition,
  target: AutomationTarget,
  parts: AutomationParts,
): Promise<JobDeployment> {
  const { workspace, folder, trigger = { kind: "manual" } } = target;
  const { environment } = workspace;
  const started = workspaceTrigger(trigger, declared.trigger?.table_update ?? declared.trigger?.file_arrival);
  const problems = automationProblems(declared).map(({ message }) => message);
  if ("problem" in started) problems.push(started.problem);
  const { definition: own, secrets } = withOwnSecrets(declared, target);
  const nothing = (kind: string, name: string) =>
    problems.push(`The ${kind} "${name}" has nothing in the workspace that a task could run.`);
  const tasks: AutomationTask[] = [];
  for (const task of own.tasks) {
    const { kind, reference } = task;
    if (kind !== "agent") tasks.push(task);
    else {
      const agent = await parts.agent(reference ?? "");
      if (!agent) nothing(kind, reference ?? "");
      const resource = subjectOf("agent", agent?.id ?? "");
      const endpoint = agent && endpointOf(agent.name, { ...target.mark, resource });
      tasks.push({ ...task, reference: endpoint?.name ?? null });
    }
  }
  const definition = { ...own, tasks };
  const variables: Record<string, string> = {};
  for (const { kind, name, variable } of automationReferences(definition)) {
    const id = await parts.referenceOf(kind, name, environment.id);
    if (id === undefined) nothing(kind, name);
    else variables[variable] = id;
  }
  if ("problem" in started || problems.length > 0) throw conflict(problems.join(" "));
  const read = generationContextOf(environment);
  if ("errors" in read) throw conflict(read.errors.join(" "));
  const { catalog, schema, mode } = read.context;
  const { files, settings } = deploymentOf(automationBundle(alias, definition), {
    folder,
    target: mode === "development" ? "dev" : "prod",
    environment: environment.name,
    variables: { catalog, schema, ...variables },
  });
  return {
    files,
    secrets,
    settings: {
      ...installed(settings, target),
      ...withPause(started.fields, target.isPaused),
    },
  };
}

/**
 * The definition with tasks that refer to their secrets in our scope. Secrets in other texts cannot be hidden in the
 * workspace.
 */
function withOwnSecrets(definition: AutomationDefinition, { name, scope, secretId }: AutomationTarget) {
  const secrets = new Map<string, SecretSource>();
  const tasks = definition.tasks.map((task) => {
    const where = `tasks.${task.name}.parameters`;
    const own = ownSecrets(task.parameters, {
      ...{ name: `${name}.${task.name}`, id: secretId, scope, where },
      destinationAt: () => taskDestination(task, "parameters"),
    });
    if (own.problems.length > 0) throw conflict(own.problems.join(" "));
    for (const [key, source] of own.secrets) secrets.set(key, source);
    return { ...task, parameters: own.config };
  });
  const shown = { parameters: definition.parameters, tasks: tasks.map(({ parameters }) => parameters) };
  if (secretTextsIn(shown).some((text) => !text.startsWith("{{secrets/"))) {
    throw conflict(
      "The definition has a secret value that everybody could read in the workspace. Store it as a secret of the environment, and refer to it in the parameters of the task: {{secrets/<scope>/<key>}}.",
    );
  }
  return { definition: { ...definition, tasks }, secrets };
}
