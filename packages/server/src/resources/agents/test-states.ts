import type { Agent } from "@lakehelm/contract";
import { askedIn } from "../../testing/embedded-asked.ts";
import { lineOf } from "../../testing/outside-platform.ts";
import type { TestServer } from "../../testing/server.ts";

/** `running/pending` for each component in an environment: desired state, observed state. */
export function states(agent: Agent, environmentId: string): Record<string, string> {
  const here = agent.components.filter((one) => one.environment_id === environmentId);
  return Object.fromEntries(here.map((one) => [one.component, `${one.desired_state}/${one.observed_state}`]));
}

/** The requests to the embedded platform in an environment, as lines: `component.stop agent/… chat`. */
export const linesIn = async (server: TestServer, environmentId: string) =>
  (await askedIn(server, environmentId)).map(lineOf);
