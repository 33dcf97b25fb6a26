import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

type FakeResponse = (response: ServerResponse, request: IncomingMessage) => void;

export interface FakeWorkspace {
  readonly url: string;
  /** The `Authorization` header of every call, in order. */
  readonly calls: (string | undefined)[];
  /** The responses to the next calls, in order; the last one repeats. */
  replies: readonly FakeResponse[];
  close(): Promise<void>;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): FakeResponse =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
export const ada = json(200, { id: "7", userName: "ada@example.com", active: true, groups: [] });
export const text =
  (status: number, body: string): FakeResponse =>
  (response) =>
    response.writeHead(status).end(body);
export const silence: FakeResponse = () => {};

/** A Databricks workspace at the HTTP edge, limited to the current-user lookup. */
export async function fakeWorkspace(t: TestContext, ...replies: FakeResponse[]): Promise<FakeWorkspace> {
  const server = createServer((request, response) => {
    if (request.url !== "/api/2.0/preview/scim/v2/Me") return text(404, "")(response, request);
    fake.calls.push(request.headers.authorization);
    const at = Math.min(fake.calls.length, fake.replies.length) - 1;
    return fake.replies[at]?.(response, request);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  const fake: FakeWorkspace = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    replies,
    close,
  };
  t.after(() => (server.listening ? close() : undefined));
  return fake;
}
