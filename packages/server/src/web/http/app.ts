import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  deprecatedParts,
  deprecationHeaders,
  type Endpoint,
  endpoints,
  errorStatusesOf,
  requestParser,
} from "@lakehelm/contract";
import { type DecodedBody, longBody, readLongBody } from "@lakehelm/contract/schema";
import type { Logger } from "pino";
import { turns } from "../../core/concurrency/turns.ts";
import type { DataFolderHolder } from "../../core/data-folder-holder.ts";
import { InvalidRequest, NotTransactional, notFound, Problem, unreadable } from "../../core/errors.ts";
import type { System } from "../../core/system.ts";
import type { Settings } from "../../settings.ts";
import type { Console } from "../console/console.ts";
import {
  type Authenticate,
  acceptedRequestId,
  announcedLength,
  ClientDisconnected,
  type Guard,
  originForm,
  type RateLimit,
  readBytes,
} from "./call.ts";
import { createClientErrorAnswer } from "./client-error.ts";
import type { Docs } from "./docs.ts";
import { errorResponse } from "./errors.ts";
import { type HttpExchange, logFields, type RouteTarget } from "./exchange.ts";
import { createExecution, type ReadRequest } from "./execution.ts";
import type { Caller } from "./handler.ts";
import type { Metrics } from "./metrics.ts";
import { type Relay, relayHeader } from "./relay.ts";
import { detailText, sendEarly, sendJson } from "./reply.ts";
import type { RequestTraces } from "./request-traces.ts";
import { createResponses } from "./responses.ts";
import { createRouter, type Match } from "./router.ts";
import type { Service, TransactionalService } from "./service.ts";
import type { StreamLimits } from "./stream-limits.ts";
import type { WritePolicies } from "./write-policies.ts";
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
  readonly writes: WritePolicies;
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
  /** Aborted when the server stops: event streams end then. */
  readonly stopping: AbortSignal;
  /** Aborted when a stop cannot wait any longer, with the error for requests that still run. */
  readonly ending: AbortSignal;
  /** In tests: other declarations of the endpoints. */
  readonly endpoints?: Readonly<Record<string, Endpoint>> | undefined;
  /** In tests: an answer that does not match its schema is an error. */
  readonly checkAnswers: boolean;
}

/** Headers fit into one packet or two: a client that takes longer only holds a connection. */
const headersTimeoutMs = 20_000;

/** A connection without traffic for this long is closed, also if its client does not read the answer. */
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
  const { execute } = createExecution({ ...deps, route });
  const { send, replay, sendErrors, sendPage, withLimit } = createResponses(deps);
  const observeUnknown = metrics.observer("none", statusesOfUnknownPaths);
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
    // With this option, a request without a body has no stream to end, which saves a third of the time of a GET.
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
      observe: metrics.observer(name, [200, 304, ...errorStatusesOf(endpoint), gone]),
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
    const turn = sent && sent.length >= largeBody ? turns() : undefined;
    const yaml = endpoint.yaml ? await readYamlBody(sent, contentType, caller.name) : undefined;
    const reading = target.read({
      params: match.params,
      url: request.url as string,
      body: sent,
      contentType,
      decoded: yaml ? yaml.decoded : turn && (await longDecoded(endpoint, sent, contentType, turn)),
    });
    const read = yaml ? yaml.located(reading) : reading;
    const isRefused = !("body" in read) || read.isDryRun;
    // All other credential exchanges are counted by the login throttle, which knows their user.
    if (isRefused && endpoint.access === "public" && endpoint.body)
      deps.perAddress?.count(deps.relay.addressOf(request));
    if ("unreadable" in read) throw unreadable(read.unreadable);
    if ("errors" in read) return sendErrors(exchange, read.errors);
    // No name of ours contains NUL, and PostgreSQL rejects it.
    if (path.includes("%00") && !endpoint.answersUnknownNames) throw nowhere({ kind: "unknown" });

    // Between reading a large body and answering it, other requests get a turn.
    if (turn) await turn();
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
      signal: () => signalOf(exchange, endpoint),
    };
    const executing = execute(exchange, asked);
    const answer = executing instanceof Promise ? await executing : executing;
    if ("stored" in answer) return replay(exchange, answer.stored, caller);
    // Most answers are sent by now; only streams are awaited.
    const sending = send(exchange, endpoint, answer, caller, read.ignored);
    if (sending) await sending;
  }

  function readBody({ request, response }: HttpExchange, limit: number, caller: Caller): Promise<Buffer> {
    return readBytes(request, response, limit, (length) => streams.holdBody(caller.name, response, length));
  }

  function signalOf({ response }: HttpExchange, { method, streams }: Endpoint): AbortSignal {
    const isEndless = method === "GET" && streams === "text/event-stream";
    return AbortSignal.any([goneSignal(response), isEndless ? deps.stopping : deps.ending]);
  }

  function fail(exchange: HttpExchange, thrown: unknown): void {
    const { response, request, id } = exchange;
    // Interrupted work may fail with an error of its own: the reason for the end is reported instead.
    const isEnded = deps.ending.aborted && errorResponse(thrown).unexpected;
    const error: unknown = isEnded ? deps.ending.reason : thrown;
    if (isDisconnect(thrown)) {
      response.statusCode = gone;
      return void log.debug(logFields(exchange), "the client disconnected");
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
    if (unexpected) log.error({ ...logFields(exchange), err: error }, "failed");
    else if (status !== 429 || logsLimited())
      log.info({ ...logFields(exchange), status, detail, cause: causeOf(error) }, "refused");
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
    if (logsRequests) log.debug({ ...logFields(exchange), status: response.statusCode }, "answered");
  }
}

/** From this length on, processing a body may take so long that other requests get turns between its steps. */
const largeBody = 64 * 1024;

/** Decodes a long body in parts; undefined: the body is not long, or its handler reads it. */
async function longDecoded(
  { body, readBy }: Endpoint,
  sent: Buffer | undefined,
  contentType: string | undefined,
  turn: () => Promise<void>,
): Promise<DecodedBody | undefined> {
  if (!sent || sent.length < longBody || body === "bytes" || readBy === "handler") return undefined;
  return readLongBody(sent, contentType, turn);
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

/** Work that a disconnect interrupts fails with it, or with an error that it caused. */
const isDisconnect = (error: unknown): boolean =>
  error instanceof ClientDisconnected ||
  (error instanceof Error && error.cause instanceof ClientDisconnected);

/** The status that metrics count if the caller disconnected before the answer. */
const gone = 499;

/** 200 and 304: pages of the documentation and of the console. */
const statusesOfUnknownPaths = [200, 304, 400, 401, 404, 405, 429, gone, 500, 503];

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // The response emits `close` after every answer, also after a complete one.
  response.on("close", () =>
    controller.abort(response.writableFinished ? undefined : new ClientDisconnected()),
  );
  return controller.signal;
}

function causeOf(error: unknown): string | undefined {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : undefined;
}
