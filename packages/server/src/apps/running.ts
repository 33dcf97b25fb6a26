import type { Agent, App } from "@lakehelm/contract";
import type { Agents } from "../agents/agents.ts";
import { type Errand, finishAll } from "../agents/deploying.ts";
import {
  awaits,
  headsFor,
  type RunKind,
  type RunState,
  runKind,
  runState,
  timeAfter,
} from "../agents/running.ts";
import type { Place } from "../environments/environments.ts";
import type { Parts } from "../parts.ts";
import type { Work } from "../platforms/work.ts";
import { conflict, Problem } from "../problems.ts";
import type { Stored } from "../store/collection.ts";
import { type By, retrying } from "../store/store.ts";
import type { AppRows } from "./store.ts";

export const subjectOf = (appId: string) => `app/${appId}`;

const nothing = { steps: [], events: [] };

/** Has apps started and stopped by platforms, and records what became of it. */
export interface RunningApps {
  /** The endpoint of its agent first, then the app. */
  start(find: () => Promise<Stored<App>>, place: Place, by: By): Promise<string>;
  /** For a change that stops an app: the change includes that of its row. */
  stopping(app: Stored<App>, place: Place, by: By): Errand;
}

export function createRunningApps(
  { store, nature }: Parts,
  work: Work,
  rows: AppRows,
  agents: Agents,
): RunningApps {
  work.onOutcome("app", async (intent, outcome, done) => {
    const by = { actor: "platform", requestId: null, time: nature.now().toISOString() };
    const kind = runKind(intent);
    await retrying(async () => {
      const before = await rows.get(intent.subject.slice(subjectOf("").length));
      if (!before || !awaits(before.doc, intent)) return store.apply({ by, steps: [done], events: [] });
      const state = runState(kind, outcome, timeAfter(before.doc.updated_at, by.time));
      const { agent_id, name } = before.doc;
      // A stop of the agent asks for its `ui_app` by itself; only a start is followed.
      const isFollowed = agent_id !== null && kind === "component.start";
      const followed = isFollowed ? await agents.uiApp.settle(agent_id, intent, state) : nothing;
      const { observed_state, message } = state;
      const event = {
        kind: outcome.done ? "app.settled" : "app.failed",
        subject: intent.subject,
        data: { name, observed_state, message },
      };
      await store.apply({
        by,
        steps: [...followed.steps, ...rows.update(before, { doc: { ...before.doc, ...state } }), done],
        events: [event, ...followed.events],
      });
    });
  });

  function ask(app: Stored<App>, kind: RunKind, place: Place, by: By): { state: RunState; errand: Errand } {
    const { id, name, environment_id, agent_id } = app.doc;
    const asked_at = timeAfter(app.doc.updated_at, by.time);
    const asked = work.ask(place.platform, {
      id: nature.newId(),
      environmentId: environment_id,
      kind,
      subject: subjectOf(id),
      data: { name, agent_id, source_path: app.doc.source_path, asked_at },
    });
    const state = runState(kind, asked.outcome, asked_at);
    const event = {
      kind: kind === "component.start" ? "app.started" : "app.stopped",
      subject: subjectOf(id),
      data: { name, environment_id, observed_state: state.observed_state },
    };
    const errand: Errand = {
      steps: [...rows.update(app, { doc: { ...app.doc, ...state, updated_by: by.actor } }), ...asked.steps],
      events: [event],
      async finish() {
        await asked.finish();
        const now = (await rows.get(id))?.doc;
        return now?.observed_state === "failed" ? [`The app "${name}" failed: ${now.message}`] : [];
      },
    };
    return { state, errand };
  }

  async function endpointOf(app: App, place: Place, by: By): Promise<Stored<Agent> | undefined> {
    if (app.agent_id === null) return undefined;
    try {
      return await agents.startEndpoint(app.agent_id, place, by);
    } catch (error) {
      const isRefused = error instanceof Problem && error.kind === "conflict";
      throw isRefused ? conflict(`The app "${app.name}" needs its agent. ${error.message}`) : error;
    }
  }

  return {
    async start(find, place, by) {
      const { id, errands } = await retrying(async () => {
        const app = await find();
        const agent = await endpointOf(app.doc, place, by);
        if (headsFor("running", app.doc)) return { id: app.id, errands: [] };
        const { state, errand } = ask(app, "component.start", place, by);
        const followed = agent ? await agents.uiApp.follow(agent, place.environment.id, state) : nothing;
        await store.apply({
          by,
          steps: [...followed.steps, ...errand.steps],
          events: [...errand.events, ...followed.events],
        });
        return { id: app.id, errands: [errand] };
      });
      await finishAll(errands);
      return id;
    },
    stopping: (app, place, by) => ask(app, "component.stop", place, by).errand,
  };
}
