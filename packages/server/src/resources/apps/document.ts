import type { App, EndpointBody, endpoints } from "@lakehelm/contract";
import type { ChangeContext } from "../../core/store/store.ts";

/** A registered app: it does not run yet. */
export function declaredApp(
  id: string,
  { name, description, source_path = null }: EndpointBody<typeof endpoints.createApp>,
  linked: { readonly environmentId: string; readonly agentId: string | null },
  context: ChangeContext,
): App {
  return {
    id,
    name,
    environment_id: linked.environmentId,
    description,
    agent_id: linked.agentId,
    source_path,
    desired_state: "stopped",
    observed_state: "stopped",
    message: null,
    created_at: context.time,
    updated_at: context.time,
    created_by: context.actor,
    updated_by: null,
  };
}
