import type { Environment, endpoints } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import type { EventLog } from "../../core/events/log.ts";
import { roleIn, visibleEnvironments } from "../../web/http/call.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";

export function sessionHandlers(
  { settings }: Pick<Dependencies, "settings">,
  environments: Environments,
  events: Pick<EventLog, "head">,
): Handlers<Pick<typeof endpoints, "getSession">> {
  return {
    async getSession({ caller }) {
      // Read before everything else: changes during this request come again with the events after `last_event`.
      const last_event = await events.head();
      const page = await environments.page(
        { skip: 0, limit: 1000, sort: "name" },
        visibleEnvironments(caller),
      );
      const found = JSON.parse(`[${page.joined}]`) as Environment[];
      return {
        body: {
          name: caller.name,
          role: caller.role,
          auth_type: caller.authType,
          manages_users: settings.PLATFORM_WORKSPACE_URL === undefined,
          environments: found.map(({ id, name, platform, protected: isProtected, isActive }) => ({
            id,
            name,
            platform,
            protected: isProtected,
            is_active: isActive,
            role: roleIn(caller, id),
          })),
          default_environment: settings.PLATFORM_DEFAULT_ENVIRONMENT,
          last_event,
        },
      };
    },
  };
}
