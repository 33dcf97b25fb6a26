import type { Dependencies } from "../../core/dependencies.ts";
import { appProcess } from "../../core/processes.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import type { Processes } from "../../runtime/processes/processes.ts";
import type { Addresses } from "../../web/gateway/addresses.ts";
import type { Tickets } from "../../web/gateway/tickets.ts";
import type { Agents } from "../agents/agents.ts";
import { startMissing } from "../agents/missing-processes.ts";
import type { Environments } from "../environments/environments.ts";
import { createAppLookup } from "./app-lookup.ts";
import { createApps } from "./apps.ts";
import { appHandlers } from "./routes.ts";
import { ticketHandlers } from "./ticket-routes.ts";

interface AppsOptions {
  readonly platformRequests: PlatformRequests;
  readonly environments: Environments;
  readonly agents: Agents;
  readonly processes: Processes;
  readonly tickets: Tickets;
  readonly addresses: Addresses;
}

export function appsModule(deps: Dependencies, options: AppsOptions) {
  const { platformRequests, environments, agents, processes, tickets, addresses } = options;
  const rules = createApps(deps, platformRequests, environments, agents, processes.areUnconfined, (id) => [
    processes.removalOf(appProcess(id)),
  ]);
  return {
    rules,
    installMissing: async (context: ChangeContext) =>
      startMissing(await rules.running(context), environments, processes),
    outbox: platformRequests.handler("app", rules.recordOutcome, rules.recordWaiting),
    find: createAppLookup(rules, environments),
    handlers: {
      ...ticketHandlers(rules, environments, tickets, addresses),
      ...appHandlers(rules, environments, processes),
    },
  };
}
