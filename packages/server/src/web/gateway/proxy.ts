import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from "node:http";
import type { AcquiredProcess } from "../../core/processes.ts";
import { hasBody } from "../http/connection-headers.ts";
import { responseTo } from "../http/response-to.ts";
import { pages, sendPage } from "./pages.ts";

/** A request to forward, with the header mappings of both directions. */
export interface ForwardTarget {
  readonly process: AcquiredProcess;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly requestId: string;
  readonly answerHeaders: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders;
}

/** Timeout for the first byte of a response. After that there is no timeout, because event streams may be idle. */
const silenceMs = 120_000;

class Silent extends Error {}

export function sendTo({ process, path, headers }: ForwardTarget, method: string, agent: Agent | false) {
  const sending = send({ host: "127.0.0.1", port: process.port, method, path, headers, agent });
  sending.setTimeout(silenceMs, () => sending.destroy(new Silent()));
  return sending;
}

export const failurePage = (error: unknown) => (error instanceof Silent ? pages.silent : pages.broken);

/**
 * Keep-alive connections to processes. With a new connection per request, a request took 0.5 ms of CPU time at first
 * and 0.9 ms after 30,000, because finding a free port gets slow. Idle connections are closed after 1 s, before app
 * servers close them, mostly after 2 or 5 s.
 */
export const createConnections = (): Agent =>
  new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 1_000 });

/** Streams a request to a process and its response back. If one side disconnects, the other is closed. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: ForwardTarget,
  connections: Agent,
): Promise<void> {
  // An app may close a connection just when it is reused. Only safe requests are retried.
  if (isRepeatable(request) && (await attempt(request, response, target, connections))) return;
  await attempt(request, response, target, false);
}

/** Returns false if a reused connection was closed before the response began. */
async function attempt(
  request: IncomingMessage,
  response: ServerResponse,
  target: ForwardTarget,
  agent: Agent | false,
): Promise<boolean> {
  if (response.destroyed) return true;
  const sending = sendTo(target, request.method ?? "GET", agent);
  const closed = new Promise<void>((done) => sending.once("close", done));
  const leave = () => sending.destroy();
  response.once("close", leave);
  try {
    const answered = responseTo(sending);
    sendBody(request, response, sending);
    sendBack(await answered, response, target);
    sending.setTimeout(0);
    return true;
  } catch (error) {
    sending.destroy();
    if (response.headersSent || response.destroyed) response.destroy();
    else if (sending.reusedSocket && !(error instanceof Silent)) return false;
    else sendPage(response, failurePage(error), target.requestId);
    return true;
  } finally {
    await closed;
    response.off("close", leave);
    request.unpipe(sending);
    // The rest of the request is drained, so that its connection can be reused.
    request.resume();
  }
}

function sendBody(request: IncomingMessage, response: ServerResponse, sending: ClientRequest): void {
  if (!hasBody(request)) return void sending.end();
  if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
  // An app may answer before the body has arrived.
  sending.flushHeaders();
  request.pipe(sending);
}

function sendBack(answer: IncomingMessage, response: ServerResponse, { answerHeaders }: ForwardTarget): void {
  response.writeHead(answer.statusCode ?? 502, answerHeaders(answer.headers));
  // The first byte of an event stream may take long.
  response.flushHeaders();
  answer.on("error", () => response.destroy());
  answer.pipe(response);
}

const isRepeatable = (request: IncomingMessage): boolean =>
  (request.method === "GET" || request.method === "HEAD") && !hasBody(request);
