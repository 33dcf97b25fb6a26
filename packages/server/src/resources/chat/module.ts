import type { Dependencies } from "../../core/dependencies.ts";
import { type ChatOptions, createChat } from "./chat.ts";
import { chatHandlers } from "./routes.ts";

export function chatModule(deps: Dependencies, uses: ChatOptions) {
  const rules = createChat(deps, uses);
  return {
    rules,
    handlers: chatHandlers(rules, uses.environments),
    outbox: rules.outbox,
    prepare: rules.prepare,
    start: rules.start,
    prune: () => rules.deliveries.prune(),
    stop: rules.stop,
  };
}
