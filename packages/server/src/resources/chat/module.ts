import type { Dependencies } from "../../core/dependencies.ts";
import { type ChatOptions, createChat } from "./chat.ts";
import { chatHandlers } from "./routes.ts";

export function chatModule(deps: Dependencies, options: ChatOptions) {
  const rules = createChat(deps, options);
  return {
    rules,
    handlers: chatHandlers(rules, options.environments),
    outbox: rules.outbox,
    prepare: rules.prepare,
    start: rules.start,
    prune: () => rules.deliveries.prune(),
    stop: rules.stop,
  };
}
