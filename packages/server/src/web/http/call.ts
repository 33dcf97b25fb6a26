import type { IncomingHttpHeaders } from "node:http";
import type { ParsedRequest } from "@lakehelm/contract";
import type { ExpectedVersion, SaveAnswer } from "../../core/store/requests.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { Caller } from "./caller.ts";
import type { Call } from "./handler.ts";
import type { IdempotentRequest } from "./idempotency.ts";
import { readIfMatch } from "./if-match.ts";

interface CallSource {
  readonly read: ParsedRequest;
  readonly yaml: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  readonly requestId: string;
  readonly client: () => string;
  readonly once: IdempotentRequest | undefined;
  readonly now: () => Date;
  readonly signal: () => AbortSignal;
}

/** The call that a handler gets. Time and signal are created on first use, because only some handlers need them. */
class RequestCall implements Call {
  readonly params: Call["params"];
  readonly query: Call["query"];
  readonly body: Call["body"];
  readonly #source: CallSource;
  #context: ChangeContext | undefined;

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
    this.#context ??= { actor: caller.name, requestId, time: now().toISOString() };
    return this.#context;
  }
  get expectedVersion(): ExpectedVersion | undefined {
    return readIfMatch(this.header("if-match"));
  }
  get signal(): AbortSignal {
    return this.#source.signal();
  }
  // Arrow functions, because handlers destructure them: `const { context, header } = call`.
  readonly header = (name: string): string | undefined => {
    const value = this.#source.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  readonly saveAnswer: SaveAnswer = (text, version) => this.#source.once?.saveAnswer(text, version) ?? [];
}

export const makeCall = (source: CallSource): Call => new RequestCall(source);

/** A caller's request id is accepted if it is short and printable. */
export function acceptedRequestId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === "string" && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : undefined;
}
