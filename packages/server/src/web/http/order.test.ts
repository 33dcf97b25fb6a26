import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { detailOf, type Got, send } from "./test-requests.ts";

type Who = "admin" | "operator" | "viewer" | "stranger";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";
const invalid = '{"name":5}';
const missing = "The header Authorization: Bearer <token> is missing.";
const tokens: Record<Who, string | undefined> = {
  admin: undefined,
  operator: undefined,
  viewer: undefined,
  stranger: undefined,
};

let server: TestServer;
before(async () => {
  server = await startTestServer();
  tokens.admin = server.token;
  for (const role of ["operator", "viewer"] as const) {
    const user = await server.client.createUser({ body: { username: `${role}@example.com`, role } });
    const issued = await server.client.createToken({ params: { user_id: user.id }, body: {} });
    tokens[role] = issued.token;
  }
});
after(() => server.close());

const ask = (
  who: Who,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Got> => {
  const token = tokens[who];
  return send(server.url, {
    method,
    path,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
};
const somePath = ({ path }: Endpoint) => path.replaceAll(/\{\w+\*?\}/g, unknownId);
const all = Object.entries<Endpoint>(endpoints);

test("authentication comes before routing: an unauthenticated caller cannot tell which paths exist", async () => {
  for (const [method, path] of [
    ["GET", "/nowhere"],
    ["GET", "/api/v1/connectors/"],
    ["PUT", "/api/v1/connectors/"],
    ["TRACE", "/health"],
    ["GET", "/api/v1/connectors/%ff"],
    ["GET", "/api/v1/connectors/%00"],
    ["GET", "/metrics"],
    ["POST", "/docs"],
    ["GET", "/docs/../secret"],
  ] as const) {
    const got = await ask("stranger", method, path);
    assert.equal(got.status, 401, path);
    assert.equal(detailOf(got), missing, path);
    assert.equal(got.headers["www-authenticate"], "Bearer", path);
    assert.equal(got.headers.allow, undefined, path);
  }
});

test("every non-public endpoint is 401 without authentication, whatever is sent", async () => {
  for (const [name, endpoint] of all) {
    const got = await ask("stranger", endpoint.method, somePath(endpoint), endpoint.body && invalid);
    if (endpoint.access === "public") assert.notEqual(detailOf(got), missing, name);
    else assert.deepEqual([got.status, got.text], [401, JSON.stringify({ detail: missing })], name);
  }
});

test("authentication comes before the body: an unauthenticated upload is not read", async () => {
  const got = await ask("stranger", "POST", "/api/v1/connectors/", "x".repeat(2 * 1024 * 1024));
  assert.equal(got.status, 401);
});

test("routing comes before the role: an unknown path is 404 for a viewer, too", async () => {
  assert.equal((await ask("viewer", "POST", "/nowhere", "{}")).status, 404);
  assert.equal((await ask("viewer", "PUT", "/api/v1/connectors/", "{}")).status, 405);
  assert.equal((await ask("viewer", "DELETE", "/api/v1/connectors/%zz")).status, 400);
});

test("the role comes before validation: a forbidden request is not validated", async () => {
  const sentence = "This requires the role operator. viewer@example.com has the role viewer.";
  for (const body of [invalid, "{", "x".repeat(2 * 1024 * 1024)]) {
    const got = await ask("viewer", "POST", "/api/v1/connectors/", body);
    assert.deepEqual([got.status, detailOf(got)], [403, sentence]);
  }
  const got = await ask("operator", "POST", "/api/v1/users", invalid);
  assert.deepEqual(
    [got.status, detailOf(got)],
    [403, "This requires the role admin. operator@example.com has the role operator."],
  );
});

test("the role comes before the rules: a forbidden request does not reveal what exists", async () => {
  const ofUnknown = await ask("viewer", "DELETE", `/api/v1/connectors/${unknownId}`);
  const ofSomebody = await ask("viewer", "DELETE", "/api/v1/environments/local");
  assert.deepEqual([ofUnknown.status, ofSomebody.status], [403, 403]);
  assert.equal(ofUnknown.text, ofSomebody.text);
});

test("validation comes before the rules", async () => {
  const path = "/api/v1/connectors/";
  for (const [method, where, headers] of [
    ["POST", path, { "x-environment-id": "nowhere" }],
    ["PATCH", `${path}${unknownId}`, {}],
    ["PATCH", "/api/v1/environments/local", { "if-match": '"999"' }],
    ["POST", path, { "idempotency-key": "\u00e9" }],
  ] as const) {
    assert.equal((await ask("operator", method, where, invalid, headers)).status, 422, where);
  }
  assert.equal(
    (await ask("viewer", "GET", `${path}?limit=0`, undefined, { "x-environment-id": "no" })).status,
    422,
  );
});

test("a viewer reads, an operator also acts, an admin may do everything", async () => {
  const rank = { public: 0, viewer: 0, operator: 1, admin: 2 };
  for (const [name, endpoint] of all) {
    for (const who of ["viewer", "operator", "admin"] as const) {
      const body = endpoint.body && endpoint.body !== "bytes" ? "[]" : undefined;
      const got = await ask(who, endpoint.method, somePath(endpoint), body);
      if (rank[who] >= rank[endpoint.access]) {
        assert.notEqual(got.status, 403, `${who} ${name}`);
        assert.notEqual(got.status, 401, `${who} ${name}`);
      } else {
        const sentence = `This requires the role ${endpoint.access}. ${who}@example.com has the role ${who}.`;
        assert.deepEqual([got.status, detailOf(got)], [403, sentence], `${who} ${name}`);
      }
    }
  }
  const writes = all.filter(([, { method, access }]) => method !== "GET" && access === "viewer");
  assert.deepEqual(
    writes.map(([name]) => name),
    // Queries and questions to an agent only read; they are POSTs because they have a body. A ticket only lets a
    // browser into an app. Each operation of a batch needs its own role.
    ["createTicket", "downloadQuery", "invokeAgent", "planQuery", "runBatch", "runQuery"],
  );
});
