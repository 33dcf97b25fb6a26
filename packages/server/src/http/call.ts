import type { IncomingHttpHeaders } from "node:http";
import type { ReadRequest } from "@lakehelm/contract";
import type { Caller } from "../identity/caller.ts";
import type { By } from "../store/store.ts";
import type { Call } from "./handler.ts";
import type { Once } from "./idempotency.ts";

interface CallSource {
  readonly read: ReadRequest;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  readonly requestId: string;
  readonly client: string;
  readonly once: Once | undefined;
  readonly now: () => Date;
  readonly signal: () => AbortSignal;
}

/** The call a handler sees. What only some handlers ask for (time, signal) is made when they ask. */
export function makeCall(source: CallSource): Call {
  const { read, headers, caller, requestId, client, once, now, signal } = source;
  let by: By | undefined;
  return {
    params: read.params,
    query: read.query,
    body: read.body as undefined,
    caller,
    client,
    get by() {
      by ??= { actor: caller.name, requestId, time: now().toISOString() };
      return by;
    },
    get signal() {
      return signal();
    },
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    remember: (text, version) => once?.remember(text, version) ?? [],
  };
}
