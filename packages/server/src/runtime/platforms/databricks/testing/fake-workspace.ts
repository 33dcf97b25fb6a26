/**
 * A Databricks workspace for tests, at the HTTP edge: state in memory, on loopback, until the test ends.
 *
 * To extend it, write a file beside this one that returns `Routes` for one part of the API and its state (see
 * `identity.ts`), and pass it to `startFakeWorkspace(t, …parts)`. A route is `"GET /api/2.0/apps/{name}"`; its handler returns
 * the JSON of a 200, or throws `FakeError`. It behaves as the public documentation says. Where that says nothing, it is left
 * out: a test must not prove what nobody knows.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { activeFault, type Fault, faultFor } from "./faults.ts";
import { identityRoutes } from "./identity.ts";
import { FakeContent, FakeError, type FakeRequest, type Routes } from "./route.ts";

interface LoggedRequest {
  /** `POST /api/2.2/jobs/create`, without the query. */
  readonly line: string;
  readonly query: Readonly<Record<string, string>>;
  readonly text: string;
  readonly authorization: string | undefined;
}

export interface FakeWorkspace {
  readonly url: string;
  /** Every request, in order. */
  readonly requests: LoggedRequest[];
  /** The lines of the requests so far, without those for tokens. */
  lines(): string[];
  /** The next requests that match fail; see `faults.ts`. */
  fail(fault: Fault): void;
  /** Says how each request fails, by its number, until it is set to undefined. */
  disturb: ((number: number) => Pick<Fault, "kind" | "after"> | undefined) | undefined;
  /** Closes the connections of requests that got no response. */
  hangUp(): void;
  /** The personal access tokens that it accepts. */
  readonly tokens: Set<string>;
  /** The service principals: client id → secret. */
  readonly clients: Map<string, string>;
  /** The tokens that it issued are refused from now on. */
  expireTokens(): void;
  /** The lifetime of the tokens that it issues. */
  tokenSeconds: number;
  close(): Promise<void>;
}

export const testToken = "dapi-test-5Vq8RwYk2mHcXz7L";
export const testClient = { clientId: "0b1c2d3e-client", clientSecret: "dose-test-secret-9f8e7d" };

export async function startFakeWorkspace(t: TestContext | undefined, ...parts: readonly Routes[]) {
  const faults: Fault[] = [];
  const identity = identityRoutes();
  const routes = Object.entries(Object.assign({}, identity.routes, ...parts) as Routes).map(
    ([line, handler]) => ({ match: matcherOf(line), handler }),
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://workspace");
    const line = `${request.method} ${decodeURI(url.pathname)}`;
    const text = (await buffer(request)).toString("utf8");
    const query = Object.fromEntries(url.searchParams);
    const { authorization } = request.headers;
    workspace.requests.push({ line, query, text, authorization });
    const disturbed = workspace.disturb?.(workspace.requests.length);
    const fault = faultFor(faults, line) ?? (disturbed && activeFault(disturbed));
    if (fault && !fault.afterwards) return fault.apply(response);
    const { status, body } = await handled(`${request.method} ${url.pathname}`, query, text, request);
    if (fault) return fault.apply(response);
    if (body instanceof FakeContent) {
      response.writeHead(status, { "content-type": body.type }).end(body.content);
      return;
    }
    const content = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json" }).end(content);
  }

  async function handled(
    line: string,
    query: FakeRequest["query"],
    text: string,
    { headers }: IncomingMessage,
  ) {
    const { authorization, host = "" } = headers;
    try {
      identity.authorize(line, authorization);
      for (const { match, handler } of routes) {
        const params = match(line);
        if (!params) continue;
        const request = { params, query, text, authorization, headers, host };
        return {
          status: 200,
          body: await handler({
            ...request,
            get body() {
              return parsed(text);
            },
          }),
        };
      }
      throw new FakeError(404, "ENDPOINT_NOT_FOUND", `No API found for '${line}'`);
    } catch (error) {
      if (error instanceof FakeError) return { status: error.status, body: error.body };
      return { status: 500, body: { error_code: "INTERNAL_ERROR", message: String(error) } };
    }
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A test that fails before it closes the server must not keep its process alive.
  server.unref();
  const workspace: FakeWorkspace = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    lines: () => workspace.requests.flatMap(({ line }) => (line.includes("/oidc/") ? [] : line)),
    fail: (fault) => void faults.push(fault),
    disturb: undefined,
    hangUp: () => server.closeAllConnections(),
    ...identity.state,
    get tokenSeconds() {
      return identity.state.tokenSeconds;
    },
    set tokenSeconds(seconds) {
      identity.state.tokenSeconds = seconds;
    },
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  workspace.tokens.add(testToken);
  workspace.clients.set(testClient.clientId, testClient.clientSecret);
  t?.after(() => workspace.close());
  return workspace;
}

/** Integers beyond 2^53 stay exact, so that they are sent back as they came. */
function parsed(text: string): unknown {
  const exact = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" && source !== undefined && /^-?\d{16,}$/.test(source)
      ? JSON.rawJSON(source)
      : value;
  try {
    return text === "" ? {} : JSON.parse(text, exact);
  } catch {
    throw new FakeError(400, "MALFORMED_REQUEST", "Could not parse request object");
  }
}

/** Matches `GET /api/2.0/apps/{name}`; `{path*}` matches slashes, too. */
function matcherOf(route: string): (line: string) => Record<string, string> | undefined {
  const source = route
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(/\{(\w+)(\\\*)?\}/g, (_, name, rest) => `(?<${name}>${rest ? ".*" : "[^/]+"})`);
  const pattern = new RegExp(`^${source}$`);
  return (line) => {
    const found = pattern.exec(line);
    if (!found) return undefined;
    return Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  };
}
