import type { IncomingHttpHeaders } from "node:http";
import type { ParsedRequest } from "@lakehelm/contract";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import type { Caller } from "../identity/caller.ts";
import type { Call } from "./handler.ts";
import type { Once } from "./idempotency.ts";

interface CallSource {
  readonly read: ParsedRequest;
  readonly yaml: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  readonly requestId: string;
  readonly client: () => string;
  readonly once: Once | undefined;
  readonly now: () => Date;
  readonly signal: () => AbortSignal;
}

/** The call a handler sees. What only some handlers ask for (time, signal) is made when they ask. */
class RequestCall implements Call {
  readonly params: Call["params"];
  readonly query: Call["query"];
  readonly body: Call["body"];
  readonly #source: CallSource;
  #by: ChangeContext | undefined;

  constructor(source: CallSource) {
    this.params = source.read.params;
    this.query = source.read.query;
    this.body = source.read.body as Call["body"];
    this.#source = source;
  }
  get yaml(): string | undefined {
    return this.#source.yaml;
  }
  get caller(): Caller {
    return this.#source.caller;
  }
  get client(): string {
    return this.#source.client();
  }
  get context(): ChangeContext {
    const { caller, requestId, now } = this.#source;
    this.#by ??= { actor: caller.name, requestId, time: now().toISOString() };
    return this.#by;
  }
  get signal(): AbortSignal {
    return this.#source.signal();
  }
  // Arrow functions, because handlers pass them on by themselves: `const { by, header } = call`.
  readonly header = (name: string): string | undefined => {
    const value = this.#source.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  readonly remember = (text: string, version: number | undefined): Step[] =>
    this.#source.once?.remember(text, version) ?? [];
}

export const makeCall = (source: CallSource): Call => new RequestCall(source);
