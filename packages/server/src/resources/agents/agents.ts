import type { Agent, AgentComponent, EndpointBody, endpoints } from "@lakehelm/contract";
import { eventChanges } from "../../core/changes/event-changes.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import { endpointProcess } from "../../core/processes.ts";
import { type JoinedPage, requireVersion, type Stored, textOf } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type {
  PlatformRequests,
  RecordOutcome,
  RecordWaiting,
} from "../../runtime/platforms/platform-requests.ts";
import type { Caller } from "../../web/http/handler.ts";
import { createAgentRows, type ReleaseBrief } from "./agent-rows.ts";
import { type AgentResult, createStop, type LinkedApps, type StopRequest } from "./agent-stop.ts";
import {
  agentSubject,
  createComponentDeployment,
  finishAll,
  type PlatformTask,
} from "./component-deployment.ts";
import { type ComponentName, componentOf, releaseIn, touched } from "./components.ts";
import { changedAgent, createdEvent, declaredAgent } from "./document.ts";
import { createObserveEndpoint, type ObserveEndpoint } from "./endpoint-observation.ts";
import type { startMissing } from "./missing-processes.ts";
import { type AgentSyncRequest, createSyncRelease, type InvalidateSummary } from "./releases.ts";
import { isFullyStopped } from "./run-state.ts";
import { type AreUnconfined, type Claim, isBelow, requireMayRunCode } from "./source-path.ts";
import { createUiApp, type UiApp } from "./ui-app.ts";
import { createVersions, type Versions } from "./versions.ts";

export interface Agents {
  create(
    body: EndpointBody<typeof endpoints.createAgent>,
    call: CreateRequest & { readonly caller: Caller },
  ): Promise<Pick<Stored<Agent>, "doc" | "version">>;
  /** By id, name or alias. */
  find(reference: string): Promise<Stored<Agent> | undefined>;
  /** By id, name or alias; throws 404 if it does not exist. */
  read(reference: string): Promise<Stored<Agent>>;
  /** The ids of the environments that the agent uses; undefined if there is no such agent. */
  environmentsOf(reference: string): Promise<readonly string[] | undefined>;
  /** By id, name or alias. */
  knows(reference: string): Promise<boolean>;
  /** By id or name; undefined if there is none. */
  named(reference: string): Promise<{ readonly id: string; readonly name: string } | undefined>;
  page(request: ListRequest): Promise<JoinedPage<Agent>>;
  /** Changes the description and the aliases. */
  update(
    reference: string,
    body: EndpointBody<typeof endpoints.updateAgent>,
    call: ChangeRequest,
  ): Promise<Pick<Stored<Agent>, "doc" | "version">>;
  remove(reference: string, call: ChangeRequest): Promise<Agent>;
  readonly versions: Versions;
  /** #4: makes a version answer in the chat of an environment, or removes it. */
  syncRelease(
    request: AgentSyncRequest,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<AgentResult>;
  /** #10: the agent by its UUID only. */
  stop(request: StopRequest, env: EnvironmentContext, context: ChangeContext): Promise<AgentResult>;
  /** #17: redeploys one component, whatever its state. */
  retry(
    reference: string,
    component: ComponentName,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<AgentResult>;
  /** Before an app starts: starts the agent's endpoint and returns the agent; throws 409 with the reason on failure. */
  startEndpoint(agentId: string, env: EnvironmentContext, context: ChangeContext): Promise<Stored<Agent>>;
  readonly uiApp: UiApp;
  /** Applies the outcome of an outbox entry to an agent. */
  readonly recordOutcome: RecordOutcome<"agent">;
  readonly recordWaiting: RecordWaiting<"agent">;
  /** Records the platform's observation of a started endpoint. */
  readonly observeEndpoint: ObserveEndpoint;
  /** The name of an agent or version whose code contains this path, which is the same in every environment. */
  codeAt(path: string): Promise<string | undefined>;
  /** The names of the agents whose own code, or the code of one of their versions, contains this path. */
  usersOf(path: string): Promise<string[]>;
  /** For a transaction that refers to the agent: it must still exist. */
  lock(agentId: string): Step;
  currentReleases(environmentId: string): Promise<ReleaseBrief[]>;
  /** The agents with a component that should run. */
  wanted(): Promise<readonly Agent[]>;
  /** The state of a component; undefined: the agent was deleted. */
  component(
    agentId: string,
    environmentId: string,
    component: ComponentName,
  ): Promise<AgentComponent | undefined>;
  /** The endpoints that are recorded as running, and how to start them. */
  runningEndpoints(context: ChangeContext): Promise<Parameters<typeof startMissing>[0]>;
}

export interface AgentsOptions {
  readonly platformRequests: PlatformRequests;
  readonly invalidateSummary: InvalidateSummary;
  /** Steps for the removal of an agent: they delete what its platform stores about it. */
  readonly removalSteps: (agentId: string) => readonly Step[];
  /** Marks a folder as code. */
  readonly claim: Claim;
  /** The apps that are linked to agents. */
  readonly linkedApps: LinkedApps;
  readonly areUnconfined: AreUnconfined;
}

export function createAgents(deps: Dependencies, options: AgentsOptions): Agents {
  const { platformRequests, invalidateSummary, removalSteps, claim, linkedApps, areUnconfined } = options;
  const { store, system } = deps;
  const rows = createAgentRows(deps);
  const versions = createVersions(deps, rows, { claim: claimNew, areUnconfined });
  const deployment = createComponentDeployment(deps, platformRequests, rows);

  async function codeAt(path: string): Promise<string | undefined> {
    const known = [...(await rows.withCode()), ...(await versions.withCode())];
    return known.find(({ source_path }) => isBelow(path, source_path))?.name;
  }

  /** A folder that is already registered as code is already protected: it is not claimed again. */
  async function claimNew<T>(path: string, register: () => Promise<T>): Promise<T> {
    return (await codeAt(path)) === undefined ? claim(path, register) : register();
  }

  /** Starts a component in its own transaction. */
  async function start(
    before: Stored<Agent>,
    component: ComponentName,
    env: EnvironmentContext,
    kind: string,
    context: ChangeContext,
  ): Promise<PlatformTask> {
    const { id: environmentId } = env.environment;
    const version = releaseIn(before.doc, environmentId)?.version ?? (await versions.newest(before.id));
    const source_path = (await versions.sourcePath(before.id, version)) ?? before.doc.source_path;
    const request = { kind: "component.start", component, version, source_path, env } as const;
    const { doc, task } = deployment.request(touched(before.doc, context), request, context);
    const data = { name: doc.name, environment_id: environmentId, component, version };
    await store.apply({
      context,
      steps: [
        ...rows.update(before, doc),
        ...(await rows.environmentSteps(doc, environmentId)),
        ...task.steps,
      ],
      events: [{ kind, subject: agentSubject(doc.id), data }],
    });
    return task;
  }

  /** The UI consists of the linked apps; without any, the platform may have its own. */
  async function retryComponent(
    before: Stored<Agent>,
    component: ComponentName,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<readonly PlatformTask[]> {
    const kind = "agent.component_retried";
    const apps = component === "ui_app" ? await linkedApps.startChange(before, env, context) : undefined;
    if (!apps) return [await start(before, component, env, kind, context)];
    const data = { name: before.doc.name, environment_id: env.environment.id, component };
    const retried = { kind, subject: agentSubject(before.id), data };
    await store.apply({ context, steps: apps.steps, events: [retried, ...apps.events] });
    return apps.tasks;
  }

  return {
    recordOutcome: deployment.recordOutcome,
    recordWaiting: deployment.recordWaiting,
    versions,
    observeEndpoint: createObserveEndpoint(deps, rows),
    codeAt,
    async usersOf(path) {
      const found = (await versions.withCode()).filter(({ source_path }) => isBelow(path, source_path));
      const ofVersions = await Promise.all(found.map(({ agent_id }) => rows.get(agent_id)));
      const own = (await rows.withCode()).filter(({ source_path }) => isBelow(path, source_path));
      return [
        ...new Set([...own.map(({ name }) => name), ...ofVersions.flatMap((one) => one?.doc.name ?? [])]),
      ];
    },
    find: rows.find,
    read: rows.read,
    async environmentsOf(reference) {
      const agent = await rows.find(reference);
      if (!agent) return undefined;
      const { components, releases } = agent.doc;
      return [...new Set([...components, ...releases].map(({ environment_id }) => environment_id))];
    },
    knows: async (reference) => (await rows.find(reference)) !== undefined,
    async named(reference) {
      const found = await rows.find(reference);
      return found && { id: found.id, name: found.doc.name };
    },
    page: (request) => rows.list({}, request),
    lock: rows.lock,
    currentReleases: rows.currentReleases,
    uiApp: createUiApp(rows),
    stop: createStop(store, rows, deployment, linkedApps),
    syncRelease: createSyncRelease(deps, rows, versions, deployment, invalidateSummary),
    async create(body, { context, caller, saveAnswer }) {
      await requireMayRunCode(caller, body.source_path, areUnconfined);
      const doc = declaredAgent(system.newId(), body, context);
      const steps = [...saveAnswer(textOf(doc), 1), ...rows.insert(doc)];
      const register = () => store.apply({ context, steps, events: [createdEvent(doc)] });
      await (doc.source_path === null ? register() : claimNew(doc.source_path, register));
      return { doc, version: 1 };
    },
    update: (reference, body, { context, expectedVersion }) =>
      store.retryOnConflict(async () => {
        const before = await rows.read(reference);
        requireVersion(before, expectedVersion);
        const doc = changedAgent(before.doc, body);
        if (textOf(doc) === textOf(before.doc)) return before;
        const next = touched(doc, context);
        const { id, name, aliases, description } = next;
        await store.apply({
          context,
          steps: [...rows.update(before, next), ...rows.aliasSteps(before.doc, next)],
          events: [
            {
              kind: "agent.updated",
              subject: agentSubject(id),
              data: { name, aliases, description, ...eventChanges(before.doc, next) },
            },
          ],
        });
        return { doc: next, version: before.version + 1 };
      }),
    remove: (reference, { context, expectedVersion }) =>
      store.retryOnConflict(async () => {
        const before = await rows.read(reference);
        requireVersion(before, expectedVersion);
        const { id, name, components } = before.doc;
        const alive = components.find((component) => !isFullyStopped(component));
        if (alive) {
          const { component, environment_id, observed_state } = alive;
          throw conflict(
            `Stop ${component} of "${name}" in the environment ${environment_id} first: it is ${observed_state}.`,
          );
        }
        const noApps = await linkedApps.noneLinked(before.doc);
        await store.apply({
          context,
          steps: [
            ...(await versions.removalOfAll(id)),
            noApps,
            ...(await rows.remove(before)),
            ...removalSteps(id),
          ],
          events: [{ kind: "agent.deleted", subject: agentSubject(id), data: { name } }],
        });
        return before.doc;
      }),
    wanted: rows.wanted,
    async component(agentId, environmentId, component) {
      const found = await rows.get(agentId);
      return found && componentOf(found.doc, environmentId, component);
    },
    async runningEndpoints(context) {
      return (await rows.running()).flatMap(({ id, components }) =>
        components
          .filter(
            ({ component, observed_state }) => component === "agent_endpoint" && observed_state === "running",
          )
          .map(({ environment_id: environmentId }) => ({
            processId: endpointProcess(id, environmentId),
            environmentId,
            start: (env: EnvironmentContext) =>
              store.retryOnConflict(async () =>
                start(await rows.read(id), "agent_endpoint", env, "agent.component_started", context),
              ),
          })),
      );
    },
    async retry(reference, component, env, context) {
      const { id, tasks } = await store.retryOnConflict(async () => {
        const before = await rows.read(reference);
        return { id: before.id, tasks: await retryComponent(before, component, env, context) };
      });
      await finishAll(tasks);
      const { doc: agent } = await rows.read(id);
      return { agent, message: `${component} of ${agent.name} is deployed again.` };
    },
    async startEndpoint(agentId, env, context) {
      const isUp = ({ doc }: Stored<Agent>) => {
        const { desired_state, observed_state } = componentOf(doc, env.environment.id, "agent_endpoint");
        if (desired_state === "running" && observed_state === "pending") {
          if (env.platform.capabilities.managedEndpoints) return true;
          throw conflict(`agent_endpoint of "${doc.name}" is still being started. Try again.`);
        }
        return desired_state === "running" && observed_state === "running";
      };
      const found = await store.retryWithinRule(async () => {
        const before = await rows.read(agentId);
        if (isUp(before)) return before;
        return start(before, "agent_endpoint", env, "agent.component_started", context);
      });
      if ("doc" in found) return found;
      await finishAll([found]);
      const after = await rows.read(agentId);
      if (isUp(after)) return after;
      throw conflict(`agent_endpoint of "${after.doc.name}" was stopped while it was being started.`);
    },
  };
}
