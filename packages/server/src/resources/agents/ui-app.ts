import type { Agent } from "@lakehelm/contract";
import type { Stored } from "../../core/store/collection.ts";
import type { DomainEvent, Step } from "../../core/store/store.ts";
import type { AgentRows } from "./agent-rows.ts";
import { agentSubject } from "./component-deployment.ts";
import { componentOf, releaseIn, withComponent } from "./components.ts";
import { type RunState, timeAfter } from "./running-state.ts";

type Following = { readonly steps: readonly Step[]; readonly events: readonly DomainEvent[] };

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
  ): Promise<Following>;
}

export function createUiApp(rows: AgentRows): UiApp {
  return {
    async follow(agent, environmentId, apps, time) {
      const before = componentOf(agent.doc, environmentId, "ui_app");
      const version = releaseIn(agent.doc, environmentId)?.version ?? before.version;
      const { desired_state, observed_state, message } = together(apps);
      const isSame =
        before.desired_state === desired_state &&
        before.observed_state === observed_state &&
        before.message === message &&
        before.version === version;
      if (isSame) return { steps: [rows.still(agent)], events: [] };
      const updated_at = timeAfter(before.updated_at, time);
      const next = { ...before, desired_state, observed_state, message, version, updated_at };
      const doc = withComponent(agent.doc, next);
      return {
        steps: [...rows.update(agent, doc), ...(await rows.presence(doc, environmentId))],
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

type Together = Omit<RunState, "updated_at">;

/** The combined state of several apps: running when all that should run do. */
function together(apps: readonly RunState[]): Together {
  const wanted = apps.filter(({ desired_state }) => desired_state === "running");
  const seen = (state: RunState["observed_state"]) => wanted.find((app) => app.observed_state === state);
  return (
    seen("failed") ??
    seen("pending") ??
    wanted[0] ?? { desired_state: "stopped", observed_state: "stopped", message: null }
  );
}
