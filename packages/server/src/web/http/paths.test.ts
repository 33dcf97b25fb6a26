import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { detailOf, type Got, openWire, send } from "./test-requests.ts";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";
const nothingHere = "There is no endpoint at this path.";
const all = Object.entries<Endpoint>(endpoints);

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const auth = () => ({ authorization: `Bearer ${server.token}` });
const ask = (
  path: string,
  method = "GET",
  headers: Record<string, string> = {},
  body?: string,
): Promise<Got> =>
  send(server.url, { method, path, headers: { ...auth(), ...headers }, ...(body !== undefined && { body }) });

/** A path of the endpoint with ids of resources that do not exist. */
const somePath = ({ path }: Endpoint) => path.replaceAll(/\{\w+\*?\}/g, unknownId);
const bare = (path: string) => (path.length > 1 ? path.replace(/\/$/, "") : path);

test("every path of the contract answers with and without its trailing slash, without a redirect", async () => {
  for (const [name, endpoint] of all) {
    const path = bare(somePath(endpoint));
    const body = endpoint.body && endpoint.body !== "bytes" ? '{"no":"field of it"}' : undefined;
    const headers: Record<string, string> = body ? { "content-type": "application/json" } : {};
    // A second backup would be refused while the first one runs: as dry runs, both requests get the same answer.
    const query =
      endpoint.path === endpoints.createBackup.path && endpoint.method === "POST" ? "?dry_run=true" : "";
    const without = await ask(`${path}${query}`, endpoint.method, headers, body);
    const within = await ask(`${path}/${query}`, endpoint.method, headers, body);
    assert.ok(without.status < 300 || without.status >= 400, name);
    assert.notEqual(without.status, 405, name);
    assert.doesNotMatch(without.text, new RegExp(nothingHere), name);
    assert.equal(within.status, without.status, name);
    assert.equal(within.headers.location, undefined, name);
    if (without.status >= 400) assert.equal(within.text, without.text, name);
  }
});

test("an unsupported method is 405 with the supported ones in Allow", async () => {
  for (const [name, endpoint] of all) {
    const got = await ask(somePath(endpoint), "TRACE");
    assert.equal(got.status, 405, name);
    assert.equal(detailOf(got), "This path does not support this method.", name);
    const allowed = (got.headers.allow ?? "").split(", ");
    assert.ok(allowed.includes(endpoint.method), name);
    assert.equal(allowed.includes("HEAD"), allowed.includes("GET"), name);
  }
  assert.equal((await ask("/api/v1/connectors/", "PUT")).headers.allow, "GET, HEAD, POST");
});

test("an unknown HTTP method is 405", async () => {
  for (const sent of [
    "FOO /health HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
  ]) {
    const wire = await openWire(server.url);
    wire.write(sent);
    const got = await wire.ended();
    assert.match(got, /^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    assert.match(got, /^Allow: DELETE, GET, HEAD, PATCH, POST, PUT$/m);
    assert.match(got, /\{"detail":"Unknown HTTP method."\}$/);
  }
});

test("an unknown path is 404", async () => {
  for (const path of [
    "/",
    "/api",
    "/api/v1",
    "/api/v2/connectors",
    "/health/x",
    "/constructor",
    "/__proto__",
  ]) {
    const got = await ask(path);
    assert.equal(got.status, 404, path);
    assert.equal(detailOf(got), nothingHere, path);
  }
});

test("HEAD is answered like GET, without the body", async () => {
  for (const path of ["/health", "/api/v1/connectors/", "/api/v1/environments/local", "/docs", "/metrics"]) {
    const [head, get] = [await ask(path, "HEAD"), await ask(path)];
    assert.equal(head.status, 200, path);
    assert.equal(head.text, "", path);
    assert.equal(head.headers["content-type"], get.headers["content-type"], path);
    assert.equal(head.headers.etag, get.headers.etag, path);
    if (path !== "/metrics")
      assert.equal(head.headers["content-length"], get.headers["content-length"], path);
  }
  assert.equal((await ask("/api/v1/environments/nowhere", "HEAD")).status, 404);
});

test("HEAD of a stream ends", async () => {
  const got = await ask("/api/v1/events", "HEAD", { accept: "text/event-stream" });
  assert.equal(got.status, 200);
  assert.equal(got.headers["content-type"], "text/event-stream; charset=utf-8");
});

test("%2F stays inside its segment", async () => {
  await server.client.createEnvironment({ body: { name: "team/a b" } });
  const got = await ask("/api/v1/environments/team%2Fa%20b");
  assert.equal(got.status, 200);
  assert.equal((JSON.parse(got.text) as { name: string }).name, "team/a b");
  assert.equal((await ask("/api/v1/environments/team/a%20b")).status, 404);
});

test("%00 is validated like any other value", async () => {
  for (const action of ["pause%00", "%00", "%00resume"]) {
    const got = await ask(`/api/automations/a/schedule/${action}`, "POST");
    assert.equal(got.status, 422, action);
    assert.deepEqual(detailOf(got), [
      {
        type: "literal_error",
        loc: ["path", "action"],
        msg: "Input should be 'pause' or 'resume'",
        input: decodeURIComponent(action),
        ctx: { expected: "'pause' or 'resume'" },
      },
    ]);
  }
  const json = { "content-type": "application/json" };
  const both = await ask("/api/automations/a/schedule/pause%00", "POST", json, "[]");
  assert.deepEqual(
    (detailOf(both) as { loc: unknown }[]).map(({ loc }) => loc),
    [["path", "action"], ["body"]],
  );
  assert.equal((await ask("/api/automations/a%00/schedule/pause", "POST")).status, 404);
});

test("%00 in the alias of #3 is an automation that does not exist", async () => {
  const json = { "content-type": "application/json" };
  const path = "/api/automations/a%00/validate-artifacts";
  const got = await ask(path, "POST", json, '{"attempt_id":"b\\u0000"}');
  assert.equal(got.status, 200, got.text);
  const { success, automation_alias, validation_status, validation_errors } = JSON.parse(got.text);
  assert.deepEqual([success, automation_alias, validation_status], [false, "a\0", "failed"]);
  assert.match(validation_errors[0], /There is no automation/);
  assert.equal((await ask(path, "POST", json, "{}")).status, 422);
});

test("%00 is 404; invalid percent-encoding is 400", async () => {
  for (const path of [
    "/api/v1/environments/%00",
    "/api/v1/connectors/a%00b",
    "/api/v1/environments/a%2500%00",
  ]) {
    assert.equal((await ask(path)).status, 404, path);
  }
  for (const broken of ["%ff", "%c3%28", "%zz", "%", "%e0%80%80", "a%2"]) {
    const got = await ask(`/api/v1/environments/${broken}`);
    assert.equal(got.status, 400, broken);
    assert.equal(detailOf(got), "The path has invalid percent-encoding.");
  }
});

test("double slashes and dots do not match a path", async () => {
  for (const path of [
    "//health",
    "/health//",
    "/api//v1/connectors",
    "/api/v1//connectors/",
    "/api/v1/connectors//",
    "/api/v1/../v1/connectors",
    "/api/v1/./connectors",
  ]) {
    assert.equal((await ask(path)).status, 404, path);
  }
});

test("a very long path is routed; one beyond the header limit is 431", async () => {
  const long = await ask(`/api/v1/connectors/${"x".repeat(12_000)}`);
  assert.equal(long.status, 404);
  assert.equal((await ask(`/api/v1/connectors/${"x".repeat(20_000)}`)).status, 431);
});

test("an absolute request URL is routed by its path", async () => {
  const got = await ask("http://lakehelm.example:8000/api/v1/connectors/?limit=0");
  assert.equal(got.status, 422);
  assert.equal((await ask("HTTP://lakehelm.example")).status, 404);
  assert.equal((await ask("*", "OPTIONS")).status, 404);
});

test("headers beyond the limit are 431 in our error format", async () => {
  const got = await ask("/info", "GET", { "x-long": "x".repeat(20_000) });
  assert.equal(got.status, 431);
  assert.equal(got.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(detailOf(got), "The request's headers are too large.");
  assert.match(String(got.headers["x-request-id"]), /^[0-9a-f-]{36}$/);
});

test("a request without a Host is 400 in HTTP/1.1 and accepted in HTTP/1.0", async () => {
  const now = await openWire(server.url);
  now.write("GET /health HTTP/1.1\r\nConnection: close\r\n\r\n");
  assert.match(await now.ended(), /^HTTP\/1\.1 400 .*\{"detail":"The request has no Host header."\}$/s);
  const old = await openWire(server.url);
  old.write("GET /health HTTP/1.0\r\n\r\n");
  assert.match(await old.ended(), /^HTTP\/1\.1 200 /);
});

test("bytes that are not HTTP are 400 in our error format", async () => {
  for (const noise of ["\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"]) {
    const wire = await openWire(server.url);
    wire.write(noise);
    assert.match(await wire.ended(), /^HTTP\/1\.1 40[05] .*\{"detail":"[^"]+"\}$/s, JSON.stringify(noise));
  }
});

test("X-Environment-Id: unknown 404, inactive 409, by id or name", async () => {
  const { id } = await server.client.createEnvironment({ body: { name: "asleep", isActive: false } });
  const sent = async (value: string) => {
    const got = await ask("/api/v1/connectors/", "GET", { "x-environment-id": value });
    return [got.status, got.status === 200 ? undefined : detailOf(got)];
  };
  assert.deepEqual(await sent("local"), [200, undefined]);
  assert.deepEqual(
    await sent((await server.client.getEnvironment({ params: { environment_id: "local" } })).id),
    [200, undefined],
  );
  assert.deepEqual(await sent("nowhere"), [404, 'There is no environment "nowhere".']);
  for (const reference of ["asleep", id]) {
    assert.deepEqual(await sent(reference), [409, 'The environment "asleep" is not active.']);
  }
});
