import { randomUUID } from "node:crypto";
import { pino } from "pino";
import type { Dependencies } from "../core/dependencies.ts";
import { createOutbox, type Outbox } from "../core/outbox/outbox.ts";
import type { OutboxHandlers } from "../core/outbox/topic.ts";

/** The outbox of another server on the same store. Without handlers, it writes entries but executes none. */
export const testOutbox = (
  deps: Pick<Dependencies, "store" | "system">,
  handlers: () => OutboxHandlers = () => ({}),
): Outbox => createOutbox(deps, { owner: randomUUID(), handlers, log: pino({ level: "silent" }) });
