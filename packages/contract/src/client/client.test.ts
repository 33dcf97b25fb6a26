import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeSleep, respond, startStubApi } from "./api.fixture.ts";
import { ApiError, type Client, createClient } from "./index.ts";

const done = { success: true, message: "Done." };
const info = {
  name: "Lakehelm",
  version: "1",
  schema_version: 1,
  platform: "embedded",
  platforms: [],
  store: "sqlite",
};

const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => assert.fail("it succeeded"),
    (error) => {
      assert.ok(error instanceof ApiError, String(error));
      return error;
    },
  );

test("a call becomes a request: path parameters, query, body, headers, token", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) => respond(response, 200, done));
  const client = createClient({ baseUrl: `${baseUrl}/`, token: "t-1", environment: "staging" });

  await client.createConnector({
    body: { name: "a", target_type: "csv", target_config: null, created_by: "ada" },
    idempotencyKey: "k-1",
  });
  await client.updateConnector({
    params: { connector_id: "a/b ü?" },
    body: { execution_mode: "manual" },
    ifMatch: '"3"',
  });
  await client.deleteEnvironment({ params: { environment_id: "x" }, query: { force: true } });

  const [create, update, remove] = received;
  assert.equal(create?.method, "POST");
  assert.equal(create?.url, "/api/v1/connectors/");
  assert.equal(create?.headers.authorization, "Bearer t-1");
  assert.equal(create?.headers["x-environment-id"], "staging");
  assert.equal(create?.headers["idempotency-key"], "k-1");
  assert.equal(create?.headers["content-type"], "application/json");
  assert.equal(create?.body, '{"name":"a","target_type":"csv","target_config":null,"created_by":"ada"}');
  assert.equal(update?.url, "/api/v1/connectors/a%2Fb%20%C3%BC%3F");
  assert.equal(update?.headers["if-match"], '"3"');
  assert.equal(update?.headers["x-environment-id"], undefined);
  assert.equal(remove?.url, "/api/v1/environments/x?force=true");
});

test("a call's environment overrides the client's, and null sends none", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) => respond(response, 200, done));
  const client = createClient({ baseUrl, token: "t", environment: "staging" });
  await client.listConnectors({ environment: "prod" });
  await client.listConnectors({ environment: null });
  assert.deepEqual(
    received.map(({ headers }) => headers["x-environment-id"]),
    ["prod", undefined],
  );
});

test("files keep their slashes and their bytes", async (t) => {
  const { baseUrl, received } = await startStubApi(t, ({ method }, response) => {
    if (method === "PUT") return respond(response, 200, done);
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(Buffer.from([0, 255, 10]));
  });
  const client = createClient({ baseUrl, token: "t" });
  await client.putFile({ params: { path: "a b/c.sql" }, body: "select 1" });
  const bytes = await client.getFile({ params: { path: "a b/c.sql" } });
  assert.equal(received[0]?.url, "/api/v1/files/a%20b/c.sql");
  assert.equal(received[0]?.body, "select 1");
  assert.deepEqual([...bytes], [0, 255, 10]);
});

test("a path parameter that a URL would drop is rejected before it is sent", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) => respond(response, 200, done));
  const client = createClient({ baseUrl, token: "t" });
  for (const value of ["", ".", ".."]) {
    await assert.rejects(client.deleteUser({ params: { user_id: value } }), TypeError);
  }
  await assert.rejects(client.deleteFile({ params: { path: "a/../../users/1" } }), TypeError);
  assert.equal(received.length, 0);
});

test("a token can be a function, called before each attempt", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response, position) =>
    position === 1 ? respond(response, 503, { detail: "Busy." }) : respond(response, 200, info),
  );
  let calls = 0;
  const { sleep } = fakeSleep();
  const client = createClient({ baseUrl, token: async () => `t-${++calls}`, sleep });
  await client.getInfo();
  assert.deepEqual(
    received.map(({ headers }) => headers.authorization),
    ["Bearer t-1", "Bearer t-2"],
  );
});

test("withResponse returns the ETag and the request id", async (t) => {
  const { baseUrl } = await startStubApi(t, (_, response) => respond(response, 200, info, { etag: '"7"' }));
  const client = createClient({ baseUrl });
  const { header, ...answer } = await client.withResponse.getInfo();
  assert.equal(header("content-type")?.split(";")[0], "application/json");
  assert.deepEqual(answer, {
    body: info,
    status: 200,
    etag: '"7"',
    requestId: "r-1",
  });
});

test("integers beyond 2^53 are exact in both directions", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) =>
    respond(response, 200, '{"pipeline_id":"p","rows":9007199254740993}'),
  );
  const client = createClient({ baseUrl, token: "t" });
  const pipeline = await client.getPipeline({ params: { pipeline_id: "p" } });
  assert.equal(pipeline.rows, 9007199254740993n);
  await client.createEnvironment({ body: { name: "e", configuration: { rows: 9007199254740993n } } });
  assert.equal(received[1]?.body, '{"name":"e","configuration":{"rows":9007199254740993}}');
});

for (const [status, kind] of [
  [400, "badRequest"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "notFound"],
  [409, "conflict"],
  [412, "stale"],
  [413, "tooLarge"],
  [429, "tooMany"],
  [500, "failed"],
  [503, "unavailable"],
  [418, "unexpected"],
] as const) {
  test(`${status} is thrown as ${kind}, with its message and the request id`, async (t) => {
    const { baseUrl } = await startStubApi(t, (_, response) =>
      respond(response, status, { detail: "So it is." }),
    );
    const error = await failure(createClient({ baseUrl, retries: 0 }).getInfo());
    assert.deepEqual(
      [error.kind, error.status, error.detail, error.requestId],
      [kind, status, "So it is.", "r-1"],
    );
  });
}

test("422 has its validation errors and a message made of them", async (t) => {
  const entry = { type: "missing", loc: ["body", "name"], msg: "Field required", input: {} };
  const { baseUrl } = await startStubApi(t, (_, response) => respond(response, 422, { detail: [entry] }));
  const client = createClient({ baseUrl, token: "t" });
  const error = await failure(client.createEnvironment({ body: { name: "" } }));
  assert.equal(error.kind, "invalid");
  assert.deepEqual(error.entries, [entry]);
  assert.equal(error.message, "body.name: Field required");
});

test("a response that is not the API's is unexpected", async (t) => {
  const { baseUrl } = await startStubApi(t, ({ url }, response) =>
    respond(response, url === "/info" ? 200 : 502, "<html>a proxy's page</html>"),
  );
  const client = createClient({ baseUrl, retries: 0 });
  assert.equal((await failure(client.getInfo())).kind, "unexpected");
  const error = await failure(client.getHealth());
  assert.deepEqual([error.kind, error.detail], ["failed", "The server returned 502."]);
});

test("an unreachable server is a network error", async () => {
  const { sleep, waits } = fakeSleep();
  const client = createClient({ baseUrl: "http://127.0.0.1:1", sleep });
  assert.equal((await failure(client.getInfo())).kind, "network");
  assert.equal(waits.length, 2);
});

test("a missing or incomplete response is a timeout, and is not retried", async (t) => {
  const { baseUrl, received } = await startStubApi(t, ({ url }, response) => {
    if (url === "/info") return;
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"status":');
  });
  // Long enough for both requests to arrive on a busy machine.
  const client = createClient({ baseUrl, timeoutMs: 1000 });
  const failures = await Promise.all([
    failure(client.getInfo()),
    failure(client.getHealth({ timeoutMs: 1100 })),
  ]);
  assert.deepEqual(
    failures.map(({ kind }) => kind),
    ["timeout", "timeout"],
  );
  assert.equal(received.length, 2);
});

test("the caller's signal aborts a call with its reason", async (t) => {
  const { baseUrl } = await startStubApi(t, () => undefined);
  const leaving = new Error("the page was left");
  const controller = new AbortController();
  const call = createClient({ baseUrl }).getInfo({ signal: controller.signal });
  setTimeout(() => controller.abort(leaving), 20);
  await assert.rejects(call, leaving);
});

/** Checked by tsc: a call is typed by the contract. */
async function typesOnly(client: Client): Promise<void> {
  // @ts-expect-error a connector's id is required
  await client.getConnector();
  // @ts-expect-error a body is required
  await client.createEnvironment({});
  // @ts-expect-error the body requires a name
  await client.createEnvironment({ body: {} });
  // @ts-expect-error this POST creates nothing, so it takes no key
  await client.exchangeToken({ body: { username: "a", password: "b" }, idempotencyKey: "k" });
  // @ts-expect-error an action is one of two values
  await client.setSchedule({ params: { automation_alias: "a", action: "stop" } });
  // @ts-expect-error a connector's status is not a number
  (await client.getConnector({ params: { connector_id: "c" } })).status satisfies number;
  // @ts-expect-error health is not a list
  client.all.getHealth();
  (await client.getFile({ params: { path: "a" } })) satisfies Uint8Array;
  for await (const user of client.all.listUsers({ query: { limit: 5 } })) user.username satisfies string;
  await client.setSchedule({ params: { automation_alias: "a", action: "pause" } });
  await client.pauseConnector({ params: { connector_id: "c" } });
}
void typesOnly;
