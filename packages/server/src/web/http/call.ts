import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { ParsedRequest } from "@lakehelm/contract";
import { Problem } from "../../core/errors.ts";
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

const none = Buffer.alloc(0);

/** The caller disconnected before the whole request had arrived. */
export class ClientDisconnected extends Error {}

/** The length of the body; infinite for a chunked body. */
export function announcedLength({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

/** Reads a body of at most `limit` bytes. A longer one is refused as soon as its length is known. */
export function readBytes(
  request: IncomingMessage,
  response: Pick<ServerResponse, "writeContinue">,
  limit: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => new Problem("tooLarge", `The request body has more than ${limit} bytes.`);
    const announced = announcedLength(request);
    if (announced === 0) return resolve(none);
    if (announced > limit && announced !== Number.POSITIVE_INFINITY) return reject(tooLarge());
    // 100 Continue is sent only now: caller and size are known.
    if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return reject(tooLarge());
      chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // Checked first: every request ends with a close, and creating an unused error costs more than reading a small body.
    request.on("close", () => request.complete || reject(new ClientDisconnected()));
    request.on("error", () => reject(new ClientDisconnected()));
  });
}
