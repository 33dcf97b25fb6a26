import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

interface StandInRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type StubHandler = (request: StandInRequest, response: ServerResponse, position: number) => void;

/** An HTTP stand-in for the API: records requests, and responds as the test defines. */
export async function startStubApi(t: TestContext, handle: StubHandler) {
  const received: StandInRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const entry = { method, url, headers, body: Buffer.concat(chunks).toString() };
    received.push(entry);
    handle(entry, response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, received };
}

export function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "r-1", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Returns at once and records the waits. */
export function fakeSleep() {
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
  };
  return { waits, sleep };
}
