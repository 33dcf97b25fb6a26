import type { Agent, EndpointBody, endpoints } from "@lakehelm/contract";
import type { ChangeContext, DomainEvent } from "../../core/store/store.ts";

type Declaration = Pick<EndpointBody<typeof endpoints.createAgent>, "name"> &
  Partial<EndpointBody<typeof endpoints.createAgent>>;

/** A newly registered agent: none of its components runs yet. */
export function declaredAgent(id: string, declaration: Declaration, context: ChangeContext): Agent {
  const { name, aliases = [], description = "", source_path = null } = declaration;
  return {
    id,
    name,
    aliases: distinctAliases(name, aliases),
    description,
    source_path,
    components: [],
    releases: [],
    created_at: context.time,
    updated_at: context.time,
    created_by: context.actor,
    updated_by: null,
  };
}

/** The aliases without duplicates and without the agent's name. */
const distinctAliases = (name: string, aliases: readonly string[]) =>
  [...new Set(aliases)].filter((alias) => alias !== name);

/** Fields that are absent stay as they are. */
export const changedAgent = (
  before: Agent,
  { description, aliases }: EndpointBody<typeof endpoints.updateAgent>,
): Agent => ({
  ...before,
  description: description ?? before.description,
  aliases: aliases ? distinctAliases(before.name, aliases) : before.aliases,
});

export const createdEvent = ({ id, name, aliases }: Agent): DomainEvent => ({
  kind: "agent.created",
  subject: `agent/${id}`,
  data: { name, aliases },
});
