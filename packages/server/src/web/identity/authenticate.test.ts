import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ada, fakeWorkspace, json, text } from "./fake-workspace.ts";
import { openIdentity } from "./identity.ts";
import { cheap, testDependencies } from "./test-dependencies.ts";

const by = { actor: "root", requestId: null, time: "2026-03-01T12:00:00.000Z" };
const service = "svc_Hq4vTz8nWk2bYx6RmP9dLc";
const sender = { client: "192.0.2.1" };

async function given(t: TestContext, environment: Record<string, string> = {}) {
  const deps = await testDependencies(t, {
    PLATFORM_SERVICE_AUTH_TOKEN: service,
    PLATFORM_CLIENT_ID: "ci",
    PLATFORM_CLIENT_SECRET: "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret",
    ...environment,
  });
  const identity = await openIdentity(deps, { passwordCost: cheap, pause: async () => {} });
  const withToken = async (token: string) => identity.authenticate({ authorization: `Bearer ${token}` });
  return { ...identity, withToken, system: deps.system };
}

/** A user with a password and a personal access token of the embedded workspace. */
async function withUser(t: TestContext, environment: Record<string, string> = {}) {
  const identity = await given(t, environment);
  const { users, tokens } = identity.embedded ?? assert.fail();
  const { text } = await users.create({ username: "ada", password: "correct horse" }, by, () => []);
  const { id } = JSON.parse(text) as { id: string };
  const { token, details } = await tokens.create(id, { comment: "", lifetime_seconds: 60 }, by);
  const { access_token: jwt } = await identity.exchange(
    { username: "ada", password: "correct horse" },
    sender,
  );
  return { ...identity, users, tokens, id, token, details, jwt };
}

test("the service token and its predecessor are admin, checked synchronously", async (t) => {
  const { authenticate } = await given(t, {
    PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS: "old_Jx7cNf3sQw9tVb5GkR2hMz",
  });
  const expected = { name: "internal-service", role: "admin", authType: "service_token" };
  assert.deepEqual(authenticate({ authorization: `bearer ${service}` }), expected);
  assert.deepEqual(authenticate({ authorization: "Bearer old_Jx7cNf3sQw9tVb5GkR2hMz" }), expected);
  assert.deepEqual(authenticate({ "x-service-auth": service, authorization: "Bearer x" }), expected);
});

test("a generated service token is accepted", async (t) => {
  const { authenticate } = await openIdentity(await testDependencies(t), { madeServiceToken: "made" });
  assert.equal((await authenticate({ authorization: "Bearer made" })).role, "admin");
});

test("an invalid X-Service-Auth is rejected, whatever Authorization contains", async (t) => {
  const { authenticate } = await given(t);
  const headers = { "x-service-auth": "wrong", authorization: `Bearer ${service}` };
  await assert.rejects(async () => authenticate(headers), { kind: "unauthorized" });
  // Node joins a header that was sent twice.
  await assert.rejects(async () => authenticate({ "x-service-auth": `${service}, ${service}` }), {
    kind: "unauthorized",
  });
});

test("the JWT of a client has the role operator, in either header, until it expires", async (t) => {
  const { exchange, withToken, authenticate, system } = await given(t);
  const { access_token: jwt } = await exchange(
    { client_id: "ci", client_secret: "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret" },
    sender,
  );
  const client = { name: "ci", role: "operator", authType: "client_jwt" };
  assert.deepEqual(await withToken(jwt), client);
  assert.deepEqual(await authenticate({ "x-service-auth": `Bearer ${jwt}` }), client);
  system.advance(3_600_000);
  await assert.rejects(withToken(jwt), { kind: "unauthorized", message: /has expired/ });
});

test("a personal access token authenticates its user until it expires", async (t) => {
  const { withToken, id, token, system } = await withUser(t);
  const user = { id, session: "0" };
  assert.deepEqual(await withToken(token), { name: "ada", role: "operator", authType: "user_token", user });
  system.advance(60_000);
  await assert.rejects(withToken(token), { kind: "unauthorized" });
});

test("a revoked token is rejected immediately; other tokens of the user are not", async (t) => {
  const { withToken, tokens, id, token, details } = await withUser(t);
  const other = await tokens.create(id, { comment: "" }, by);
  await withToken(token);
  await tokens.revoke(id, details.id, by);
  await assert.rejects(withToken(token), { kind: "unauthorized" });
  assert.equal((await withToken(other.token)).name, "ada");
});

test("a deactivated user is forbidden immediately; tokens work again after an activation, JWTs never", async (t) => {
  const { withToken, users, id, token, jwt } = await withUser(t);
  for (const credential of [token, jwt]) assert.equal((await withToken(credential)).name, "ada");
  await users.update(id, { active: false }, by, undefined);
  for (const credential of [token, jwt]) await assert.rejects(withToken(credential), { kind: "forbidden" });
  await users.update(id, { active: true }, by, undefined);
  assert.equal((await withToken(token)).name, "ada");
  await assert.rejects(withToken(jwt), { kind: "unauthorized", message: /exchange your credentials again/ });
});

test("a new role takes effect immediately for tokens and JWTs", async (t) => {
  const { withToken, users, id, token, jwt } = await withUser(t);
  await withToken(token);
  await users.update(id, { role: "viewer" }, by, undefined);
  assert.equal((await withToken(token)).role, "viewer");
  assert.equal((await withToken(jwt)).role, "viewer");
});

test("a new password ends JWTs, and tokens unless the request says otherwise", async (t) => {
  const { withToken, users, exchange, id, token, jwt } = await withUser(t);
  await withToken(token);
  await users.update(id, { password: "battery staple", revoke_tokens: false }, by, undefined);
  await assert.rejects(withToken(jwt), { kind: "unauthorized" });
  assert.equal((await withToken(token)).name, "ada");
  const fresh = await exchange({ username: "ada", password: "battery staple" }, sender);
  assert.equal((await withToken(fresh.access_token)).name, "ada");
  await users.update(id, { password: "tulips in may" }, by, undefined);
  for (const credential of [token, fresh.access_token])
    await assert.rejects(withToken(credential), { kind: "unauthorized" });
});

test("a JWT from before sessions were counted is valid until the user changes", async (t) => {
  const { withToken, users, issue, id } = await withUser(t);
  const { token } = await issue({ name: "ada", role: "operator", user: { id, workspace: "embedded" } });
  assert.equal((await withToken(token)).name, "ada");
  await users.update(id, { password: "battery staple" }, by, undefined);
  await assert.rejects(withToken(token), { kind: "unauthorized" });
});

test("a user of a workspace whose name looks like the server's is refused", async (t) => {
  for (const userName of ["internal-service", "Scheduler", "ｌａｋｅｈｅｌｍ", "рlаtform"]) {
    const fake = await fakeWorkspace(t, json(200, { userName, active: true }));
    const { withToken } = await given(t, { PLATFORM_WORKSPACE_URL: fake.url });
    await assert.rejects(withToken("dapi1"), { kind: "forbidden", message: /reserved/ });
  }
});

test("a deleted user is unauthorized immediately, also if the name is used again", async (t) => {
  const { withToken, users, id, token, jwt } = await withUser(t);
  await withToken(token);
  await users.remove(id, by, undefined);
  await users.create({ username: "ada" }, by, () => []);
  for (const credential of [token, jwt])
    await assert.rejects(withToken(credential), { kind: "unauthorized" });
});

test("the settings name admins and the default role", async (t) => {
  const admin = await withUser(t, { PLATFORM_ADMIN_USERS: "bob, Ada" });
  for (const credential of [admin.token, admin.jwt]) {
    assert.equal((await admin.withToken(credential)).role, "admin");
  }
  const viewer = await withUser(t, { PLATFORM_DEFAULT_ROLE: "viewer" });
  assert.equal((await viewer.withToken(viewer.token)).role, "viewer");
});

test("an invalid token is unauthorized and not repeated in the answer", async (t) => {
  const { withToken } = await given(t);
  for (const token of ["x", "lhp_x", "a.b.c", "ключ", "a, b", "x".repeat(10_000)]) {
    await assert.rejects(withToken(token), (problem: Error & { kind?: string }) => {
      assert.equal(problem.kind, "unauthorized");
      return !problem.message.includes(` ${token}`);
    });
  }
});

test("the user of a workspace token is looked up once in five minutes, also by concurrent requests", async (t) => {
  const fake = await fakeWorkspace(t, ada);
  const { withToken, system } = await given(t, { PLATFORM_WORKSPACE_URL: fake.url });
  const many = await Promise.all(Array.from({ length: 20 }, () => withToken("dapi1")));
  const known = { id: "ada@example.com", session: undefined };
  const user = { name: "ada@example.com", role: "operator", authType: "user_token", user: known };
  assert.deepEqual(many, Array(20).fill(user));
  system.advance(299_999);
  await withToken("dapi1");
  assert.equal(fake.calls.length, 1);
  system.advance(1);
  await withToken("dapi1");
  assert.equal(fake.calls.length, 2);
});

test("JWTs of a workspace are checked by the workspace", async (t) => {
  const fake = await fakeWorkspace(t, ada);
  const { withToken } = await given(t, { PLATFORM_WORKSPACE_URL: fake.url });
  const foreign = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJkYXRhYnJpY2tzIn0.c2ln";
  assert.equal((await withToken(foreign)).name, "ada@example.com");
});

test("a rejection by the workspace is 401 and a failure of the workspace is 503", async (t) => {
  const fake = await fakeWorkspace(t, json(401, {}));
  const { withToken } = await given(t, { PLATFORM_WORKSPACE_URL: fake.url });
  await assert.rejects(withToken("dapi1"), { kind: "unauthorized" });
  fake.replies = [json(200, { userName: "ada", active: false })];
  await assert.rejects(withToken("dapi1"), { kind: "forbidden" });
  fake.replies = [text(200, "<html>")];
  await assert.rejects(withToken("dapi1"), { kind: "unavailable" });
  fake.replies = [ada];
  assert.equal((await withToken("dapi1")).name, "ada@example.com");
  await fake.close();
  assert.equal((await withToken("dapi1")).name, "ada@example.com", "cached");
  await assert.rejects(withToken("dapi2"), { kind: "unavailable" });
});

test("a JWT for a user of another workspace is rejected", async (t) => {
  const fake = await fakeWorkspace(t, ada);
  const PLATFORM_JWT_SECRET = "jwt_Zk4vTq8nWk2bYx6RmP9dLcHs3gFa7u";
  const { jwt } = await withUser(t, { PLATFORM_JWT_SECRET });
  const { withToken } = await given(t, { PLATFORM_JWT_SECRET, PLATFORM_WORKSPACE_URL: fake.url });
  await assert.rejects(withToken(jwt), { kind: "unauthorized", message: /another workspace/ });
  assert.deepEqual(fake.calls, []);
});
