import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import {
  acceptsDryRun,
  type DeprecatedParts,
  deprecatedParts,
  deprecationHeaders,
  type Endpoint,
  type EndpointBody,
  endpoints,
  type ParsedRequest,
  requestParser,
} from "@lakehelm/contract";
import { conformanceError, decodeJson, encodeJson, type ValidationError } from "@lakehelm/contract/schema";
import type { Logger } from "pino";
import type { DataFolderHolder } from "../../core/data-folder-holder.ts";
import { InvalidRequest, NotTransactional, notFound, Problem, unreadable } from "../../core/errors.ts";
import type { System } from "../../core/system.ts";
import type { Settings } from "../../settings.ts";
import type { Console } from "../console/console.ts";
import { hasSharedDefinitions, visiblePart } from "./authorization.ts";
import {
  type Authenticate,
  acceptedRequestId,
  announcedLength,
  ClientDisconnected,
  type Guard,
  isServerAdmin,
  makeCall,
  originForm,
  type RateLimit,
  readBytes,
} from "./call.ts";
import { createClientErrorAnswer } from "./client-error.ts";
import type { Docs, DocsPage } from "./docs.ts";
import { errorResponse } from "./errors.ts";
import { sendEventStream } from "./event-stream.ts";
import type { Call, Caller, HandlerResult } from "./handler.ts";
import { DuplicateRequest, type IdempotentRequest, type StoredAnswer } from "./idempotency.ts";
import type { Metrics, Observe } from "./metrics.ts";
import { isNotModified } from "./preconditions.ts";
import { type Relay, relayHeader } from "./relay.ts";
import { computedTag, detailText, sendEarly, sendJson, sendNotModified, versionHeader } from "./reply.ts";
import type { RequestTraces } from "./request-traces.ts";
import { createRouter, type Match } from "./router.ts";
import type { Service, TransactionalService } from "./service.ts";
import { largeAnswer, type StreamLimits } from "./stream-limits.ts";
import { errorLocations, limitedErrors } from "./validation-answer.ts";
import { readYamlBody } from "./yaml-body.ts";

export interface AppDependencies {
  readonly settings: Settings;
  readonly system: System;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly traces?: RequestTraces | undefined;
  readonly service: Service;
  /** Serves requests whose changes are rolled back. */
  readonly transactional: () => Promise<TransactionalService>;
  readonly guard: Guard;
  /** The limit of callers that the guard counts with; its state is in the headers of answers. */
  readonly perCaller?: RateLimit | undefined;
  /** The limit of addresses that the guard counts with. */
  readonly perAddress?: RateLimit | undefined;
  /** Authenticates again while a stream is open. */
  readonly authenticate: Authenticate;
  readonly streams: StreamLimits;
  readonly docs: Docs;
  /** Undefined: this server has no console. */
  readonly console?: Console | undefined;
  readonly relay: Relay;
  /** The holder of the data folder, which some endpoints need. */
  readonly holder: () => DataFolderHolder;
  /** Aborted when the server stops: streams end then. */
  readonly stopping: AbortSignal;
  /** In tests: other declarations of the endpoints. */
  readonly endpoints?: Readonly<Record<string, Endpoint>> | undefined;
  /** In tests: an answer that does not match its schema is an error. */
  readonly checkAnswers: boolean;
}

/** What a route needs to serve its endpoint. */
interface RouteTarget {
  readonly name: keyof typeof endpoints;
  readonly read: ReturnType<typeof requestParser>;
  readonly bodyLimit: number;
  readonly observe: Observe;
  /** Undefined if nothing of the endpoint is deprecated. */
  readonly deprecated: DeprecatedParts | undefined;
}

/** A request being served. */
interface HttpExchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly match: Match<RouteTarget>;
  readonly started: number;
  /** Once known, if its requests are limited. */
  limitedCaller?: string;
  isDryRun?: true;
}

/** A request that was read and validated. */
interface ReadRequest {
  readonly endpoint: Endpoint;
  readonly name: keyof typeof endpoints;
  readonly caller: Caller;
  readonly read: ParsedRequest;
  /** The path parameters as they were sent. */
  readonly params: Readonly<Record<string, string>>;
  readonly sent: Buffer | undefined;
  readonly yaml: string | undefined;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly client: () => string;
  readonly signal: () => AbortSignal;
}

type Handle = (call: Call) => HandlerResult<unknown> | Promise<HandlerResult<unknown>>;

/** The answer of a handler, or the stored one of an earlier request with the same key. */
type Answer = HandlerResult<unknown> | { readonly stored: StoredAnswer };

/** Headers fit into one packet or two: a client that takes longer only holds a connection. */
const headersTimeoutMs = 20_000;

/** A connection without traffic for this long is closed: also one whose client does not read the answer. */
const silentMs = 600_000;

/** Serves the contract over HTTP. Every request takes the same path: caller, route, body, rules, answer. */
export function createApp(deps: AppDependencies): Server {
  const { settings, system, log, metrics, traces, guard, streams } = deps;
  const route = createRouter(
    Object.entries<Endpoint>(deps.endpoints ?? endpoints).map(([name, endpoint]) => ({
      endpoint,
      target: targetOf(name as keyof typeof endpoints, endpoint),
    })),
  );
  const observeUnknown = metrics.observer("none");
  const logsRequests = log.isLevelEnabled("debug");
  let lastLimitedMs = Number.NEGATIVE_INFINITY;

  const requestTimeout = settings.PLATFORM_REQUEST_TIMEOUT_MS;
  const server = createServer({
    keepAliveTimeout: 72_000,
    requestTimeout,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeout),
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
    // Node's own error response has no body; `serve` answers in our error format.
    requireHostHeader: false,
    // A request without a body then has no stream to end, which saves a third of the time of a GET.
    optimizeEmptyRequests: true,
  });
  server.timeout = silentMs;
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
    const url = originForm(request.url as string);
    request.url = url;
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const exchange: HttpExchange = {
      id: acceptedRequestId(request.headers["x-request-id"]) ?? system.newId(),
      request,
      response,
      path,
      match: route(request.method as string, path),
      started: performance.now(),
    };
    const answer = () =>
      serve(exchange).then(
        () => done(exchange),
        (error) => {
          fail(exchange, error);
          done(exchange);
        },
      );
    if (traces) void traces.trace({ ...exchange, route: routeOf(exchange) }, answer);
    else void answer();
  }

  function targetOf(name: keyof typeof endpoints, endpoint: Endpoint): RouteTarget {
    const large = endpoint.bodyLimit === "codegen";
    return {
      name,
      read: requestParser(endpoint.readBy === "handler" ? { ...endpoint, body: "bytes" } : endpoint),
      bodyLimit: large ? settings.PLATFORM_CODEGEN_BODY_LIMIT_BYTES : settings.PLATFORM_BODY_LIMIT_BYTES,
      observe: metrics.observer(name),
      deprecated: deprecatedParts(endpoint),
    };
  }

  async function serve(exchange: HttpExchange): Promise<void> {
    const { match, request, path } = exchange;
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      throw unreadable("The request has no Host header.");
    }
    if (request.headers[relayHeader] !== undefined) deps.relay.requireGenuine(request);
    if (match.kind !== "found") {
      const reads = request.method === "GET" || request.method === "HEAD";
      const shown = reads ? await deps.console?.answer(path, request.headers) : undefined;
      if (shown) {
        const { status, headers, body } = shown;
        const length = Buffer.byteLength(body);
        exchange.response.writeHead(status, {
          ...headers,
          "content-length": length,
          "x-request-id": exchange.id,
        });
        return void exchange.response.end(body);
      }
      const page = reads ? await deps.docs.page(path) : undefined;
      // An unauthenticated caller must not learn whether a path exists.
      if (!page || settings.PLATFORM_ENV === "production") await guard(request, "viewer");
      if (!page) throw nowhere(match);
      return sendPage(exchange, page);
    }
    const { endpoint, target } = match.route;
    const admitted = guard(request, endpoint.access);
    const caller = admitted instanceof Promise ? await admitted : admitted;
    if (deps.perCaller && endpoint.access !== "public") exchange.limitedCaller = caller.name;
    if (streams.unread.bytes > 0) streams.requireRoom(caller.name);

    if (endpoint.needsData) {
      const isForwarded = await deps.relay.forward(deps.holder(), request, exchange.response, exchange.id);
      if (isForwarded) return;
    }
    const sent = endpoint.body ? await readBody(exchange, target.bodyLimit, caller) : undefined;
    if (target.deprecated) {
      const headers = deprecationHeaders(target.deprecated, request.url as string, sent);
      for (const [name, value] of Object.entries(headers)) exchange.response.setHeader(name, value);
    }
    const contentType = request.headers["content-type"];
    const yaml = endpoint.yaml ? await readYamlBody(sent, contentType, caller.name) : undefined;
    const reading = target.read({
      params: match.params,
      url: request.url as string,
      body: sent,
      contentType,
      decoded: yaml?.decoded,
    });
    const read = yaml ? yaml.located(reading) : reading;
    const isRefused = !("body" in read) || read.isDryRun;
    // Other credential exchanges count where their user is known.
    if (isRefused && endpoint.access === "public" && endpoint.body)
      deps.perAddress?.count(deps.relay.addressOf(request));
    if ("unreadable" in read) throw unreadable(read.unreadable);
    if ("errors" in read) return sendErrors(exchange, read.errors);
    // No name of ours contains NUL, and PostgreSQL rejects it.
    if (path.includes("%00") && !endpoint.answersUnknownNames) throw nowhere({ kind: "unknown" });

    const asked: ReadRequest = {
      endpoint,
      name: target.name,
      caller,
      read,
      params: match.params,
      sent,
      yaml: yaml?.text,
      id: exchange.id,
      headers: request.headers,
      url: request.url as string,
      client: () => deps.relay.addressOf(request),
      signal: () => signalOf(exchange),
    };
    const carrying =
      target.name === "runBatch"
        ? batch(exchange, asked)
        : read.isDryRun
          ? dryRun(exchange, asked)
          : carryOut(deps.service, asked);
    const answer = carrying instanceof Promise ? await carrying : carrying;
    if ("stored" in answer) return replay(exchange, answer.stored, caller);
    // Most answers are sent by now; only streams are awaited.
    const sending = send(exchange, endpoint, answer, caller, read.ignored);
    if (sending) await sending;
  }

  function readBody({ request, response }: HttpExchange, limit: number, caller: Caller): Promise<Buffer> {
    return readBytes(request, response, limit, (length) => streams.holdBody(caller.name, response, length));
  }

  /** Authorizes a request and lets its handler answer. An answer that is known needs no promise. */
  function carryOut(service: Service, asked: ReadRequest): Answer | Promise<Answer> {
    const authorized = authorize(service, asked);
    if (authorized instanceof Promise) return authorized.then((caller) => answerOnce(service, asked, caller));
    return answerOnce(service, asked, authorized);
  }

  function answerOnce(service: Service, asked: ReadRequest, caller: Caller): Answer | Promise<Answer> {
    const handle = service.handlers[asked.name as keyof Service["handlers"]] as Handle;
    const once = asked.endpoint.creates ? onceOf(service, asked) : undefined;
    return once ? answerWithKey(once, handle, asked, caller) : handle(callOf(asked, caller, undefined));
  }

  /** The stored answer if an earlier request with the same key was answered. */
  async function answerWithKey(
    once: IdempotentRequest,
    handle: Handle,
    asked: ReadRequest,
    caller: Caller,
  ): Promise<Answer> {
    const stored = await once.find();
    if (stored) return { stored };
    const call = callOf(asked, caller, once);
    try {
      const answer = await handle(call);
      await saveFinalAnswer(once, call, answer);
      return answer;
    } catch (error) {
      // The same idempotency key was used concurrently: the other request has created the resource or taken its name.
      const taken =
        error instanceof DuplicateRequest || (error instanceof Problem && error.kind === "conflict");
      const first = taken ? await once.find() : undefined;
      if (!first) throw error;
      return { stored: first };
    }
  }

  function callOf(asked: ReadRequest, caller: Caller, once: IdempotentRequest | undefined): Call {
    const { read, yaml, headers, id: requestId, client, signal } = asked;
    return makeCall({ read, yaml, headers, caller, requestId, client, once, now: system.now, signal });
  }

  /** The caller with its role where the request acts. */
  function authorize(service: Service, asked: ReadRequest): Caller | Promise<Caller> {
    const { endpoint, caller, params, read, headers } = asked;
    if (endpoint.access === "public" || isServerAdmin(caller)) return caller;
    const environment = environmentOf(endpoint, headers, read.query);
    return service.authorize(endpoint, caller, { params, body: read.body, environment });
  }

  /** The answer that the request would get. Nothing is written. */
  async function dryRun(exchange: HttpExchange, asked: ReadRequest): Promise<Answer> {
    exchange.isDryRun = true;
    const { endpoint, caller, signal } = asked;
    if (endpoint.readOnly) return carryOut(deps.service, asked);
    if (!acceptsDryRun(endpoint)) {
      await authorize(deps.service, asked);
      throw new NotTransactional(endpoint.effect ?? "cannot be tried");
    }
    const { dryRun } = await deps.transactional();
    return dryRun(caller.name, signal(), async (service) => carryOut(service, asked));
  }

  /** Each operation of a batch takes the path of a request. */
  async function batch(exchange: HttpExchange, asked: ReadRequest): Promise<Answer> {
    const { read, signal, id, client } = asked;
    if (read.isDryRun) exchange.isDryRun = true;
    const { runBatch } = await import("./batch.ts");
    const text = await runBatch({
      request: read.body as EndpointBody<typeof endpoints.runBatch>,
      isDryRun: read.isDryRun ?? false,
      caller: asked.caller,
      signal: signal(),
      service: deps.service,
      transactional: deps.transactional,
      route,
      /** Counts for the rate limit, and checks that the credential is still valid. */
      admit: (access) => guard(exchange.request, access),
      async carryOut(service, { endpoint, target, caller, read, params, sent, headers, url, at }) {
        const answer = await carryOut(service, {
          endpoint,
          name: target.name,
          caller,
          read,
          params,
          sent,
          yaml: undefined,
          id: `${id}/${at}`,
          headers,
          url,
          client,
          signal,
        });
        if ("stored" in answer) return { ...answer.stored, isReplayed: true };
        if ("errors" in answer) return answer;
        if ("text" in answer || "body" in answer) {
          const text = visibleText(endpoint, jsonOf(answer), caller);
          if (deps.checkAnswers) assertConforms(endpoint, text);
          return { text, version: answer.version };
        }
        if ("stream" in answer) answer.stream.destroy();
        throw new NotTransactional("answers with something other than JSON");
      },
      onError: (error, at) => log.error({ ...line(exchange), operation: at, err: error }, "failed"),
    });
    return { text };
  }

  function signalOf({ response }: HttpExchange): AbortSignal {
    return AbortSignal.any([goneSignal(response), deps.stopping]);
  }

  /** Adds the state of the caller's rate limit, and whether it is a dry run. */
  function withLimit({ limitedCaller, isDryRun }: HttpExchange, headers: string[]): string[] {
    if (limitedCaller !== undefined) deps.perCaller?.addHeaders(limitedCaller, headers);
    if (isDryRun) headers.push("dry-run", "true");
    return headers;
  }

  /** The input is echoed to its sender and never logged: it may contain secrets. */
  function sendErrors(exchange: HttpExchange, errors: readonly ValidationError[]): void {
    log.info({ ...line(exchange), status: 422, locations: errorLocations(errors) }, "refused");
    const text = detailText(limitedErrors(errors));
    sendJson(exchange.response, 422, exchange.id, text, withLimit(exchange, []));
  }

  function onceOf({ idempotency }: Service, asked: ReadRequest): IdempotentRequest | undefined {
    const { name, caller, read, sent, headers, url } = asked;
    const { params, query, body } = read;
    const key = headers["idempotency-key"];
    if (key === undefined) return undefined;
    const environment = String(headers["x-environment-id"] ?? "");
    return idempotency.once(caller.name, name, String(key), {
      meaning: { params, query, environment, body },
      bytes: [url, environment, sent],
    });
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
    caller: Caller,
    ignored: readonly string[] | undefined,
  ): Promise<void> | undefined {
    const { response, id } = exchange;
    if ("errors" in answer) return void sendErrors(exchange, answer.errors);
    if ("messages" in answer || "stream" in answer) endWithCaller(exchange, caller);
    if ("messages" in answer) {
      return streams.run(caller.name, () => sendEventStream(response, id, answer.messages));
    }
    if ("stream" in answer) {
      if (answer.etag !== undefined && hasAnswer(exchange, endpoint, answer.etag)) {
        answer.stream.destroy();
        return void sendNotModified(response, id, answer.etag);
      }
      if (!answer.contentType.startsWith("text/event-stream")) return sendStream(exchange, answer);
      try {
        return streams.run(caller.name, () => sendStream(exchange, answer));
      } catch (error) {
        answer.stream.destroy();
        throw error;
      }
    }
    if ("bytes" in answer) {
      const { bytes, contentType } = answer;
      const length = Buffer.byteLength(bytes);
      countAnswer(response, caller, length, endpoint);
      const lengthText = String(length);
      response.writeHead(200, [
        "content-type",
        contentType,
        "content-length",
        lengthText,
        "x-request-id",
        id,
      ]);
      response.end(bytes);
      return undefined;
    }
    const whole = jsonOf(answer);
    const text = visibleText(endpoint, whole, caller);
    if (deps.checkAnswers) assertConforms(endpoint, text);
    const { version } = answer;
    const isComputed = "isComputed" in answer || text !== whole;
    const header =
      isComputed && version !== undefined && endpoint.method === "GET"
        ? ["etag", computedTag(version, text)]
        : versionHeader(version);
    const tag = header[1];
    if (tag !== undefined && hasAnswer(exchange, endpoint, tag)) {
      sendNotModified(response, id, tag);
      return undefined;
    }
    countAnswer(response, caller, text.length, endpoint);
    if (ignored) header.push(ignoredHeader, namesIn(ignored));
    const status = ("status" in answer && answer.status) || 200;
    sendJson(response, status, id, text, withLimit(exchange, header));
    return undefined;
  }

  /** Throws if the caller has too many unread answers by now, unless the request has changed something. */
  function countAnswer(response: ServerResponse, caller: Caller, length: number, endpoint?: Endpoint): void {
    if (endpoint?.access === "viewer" && streams.unread.bytes > 0) streams.requireRoom(caller.name);
    if (length >= largeAnswer) streams.hold(caller.name, response, length);
    deps.perCaller?.countAnswer(caller.name, length);
  }

  function hasAnswer({ request }: HttpExchange, { method }: Endpoint, tag: string): boolean {
    return method === "GET" && isNotModified(request.headers["if-none-match"], tag);
  }

  function sendStream(
    { response, id }: HttpExchange,
    { stream, contentType, etag, status = 200 }: Extract<HandlerResult<unknown>, { stream: unknown }>,
  ): Promise<void> {
    const headers = ["content-type", contentType, "x-request-id", id];
    response.writeHead(status, etag ? [...headers, "etag", etag] : headers);
    // The first event may take long.
    if (contentType.startsWith("text/event-stream")) response.flushHeaders();
    return pipeline(stream, response).catch((error) => {
      throw error.code === "ERR_STREAM_PREMATURE_CLOSE" ? new ClientDisconnected() : error;
    });
  }

  /** An open stream ends within seconds once its caller, or a role of the caller, is no longer valid. */
  function endWithCaller({ request, response }: HttpExchange, before: Caller): void {
    const check = setInterval(async () => {
      try {
        const now = await deps.authenticate(request.headers);
        if (!isDeepStrictEqual(now, before)) response.destroy();
      } catch (error) {
        // Without its database the server cannot tell: the stream stays.
        if (error instanceof Problem && error.kind !== "unavailable") response.destroy();
      }
    }, callerCheckMs).unref();
    response.once("close", () => clearInterval(check));
  }

  function replay(exchange: HttpExchange, { text, version }: StoredAnswer, caller: Caller): void {
    const { response, id } = exchange;
    countAnswer(response, caller, text.length);
    const headers = [...versionHeader(version), "idempotency-replayed", "true"];
    sendJson(response, 200, id, text, withLimit(exchange, headers));
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
    if (isDisconnect(error)) {
      response.statusCode = gone;
      return void log.debug(line(exchange), "the client disconnected");
    }
    if (error instanceof InvalidRequest && !response.headersSent) {
      const { loc, message: msg, input } = error;
      return void sendErrors(exchange, [{ type: "value_error", loc: [...loc], msg, input }]);
    }
    if (error instanceof NotTransactional && !response.headersSent) {
      const [loc, msg] = [["query", "dry_run"], error.message];
      return void sendErrors(exchange, [{ type: "value_error", loc, msg, input: "true" }]);
    }
    const { status, detail, headers, unexpected } = errorResponse(error);
    if (unexpected) log.error({ ...line(exchange), err: error }, "failed");
    else if (status !== 429 || logsLimited())
      log.info({ ...line(exchange), status, detail, cause: causeOf(error) }, "refused");
    if (response.headersSent) return void response.destroy();
    const text = detailText(detail);
    // Node drains an unread body; for a long one, closing the connection is cheaper.
    const isLong = announcedLength(request) > settings.PLATFORM_BODY_LIMIT_BYTES;
    if (isLong && !request.complete) sendEarly(request, response, status, id, text, headers);
    else sendJson(response, status, id, text, withLimit(exchange, [...headers]));
  }

  /** A flood would fill the log with equal lines: one each second is enough, metrics count all of them. */
  function logsLimited(): boolean {
    const now = performance.now();
    if (now - lastLimitedMs < 1_000) return false;
    lastLimitedMs = now;
    return true;
  }

  function done(exchange: HttpExchange): void {
    const { match, response, started } = exchange;
    const observe = match.kind === "found" ? match.route.target.observe : observeUnknown;
    observe(response.statusCode, (performance.now() - started) / 1000);
    if (logsRequests) log.debug({ ...line(exchange), status: response.statusCode }, "answered");
  }
}

const routeOf = ({ match }: HttpExchange) => (match.kind === "found" ? match.route.endpoint.path : undefined);

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

/** How often an open stream checks its caller. */
const callerCheckMs = 5_000;

/** Work that a disconnect interrupts fails with it, or with an error that it caused. */
const isDisconnect = (error: unknown): boolean =>
  error instanceof ClientDisconnected ||
  (error instanceof Error && error.cause instanceof ClientDisconnected);

/** The status that metrics count if the caller disconnected before the answer. */
const gone = 499;

/** An answer as far as the caller may see it. */
const visibleText = (endpoint: Endpoint, whole: string, caller: Caller): string =>
  hasSharedDefinitions(endpoint) && !isServerAdmin(caller) ? visiblePart(whole, caller) : whole;

const jsonOf = (answer: Extract<HandlerResult<unknown>, { text: string } | { body: unknown }>): string =>
  "text" in answer ? answer.text : encodeJson(answer.body);

/** Without the query string: people put tokens there by mistake. */
const line = ({ id, request, path }: Pick<HttpExchange, "id" | "request" | "path">) => ({
  request: id,
  method: request.method,
  path,
});

/** Node joins all but a few headers that were sent twice. */
const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** A list takes its environment from the header or from the parameter; a handler refuses two different ones. */
function environmentOf({ scope }: Endpoint, headers: IncomingHttpHeaders, query: object): string | undefined {
  const header = headerText(headers["x-environment-id"]);
  if (header !== undefined || scope !== "list") return header;
  return (query as { readonly environment?: string }).environment;
}

/** Names the query parameters that a list of the contract has ignored. */
const ignoredHeader = "x-ignored-parameters";
const maxIgnored = 20;

const namesIn = (names: readonly string[]) =>
  names
    .slice(0, maxIgnored)
    .map((name) => encodeURIComponent(name.slice(0, 100).toWellFormed()))
    .join(", ");

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // Every answer ends with a close.
  response.on("close", () =>
    controller.abort(response.writableFinished ? undefined : new ClientDisconnected()),
  );
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
