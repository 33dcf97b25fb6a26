import type { Agent, EndpointBody, endpoints } from "@lakehelm/contract";
import type { ChangeContext, DomainEvent } from "../../core/store/store.ts";

type Declaration = Pick<EndpointBody<typeof endpoints.createAgent>, "name"> &
  Partial<EndpointBody<typeof endpoints.createAgent>>;

/** A registered agent: nothing of it runs yet. */
export function declaredAgent(id: string, declaration: Declaration, context: ChangeContext): Agent {
  const { name, aliases = [], description = "", source_path = null } = declaration;
  return {
    id,
    name,
    // Removes duplicate aliases and those equal to the name.
    aliases: [...new Set(aliases)].filter((alias) => alias !== name),
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

export const createdEvent = ({ id, name, aliases }: Agent): DomainEvent => ({
  kind: "agent.created",
  subject: `agent/${id}`,
  data: { name, aliases },
});
