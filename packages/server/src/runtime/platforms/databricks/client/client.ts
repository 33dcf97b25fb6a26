import type { IncomingMessage } from "node:http";
import { backoffMs } from "../../../../core/concurrency/backoff.ts";
import type { Outbound } from "../../../outbound/outbound.ts";
import { OutboundError } from "../../../outbound/outbound-error.ts";
import type { OutboundResponse } from "../../../outbound/outbound-request.ts";
import { errorOf, isTokenRefused } from "./error-response.ts";
import { parseWorkspaceJson } from "./json.ts";
import type { Limiter, LimiterClock } from "./limiter.ts";
import { pathWith, type QueryValues } from "./path.ts";
import type { RequestCounter, RequestOutcome } from "./request-metrics.ts";
import type { TokenSource } from "./token-source.ts";
import { WorkspaceError } from "./workspace-error.ts";

interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest time of one attempt. */
  readonly timeoutMs?: number;
  /** For how long further attempts are started. */
  readonly patienceMs?: number;
  /** The largest response. */
  readonly maxBytes?: number;
}

interface SendOptions extends RequestOptions {
  readonly query?: QueryValues;
  /** The body as it is, instead of JSON: the content of a file. */
  readonly bytes?: Uint8Array;
  /** The request is idempotent, so it is retried after an `open` error. Never true for a create. */
  readonly isIdempotent?: boolean;
}

/**
 * The REST API of one workspace, as one environment uses it. Every failure is a WorkspaceError. A response type lists what
 * the caller reads, and every property that may be missing is optional: nothing checks it. Numbers under `id` and `…_id`
 * are strings; send them with `numericId`.
 */
export interface WorkspaceClient {
  /** `https://…`, without a slash at the end. */
  readonly host: string;
  /** Reads. Retried while the workspace is busy or cannot be reached. */
  get<Response extends object>(
    path: string,
    query?: QueryValues,
    options?: RequestOptions,
  ): Promise<Response>;
  /**
   * Writes. Retried only if it was certainly not done: after 429, and if no connection was made. A success without a
   * body is `{}`.
   */
  send<Response extends object>(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    options?: SendOptions,
  ): Promise<Response>;
  /**
   * Sends a request whose response is read while it arrives, also an error response. The request does not wait for
   * other requests and is not retried; `timeoutMs` is the longest time without a byte.
   */
  open(
    path: string,
    request: {
      readonly body: string | Uint8Array;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
    },
  ): Promise<OpenedResponse>;
  /** The items of a list, page by page. An empty page is not the last one while it has a token. */
  list<Item>(
    path: string,
    key: string,
    query?: QueryValues,
    options?: RequestOptions,
  ): AsyncGenerator<Item, void, undefined>;
}

/** A response whose status and headers have arrived. */
interface OpenedResponse extends AsyncIterable<Buffer> {
  readonly statusCode?: number | undefined;
  readonly headers: { readonly "content-type"?: string | undefined };
}

export interface WorkspaceClientOptions {
  readonly host: string;
  /** The environment that sends the requests. */
  readonly owner: string;
  readonly outbound: Pick<Outbound, "send" | "open">;
  readonly tokens: TokenSource;
  readonly limiter: Limiter;
  readonly clock: LimiterClock & { random(): number };
  readonly counter?: RequestCounter;
}

const defaults = { timeoutMs: 30_000, patienceMs: 20_000, maxBytes: 16 * 1024 * 1024 };
/** The most pages of a list, of 100 items each: more than a workspace can have. */
const mostPages = 10_000;
const never = new AbortController().signal;

interface Attempted extends SendOptions {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
}

/** The value of a secret that is put into a scope, as it is and as JSON writes it: a workspace may repeat what it was sent. */
function secretsOf(body: object | undefined): string[] {
  const value = body && "string_value" in body ? body.string_value : undefined;
  return typeof value === "string" ? [value, JSON.stringify(value).slice(1, -1)] : [];
}

export function createWorkspaceClient(options: WorkspaceClientOptions): WorkspaceClient {
  const { host, owner, outbound, tokens, limiter, clock, counter } = options;

  /** Counts an attempt by its outcome. Requests that their caller gave up do not count. */
  async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const answered = (outcome: RequestOutcome) =>
      counter?.answered(outcome, (performance.now() - began) / 1000);
    try {
      const result = await work();
      answered("ok");
      return result;
    } catch (error) {
      if (error instanceof WorkspaceError) answered(error.kind);
      throw error;
    }
  }

  async function attempt(request: Attempted, token: string): Promise<object> {
    const { method, path, query = {}, body, bytes, signal } = request;
    const what = `${method} ${path}`;
    let response: OutboundResponse;
    try {
      response = await outbound.send({
        url: host + pathWith(path, query),
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json",
          ...(bytes
            ? { "content-type": "application/octet-stream" }
            : body && { "content-type": "application/json" }),
        },
        ...(bytes ? { body: bytes } : body && { body: JSON.stringify(body) }),
        timeoutMs: request.timeoutMs ?? defaults.timeoutMs,
        maxBytes: request.maxBytes ?? defaults.maxBytes,
        ...(signal && { signal }),
      });
    } catch (error) {
      throw error instanceof OutboundError ? unanswered(what, error) : error;
    }
    if (response.status >= 200 && response.status < 300) return contentOf(what, method, response);
    throw errorOf(what, {
      status: response.status,
      body: response.body,
      secrets: [token, ...secretsOf(body)],
      retryAfter: response.headers["retry-after"],
    });
  }

  async function attemptWithToken(request: Attempted, patienceMs: number): Promise<object> {
    const signal = request.signal ?? never;
    const token = await tokens.token(signal);
    const limited = { owner, signal, patienceMs };
    try {
      return await limiter.run(limited, () => counted(() => attempt(request, token)));
    } catch (error) {
      if (!(error instanceof WorkspaceError && isTokenRefused(error) && tokens.refused(token))) throw error;
    }
    // Only once: if a new token is refused, too, another one will not help.
    const renewed = await tokens.token(signal);
    return limiter.run(limited, () => counted(() => attempt(request, renewed)));
  }

  async function request(request: Attempted): Promise<object> {
    const end = clock.now() + (request.patienceMs ?? defaults.patienceMs);
    for (let failures = 1; ; failures++) {
      try {
        return await attemptWithToken(request, end - clock.now());
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error;
        const mayRepeat = error.kind === "busy" || (error.kind === "open" && request.isIdempotent);
        if (!mayRepeat) throw error;
        const waitMs = Math.max(
          backoffMs(failures, 0.5, 8, clock.random),
          (error.retryAfterSeconds ?? 0) * 1000,
        );
        if (error.status === 429) limiter.pause(waitMs);
        if (clock.now() + waitMs > end) throw error;
        await clock.sleep(waitMs, request.signal ?? never);
        if (error.status === 429) counter?.waited(waitMs / 1000);
      }
    }
  }

  const get: WorkspaceClient["get"] = async (path, query = {}, options = {}) =>
    // The caller knows what it reads.
    (await request({ ...options, method: "GET", path, query, isIdempotent: true })) as never;

  async function open(
    path: string,
    request: Parameters<WorkspaceClient["open"]>[1],
    isRenewed = false,
  ): Promise<OpenedResponse> {
    const token = await tokens.token(request.signal);
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const response = await counted(() =>
      outbound.open({ ...request, url: host + path, method: "POST", headers }).catch((error) => {
        throw error instanceof OutboundError ? unanswered(`POST ${path}`, error) : error;
      }),
    );
    const { statusCode: status = 0 } = response;
    if (status !== 401 && status !== 403) return response;
    // After a refused token, the request is sent once more with a new token: the workspace did nothing.
    const body = await startOf(response);
    const error = errorOf(`POST ${path}`, { status, body, secrets: [token] });
    if (!isRenewed && isTokenRefused(error) && tokens.refused(token)) return open(path, request, true);
    throw error;
  }

  return {
    host,
    get,
    open,
    send: async (method, path, body, options = {}) =>
      (await request({ ...options, method, path, body })) as never,
    async *list<Item>(path: string, key: string, query: QueryValues = {}, options: RequestOptions = {}) {
      let token: string | undefined;
      for (let page = 0; page < mostPages; page++) {
        const answer: Readonly<Record<string, unknown>> = await get(
          path,
          { ...query, page_token: token },
          options,
        );
        const items = answer[key] ?? [];
        if (!Array.isArray(items)) throw garbled(`GET ${path}`, `${key} is not a list.`);
        yield* items as Item[];
        const next = answer.next_page_token;
        if (typeof next !== "string" || next === "") return;
        if (next === token) throw garbled(`GET ${path}`, "its next page is the same page.");
        token = next;
      }
      throw garbled(`GET ${path}`, `it has more than ${mostPages} pages.`);
    },
  };
}

/** The first kilobytes of a response, which is an error. */
async function startOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > 64 * 1024) break;
    }
  } catch {
    // What has arrived is enough to say why.
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A request without an answer. */
function unanswered(what: string, error: OutboundError): WorkspaceError {
  const kind = !error.retryable && !error.isSent ? "refused" : error.isSent ? "open" : "busy";
  return new WorkspaceError(kind, `${error.message} (${what})`, { cause: error });
}

const garbled = (what: string, why: string): WorkspaceError =>
  new WorkspaceError("open", `The workspace's answer to ${what} cannot be read: ${why}`);

function contentOf(what: string, method: string, { status, body }: OutboundResponse): object {
  if (status === 204 || (body === "" && method !== "GET")) return {};
  let value: unknown;
  try {
    value = parseWorkspaceJson(body);
  } catch {
    throw garbled(what, /^\s*</.test(body) ? "it is a web page. Is there a proxy in between?" : "no JSON.");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw garbled(what, "it is not a JSON object.");
}
