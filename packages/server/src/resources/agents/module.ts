import type { Dependencies } from "../../core/dependencies.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { Processes } from "../../runtime/processes/processes.ts";
import type { ChatBindings } from "../chat/bindings.ts";
import type { ChatPoster } from "../chat/poster.ts";
import type { Environments } from "../environments/environments.ts";
import { type AgentsOptions, createAgents } from "./agents.ts";
import { createChatMessages } from "./chat-messages.ts";
import { createAgentInvocation } from "./invocation.ts";
import { invocationHandlers } from "./invocation-routes.ts";
import { startMissing } from "./missing-processes.ts";
import { agentHandlers } from "./routes.ts";

interface AgentsModuleOptions extends AgentsOptions {
  readonly environments: Environments;
  readonly processes: Processes;
  readonly bindings: Pick<ChatBindings, "find">;
  readonly poster: ChatPoster;
}

export function agentsModule(deps: Dependencies, options: AgentsModuleOptions) {
  const { environments, processes, bindings, poster } = options;
  const rules = createAgents(deps, options);
  const invocation = createAgentInvocation({
    agents: rules,
    processes,
    remoteIn: async (environmentId) => (await environments.actIn(environmentId)).platform.remoteComponents,
  });
  const messages = createChatMessages(deps, { agents: rules, environments, bindings, poster, invocation });
  return {
    rules,
    invoke: invocation.invoke,
    maskStored: rules.versions.maskStored,
    installMissing: async (context: ChangeContext) =>
      startMissing(await rules.runningEndpoints(context), environments, processes),
    outbox: options.platformRequests.handler("agent", rules.recordOutcome, rules.recordWaiting),
    handlers: {
      ...agentHandlers(rules, environments, processes),
      ...invocationHandlers(rules, environments, invocation, messages),
    },
  };
}
