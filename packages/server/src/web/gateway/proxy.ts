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
import { answerTo } from "../http/answer.ts";
import { hasBody } from "../http/connection-headers.ts";
import { pages, sendPage } from "./pages.ts";

/** A request on its way to a process, and how both sides see the other's headers. */
export interface Passage {
  readonly lent: AcquiredProcess;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly requestId: string;
  readonly answerHeaders: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders;
}

/** For the first byte of an answer. Once it has begun it may be silent for as long as it likes: events come when they come. */
const silenceMs = 120_000;

class Silent extends Error {}

export function sendTo({ lent, path, headers }: Passage, method: string, agent: Agent | false) {
  const sending = send({ host: "127.0.0.1", port: lent.port, method, path, headers, agent });
  sending.setTimeout(silenceMs, () => sending.destroy(new Silent()));
  return sending;
}

export const failurePage = (error: unknown) => (error instanceof Silent ? pages.silent : pages.broken);

/**
 * Connections to processes, to be used again. With a new one for each request, a request took 0.5 ms of processor time at first
 * and 0.9 ms after 30,000: the system is long in finding a free port. Idle ones are closed before the servers of apps do it,
 * most of them after 2 or 5 seconds.
 */
export const createConnections = (): Agent =>
  new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 1_000 });

/** Passes a request on and the answer back, both while they come. Who goes away takes the other side with them. */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  passage: Passage,
  connections: Agent,
): Promise<void> {
  // An app may close a connection at the moment at which it is used again. Then only what changes nothing is sent twice.
  if (isRepeatable(request) && (await attempt(request, response, passage, connections))) return;
  await attempt(request, response, passage, false);
}

/** Answers false where a used connection was over before anything came: nothing was answered yet. */
async function attempt(
  request: IncomingMessage,
  response: ServerResponse,
  passage: Passage,
  agent: Agent | false,
): Promise<boolean> {
  if (response.destroyed) return true;
  const sending = sendTo(passage, request.method ?? "GET", agent);
  const closed = new Promise<void>((done) => sending.once("close", done));
  const leave = () => sending.destroy();
  response.once("close", leave);
  try {
    const answered = answerTo(sending);
    sendBody(request, response, sending);
    passBack(await answered, response, passage);
    sending.setTimeout(0);
    return true;
  } catch (error) {
    sending.destroy();
    if (response.headersSent || response.destroyed) response.destroy();
    else if (sending.reusedSocket && !(error instanceof Silent)) return false;
    else sendPage(response, failurePage(error), passage.requestId);
    return true;
  } finally {
    await closed;
    response.off("close", leave);
    request.unpipe(sending);
    // What is still to come is read past, so that the connection can take the next request.
    request.resume();
  }
}

function sendBody(request: IncomingMessage, response: ServerResponse, sending: ClientRequest): void {
  if (!hasBody(request)) return void sending.end();
  if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
  // An app may answer before the body comes.
  sending.flushHeaders();
  request.pipe(sending);
}

function passBack(answer: IncomingMessage, response: ServerResponse, { answerHeaders }: Passage): void {
  response.writeHead(answer.statusCode ?? 502, answerHeaders(answer.headers));
  // The first byte of a stream of events may be long in coming.
  response.flushHeaders();
  answer.on("error", () => response.destroy());
  answer.pipe(response);
}

const isRepeatable = (request: IncomingMessage): boolean =>
  (request.method === "GET" || request.method === "HEAD") && !hasBody(request);
