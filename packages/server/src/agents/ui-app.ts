import type { Agent } from "@lakehelm/contract";
import type { Intent } from "../platforms/platform.ts";
import type { Stored } from "../store/collection.ts";
import type { Happening, Step } from "../store/store.ts";
import { componentOf, releaseIn, withComponent } from "./components.ts";
import { subjectOf } from "./deploying.ts";
import { awaits, type RunState } from "./running.ts";
import type { AgentRows } from "./store.ts";

type Following = { readonly steps: readonly Step[]; readonly events: readonly Happening[] };

/** The component `ui_app` follows an app that is linked to the agent, in the change that starts the app. */
export interface UiApp {
  /** It also ties that change to the agent as it was read: an endpoint stopped in between undoes it. */
  follow(agent: Stored<Agent>, environmentId: string, state: RunState): Promise<Following>;
  /** The same once the platform has answered for the app, if nothing else was asked in between. */
  settle(agentId: string, intent: Intent, state: RunState): Promise<Following>;
}

export function createUiApp(rows: AgentRows): UiApp {
  async function follow(agent: Stored<Agent>, environmentId: string, state: RunState): Promise<Following> {
    const before = componentOf(agent.doc, environmentId, "ui_app");
    const version = releaseIn(agent.doc, environmentId)?.version ?? before.version;
    const doc = withComponent(agent.doc, { ...before, ...state, version });
    const { desired_state, observed_state } = state;
    return {
      steps: [...rows.update(agent, doc), ...(await rows.presence(doc, environmentId))],
      events: [
        {
          kind: "agent.ui_app_followed",
          subject: subjectOf(doc.id),
          data: { name: doc.name, environment_id: environmentId, desired_state, observed_state },
        },
      ],
    };
  }

  return {
    follow,
    async settle(agentId, intent, state) {
      const agent = await rows.get(agentId);
      if (!agent || !awaits(componentOf(agent.doc, intent.environmentId, "ui_app"), intent)) {
        return { steps: [], events: [] };
      }
      return follow(agent, intent.environmentId, state);
    },
  };
}
