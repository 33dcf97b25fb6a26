import type { App, EndpointBody, endpoints } from "@lakehelm/contract";
import type { Parts } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import {
  keyOf,
  type Page,
  requireMatch,
  type Scope,
  type Stored,
  type Text,
} from "../../core/store/collection.ts";
import { type By, retrying, type Step } from "../../core/store/store.ts";
import { textOf } from "../../core/store/text.ts";
import type { Work } from "../../runtime/platforms/work.ts";
import type { Call } from "../../web/http/handler.ts";
import type { Agents } from "../agents/agents.ts";
import { finishAll } from "../agents/deploying.ts";
import { headsFor, isAtRest } from "../agents/running.ts";
import { isBelow, requireMayRunCode } from "../agents/source-path.ts";
import type { Environments, Place } from "../environments/environments.ts";
import { declaredApp } from "./document.ts";
import { createRunningApps, type RunningApps, subjectOf } from "./running.ts";
import { createAppRows } from "./store.ts";

export interface Apps {
  create(
    body: EndpointBody<typeof endpoints.createApp>,
    place: Place,
    call: Pick<Call, "by" | "caller" | "remember">,
  ): Promise<Pick<Stored<App>, "doc" | "version">>;
  /** 404 if there is none. */
  read(id: string): Promise<Stored<App>>;
  find(environmentId: string, name: string): Promise<Stored<App> | undefined>;
  text(id: string): Promise<{ readonly text: Text<App>; readonly version: number }>;
  page(scope: Scope, skip: number, limit: number): Promise<Page<App>>;
  /** Stops the app if it runs, then deletes it. */
  remove(id: string, call: Pick<Call, "by" | "header">): Promise<App>;
  /** #19: by name, in one environment; the endpoint of its agent first. */
  start(name: string, place: Place, by: By): Promise<App>;
  /** By name, in one environment. */
  stop(name: string, place: Place, by: By): Promise<App>;
  readonly see: RunningApps["see"];
  /** The code of apps: which app has it at a path of an environment's workspace. */
  codeAt(environmentId: string, path: string): Promise<string | undefined>;
}

export function createApps(
  parts: Parts,
  work: Work,
  environments: Environments,
  agents: Agents,
  /** Steps that join the removal of an app: what its platform keeps of it goes, too. */
  leaving: (appId: string) => readonly Step[] = () => [],
): Apps {
  const { store, nature } = parts;
  const rows = createAppRows(store);
  const running = createRunningApps(parts, work, rows, agents);

  async function read(id: string): Promise<Stored<App>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no app ${id}.`);
    return found;
  }

  async function named(name: string, { environment }: Place): Promise<Stored<App>> {
    const app = await rows.byKey(keyOf(environment.id, name));
    if (!app) throw notFound(`There is no app "${name}" in the environment "${environment.name}".`);
    return app;
  }

  agents.onApps({
    async starting(agent, place, by) {
      const linked = await rows.linkedIn(agent.id, place.environment.id);
      return linked.length === 0 ? undefined : running.startingAll(agent, linked, place, by);
    },
    async stopping(agentId, place, by) {
      const linked = await rows.linkedIn(agentId, place.environment.id);
      return linked
        .filter(({ doc }) => !headsFor("stopped", doc))
        .map((app) => running.stopping(app, place, by));
    },
    async noneLinked({ id, name }) {
      const app = await rows.firstLinked(id);
      if (app) throw conflict(`The app "${app.doc.name}" (${app.id}) is linked to the agent "${name}".`);
      return rows.noneLinked(id);
    },
  });

  /** The last app of an agent takes the component `ui_app` with it; any other stops alone. */
  async function stop(id: string, by: By): Promise<void> {
    const errand = await retrying(async () => {
      const app = await read(id);
      const { agent_id, environment_id } = app.doc;
      const place = await environments.actIn(environment_id);
      const linked = agent_id === null ? [] : await rows.linkedIn(agent_id, environment_id);
      const isLast = linked.every((one) => one.id === id || one.doc.desired_state === "stopped");
      if (agent_id !== null && isLast) {
        await agents.stop({ agent_id, components: ["ui_app"], start_ui_app: false }, place, by);
        return undefined;
      }
      if (headsFor("stopped", app.doc)) return undefined;
      const errand = await running.stoppingAlone(app, place, by);
      await store.apply({ by, steps: errand.steps, events: errand.events });
      return errand;
    });
    if (errand) await finishAll([errand]);
  }

  return {
    read,
    find: (environmentId, name) => rows.byKey(keyOf(environmentId, name)),
    async create(body, place, { by, caller, remember }) {
      requireMayRunCode(caller, body.source_path);
      const id = nature.newId();
      const environmentId = place.environment.id;
      return retrying(async () => {
        const agent = typeof body.agent === "string" ? await agents.read(body.agent) : undefined;
        const agentId = agent?.id ?? null;
        const doc = declaredApp(id, body, { environmentId, agentId }, by);
        const key = keyOf(environmentId, doc.name);
        const fresh = { id, key, doc, environmentId, owner: agentId, state: null, sealed: null };
        const taken = () =>
          conflict(
            `There is already an app named "${doc.name}" in the environment "${place.environment.name}".`,
          );
        await store.apply({
          by,
          steps: [
            ...remember(textOf(doc), 1),
            ...(agent ? [agents.hold(agent.id)] : []),
            ...rows.insert(fresh, { duplicate: taken }),
          ],
          events: [
            {
              kind: "app.created",
              subject: subjectOf(id),
              data: { name: doc.name, environment_id: environmentId, agent_id: agentId },
            },
          ],
        });
        return { doc, version: 1 };
      });
    },
    async text(id) {
      const found = await rows.text(id);
      if (!found) throw notFound(`There is no app ${id}.`);
      return found;
    },
    page: (scope, skip, limit) => rows.page(scope, skip, limit),
    async remove(id, { by, header }) {
      const found = await read(id);
      requireMatch(found, header("if-match"));
      const mustStop = !isAtRest(found.doc);
      if (mustStop) await stop(id, by);
      return retrying(async () => {
        const before = await read(id);
        // The stop was ours: what the caller knew has changed by it.
        if (!mustStop) requireMatch(before, header("if-match"));
        if (!isAtRest(before.doc)) {
          throw conflict(`The app "${before.doc.name}" is ${before.doc.observed_state}: stop it first.`);
        }
        await store.apply({
          by,
          steps: [...rows.remove(before), ...leaving(id)],
          events: [{ kind: "app.deleted", subject: subjectOf(id), data: { name: before.doc.name } }],
        });
        return before.doc;
      });
    },
    async start(name, place, by) {
      const id = await running.start(() => named(name, place), place, by);
      return (await read(id)).doc;
    },
    async stop(name, place, by) {
      const { id } = await named(name, place);
      await stop(id, by);
      return (await read(id)).doc;
    },
    see: running.see,
    async codeAt(environmentId, path) {
      const known = await rows.withCode(environmentId);
      return known.find(({ source_path }) => isBelow(path, source_path))?.name;
    },
  };
}
