import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { detailOf, type Got, openWire, send } from "./test-requests.ts";

const connectors = "/api/v1/connectors/";
const codegen = "/api/v1/codegen/alter-metadata";
const mebibyte = 1024 * 1024;

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const auth = () => ({ authorization: `Bearer ${server.token}` });
const post = (path: string, body: string | Buffer, contentType = "application/json"): Promise<Got> =>
  send(server.url, { method: "POST", path, headers: { ...auth(), "content-type": contentType }, body });
const connector = (name: string, target_config: unknown = {}) => ({
  name,
  target_type: "warehouse",
  target_config,
  created_by: "ada",
});
/** A body of exactly this many bytes. */
function padded(body: object, size: number): string {
  const bare = JSON.stringify({ ...body, pad: "" });
  return JSON.stringify({ ...body, pad: "x".repeat(size - bare.length) });
}

test("malformed JSON is 422 json_invalid with its position", async () => {
  const got = await post(connectors, '{"name": }');
  assert.equal(got.status, 422);
  assert.deepEqual(detailOf(got), [
    {
      type: "json_invalid",
      loc: ["body", 9],
      msg: "JSON decode error",
      input: {},
      ctx: { error: "Expecting value" },
    },
  ]);
});

test("all type errors are reported together, in field order", async () => {
  const got = await post(connectors, JSON.stringify({ name: 5, target_type: [], created_by: null }));
  assert.equal(got.status, 422);
  const entries = detailOf(got) as { type: string; loc: string[] }[];
  assert.deepEqual(
    entries.map(({ type, loc }) => `${type} ${loc.join(".")}`),
    [
      "string_type body.name",
      "string_type body.target_type",
      "missing body.target_config",
      "string_type body.created_by",
    ],
  );
});

test("a body whose type is not JSON is 422, never 415; no body is 422 missing", async () => {
  const text = await post(connectors, JSON.stringify(connector("typed")), "text/plain");
  assert.equal(text.status, 422);
  assert.equal((detailOf(text) as { type: string }[])[0]?.type, "model_attributes_type");
  const none = await send(server.url, { method: "POST", path: connectors, headers: auth() });
  assert.equal(none.status, 422);
  assert.deepEqual(detailOf(none), [{ type: "missing", loc: ["body"], msg: "Field required", input: null }]);
});

test("a body that is nested too deeply is 400; a deep one within the limit is accepted", async () => {
  const nested = (depth: number) =>
    `{"name":"deep-${depth}","target_type":"warehouse","created_by":"ada","target_config":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
  assert.equal((await post(connectors, nested(500))).status, 200);
  for (const depth of [5_000, 400_000]) {
    const got = await post(connectors, nested(depth));
    assert.equal(got.status, 400, `${depth} ${got.text.slice(0, 200)}`);
    assert.equal(typeof detailOf(got), "string");
  }
  const open = await post(connectors, `{"name":${"[".repeat(400_000)}`);
  assert.ok(open.status === 400 || open.status === 422, String(open.status));
});

test("a body of exactly the limit is read; a byte more is 413", async () => {
  assert.equal((await post(connectors, padded(connector("limit"), mebibyte))).status, 200);
  const over = await post(connectors, padded(connector("over"), mebibyte + 1));
  assert.equal(over.status, 413);
  assert.equal(detailOf(over), "The request body has more than 1048576 bytes.");
});

test("code generation accepts up to 16 MiB", async () => {
  const change = { catalog_name: "c", schema_name: "s", table_name: "t", change: {} };
  assert.equal((await post(codegen, padded(change, 16 * mebibyte))).status, 200);
  const over = await post(codegen, padded(change, 16 * mebibyte + 1));
  assert.equal(over.status, 413);
  assert.equal(detailOf(over), "The request body has more than 16777216 bytes.");
});

for (const framing of ["content-length", "chunked"]) {
  test(`413 reaches a client that is still sending (${framing}), then the connection closes`, async () => {
    const wire = await openWire(server.url);
    const announced =
      framing === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${64 * mebibyte}`;
    wire.write(
      `POST ${connectors} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
        `Content-Type: application/json\r\n${announced}\r\n\r\n`,
    );
    const chunk = Buffer.alloc(mebibyte, "x");
    const framed = Buffer.concat([Buffer.from("100000\r\n"), chunk, Buffer.from("\r\n")]);
    const sent = framing === "chunked" ? framed : chunk;
    // Far more than fits into the buffers of the connection: if the server did not read it, the connection would be
    // reset.
    for (let n = 0; n < 24; n++) wire.write(sent);
    const [, head = "", body = ""] = await wire.until(/^(.*?)\r\n\r\n(\{.*\})$/s);
    assert.match(head, /^HTTP\/1\.1 413 /);
    assert.match(head, /^connection: close$/im);
    assert.equal(detailOf({ text: body }), "The request body has more than 1048576 bytes.");
    wire.socket.end();
    await wire.ended();
  });
}

test("a client that keeps sending after its 413 is disconnected", async () => {
  const wire = await openWire(server.url);
  wire.write(
    `POST ${connectors} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Content-Length: ${64 * mebibyte}\r\n\r\n`,
  );
  const started = performance.now();
  assert.match(await wire.ended(), /^HTTP\/1\.1 413 /);
  assert.ok(performance.now() - started < 10_000);
});

test("the standard fetch reads the 413 of an upload that it has not finished", async () => {
  const response = await server.fetch(connectors, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.alloc(8 * mebibyte, "x"),
  });
  assert.equal(response.status, 413);
  assert.deepEqual(await response.json(), { detail: "The request body has more than 1048576 bytes." });
});

test("Expect: 100-continue is answered only when the body is about to be read", async () => {
  const head = (token: string, length: number) =>
    `POST ${connectors} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
  const body = JSON.stringify(connector("asked-for"));

  const accepted = await openWire(server.url);
  accepted.write(head(server.token, body.length));
  await accepted.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  accepted.write(body);
  await accepted.until(/HTTP\/1\.1 200 OK\r\n.*"name":"asked-for"/s);
  accepted.socket.destroy();

  for (const [sent, status] of [
    [head("wrong", body.length), 401],
    [head(server.token, 2 * mebibyte), 413],
  ] as const) {
    const refused = await openWire(server.url);
    refused.write(sent);
    await refused.until(new RegExp(`^HTTP/1\\.1 ${status} .*"detail"`, "s"));
    refused.socket.destroy();
  }
});

test("an unknown expectation is ignored", async () => {
  const headers = { ...auth(), expect: "the-unexpected" };
  assert.equal((await send(server.url, { path: "/info", headers })).status, 200);
});

test("a GET with a body is answered like one without", async () => {
  const bare = await send(server.url, { path: connectors, headers: auth() });
  for (const body of ["{", "x".repeat(3 * mebibyte)]) {
    const got = await send(server.url, { path: connectors, headers: auth(), body });
    assert.equal(got.status, 200);
    assert.equal(got.text, bare.text);
  }
});
