import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { openRestSource } from "../connectors/rest/source.ts";
import { openSourceHarness } from "./source-harness.ts";

export type RestApiHandler = (url: URL, response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts a real server and opens a source on it. The handler's result is sent as JSON. */
export async function startApi(t: TestContext, handle: RestApiHandler, config = {}) {
  const requested: string[] = [];
  const server = createServer(async (request, response) => {
    requested.push(request.url ?? "");
    const result = await handle(new URL(request.url ?? "", "http://api"), response, request);
    if (response.headersSent || result === undefined) return;
    response.setHeader("Content-Type", "application/json");
    response.end(typeof result === "string" ? result : JSON.stringify(result));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const harness = await openSourceHarness(t);
  return { ...harness, requested, url, source: await openRestSource({ url, ...config }, harness.context) };
}
