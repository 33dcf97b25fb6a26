import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Endpoint, endpoints, requestParser } from "@lakehelm/contract";
import { conformanceError, decodeJson, encodeJson, type ValidationError } from "@lakehelm/contract/schema";
import type { Logger } from "pino";
import type { DataFolderHolder } from "../../core/data-folder-holder.ts";
import { notFound, Problem, unreadable } from "../../core/errors.ts";
import type { System } from "../../core/system.ts";
import type { Settings } from "../../settings.ts";
import { acceptedRequestId, announcedLength, ClientDisconnected, makeCall, readBytes } from "./call.ts";
import type { Caller, Guard } from "./caller.ts";
import { createClientErrorAnswer } from "./client-error.ts";
import type { Docs, DocsPage } from "./docs.ts";
import { errorResponse } from "./errors.ts";
import { sendEventStream } from "./event-stream.ts";
import type { Call, HandlerResult, Handlers } from "./handler.ts";
import {
  DuplicateRequest,
  type Idempotency,
  type IdempotentRequest,
  type StoredAnswer,
} from "./idempotency.ts";
import type { Metrics, Observe } from "./metrics.ts";
import { relay } from "./relay.ts";
import { detailText, sendEarly, sendJson, versionHeader } from "./reply.ts";
import { createRouter, type Match } from "./router.ts";
import { readYamlBody } from "./yaml-body.ts";

export interface AppDependencies {
  readonly settings: Settings;
  readonly system: System;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly idempotency: Idempotency;
  readonly guard: Guard;
  readonly docs: Docs;
  readonly handlers: Handlers<typeof endpoints>;
  /** The holder of the data folder, which some endpoints need. */
  readonly holder: () => DataFolderHolder;
  /** Aborted when the server stops: streams end then. */
  readonly stopping: AbortSignal;
  /** In tests: an answer that does not match its schema is an error. */
  readonly checkAnswers: boolean;
}

/** What a route needs to serve its endpoint. */
interface RouteTarget {
  readonly name: string;
  readonly read: ReturnType<typeof requestParser>;
  readonly handler: (call: Call) => Promise<HandlerResult<unknown>>;
  readonly bodyLimit: number;
  readonly observe: Observe;
}

/** A request being served. */
interface HttpExchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly match: Match<RouteTarget>;
  readonly started: number;
}

/** Serves the contract over HTTP. Every request takes the same path: caller, route, body, rules, answer. */
export function createApp(deps: AppDependencies): Server {
  const { settings, system, log, metrics, guard, idempotency } = deps;
  const route = createRouter(
    Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
      endpoint,
      target: targetOf(name, endpoint),
    })),
  );
  const observeUnknown = metrics.observer("none");
  const logsRequests = log.isLevelEnabled("debug");

  const requestTimeout = settings.PLATFORM_REQUEST_TIMEOUT_MS;
  const server = createServer({
    keepAliveTimeout: 72_000,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
    // Node's own error response has no body; `serve` answers in our error format.
    requireHostHeader: false,
    // A request without a body then has no stream to end, which saves a third of the time of a GET.
    optimizeEmptyRequests: true,
  });
  const answerClientError = createClientErrorAnswer(system.newId, log);
  server.on("clientError", answerClientError);
  server.on("connect", (_, socket) => answerClientError({ code: "HPE_INVALID_METHOD" }, socket));
  server.on("request", accept);
  // 100 Continue is sent only when the body is about to be read.
  server.on("checkContinue", accept);
  server.on("checkExpectation", accept);
  deps.stopping.addEventListener("abort", () => {
    // Node closes connections that are idle now; those that become idle later would delay the stop.
    const sweep = setInterval(() => server.closeIdleConnections(), 20).unref();
    server.once("close", () => clearInterval(sweep));
  });
  return server;

  function accept(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url as string;
    const query = url.indexOf("?");
    const path = pathOf(query < 0 ? url : url.slice(0, query));
    const exchange: HttpExchange = {
      id: acceptedRequestId(request.headers["x-request-id"]) ?? system.newId(),
      request,
      response,
      path,
      match: route(request.method as string, path),
      started: performance.now(),
    };
    serve(exchange).then(
      () => done(exchange),
      (error) => {
        fail(exchange, error);
        done(exchange);
      },
    );
  }

  function targetOf(name: string, endpoint: Endpoint): RouteTarget {
    const large = endpoint.bodyLimit === "codegen";
    return {
      name,
      read: requestParser(endpoint.readBy === "handler" ? { ...endpoint, body: "bytes" } : endpoint),
      handler: deps.handlers[name as keyof typeof endpoints] as RouteTarget["handler"],
      bodyLimit: large ? settings.PLATFORM_CODEGEN_BODY_LIMIT_BYTES : settings.PLATFORM_BODY_LIMIT_BYTES,
      observe: metrics.observer(name),
    };
  }

  async function serve(exchange: HttpExchange): Promise<void> {
    const { match, request, path } = exchange;
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      throw unreadable("The request has no Host header.");
    }
    if (match.kind !== "found") {
      const reads = request.method === "GET" || request.method === "HEAD";
      const page = reads ? await deps.docs.page(path) : undefined;
      // An unauthenticated caller must not learn whether a path exists.
      if (!page || settings.PLATFORM_ENV === "production") await guard(request.headers, "viewer");
      if (!page) throw nowhere(match);
      return sendPage(exchange, page);
    }
    const { endpoint, target } = match.route;
    const admitted = guard(request.headers, endpoint.access);
    const caller = admitted instanceof Promise ? await admitted : admitted;

    if (endpoint.needsData && (await relay(deps.holder(), request, exchange.response, exchange.id))) return;
    const sent = endpoint.body ? await readBytes(request, exchange.response, target.bodyLimit) : undefined;
    const contentType = request.headers["content-type"];
    const yaml = endpoint.yaml ? readYamlBody(sent, contentType) : undefined;
    const reading = target.read({
      params: match.params,
      url: request.url as string,
      body: sent,
      contentType,
      decoded: yaml?.decoded,
    });
    const read = yaml ? yaml.located(reading) : reading;
    if ("unreadable" in read) throw unreadable(read.unreadable);
    if ("errors" in read) return sendErrors(exchange, read.errors);

    const once = endpoint.creates ? onceOf(exchange, target, caller, sent) : undefined;
    const stored = once && (await once.find());
    if (stored) return replay(exchange, stored);
    const call = makeCall({
      read,
      yaml: yaml?.text,
      headers: request.headers,
      caller,
      requestId: exchange.id,
      client: () => request.socket.remoteAddress ?? "",
      once,
      now: system.now,
      signal: () => AbortSignal.any([goneSignal(exchange.response), deps.stopping]),
    });
    try {
      const answer = await target.handler(call);
      if (once) await saveFinalAnswer(once, call, answer);
      // Most answers are sent by now; only streams are awaited.
      const sending = send(exchange, endpoint, answer);
      if (sending) await sending;
    } catch (error) {
      // The same idempotency key was used concurrently: the other request has created the resource or taken its name.
      const taken =
        error instanceof DuplicateRequest || (error instanceof Problem && error.kind === "conflict");
      const first = taken ? await once?.find() : undefined;
      if (!first) throw error;
      replay(exchange, first);
    }
  }

  /** The input is echoed to its sender and never logged: it may contain secrets. */
  function sendErrors(exchange: HttpExchange, errors: readonly ValidationError[]): void {
    const locations = errors.map(({ type, loc }) => [type, ...loc].join(" "));
    log.info({ ...line(exchange), status: 422, locations }, "refused");
    sendJson(exchange.response, 422, exchange.id, detailText(errors));
  }

  function onceOf(
    { request }: HttpExchange,
    target: RouteTarget,
    caller: Caller,
    sent?: Buffer,
  ): IdempotentRequest | undefined {
    const key = request.headers["idempotency-key"];
    if (key === undefined) return undefined;
    const environment = request.headers["x-environment-id"];
    const identifying = [request.url, String(environment ?? ""), sent];
    return idempotency.once(caller.name, target.name, String(key), identifying);
  }

  /** Stores the final answer for the idempotency key. Endpoints that create never answer with a stream. */
  async function saveFinalAnswer(
    once: IdempotentRequest,
    call: Call,
    answer: HandlerResult<unknown>,
  ): Promise<void> {
    if ("text" in answer || "body" in answer)
      await once.saveFinal(jsonOf(answer), answer.version, call.context);
  }

  function send(
    exchange: HttpExchange,
    endpoint: Endpoint,
    answer: HandlerResult<unknown>,
  ): Promise<void> | undefined {
    const { response, id } = exchange;
    if ("errors" in answer) return void sendErrors(exchange, answer.errors);
    if ("messages" in answer) return sendEventStream(response, id, answer.messages);
    if ("stream" in answer) {
      const { stream, contentType, etag, status = 200 } = answer;
      const headers = ["content-type", contentType, "x-request-id", id];
      response.writeHead(status, etag ? [...headers, "etag", etag] : headers);
      // The first event may take long.
      if (contentType.startsWith("text/event-stream")) response.flushHeaders();
      return pipeline(stream, response).catch((error) => {
        throw error.code === "ERR_STREAM_PREMATURE_CLOSE" ? new ClientDisconnected() : error;
      });
    }
    if ("bytes" in answer) {
      const { bytes, contentType } = answer;
      const length = String(Buffer.byteLength(bytes));
      response.writeHead(200, ["content-type", contentType, "content-length", length, "x-request-id", id]);
      response.end(bytes);
      return undefined;
    }
    const text = jsonOf(answer);
    if (deps.checkAnswers) assertConforms(endpoint, text);
    sendJson(response, ("status" in answer && answer.status) || 200, id, text, versionHeader(answer.version));
    return undefined;
  }

  function replay({ response, id }: HttpExchange, { text, version }: StoredAnswer): void {
    sendJson(response, 200, id, text, [...versionHeader(version), "idempotency-replayed", "true"]);
  }

  function sendPage({ response, id }: HttpExchange, page: DocsPage): void {
    response.writeHead(200, {
      ...page.headers,
      "content-type": page.contentType,
      "content-length": Buffer.byteLength(page.body),
      "x-request-id": id,
    });
    response.end(page.body);
  }

  function fail(exchange: HttpExchange, error: unknown): void {
    const { response, request, id } = exchange;
    if (error instanceof ClientDisconnected) {
      response.statusCode = gone;
      return void log.debug(line(exchange), "the client disconnected");
    }
    const { status, detail, headers, unexpected } = errorResponse(error);
    if (unexpected) log.error({ ...line(exchange), err: error }, "failed");
    else log.info({ ...line(exchange), status, detail, cause: causeOf(error) }, "refused");
    if (response.headersSent) return void response.destroy();
    const text = detailText(detail);
    // Node drains an unread body; for a long one, closing the connection is cheaper.
    const isLong = announcedLength(request) > settings.PLATFORM_BODY_LIMIT_BYTES;
    if (isLong && !request.complete) sendEarly(request, response, status, id, text, headers);
    else sendJson(response, status, id, text, headers);
  }

  function done(exchange: HttpExchange): void {
    const { match, response, started } = exchange;
    const observe = match.kind === "found" ? match.route.target.observe : observeUnknown;
    observe(response.statusCode, (performance.now() - started) / 1000);
    if (logsRequests) log.debug({ ...line(exchange), status: response.statusCode }, "answered");
  }
}

function nowhere(match: Match<RouteTarget>): Problem {
  if (match.kind === "wrongMethod") {
    const headers = ["allow", match.allowed.join(", ")];
    return new Problem("wrongMethod", "This path does not support this method.", { headers });
  }
  if (match.kind === "malformed") {
    return unreadable("The path has invalid percent-encoding.");
  }
  return notFound("There is no endpoint at this path.");
}

/** A proxy may send the absolute URL (RFC 9112, 3.2.2): only its path matters. */
const pathOf = (target: string) =>
  target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/]*/i, "") || "/";

/** The status that metrics count if the caller disconnected before the answer. */
const gone = 499;

const jsonOf = (answer: Extract<HandlerResult<unknown>, { text: string } | { body: unknown }>): string =>
  "text" in answer ? answer.text : encodeJson(answer.body);

/** Without the query string: people put tokens there by mistake. */
const line = ({ id, request, path }: Pick<HttpExchange, "id" | "request" | "path">) => ({
  request: id,
  method: request.method,
  path,
});

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on("close", () => controller.abort());
  return controller.signal;
}

function causeOf(error: unknown): string | undefined {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : undefined;
}

function assertConforms(endpoint: Endpoint, text: string): void {
  const read = decodeJson(text);
  const problem = "value" in read ? conformanceError(endpoint.response, read.value) : "it is not JSON";
  if (problem !== undefined) throw new Error(`The answer of ${endpoint.method} ${endpoint.path}: ${problem}`);
}
