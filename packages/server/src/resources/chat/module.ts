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
    maskStored: rules.bindings.maskStored,
    start: rules.start,
    retention: [rules.retention],
    stop: rules.stop,
  };
}
