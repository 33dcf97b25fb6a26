import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Token, User } from "@lakehelm/contract";
import { endpoints } from "@lakehelm/contract";
import { conformanceError } from "@lakehelm/contract/schema";
import { decodeJwt } from "jose";
import { ada, fakeWorkspace } from "./fake-workspace.ts";
import { openIdentity } from "./identity.ts";
import { identityHandlers } from "./routes.ts";
import { callOf, read } from "./test-calls.ts";
import { cheap, testDependencies } from "./test-dependencies.ts";

const unknownId = "019f0000-0000-7000-8000-000000000000";
const all = { skip: 0, limit: 100 };
const clientSecret = "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret";
const horse = { username: "ada", password: "correct horse" };

async function given(t: TestContext, environment: Record<string, string> = {}) {
  const deps = await testDependencies(t, environment);
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const identity = await openIdentity(deps, { passwordCost: cheap, pause });
  const handlers = identityHandlers(deps, identity, async (name) => ({ id: name, name }));

  const exchange = async (body: Parameters<typeof handlers.exchangeToken>[0]["body"]) =>
    read(await handlers.exchangeToken(callOf({ params: {}, query: {}, body })));
  const createUser = async (body: Parameters<typeof handlers.createUser>[0]["body"]) =>
    read(await handlers.createUser(callOf({ params: {}, query: {}, body }))) as User;
  const updateUser = (
    user_id: string,
    body: Parameters<typeof handlers.updateUser>[0]["body"],
    headers: Record<string, string> = {},
  ) => handlers.updateUser(callOf({ params: { user_id }, query: {}, body, headers }));
  const createToken = async (user_id: string, lifetime_seconds?: number | null) => {
    const body = { comment: "laptop", ...(lifetime_seconds !== undefined && { lifetime_seconds }) };
    return read(await handlers.createToken(callOf({ params: { user_id }, query: {}, body }))) as {
      token: string;
      details: Token;
    };
  };
  const ofUser = (user_id: string, headers: Record<string, string> = {}) =>
    callOf({ params: { user_id }, query: all, body: undefined, headers });
  const rows = (sql: string) => deps.store.engine.read({ sql, parameters: [] });
  const events = async () =>
    (await rows("select body from pending_events order by arrival")).map(
      ({ body }) =>
        JSON.parse(String(body)) as { kind: string; subject: string; data: Record<string, unknown> },
    );
  return { handlers, exchange, createUser, updateUser, createToken, ofUser, rows, events, pauses };
}

const assertConforms = (name: keyof typeof endpoints, value: unknown) =>
  assert.equal(conformanceError(endpoints[name].response, value), undefined);

test("the status shows the kind of caller and whether a client is configured", async (t) => {
  const ask = async (environment: Record<string, string>) => {
    const { handlers } = await given(t, environment);
    return read(await handlers.getAuthStatus(callOf({ params: {}, query: {}, body: undefined })));
  };
  const bare = {
    authenticated: true,
    auth_type: "service_token",
    workspace: "embedded",
    client_id: "",
    platform_client_configured: false,
  };
  assertConforms("getAuthStatus", bare);
  assert.deepEqual(await ask({}), bare);
  assert.deepEqual(await ask({ PLATFORM_CLIENT_ID: "ci" }), { ...bare, client_id: "ci" });
  assert.deepEqual(await ask({ PLATFORM_CLIENT_ID: "ci", PLATFORM_CLIENT_SECRET: clientSecret }), {
    ...bare,
    client_id: "ci",
    platform_client_configured: true,
  });
  const PLATFORM_WORKSPACE_URL = "https://my.workspace";
  assert.deepEqual(await ask({ PLATFORM_WORKSPACE_URL }), { ...bare, workspace: PLATFORM_WORKSPACE_URL });
});

test("client form: a Bearer JWT whose subject is the client", async (t) => {
  const { exchange } = await given(t, {
    PLATFORM_CLIENT_ID: "ci",
    PLATFORM_CLIENT_SECRET: clientSecret,
    PLATFORM_TOKEN_TTL_SECONDS: "600",
  });
  const answer = await exchange({ client_id: "ci", client_secret: clientSecret });
  assertConforms("exchangeToken", answer);
  const { access_token, ...rest } = answer as { access_token: string };
  assert.deepEqual(rest, {
    token_type: "Bearer",
    expires_in: 600,
    expires_at: "2026-03-01T12:10:00.000Z",
    workspace: "embedded",
  });
  assert.equal(decodeJwt(access_token).sub, "ci");
  for (const wrong of [
    { client_id: "ci", client_secret: "x" },
    { client_id: "x", client_secret: clientSecret },
  ]) {
    await assert.rejects(exchange(wrong), { kind: "unauthorized" });
  }
});

test("client form without a configured client is unavailable", async (t) => {
  for (const half of [{}, { PLATFORM_CLIENT_ID: "ci" }, { PLATFORM_CLIENT_SECRET: clientSecret }]) {
    const { exchange } = await given(t, half);
    await assert.rejects(exchange({ client_id: "ci", client_secret: "s" }), { kind: "unavailable" });
  }
});

test("user form: a bearer JWT whose subject is the user, with the user's role", async (t) => {
  const { exchange, createUser } = await given(t);
  await createUser({ ...horse, role: "viewer" });
  const answer = await exchange(horse);
  assertConforms("exchangeToken", answer);
  const { access_token, token_type } = answer as { access_token: string; token_type: string };
  assert.equal(token_type, "bearer");
  const { sub, role } = decodeJwt(access_token);
  assert.deepEqual({ sub, role }, { sub: "ada", role: "viewer" });
});

test("user form: wrong, unknown and passwordless are the same 401; inactive is 403 with the right password", async (t) => {
  const { exchange, createUser, updateUser } = await given(t);
  const { id } = await createUser(horse);
  await createUser({ username: "bob" });
  const refused = { kind: "unauthorized", message: "The username or the password is wrong." };
  await assert.rejects(exchange({ ...horse, password: "wrong horse" }), refused);
  await assert.rejects(exchange({ ...horse, username: "eve" }), refused);
  await assert.rejects(exchange({ ...horse, username: "" }), refused);
  await assert.rejects(exchange({ ...horse, username: "bob" }), refused);
  await updateUser(id, { active: false });
  await assert.rejects(exchange({ ...horse, password: "wrong horse" }), refused);
  await assert.rejects(exchange(horse), { kind: "forbidden" });
});

test("user form with a Databricks workspace: the password is a token of that user", async (t) => {
  const fake = await fakeWorkspace(t, ada);
  const { exchange } = await given(t, { PLATFORM_WORKSPACE_URL: fake.url });
  const answer = await exchange({ username: "Ada@example.com", password: "dapi1" });
  assertConforms("exchangeToken", answer);
  const { access_token, workspace } = answer as { access_token: string; workspace: string };
  assert.equal(workspace, fake.url);
  assert.equal(decodeJwt(access_token).sub, "ada@example.com");
  await assert.rejects(exchange({ username: "bob", password: "dapi1" }), { kind: "unauthorized" });
});

test("failed exchanges are throttled", async (t) => {
  const { exchange, pauses } = await given(t);
  for (let n = 0; n < 7; n++) await assert.rejects(exchange(horse), { kind: "unauthorized" });
  assert.deepEqual(pauses, [100, 200]);
});

test("a user is created, read and listed with exactly the contract's fields", async (t) => {
  const { handlers, createUser, ofUser } = await given(t);
  const user = await createUser(horse);
  assertConforms("createUser", user);
  assert.deepEqual(user, {
    id: user.id,
    username: "ada",
    role: "operator",
    active: true,
    created_at: "2026-03-01T12:00:00.000Z",
    updated_at: "2026-03-01T12:00:00.000Z",
    created_by: "internal-service",
  });
  const answer = await handlers.getUser(ofUser(user.id));
  assert.deepEqual(read(answer), user);
  assert.equal("version" in answer && answer.version, 1);
  const list = read(await handlers.listUsers(ofUser("")));
  assertConforms("listUsers", list);
  assert.deepEqual(list, { users: [user], total: 1 });
});

test("a username is unique, also under concurrent requests", async (t) => {
  const { createUser, handlers, ofUser } = await given(t);
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => createUser(horse)));
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
  for (const result of results)
    if (result.status === "rejected") assert.equal(result.reason.kind, "conflict");
  const { total } = read(await handlers.listUsers(ofUser(""))) as { total: number };
  assert.equal(total, 1);
  assert.equal((await createUser({ username: "Ada" })).username, "Ada");
});

test("the name of the service and overlong names are rejected", async (t) => {
  const { createUser } = await given(t);
  for (const username of ["internal-service", "x".repeat(257)]) {
    await assert.rejects(createUser({ username }), { kind: "conflict" });
  }
});

test("the answer is stored with the change that creates", async (t) => {
  const { handlers } = await given(t);
  const remembered: unknown[] = [];
  const remember = (text: string, version: number | undefined) => {
    remembered.push([text, version]);
    return [];
  };
  const answer = await handlers.createUser(
    callOf({ params: {}, query: {}, body: horse, saveAnswer: remember }),
  );
  assert.deepEqual(remembered, ["text" in answer && [answer.text, answer.version]]);
});

test("an update of a user is partial and versioned, and the new password is valid", async (t) => {
  const { createUser, updateUser, exchange } = await given(t);
  const user = await createUser(horse);
  const answer = await updateUser(
    user.id,
    { role: "admin", password: "battery staple" },
    { "if-match": '"1"' },
  );
  assertConforms("updateUser", read(answer));
  assert.deepEqual(read(answer), { ...user, role: "admin" });
  assert.equal("version" in answer && answer.version, 2);
  await assert.rejects(exchange(horse), { kind: "unauthorized" });
  await exchange({ username: "ada", password: "battery staple" });
  await assert.rejects(async () => updateUser(user.id, { active: false }, { "if-match": '"1"' }), {
    kind: "stale",
  });
  await updateUser(user.id, { active: true, role: "viewer" });
  await exchange({ username: "ada", password: "battery staple" });
});

test("an update without changes keeps the version and emits no event", async (t) => {
  const { createUser, updateUser, events } = await given(t);
  const { id } = await createUser(horse);
  const answer = await updateUser(id, { role: "operator" });
  assert.equal("version" in answer && answer.version, 1);
  assert.equal((await events()).length, 1);
});

test("a token is shown once and stored as a hash", async (t) => {
  const { createUser, createToken, handlers, ofUser, rows } = await given(t);
  const { id } = await createUser(horse);
  const issued = await createToken(id, 60);
  assertConforms("createToken", issued);
  assert.match(issued.token, /^lhp_[\w-]{43}$/);
  assert.deepEqual(issued.details, {
    id: issued.details.id,
    username: "ada",
    comment: "laptop",
    created_at: "2026-03-01T12:00:00.000Z",
    expires_at: "2026-03-01T12:01:00.000Z",
    created_by: "internal-service",
  });
  const forever = await createToken(id, null);
  assert.equal(forever.details.expires_at, null);
  const list = read(await handlers.listTokens(ofUser(id)));
  assertConforms("listTokens", list);
  assert.deepEqual(list, { tokens: [issued.details, forever.details], total: 2 });
  const kept = JSON.stringify([
    await rows("select * from tokens"),
    await rows("select * from pending_events"),
  ]);
  assert.ok(!kept.includes(issued.token.slice(4)));
});

test("a lifetime beyond the last date is rejected, whatever its size", async (t) => {
  const { createUser, createToken } = await given(t);
  const { id } = await createUser(horse);
  // Beyond 2^53 the contract passes a bigint in spite of its type.
  const huge: unknown = 10n ** 30n;
  for (const lifetime of [1e12, 2 ** 53 - 1, huge as number]) {
    await assert.rejects(createToken(id, lifetime), { kind: "conflict" });
  }
});

test("a token is revoked under its user", async (t) => {
  const { createUser, createToken, handlers, ofUser } = await given(t);
  const { id } = await createUser(horse);
  const other = await createUser({ username: "bob" });
  const { details } = await createToken(id);
  const revoke = (user_id: string, token_id: string) =>
    handlers.revokeToken(callOf({ params: { user_id, token_id }, query: {}, body: undefined }));
  await assert.rejects(async () => revoke(other.id, details.id), { kind: "notFound" });
  assertConforms("revokeToken", read(await revoke(id, details.id)));
  await assert.rejects(async () => revoke(id, details.id), { kind: "notFound" });
  assert.deepEqual(read(await handlers.listTokens(ofUser(id))), { tokens: [], total: 0 });
});

test("deleting a user deletes their tokens and no others", async (t) => {
  const { createUser, createToken, handlers, ofUser, rows } = await given(t);
  const { id } = await createUser(horse);
  const bob = await createUser({ username: "bob" });
  for (const user of [id, id, bob.id]) await createToken(user);
  await assert.rejects(async () => handlers.deleteUser(ofUser(id, { "if-match": '"2"' })), { kind: "stale" });
  const answer = read(await handlers.deleteUser(ofUser(id)));
  assertConforms("deleteUser", answer);
  assert.deepEqual(answer, { success: true, message: "User ada and 2 tokens deleted." });
  const owners = (await rows("select owner from tokens")).map(({ owner }) => owner);
  assert.deepEqual(owners, [bob.id]);
  await assert.rejects(async () => handlers.listTokens(ofUser(id)), { kind: "notFound" });
  assert.deepEqual(read(await handlers.listUsers(ofUser(""))), { users: [bob], total: 1 });
});

test("a token that is created while its user is deleted does not remain", async (t) => {
  const { createUser, createToken, handlers, ofUser, rows } = await given(t);
  const { id } = await createUser(horse);
  await Promise.allSettled([
    createToken(id),
    handlers.deleteUser(ofUser(id)),
    createToken(id),
    createToken(id),
  ]);
  assert.deepEqual(await rows("select id from users"), []);
  assert.deepEqual(await rows("select id from tokens"), []);
  assert.deepEqual(await rows("select list from tallies where n <> 0"), []);
});

test("every change emits an event, and no event contains a secret", async (t) => {
  const { createUser, updateUser, createToken, handlers, ofUser, events, rows } = await given(t);
  const { id } = await createUser(horse);
  await updateUser(id, { password: "battery staple", role: "viewer" });
  const { token, details } = await createToken(id);
  const params = { user_id: id, token_id: details.id };
  await handlers.revokeToken(callOf({ params, query: {}, body: undefined }));
  await handlers.deleteUser(ofUser(id));
  const emitted = await events();
  assert.deepEqual(
    emitted.map(({ kind, subject }) => `${kind} ${subject}`),
    [
      `user.created user/${id}`,
      `user.updated user/${id}`,
      `token.created token/${details.id}`,
      `token.revoked token/${details.id}`,
      `user.deleted user/${id}`,
    ],
  );
  assert.deepEqual(emitted[1]?.data.changed, ["role", "password"]);
  const log = JSON.stringify(await rows("select * from pending_events"));
  for (const secret of ["correct horse", "battery staple", "scrypt", token]) assert.ok(!log.includes(secret));
});

test("a password hash is stored encrypted and is not part of the answer", async (t) => {
  const { createUser, rows } = await given(t);
  await createUser(horse);
  const [row] = await rows("select doc, sealed from users");
  assert.doesNotMatch(String(row?.doc), /scrypt|horse/);
  assert.doesNotMatch(Buffer.from(String(row?.sealed), "base64").toString("latin1"), /scrypt/);
});

test("unknown users and tokens are 404", async (t) => {
  const { handlers, ofUser, updateUser, createToken } = await given(t);
  for (const attempt of [
    () => handlers.getUser(ofUser(unknownId)),
    () => updateUser(unknownId, { active: true }),
    () => handlers.deleteUser(ofUser(unknownId)),
    () => handlers.listTokens(ofUser(unknownId)),
    () => createToken(unknownId),
  ]) {
    await assert.rejects(async () => attempt(), { kind: "notFound" });
  }
});

test("with a Databricks workspace set, users and tokens are a conflict", async (t) => {
  const { handlers, ofUser, createUser, updateUser, createToken } = await given(t, {
    PLATFORM_WORKSPACE_URL: "https://my.workspace",
  });
  const params = { user_id: unknownId, token_id: unknownId };
  for (const attempt of [
    () => createUser(horse),
    () => handlers.listUsers(ofUser(unknownId)),
    () => handlers.getUser(ofUser(unknownId)),
    () => updateUser(unknownId, { active: true }),
    () => handlers.deleteUser(ofUser(unknownId)),
    () => createToken(unknownId),
    () => handlers.listTokens(ofUser(unknownId)),
    () => handlers.revokeToken(callOf({ params, query: {}, body: undefined })),
  ]) {
    await assert.rejects(async () => attempt(), { kind: "conflict", message: /does not manage users/ });
  }
});
