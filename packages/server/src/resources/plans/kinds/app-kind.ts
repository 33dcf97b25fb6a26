import { type App, type EndpointBody, endpoints } from "@lakehelm/contract";
import type { Stored } from "../../../core/store/collection.ts";
import type { Agents } from "../../agents/agents.ts";
import type { Apps } from "../../apps/apps.ts";
import type { DeclaredFields } from "../../planned-definition.ts";
import { callerOf } from "../caller.ts";
import type { LiveResource, PlannedKind } from "../planned-kind.ts";

type Body = EndpointBody<typeof endpoints.createApp>;

export function appKind(apps: Apps, agents: Pick<Agents, "find">): PlannedKind {
  /** Agents are compared by their names: one of the same plan has no id yet. */
  const agentName = async (reference: string | null | undefined) =>
    typeof reference === "string" ? ((await agents.find(reference))?.doc.name ?? reference) : null;

  async function declare({ name, description, source_path = null, agent }: Body) {
    const definition = {
      name,
      description,
      source_path,
      agent: await agentName(agent),
    } satisfies DeclaredFields<Body>;
    return { open: definition, masked: definition };
  }

  const liveOf = async ({ id, doc }: Stored<App>): Promise<LiveResource> => ({
    id,
    name: doc.name,
    declared: await declare({ ...doc, agent: doc.agent_id }),
    owner: doc.created_by,
    jobId: null,
    problem: null,
  });

  return {
    kind: "app",
    schema: endpoints.createApp.body,
    nameField: "name",
    fixed: ["agent"],
    live: async (environmentId) => Promise.all((await apps.inEnvironment(environmentId)).map(liveOf)),
    async find(environmentId, name) {
      const stored = await apps.find(environmentId, name);
      return stored && liveOf(stored);
    },
    async byId(environmentId, id) {
      const stored = await apps.get(id);
      return stored?.environmentId === environmentId ? liveOf(stored) : undefined;
    },
    declare: (body) => declare(body as Body),
    async create(definition, env, { context }) {
      await apps.create(definition as Body, env, {
        context,
        caller: callerOf(context),
        saveAnswer: () => [],
      });
    },
    async update({ id }, definition, _, { context }) {
      const { description, source_path = null } = definition as Body;
      await apps.update(id, { description, source_path }, { context, caller: callerOf(context) });
    },
    async remove({ id }, _, { context }) {
      await apps.remove(id, { context });
    },
  };
}
