import { type Agent, type EndpointBody, endpoints } from "@lakehelm/contract";
import type { Stored } from "../../../core/store/collection.ts";
import type { Agents } from "../../agents/agents.ts";
import type { DeclaredFields } from "../../planned-definition.ts";
import { callerOf } from "../caller.ts";
import type { LiveResource, PlannedKind } from "../planned-kind.ts";

type Body = EndpointBody<typeof endpoints.createAgent>;

/** The order of aliases means nothing. */
const definitionOf = ({ name, aliases, description, source_path = null }: Body) =>
  ({
    name,
    aliases: [...new Set(aliases)].filter((alias) => alias !== name).sort(),
    description,
    source_path,
  }) satisfies DeclaredFields<Body>;

const liveOf = ({ id, doc }: Stored<Agent>): LiveResource => {
  const definition = definitionOf(doc);
  return {
    id,
    name: doc.name,
    declared: { open: definition, masked: definition },
    owner: doc.created_by,
    jobId: null,
    problem: null,
  };
};

export function agentKind(agents: Agents): PlannedKind {
  const named = async (name: string) => {
    const found = await agents.find(name);
    return found?.doc.name === name ? liveOf(found) : undefined;
  };
  return {
    kind: "agent",
    schema: endpoints.createAgent.body,
    nameField: "name",
    // Code belongs to versions; a registered folder is protected, and never changes.
    fixed: ["source_path"],
    isShared: true,
    async live(_, names) {
      const found = await Promise.all(names.map(named));
      return found.filter((agent) => agent !== undefined);
    },
    find: (_, name) => named(name),
    async byId(_, id) {
      const found = await agents.find(id);
      return found?.id === id ? liveOf(found) : undefined;
    },
    declare(body) {
      const definition = definitionOf(body as Body);
      return { open: definition, masked: definition };
    },
    async create(definition, _, { context }) {
      await agents.create(definition as Body, {
        context,
        caller: callerOf(context),
        saveAnswer: () => [],
      });
    },
    async update({ id }, definition, _, { context }) {
      const { aliases, description } = definition as Body;
      await agents.update(id, { aliases, description }, { context });
    },
    async remove({ id }, _, { context }) {
      await agents.remove(id, { context });
    },
  };
}
