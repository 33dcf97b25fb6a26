import type { Agent } from "@lakehelm/contract";
import type { Stored } from "../../core/store/collection.ts";
import type { DomainEvent, Step } from "../../core/store/store.ts";
import type { AgentRows } from "./agent-rows.ts";
import { agentSubject } from "./component-deployment.ts";
import { componentOf, releaseIn, withComponent } from "./components.ts";
import { type RunState, timeAfter } from "./run-state.ts";

/** Steps and events for the transaction that changes an app. */
export interface UiAppChange {
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
}

/** The component `ui_app` follows the linked apps of the agent, in their transactions. */
export interface UiApp {
  /**
   * Also ties the transaction to the version of the agent that was read: it conflicts if the endpoint was stopped in
   * between.
   */
  follow(
    agent: Stored<Agent>,
    environmentId: string,
    apps: readonly RunState[],
    time: string,
  ): Promise<UiAppChange>;
}

export function createUiApp(rows: AgentRows): UiApp {
  return {
    async follow(agent, environmentId, apps, time) {
      const before = componentOf(agent.doc, environmentId, "ui_app");
      const version = releaseIn(agent.doc, environmentId)?.version ?? before.version;
      const { desired_state, observed_state, message } = combinedState(apps);
      const isSame =
        before.desired_state === desired_state &&
        before.observed_state === observed_state &&
        before.message === message &&
        before.version === version;
      if (isSame) return { steps: [rows.lockVersion(agent)], events: [] };
      const updated_at = timeAfter(before.updated_at, time);
      const next = { ...before, desired_state, observed_state, message, version, updated_at };
      const doc = withComponent(agent.doc, next);
      return {
        steps: [...rows.update(agent, doc), ...(await rows.environmentSteps(doc, environmentId))],
        events: [
          {
            kind: "agent.ui_app_followed",
            subject: agentSubject(doc.id),
            data: { name: doc.name, environment_id: environmentId, desired_state, observed_state },
          },
        ],
      };
    },
  };
}

/** The combined state of several apps: running if every app that should run is running. */
function combinedState(apps: readonly RunState[]): Omit<RunState, "updated_at"> {
  const desired = apps.filter(({ desired_state }) => desired_state === "running");
  const firstWith = (state: RunState["observed_state"]) =>
    desired.find((app) => app.observed_state === state);
  return (
    firstWith("failed") ??
    firstWith("pending") ??
    desired[0] ?? { desired_state: "stopped", observed_state: "stopped", message: null }
  );
}
