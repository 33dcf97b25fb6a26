import type { Agent, App } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, Problem } from "../../core/errors.ts";
import type { Stored } from "../../core/store/collection.ts";
import { type ChangeContext, type DomainEvent, subjectId, subjectOf } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Observation, PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { PlatformComponentRequest } from "../../runtime/platforms/platform-request.ts";
import {
  type PlatformRequests,
  type RecordOutcome,
  type RecordWaiting,
  type SubmittedRequest,
  settledOn,
} from "../../runtime/platforms/platform-requests.ts";
import type { Agents } from "../agents/agents.ts";
import { finishAll, type PlatformTask } from "../agents/component-deployment.ts";
import {
  isOutcomeOfLastRequest,
  isReachedOrPending,
  observationEventKind,
  observedState,
  type RunKind,
  runState,
  timeAfter,
  waitingState,
} from "../agents/run-state.ts";
import type { UiAppChange } from "../agents/ui-app.ts";
import type { AppRows } from "./app-rows.ts";

export const appSubject = (appId: string) => subjectOf("app", appId);

const nothing = { steps: [], events: [] };

/** Requests starts and stops of apps from platforms, and records the outcomes. */
export interface AppProcesses {
  /** Applies an outcome to the app. */
  readonly recordOutcome: RecordOutcome<"app">;
  /** Records why the platform has not carried out a request yet. */
  readonly recordWaiting: RecordWaiting<"app">;
  /** Starts the endpoint of the app's agent, then the app. */
  start(find: () => Promise<Stored<App>>, env: EnvironmentContext, context: ChangeContext): Promise<string>;
  /** For a transaction that starts an app without regard to its state; includes the steps for its row. */
  startAgain(app: Stored<App>, env: EnvironmentContext, context: ChangeContext): Promise<PlatformTask>;
  /** For a transaction that stops an app; includes the steps for its row. */
  stopTask(app: Stored<App>, env: EnvironmentContext, context: ChangeContext): PlatformTask;
  /** Like `stopTask`, but other apps of the agent keep running; includes the steps for the agent's `ui_app`. */
  stopAloneTask(app: Stored<App>, env: EnvironmentContext, context: ChangeContext): Promise<PlatformTask>;
  /** For a transaction that redeploys the UI of an agent. */
  startChange(
    agent: Stored<Agent>,
    apps: readonly Stored<App>[],
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<UiAppChange & { readonly tasks: readonly PlatformTask[] }>;
  /** For the transaction that deletes an app: removes the app from its platform. */
  removal(app: App, env: EnvironmentContext, context: ChangeContext): SubmittedRequest;
  /** Records the platform's observation of a started app. */
  observe(appId: string, observation: Observation): Promise<void>;
}

export function createAppProcesses(
  { store, system }: Dependencies,
  platformRequests: PlatformRequests,
  rows: AppRows,
  agents: Agents,
): AppProcesses {
  const recordOutcome: RecordOutcome<"app"> = async (request, outcome, { time }) => {
    const { kind } = request;
    const before = await rows.get(subjectId("app", request.subject));
    if (kind === "component.remove") return { steps: [], events: removalFailure(request, outcome) };
    if (!before || !isOutcomeOfLastRequest(before.doc, request)) return { steps: [], events: [] };
    // Stopping an agent requests the stop of its `ui_app` itself; `ui_app` follows only the outcome of a start.
    const agent = kind === "component.start" ? await agentOf(before.doc) : undefined;
    const state = runState(kind, outcome, timeAfter(before.doc.updated_at, time));
    const followed = agent ? await follow(agent, [{ ...before.doc, ...state }], time) : nothing;
    const { name } = before.doc;
    const { observed_state, message } = state;
    const event = {
      kind: outcome.done ? "app.settled" : "app.failed",
      subject: request.subject,
      data: { name, observed_state, message },
    };
    const url = outcome.done && outcome.url !== undefined ? { url: outcome.url } : {};
    return {
      steps: [...followed.steps, ...rows.update(before, { doc: { ...before.doc, ...state, ...url } })],
      events: [event, ...followed.events],
    };
  };

  const recordWaiting: RecordWaiting<"app"> = async (request, reason) => {
    const { subject } = request;
    const found = await rows.get(subjectId("app", subject));
    const agent = found && (await agentOf(found.doc));
    const before = agent ? await rows.get(found.id) : found;
    const state = before && waitingState(before.doc, request, reason);
    if (!before || !state) return undefined;
    const doc = { ...before.doc, ...state };
    const { name, environment_id } = doc;
    const followed = agent ? await follow(agent, [doc], system.now().toISOString()) : nothing;
    const event = { kind: "app.waiting", subject, data: { name, environment_id, message: reason } };
    return {
      steps: [...followed.steps, ...rows.update(before, { doc })],
      events: [event, ...followed.events],
    };
  };

  /** Must be read before the agent's apps, so that a concurrent change of an app is a version conflict. */
  const agentOf = async ({ agent_id }: App) => (agent_id === null ? undefined : agents.read(agent_id));

  /** Updates an agent's `ui_app` after some of its apps changed, all in one environment. */
  async function follow(agent: Stored<Agent>, changed: readonly App[], time: string): Promise<UiAppChange> {
    const [app] = changed;
    if (!app) return nothing;
    const linked = await rows.linkedIn(agent.id, app.environment_id);
    const others = linked.flatMap(({ id, doc }) => (changed.some((one) => one.id === id) ? [] : doc));
    return agents.uiApp.follow(agent, app.environment_id, [...others, ...changed], time);
  }

  function request(
    app: Stored<App>,
    kind: RunKind,
    env: EnvironmentContext,
    context: ChangeContext,
  ): { doc: App; task: PlatformTask } {
    const { id, name, environment_id, agent_id } = app.doc;
    const asked_at = timeAfter(app.doc.updated_at, context.time);
    const requested = platformRequests.submit(env.platform, {
      id: system.newId(),
      environmentId: environment_id,
      kind,
      subject: appSubject(id),
      data: { name, agent_id, source_path: app.doc.source_path, asked_at },
    });
    const state = runState(kind, requested.outcome, asked_at);
    const event = {
      kind: kind === "component.start" ? "app.started" : "app.stopped",
      subject: appSubject(id),
      data: { name, environment_id, observed_state: state.observed_state },
    };
    const doc = { ...app.doc, ...state, updated_by: context.actor };
    const task: PlatformTask = {
      steps: [...rows.update(app, { doc }), ...requested.steps],
      events: [event],
      async finish() {
        await settledOn(env.platform, requested);
        const now = (await rows.get(id))?.doc;
        return now?.observed_state === "failed" ? [`The app "${name}" failed: ${now.message}`] : [];
      },
    };
    return { doc, task };
  }

  async function endpointOf(
    app: App,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<Stored<Agent> | undefined> {
    if (app.agent_id === null) return undefined;
    try {
      return await agents.startEndpoint(app.agent_id, env, context);
    } catch (error) {
      const isRefused = error instanceof Problem && error.kind === "conflict";
      throw isRefused ? conflict(`The app "${app.name}" needs its agent. ${error.message}`) : error;
    }
  }

  /** Changes one app and the `ui_app` of its agent. */
  async function changeTask(
    app: Stored<App>,
    kind: RunKind,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<PlatformTask> {
    const agent = await agentOf(app.doc);
    const { doc, task } = request(app, kind, env, context);
    const followed = agent ? await follow(agent, [doc], context.time) : nothing;
    return {
      ...task,
      steps: [...followed.steps, ...task.steps],
      events: [...task.events, ...followed.events],
    };
  }

  return {
    recordOutcome,
    recordWaiting,
    async start(find, env, context) {
      const { id, tasks } = await store.retryOnConflict(async () => {
        const app = await find();
        const agent = await endpointOf(app.doc, env, context);
        if (isReachedOrPending("running", app.doc)) return { id: app.id, tasks: [] };
        const { doc, task } = request(app, "component.start", env, context);
        const followed = agent ? await follow(agent, [doc], context.time) : nothing;
        await store.apply({
          context,
          steps: [...followed.steps, ...task.steps],
          events: [...task.events, ...followed.events],
        });
        return { id: app.id, tasks: [task] };
      });
      await finishAll(tasks);
      return id;
    },
    removal: ({ id, name, agent_id, source_path }, env, context) =>
      platformRequests.submit(env.platform, {
        id: system.newId(),
        environmentId: env.environment.id,
        kind: "component.remove",
        subject: appSubject(id),
        data: { name, agent_id, source_path, asked_at: context.time },
      }),
    stopTask: (app, env, context) => request(app, "component.stop", env, context).task,
    startAgain: (app, env, context) => changeTask(app, "component.start", env, context),
    stopAloneTask: (app, env, context) => changeTask(app, "component.stop", env, context),
    async startChange(agent, apps, env, context) {
      const requested = apps.map((app) => request(app, "component.start", env, context));
      const tasks = requested.map(({ task }) => task);
      const docs = requested.map(({ doc }) => doc);
      const followed = await follow(agent, docs, context.time);
      return {
        tasks,
        steps: [...followed.steps, ...tasks.flatMap(({ steps }) => steps)],
        events: [...tasks.flatMap(({ events }) => events), ...followed.events],
      };
    },
    observe: (appId, observation) =>
      store.retryOnConflict(async () => {
        const found = await rows.get(appId);
        const agent = found && (await agentOf(found.doc));
        const before = agent ? await rows.get(appId) : found;
        if (!before) return;
        const time = system.now().toISOString();
        const state = observedState(before.doc, observation, time);
        if (!state) return;
        const doc = { ...before.doc, ...state };
        const { name, environment_id } = doc;
        const event = {
          kind: observationEventKind("app", observation),
          subject: appSubject(appId),
          data: { name, environment_id, ...observation },
        };
        const followed = agent ? await follow(agent, [doc], time) : nothing;
        await store.apply({
          context: { actor: "platform", requestId: null, time },
          steps: [...followed.steps, ...rows.update(before, { doc })],
          events: [event, ...followed.events],
        });
      }),
  };
}

/** The app is already deleted here, so an event records that its platform could not remove it. */
function removalFailure(
  { subject, environmentId, data }: PlatformComponentRequest,
  outcome: PlatformOutcome,
): DomainEvent[] {
  if (outcome.done) return [];
  const { name } = data;
  const failure = { name, environment_id: environmentId, asked: "component.remove", message: outcome.reason };
  return [{ kind: "app.failed", subject, data: failure }];
}
