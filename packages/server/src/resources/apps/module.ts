import type { Dependencies } from "../../core/dependencies.ts";
import { appProcess } from "../../core/processes.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import type { Processes } from "../../runtime/processes/processes.ts";
import type { Addresses } from "../../web/gateway/addresses.ts";
import type { Tickets } from "../../web/gateway/tickets.ts";
import type { Agents } from "../agents/agents.ts";
import type { Environments } from "../environments/environments.ts";
import { createAppLookup } from "./app-lookup.ts";
import { createApps } from "./apps.ts";
import { appHandlers } from "./routes.ts";
import { ticketHandlers } from "./ticket-routes.ts";

interface AppsOptions {
  readonly work: PlatformRequests;
  readonly environments: Environments;
  readonly agents: Agents;
  readonly processes: Processes;
  readonly tickets: Tickets;
  readonly addresses: Addresses;
}

export function appsModule(deps: Dependencies, options: AppsOptions) {
  const { work, environments, agents, processes, tickets, addresses } = options;
  const rules = createApps(deps, work, environments, agents, (id) => [processes.removalOf(appProcess(id))]);
  return {
    rules,
    outbox: work.handler("app", rules.recordOutcome),
    find: createAppLookup(rules, environments),
    handlers: {
      ...ticketHandlers(rules, environments, tickets, addresses),
      ...appHandlers(rules, environments, processes),
    },
  };
}
