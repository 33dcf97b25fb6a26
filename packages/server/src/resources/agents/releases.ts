import type { Agent, AgentRelease, EndpointBody, endpoints } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import {
  type ChangeContext,
  type DomainEvent,
  type Step,
  type Store,
  VersionConflict,
} from "../../core/store/store.ts";
import type { System } from "../../core/system.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Deployments } from "../deployments/deployments.ts";
import type { AgentRows } from "./agent-rows.ts";
import type { AgentResult } from "./agent-stop.ts";
import {
  agentSubject,
  type ComponentDeployment,
  finishAll,
  type PlatformTask,
} from "./component-deployment.ts";
import { componentOf, releaseIn, touched, withRelease } from "./components.ts";
import { createdEvent, declaredAgent } from "./document.ts";
import { isReachedOrPending } from "./run-state.ts";
import type { Versions } from "./versions.ts";

export type AgentSyncRequest = EndpointBody<typeof endpoints.syncAgentRelease>;

/** A release changes what is current in its environment, so the summary there is recomputed. */
export type InvalidateSummary = Deployments["invalidateSummary"];

/** The result of a deployment hook for an agent; `doc` is the same object if nothing changes. */
interface SyncChange {
  readonly doc: Agent;
  readonly message: string;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  readonly tasks: readonly PlatformTask[];
}

/** Deploy workflows report which version of an agent answers in the chat of an environment, or that none does. */
export function createSyncRelease(
  { store, system }: { readonly store: Store; readonly system: System },
  rows: AgentRows,
  versions: Versions,
  deployment: ComponentDeployment,
  invalidateSummary: InvalidateSummary,
): (request: AgentSyncRequest, env: EnvironmentContext, context: ChangeContext) => Promise<AgentResult> {
  async function activated(
    doc: Agent,
    request: AgentSyncRequest,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<SyncChange> {
    const { id: environmentId, name: environment } = env.environment;
    const { version } = request;
    if (version === "") throw conflict("A release needs a version.");
    const message = `${doc.name} ${version} answers in the chat of ${environment}.`;
    const release = releaseOf(request, env, context);
    const current = releaseIn(doc, environmentId);
    const isCurrent = current !== undefined && isSame(current, release);
    const next = isCurrent ? doc : withRelease(doc, environmentId, release);

    const chat = componentOf(next, environmentId, "chat");
    const answers = isReachedOrPending("running", chat) && chat.version === version;
    if (isCurrent && answers) return { doc, message, steps: [], events: [], tasks: [] };
    // If the platform manages endpoints, a running endpoint changes its version together with the release.
    const endpoint = componentOf(next, environmentId, "agent_endpoint");
    const changes =
      env.platform.capabilities.managedEndpoints &&
      endpoint.desired_state === "running" &&
      endpoint.version !== version;
    const updated = changes
      ? deployment.request(
          next,
          { kind: "component.start", component: "agent_endpoint", version, env },
          context,
        )
      : undefined;
    const requested = answers
      ? undefined
      : deployment.request(
          updated?.doc ?? next,
          { kind: "component.start", component: "chat", version, env },
          context,
        );
    const registered = await versions.registration(doc, version, context);
    return {
      doc: requested?.doc ?? updated?.doc ?? next,
      message,
      steps: registered.steps,
      events: [...registered.events, event("agent.release_activated", doc, request, environmentId)],
      tasks: [requested, updated].flatMap((one) => one?.task ?? []),
    };
  }

  function deleted(
    doc: Agent,
    request: AgentSyncRequest,
    env: EnvironmentContext,
    context: ChangeContext,
  ): SyncChange {
    const { id: environmentId, name: environment } = env.environment;
    const current = releaseIn(doc, environmentId);
    const nothing = { doc, steps: [], events: [], tasks: [] };
    if (!current) return { ...nothing, message: `${doc.name} has no release in ${environment}.` };
    if (current.version !== request.version) {
      const message = `${request.version} is not the release of ${doc.name} in ${environment}. The current release is still ${current.version}.`;
      return { ...nothing, message };
    }
    const next = withRelease(doc, environmentId, undefined);
    const chat = componentOf(next, environmentId, "chat");
    const stopRequest = { kind: "component.stop", component: "chat", version: chat.version, env } as const;
    const requested = isReachedOrPending("stopped", chat)
      ? undefined
      : deployment.request(next, stopRequest, context);
    return {
      doc: requested?.doc ?? next,
      message: `${doc.name} ${current.version} no longer answers in the chat of ${environment}.`,
      steps: [],
      events: [event("agent.release_deleted", doc, request, environmentId)],
      tasks: requested ? [requested.task] : [],
    };
  }

  return async (request, env, context) => {
    const { id, message, tasks, summary } = await store.retryOnConflict(async () => {
      const before = await rows.find(request.agent_name);
      if (!before && request.agent_name === "") throw conflict("An agent needs a name.");
      const known = before?.doc ?? declaredAgent(system.newId(), { name: request.agent_name }, context);
      const synced =
        request.action === "activate"
          ? await activated(known, request, env, context)
          : deleted(known, request, env, context);
      const { message, tasks } = synced;
      if (before && synced.doc === known) return { id: known.id, message, tasks, summary: undefined };

      const doc = before ? touched(synced.doc, context) : synced.doc;
      // Another hook may register the same name concurrently: then this hook is retried with the existing agent.
      const ofAgent = before
        ? rows.update(before, doc)
        : rows.insert(doc, { duplicate: () => new VersionConflict() });
      const summary = invalidateSummary(env.environment.id);
      await store.apply({
        context,
        steps: [
          ...ofAgent,
          ...synced.steps,
          ...summary.steps,
          ...(await rows.environmentSteps(doc, env.environment.id)),
          ...tasks.flatMap(({ steps }) => steps),
        ],
        events: [...(before ? [] : [createdEvent(doc)]), ...synced.events],
      });
      return { id: doc.id, message, tasks, summary };
    });

    await summary?.reconcile(context);
    await finishAll(tasks);
    return { agent: (await rows.read(id)).doc, message };
  };
}

const releaseOf = (
  request: AgentSyncRequest,
  { environment }: EnvironmentContext,
  context: ChangeContext,
): AgentRelease => ({
  environment_id: environment.id,
  environment: environment.name,
  version: request.version,
  workflow_run_id: request.workflow_run_id ?? null,
  workflow_name: request.workflow_name ?? null,
  workflow_run_url: request.workflow_run_url ?? null,
  activated_at: context.time,
  activated_by: context.actor,
});

const isSame = (a: AgentRelease, b: AgentRelease) =>
  a.version === b.version &&
  a.workflow_run_id === b.workflow_run_id &&
  a.workflow_name === b.workflow_name &&
  a.workflow_run_url === b.workflow_run_url;

const event = (
  kind: string,
  doc: Agent,
  { version }: AgentSyncRequest,
  environmentId: string,
): DomainEvent => ({
  kind,
  subject: agentSubject(doc.id),
  data: { name: doc.name, environment_id: environmentId, version },
});
