import type { Agent } from "@lakehelm/contract";

/** The state of each component in an environment as `desired/observed`, such as `running/pending`. */
export function states(agent: Agent, environmentId: string): Record<string, string> {
  const here = agent.components.filter((one) => one.environment_id === environmentId);
  return Object.fromEntries(here.map((one) => [one.component, `${one.desired_state}/${one.observed_state}`]));
}
