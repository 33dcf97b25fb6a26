import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import type { Endpoint } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import type { Logger } from "pino";
import { Problem } from "../../core/errors.ts";
import { assertConforms, jsonOf, visibleText } from "./answer-text.ts";
import { type Authenticate, ClientDisconnected, type RateLimit } from "./call.ts";
import type { DocsPage } from "./docs.ts";
import { sendEventStream } from "./event-stream.ts";
import { type HttpExchange, logFields } from "./exchange.ts";
import type { Caller, HandlerResult } from "./handler.ts";
import type { StoredAnswer } from "./idempotency.ts";
import { isNotModified } from "./preconditions.ts";
import {
  apiHeaders,
  computedTag,
  detailText,
  headersOf,
  json,
  sendJson,
  sendNotModified,
  versionHeader,
} from "./reply.ts";
import { largeAnswer, type StreamLimits } from "./stream-limits.ts";
import { errorLocations, limitedErrors } from "./validation-answer.ts";

interface Dependencies {
  readonly log: Logger;
  /** The limit of callers; its state is in the headers of answers. */
  readonly perCaller?: RateLimit | undefined;
  /** Authenticates again while a stream is open. */
  readonly authenticate: Authenticate;
  readonly streams: StreamLimits;
  /** In tests: an answer that does not match its schema is an error. */
  readonly checkAnswers: boolean;
}

/** Sends answers: JSON, bytes, streams, pages and validation errors, with their headers and within the caller's limits. */
export function createResponses(deps: Dependencies) {
  const { log, streams } = deps;
  return { send, replay, sendErrors, sendPage, withLimit };

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
      const { bytes, contentType, headers = {} } = answer;
      if (deps.checkAnswers && contentType === json) assertConforms(endpoint, textOfParts(bytes));
      const length = bytes.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      countAnswer(response, caller, length, endpoint);
      const own = Object.entries(headers).flat();
      response.writeHead(200, headersOf(contentType, length, id, withLimit(exchange, own)));
      for (const part of bytes) response.write(part);
      response.end();
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

  function sendStream(
    { response, id }: HttpExchange,
    { stream, contentType, etag, status = 200 }: Extract<HandlerResult<unknown>, { stream: unknown }>,
  ): Promise<void> {
    const headers = ["content-type", contentType, "x-request-id", id, ...apiHeaders];
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
        // Without its database, the server cannot check the caller: the stream stays open.
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

  /** The input is echoed to its sender and never logged: it may contain secrets. */
  function sendErrors(exchange: HttpExchange, errors: readonly ValidationError[]): void {
    if (log.isLevelEnabled("info"))
      log.info({ ...logFields(exchange), status: 422, locations: errorLocations(errors) }, "refused");
    const text = detailText(limitedErrors(errors));
    sendJson(exchange.response, 422, exchange.id, text, withLimit(exchange, []));
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

  /** Adds the headers with the state of the caller's rate limit, and for a dry run. */
  function withLimit({ limitedCaller, isDryRun }: HttpExchange, headers: string[]): string[] {
    if (limitedCaller !== undefined) deps.perCaller?.addHeaders(limitedCaller, headers);
    if (isDryRun) headers.push("dry-run", "true");
    return headers;
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
}

const textOfParts = (parts: readonly (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array))).toString();

/** How often an open stream checks its caller. */
const callerCheckMs = 5_000;

/** Names the query parameters that a list of the contract has ignored. */
const ignoredHeader = "x-ignored-parameters";
const maxIgnored = 20;

const namesIn = (names: readonly string[]) =>
  names
    .slice(0, maxIgnored)
    .map((name) => encodeURIComponent(name.slice(0, 100).toWellFormed()))
    .join(", ");
