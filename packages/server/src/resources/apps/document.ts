import type { App, EndpointBody, endpoints } from "@lakehelm/contract";
import type { By } from "../../core/store/store.ts";

/** An app as it is registered: it does not run yet. */
export function declaredApp(
  id: string,
  { name, description, source_path = null }: EndpointBody<typeof endpoints.createApp>,
  linked: { readonly environmentId: string; readonly agentId: string | null },
  by: By,
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
    created_at: by.time,
    updated_at: by.time,
    created_by: by.actor,
    updated_by: null,
  };
}
