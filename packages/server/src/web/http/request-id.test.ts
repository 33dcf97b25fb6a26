import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { acceptedRequestId } from "./call.ts";
import { send } from "./test-requests.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const made = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const ask = (path: string, id?: string) =>
  send(server.url, {
    path,
    headers: { authorization: `Bearer ${server.token}`, ...(id !== undefined && { "x-request-id": id }) },
  });

test("a short printable id is echoed on answers and errors", async () => {
  const longest = "x".repeat(128);
  for (const id of ["r-1", "a:b/c=d;e", longest]) {
    assert.equal((await ask("/health", id)).headers["x-request-id"], id);
    assert.equal((await ask("/nowhere", id)).headers["x-request-id"], id);
  }
});

test("any other id is replaced", async () => {
  for (const odd of ["", " ", "two words", "x".repeat(129), "caf\u00e9", "tab\tin", "a, b"]) {
    assert.match(String((await ask("/health", odd)).headers["x-request-id"]), made, JSON.stringify(odd));
  }
  assert.equal(acceptedRequestId(["a", "b"]), undefined);
});

test("a request without an id gets one", async () => {
  const [one, two] = [await ask("/health"), await ask("/health")];
  assert.match(String(one.headers["x-request-id"]), made);
  assert.notEqual(one.headers["x-request-id"], two.headers["x-request-id"]);
});

test("the id is in the event and in the log", async () => {
  const headers = { "x-request-id": "seen-everywhere" };
  const { id } = await server.client.createEnvironment({ body: { name: "told" }, headers });
  const [event] = (await server.events("environment.created")).filter(({ subject }) => subject.endsWith(id));
  assert.equal(event?.request_id, "seen-everywhere");
  assert.equal(event?.actor, "internal-service");
  await ask("/nowhere", "lost");
  const refused = server.logged
    .filter((line) => line.includes('"msg":"refused"'))
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    refused.filter(({ request }) => request === "lost").map(({ path, status }) => [path, status]),
    [["/nowhere", 404]],
  );
});
