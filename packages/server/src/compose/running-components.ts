import { subjectOf } from "../core/store/store.ts";
import type { Agents } from "../resources/agents/agents.ts";
import type { Apps } from "../resources/apps/apps.ts";
import type { Environments } from "../resources/environments/environments.ts";
import type { RunningComponent } from "../runtime/platforms/databricks/components/component-follower.ts";

interface Components {
  readonly apps: Pick<Apps, "wanted">;
  readonly agents: Pick<Agents, "wanted">;
  readonly environments: Pick<Environments, "find">;
}

/** The apps and the endpoints of agents that should run on a platform. */
export async function runningComponents(
  platform: string,
  { apps, agents, environments }: Components,
): Promise<RunningComponent[]> {
  const found = [
    ...(await apps.wanted()).map(({ id, environment_id, name }) => ({
      environmentId: environment_id,
      subject: subjectOf("app", id),
      name,
    })),
    ...(await agents.wanted()).flatMap(({ id, name, components }) =>
      components
        .filter((one) => one.component === "agent_endpoint" && one.desired_state === "running")
        .map((one) => ({ environmentId: one.environment_id, subject: subjectOf("agent", id), name })),
    ),
  ];
  const platforms = new Map<string, string | undefined>();
  for (const id of new Set(found.map(({ environmentId }) => environmentId))) {
    platforms.set(id, (await environments.find(id))?.doc.platform);
  }
  return found.filter(({ environmentId }) => platforms.get(environmentId) === platform);
}
