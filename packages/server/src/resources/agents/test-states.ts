import type { Agent } from "@lakehelm/contract";

/** `running/pending` for each component in an environment: desired state, observed state. */
export function states(agent: Agent, environmentId: string): Record<string, string> {
  const here = agent.components.filter((one) => one.environment_id === environmentId);
  return Object.fromEntries(here.map((one) => [one.component, `${one.desired_state}/${one.observed_state}`]));
}
