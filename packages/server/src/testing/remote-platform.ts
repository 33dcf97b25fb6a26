/** A platform in another system, reached over HTTP. The system is a stand-in whose replies the test defines. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { platformResources } from "../runtime/platforms/capabilities.ts";
import type { Platform, PlatformOutcome } from "../runtime/platforms/platform.ts";
import { isComponentRequest, type PlatformRequest } from "../runtime/platforms/platform-request.ts";

/** An outcome, or a connection that breaks before the reply. */
type Reply = PlatformOutcome | "reset";

/** A request without a reply, until the test sends one. */
interface HeldRequest {
  /** Resolves when the remote system has received the request. */
  readonly received: Promise<PlatformRequest>;
  reply(reply: Reply): void;
}

export interface RemotePlatform {
  /** The adapter, to pass to a server. */
  readonly platform: Platform;
  /** The requests that the remote system has received, in order. */
  readonly requests: PlatformRequest[];
  /** The reply to each request; initially every request succeeds. */
  reply: (request: PlatformRequest) => Reply;
  /** The next request gets no reply until the test sends one; later requests get the usual reply. */
  holdNext(): HeldRequest;
  /** Call it after the server has stopped: it breaks off requests without a reply. */
  close(): Promise<void>;
}

export const done: PlatformOutcome = { done: true, reference: null };
export const refusing = (reason: string): PlatformOutcome => ({ done: false, reason });

export async function startRemotePlatform(
  name: string,
  connectorTargets: readonly string[] = [],
): Promise<RemotePlatform> {
  let held: { receive(request: PlatformRequest): void; readonly reply: Promise<Reply> } | undefined;
  const remote = createServer(async (request, response) => {
    const received = await readRequest(request);
    system.requests.push(received);
    const hold = held;
    held = undefined;
    hold?.receive(received);
    send(response, await (hold?.reply ?? system.reply(received)));
  }).listen(0, "127.0.0.1");
  await once(remote, "listening");
  // A test that fails before it closes the server must not keep its process alive.
  remote.unref();
  const { port } = remote.address() as AddressInfo;
  const system: RemotePlatform = {
    platform: adapter(name, connectorTargets, `http://127.0.0.1:${port}/requests`),
    requests: [],
    reply: () => done,
    holdNext() {
      const received = Promise.withResolvers<PlatformRequest>();
      const reply = Promise.withResolvers<Reply>();
      held = { receive: received.resolve, reply: reply.promise };
      return { received: received.promise, reply: reply.resolve };
    },
    async close() {
      remote.close();
      remote.closeAllConnections();
      await once(remote, "close");
    },
  };
  return system;
}

/** The platform as the server sees it: each request is a POST, with the id as its idempotency key. */
function adapter(name: string, connectorTargets: readonly string[], url: string): Platform {
  return {
    name,
    capabilities: { resources: platformResources, connectorTargets },
    async perform({ id, ...body }) {
      const headers = { "content-type": "application/json", "idempotency-key": id };
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }).catch(
        (error: Error) => {
          throw error.cause;
        },
      );
      return (await response.json()) as PlatformOutcome;
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<PlatformRequest> {
  const body = (await json(request)) as PlatformRequest;
  return { ...body, id: String(request.headers["idempotency-key"]) };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  // Without reuse, no request meets a connection that was idle for too long.
  const headers = { "content-type": "application/json", connection: "close" };
  response.writeHead(reply.done ? 200 : 409, headers).end(JSON.stringify(reply));
}

/** A request in one line: `component.stop agent/… chat`. */
export const lineOf = (request: PlatformRequest) =>
  [request.kind, request.subject, isComponentRequest(request) && request.data.component]
    .filter(Boolean)
    .join(" ");
