import type { App, EndpointBody, endpoints } from "@lakehelm/contract";
import { eventChanges } from "../../core/changes/event-changes.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import { appProcess } from "../../core/processes.ts";
import {
  type JoinedPage,
  keyOf,
  requireVersion,
  type Scope,
  type Stored,
  type StoredText,
  textOf,
} from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import {
  type PlatformRequests,
  type RecordOutcome,
  type RecordWaiting,
  settledOn,
} from "../../runtime/platforms/platform-requests.ts";
import type { Caller } from "../../web/http/handler.ts";
import type { LinkedApps } from "../agents/agent-stop.ts";
import type { Agents } from "../agents/agents.ts";
import { finishAll } from "../agents/component-deployment.ts";
import type { startMissing } from "../agents/missing-processes.ts";
import { isFullyStopped, isReachedOrPending } from "../agents/run-state.ts";
import { type AreUnconfined, isBelow, requireMayRunCode } from "../agents/source-path.ts";
import type { Environments } from "../environments/environments.ts";
import { type AppProcesses, appSubject, createAppProcesses } from "./app-processes.ts";
import { createAppRows } from "./app-rows.ts";
import { declaredApp } from "./document.ts";

export interface Apps {
  /** Applies the outcome of an outbox entry to an app. */
  readonly recordOutcome: RecordOutcome<"app">;
  readonly recordWaiting: RecordWaiting<"app">;
  create(
    body: EndpointBody<typeof endpoints.createApp>,
    env: EnvironmentContext,
    call: CreateRequest & { readonly caller: Caller },
  ): Promise<Pick<Stored<App>, "doc" | "version">>;
  /** Throws 404 if it does not exist. */
  read(id: string): Promise<Stored<App>>;
  find(environmentId: string, name: string): Promise<Stored<App> | undefined>;
  get(id: string): Promise<Stored<App> | undefined>;
  inEnvironment(environmentId: string): Promise<Stored<App>[]>;
  /** The id of the app's environment, in a list; undefined if there is no such app. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  text(id: string): StoredText<App> | Promise<StoredText<App>>;
  page(scope: Scope, request: ListRequest): Promise<JoinedPage<App>>;
  /** Changes the description and the folder of its code. */
  update(
    id: string,
    body: EndpointBody<typeof endpoints.updateApp>,
    call: ChangeRequest & { readonly caller: Caller },
  ): Promise<Pick<Stored<App>, "doc" | "version">>;
  /** Stops the app if it runs, then deletes it. */
  remove(id: string, call: ChangeRequest): Promise<App>;
  /** #19: by name, in one environment; first starts the endpoint of its agent. */
  start(name: string, env: EnvironmentContext, context: ChangeContext): Promise<App>;
  /** Repeats the last request to the app's platform, whatever the app's state there. */
  redeploy(id: string, context: ChangeContext): Promise<void>;
  /** By name, in one environment. */
  stop(name: string, env: EnvironmentContext, context: ChangeContext): Promise<App>;
  /** What agents do with their linked apps. */
  readonly linked: LinkedApps;
  readonly observe: AppProcesses["observe"];
  /** The apps that are recorded as running, and how to start them. */
  running(context: ChangeContext): Promise<Parameters<typeof startMissing>[0]>;
  /** The apps that should run. */
  wanted(): Promise<readonly App[]>;
  /** The names of the apps whose code contains a path of an environment's workspace. */
  usersOf(environmentId: string, path: string): Promise<string[]>;
}

export function createApps(
  deps: Dependencies,
  platformRequests: PlatformRequests,
  environments: Environments,
  agents: Agents,
  areUnconfined: AreUnconfined,
  /** Steps for the removal of an app: they delete what its platform stores about it. */
  removalSteps: (appId: string) => readonly Step[] = () => [],
): Apps {
  const { store, system } = deps;
  const rows = createAppRows(store);
  const processes = createAppProcesses(deps, platformRequests, rows, agents);

  async function read(id: string): Promise<Stored<App>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no app ${id}.`);
    return found;
  }

  async function named(name: string, { environment }: EnvironmentContext): Promise<Stored<App>> {
    const app = await rows.byKey(keyOf(environment.id, name));
    if (!app) throw notFound(`There is no app "${name}" in the environment "${environment.name}".`);
    return app;
  }

  const linked: LinkedApps = {
    async startChange(agent, env, context) {
      const linked = await rows.linkedIn(agent.id, env.environment.id);
      return linked.length === 0 ? undefined : processes.startChange(agent, linked, env, context);
    },
    async stopTasks(agentId, env, context) {
      const linked = await rows.linkedIn(agentId, env.environment.id);
      return linked
        .filter(({ doc }) => !isReachedOrPending("stopped", doc))
        .map((app) => processes.stopTask(app, env, context));
    },
    async noneLinked({ id, name }) {
      const app = await rows.firstLinked(id);
      if (app) throw conflict(`The app "${app.doc.name}" (${app.id}) is linked to the agent "${name}".`);
      return rows.noneLinked(id);
    },
  };

  /** Stopping the last app of an agent stops its component `ui_app`; any other app stops alone. */
  async function stop(id: string, context: ChangeContext): Promise<void> {
    const { task, agent } = await store.retryOnConflict(async () => {
      const app = await read(id);
      const { agent_id, environment_id } = app.doc;
      const env = await environments.actIn(environment_id);
      const linked = agent_id === null ? [] : await rows.linkedIn(agent_id, environment_id);
      const isLast = linked.every((one) => one.id === id || one.doc.desired_state === "stopped");
      if (agent_id !== null && isLast) return { agent: { agent_id, env } };
      if (isReachedOrPending("stopped", app.doc)) return {};
      const task = await processes.stopAloneTask(app, env, context);
      await store.apply({ context, steps: task.steps, events: task.events });
      return { task };
    });
    if (agent) {
      const { agent_id, env } = agent;
      await agents.stop({ agent_id, components: ["ui_app"], start_ui_app: false }, env, context);
    }
    if (task) await finishAll([task]);
  }

  return {
    recordOutcome: processes.recordOutcome,
    recordWaiting: processes.recordWaiting,
    read,
    find: (environmentId, name) => rows.byKey(keyOf(environmentId, name)),
    get: (id) => rows.get(id),
    inEnvironment: rows.inEnvironment,
    async create(body, env, { context, caller, saveAnswer }) {
      await requireMayRunCode(caller, body.source_path, areUnconfined);
      const id = system.newId();
      const environmentId = env.environment.id;
      return store.retryOnConflict(async () => {
        const agent = typeof body.agent === "string" ? await agents.read(body.agent) : undefined;
        const agentId = agent?.id ?? null;
        const doc = declaredApp(id, body, { environmentId, agentId }, context);
        const key = keyOf(environmentId, doc.name);
        const fresh = { id, key, doc, environmentId, owner: agentId, state: null, sealed: null };
        const taken = () =>
          conflict(
            `There is already an app named "${doc.name}" in the environment "${env.environment.name}".`,
          );
        await store.apply({
          context,
          steps: [
            ...saveAnswer(textOf(doc), 1),
            ...(agent ? [agents.lock(agent.id)] : []),
            ...rows.insert(fresh, { duplicate: taken }),
          ],
          events: [
            {
              kind: "app.created",
              subject: appSubject(id),
              data: { name: doc.name, environment_id: environmentId, agent_id: agentId },
            },
          ],
        });
        return { doc, version: 1 };
      });
    },
    environmentsOf: (id) => rows.environmentsOf(id),
    text: (id) => rows.requireText(id, () => notFound(`There is no app ${id}.`)),
    page: rows.list,
    update: (id, body, { context, caller, expectedVersion }) =>
      store.retryOnConflict(async () => {
        const before = await read(id);
        requireVersion(before, expectedVersion);
        const doc = { ...before.doc, ...definedOnly(body) };
        if (doc.source_path !== before.doc.source_path)
          await requireMayRunCode(caller, body.source_path, areUnconfined);
        if (textOf(doc) === textOf(before.doc)) return before;
        // While a request is unanswered, `updated_at` stays its time, which tells its outcome from earlier outcomes.
        const updated_at = doc.observed_state === "pending" ? doc.updated_at : context.time;
        const next = { ...doc, updated_at, updated_by: context.actor };
        const { name, environment_id, description, source_path } = next;
        const data = { name, environment_id, description, source_path, ...eventChanges(before.doc, next) };
        await store.apply({
          context,
          steps: rows.update(before, { doc: next }),
          events: [{ kind: "app.updated", subject: appSubject(id), data }],
        });
        return { doc: next, version: before.version + 1 };
      }),
    async remove(id, { context, expectedVersion }) {
      const found = await read(id);
      requireVersion(found, expectedVersion);
      const mustStop = !isFullyStopped(found.doc);
      if (mustStop) await stop(id, context);
      const { doc, env, removal } = await store.retryOnConflict(async () => {
        const before = await read(id);
        // After our own stop, the version that the caller knew has changed.
        if (!mustStop) requireVersion(before, expectedVersion);
        if (!isFullyStopped(before.doc)) {
          throw conflict(`The app "${before.doc.name}" is ${before.doc.observed_state}: stop it first.`);
        }
        const env = await environments.actIn(before.doc.environment_id);
        const removal = processes.removal(before.doc, env, context);
        await store.apply({
          context,
          steps: [...rows.remove(before), ...removalSteps(id), ...removal.steps],
          events: [
            {
              kind: "app.deleted",
              subject: appSubject(id),
              data: { name: before.doc.name, environment_id: before.environmentId },
            },
          ],
        });
        return { doc: before.doc, env, removal };
      });
      await settledOn(env.platform, removal);
      return doc;
    },
    async start(name, env, context) {
      const id = await processes.start(() => named(name, env), env, context);
      return (await read(id)).doc;
    },
    async redeploy(id, context) {
      const task = await store.retryOnConflict(async () => {
        const app = await read(id);
        const env = await environments.actIn(app.doc.environment_id);
        const again = app.doc.desired_state === "running" ? processes.startAgain : processes.stopAloneTask;
        const task = await again(app, env, context);
        await store.apply({ context, steps: task.steps, events: task.events });
        return task;
      });
      await finishAll([task]);
    },
    async stop(name, env, context) {
      const { id } = await named(name, env);
      await stop(id, context);
      return (await read(id)).doc;
    },
    linked,
    observe: processes.observe,
    running: async (context) =>
      (await rows.running()).map(({ id, environment_id: environmentId }) => ({
        processId: appProcess(id),
        environmentId,
        start: (env: EnvironmentContext) =>
          store.retryOnConflict(async () => {
            const task = await processes.startAgain(await read(id), env, context);
            await store.apply({ context, steps: task.steps, events: task.events });
            return task;
          }),
      })),
    wanted: rows.wanted,
    async usersOf(environmentId, path) {
      const known = await rows.withCode(environmentId);
      return known.flatMap(({ name, source_path }) => (isBelow(path, source_path) ? name : []));
    },
  };
}
