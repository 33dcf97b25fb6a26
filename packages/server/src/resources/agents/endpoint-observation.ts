import type { Dependencies } from "../../core/dependencies.ts";
import type { Observation } from "../../runtime/platforms/platform.ts";
import type { AgentRows } from "./agent-rows.ts";
import { agentSubject } from "./component-deployment.ts";
import { componentOf, withState } from "./components.ts";
import { observationEventKind, observedState } from "./run-state.ts";

/** Records the platform's observation of a started agent endpoint. */
export type ObserveEndpoint = (
  agentId: string,
  environmentId: string,
  observation: Observation,
) => Promise<void>;

export function createObserveEndpoint({ store, system }: Dependencies, rows: AgentRows): ObserveEndpoint {
  const component = "agent_endpoint";
  return (agentId, environmentId, observation) =>
    store.retryOnConflict(async () => {
      const before = await rows.get(agentId);
      if (!before) return;
      const time = system.now().toISOString();
      const state = observedState(componentOf(before.doc, environmentId, component), observation, time);
      if (!state) return;
      const { name } = before.doc;
      await store.apply({
        context: { actor: "platform", requestId: null, time },
        steps: rows.update(before, withState(before.doc, environmentId, component, state)),
        events: [
          {
            kind: observationEventKind("agent", observation),
            subject: agentSubject(agentId),
            data: { name, environment_id: environmentId, component, ...observation },
          },
        ],
      });
    });
}
