import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createOutbound } from "../../../outbound/outbound.ts";
import { type FakeWorkspace, startFakeWorkspace, testClient, testToken } from "../testing/fake-workspace.ts";
import type { Routes } from "../testing/route.ts";
import { createWorkspaceClient, type WorkspaceClient } from "./client.ts";
import { numericId } from "./json.ts";
import { createLimiter } from "./limiter.ts";
import { fetchMachineToken } from "./machine-token.ts";
import { segment } from "./path.ts";
import { fixedToken, renewedToken, type TokenSource } from "./token-source.ts";
import { isWorkspaceError, WorkspaceError, type WorkspaceErrorKind } from "./workspace-error.ts";

const outbound = createOutbound({ allowsPrivate: true, privateAddresses: [] });

/** A clock that advances only when code sleeps, and records for how long. */
function testClock() {
  let time = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
    random: () => 0,
    async sleep(ms: number, signal: AbortSignal) {
      signal.throwIfAborted();
      slept.push(ms);
      time += ms;
    },
  };
}

const things: Routes = {
  "GET /api/2.0/thing": () => ({ name: "one" }),
  "POST /api/2.0/thing": ({ text }) => ({ received: text }),
  "DELETE /api/2.0/thing": () => ({}),
};

async function connect(t: TestContext, tokens: TokenSource = fixedToken(testToken), parts: Routes = things) {
  const workspace = await startFakeWorkspace(t, parts);
  const clock = testClock();
  const limiter = createLimiter("test", clock);
  const options = { host: workspace.url, owner: "env", outbound, tokens, limiter, clock };
  return { workspace, clock, client: createWorkspaceClient(options) };
}

async function failure(work: Promise<unknown>): Promise<WorkspaceError> {
  const error = await work.then(
    () => assert.fail("It succeeded."),
    (error: unknown) => error,
  );
  assert.ok(error instanceof WorkspaceError, String(error));
  return error;
}

test("a token is masked in messages, and never in what the error means", async (t) => {
  // A short token that is part of the answer itself.
  const { client, workspace } = await connect(t, fixedToken("403"));
  const body = { error_code: 403, message: "403 is an invalid access token." };
  workspace.fail({ match: "GET /api/2.0/thing", kind: { status: 403, body } });
  const error = await failure(read(client));
  assert.deepEqual([error.kind, error.code], ["denied", "403"]);
  assert.match(error.message, /: \*+ is an invalid access token\.$/);
});

const read = (client: WorkspaceClient) => client.get<{ name: string }>("/api/2.0/thing");
const create = (client: WorkspaceClient) => client.send("POST", "/api/2.0/thing", { name: "one" });

test("ids beyond 2^53 are read and sent exactly, and other numbers stay numbers", async (t) => {
  const id = "9223372036854775807";
  const { client, workspace } = await connect(t, undefined, {
    "GET /api/2.0/thing": () => ({
      job_id: numericId(id),
      tasks: [{ run_id: 7 }],
      size: numericId(id),
      share: 0.5,
    }),
    "POST /api/2.0/thing": () => ({}),
  });
  assert.deepEqual(await client.get("/api/2.0/thing"), {
    job_id: id,
    tasks: [{ run_id: "7" }],
    size: id,
    share: 0.5,
  });
  await client.send("POST", "/api/2.0/thing", { job_id: numericId(id) });
  assert.equal(workspace.requests.at(-1)?.text, `{"job_id":${id}}`);
  assert.throws(() => numericId("7 "), /is not the id/);
});

test("each form of error has its kind and says what the workspace said", async (t) => {
  const { client, workspace } = await connect(t);
  const cases: readonly (readonly [number, object | string, WorkspaceErrorKind, RegExp])[] = [
    [400, { error_code: "INVALID_PARAMETER_VALUE", message: "Bad name" }, "refused", /VALUE: Bad name/],
    [400, { error_code: "INVALID_PARAMETER_VALUE", message: "Job 7 does not exist." }, "gone", /Job 7/],
    [400, { error_code: "RESOURCE_ALREADY_EXISTS", message: "taken" }, "conflict", /taken/],
    [400, "INVALID_STATE: not now", "refused", /INVALID_STATE: not now/],
    [403, { error_code: "PERMISSION_DENIED", message: "no" }, "denied", /PERMISSION_DENIED: no/],
    [403, { error_code: 403, message: "Invalid access token." }, "denied", /Invalid access token/],
    [403, { detail: "Not authorized", status: "403", scimType: "x" }, "denied", /Not authorized/],
    [400, { error: "invalid_request", error_description: "scope" }, "refused", /invalid_request: scope/],
    [404, { error_code: "RESOURCE_DOES_NOT_EXIST", message: "none" }, "gone", /none/],
    [404, "", "gone", /404 .*no text/],
    [409, { error_code: "ABORTED", message: "changed" }, "conflict", /changed/],
    [500, { error_code: "INTERNAL_ERROR", message: "oops" }, "open", /oops/],
    [504, "<html>gateway</html>", "open", /504 .*a web page/],
    [400, '{"error_code": "X", "message":', "refused", /message/],
  ];
  for (const [status, body, kind, message] of cases) {
    workspace.fail({ match: "POST *", kind: { status, body } });
    const error = await failure(create(client));
    assert.deepEqual([error.kind, error.status], [kind, status], error.message);
    assert.match(error.message, message);
    assert.match(error.message, /POST \/api\/2\.0\/thing/);
  }
});

test("a redirect is not followed, and a web page with 200 is not a success", async (t) => {
  const { client, workspace } = await connect(t);
  const redirect = `${workspace.url}/login.html?error=private-link-validation-error`;
  workspace.fail({ match: "POST *", kind: { redirect } });
  const error = await failure(create(client));
  assert.equal(error.kind, "denied");
  assert.match(error.message, /redirects to another address/);
  workspace.fail({ match: "POST *", kind: "html" });
  assert.equal((await failure(create(client))).kind, "open");
  assert.deepEqual(workspace.lines(), ["POST /api/2.0/thing", "POST /api/2.0/thing"]);
});

test("a read is repeated after an open end; a create is not, because it may have been done", async (t) => {
  const { client, workspace } = await connect(t);
  for (const kind of ["drop", "html", { status: 503 }] as const) workspace.fail({ match: "GET *", kind });
  assert.deepEqual(await read(client), { name: "one" });
  assert.equal(workspace.requests.length, 4);
  for (const kind of ["drop", "html", { status: 500 }] as const) {
    workspace.fail({ match: "POST *", kind, after: true });
    const before: number = workspace.requests.length;
    assert.equal((await failure(create(client))).kind, "open");
    assert.equal(workspace.requests.length, before + 1);
  }
});

test("429 is repeated for creates, too: with Retry-After after that time, without it after a growing pause", async (t) => {
  const { client, workspace, clock } = await connect(t);
  workspace.fail({ match: "POST *", kind: { status: 429, retryAfter: 3 } });
  workspace.fail({ match: "POST *", kind: { status: 429 } });
  await create(client);
  assert.deepEqual(clock.slept, [3000, 1000]);
  workspace.fail({ match: "POST *", kind: { status: 429, retryAfter: 3600 } });
  const error = await failure(create(client));
  assert.deepEqual([error.kind, error.retryAfterSeconds], ["busy", 3600]);
});

test("after a 429 other requests to the same workspace wait, too; if that takes too long, they fail at once", async (t) => {
  const { client, workspace, clock } = await connect(t);
  workspace.fail({ match: "POST *", kind: { status: 429, retryAfter: 3600 } });
  await failure(create(client));
  const error = await failure(read(client));
  assert.deepEqual([error.kind, error.retryAfterSeconds], ["busy", 3600]);
  assert.equal(workspace.requests.length, 1);
  clock.advance(3_590_000);
  await read(client);
  assert.deepEqual(clock.slept, [10_000]);
});

test("a workspace that cannot be reached is busy: nothing was sent", async (t) => {
  const { client, workspace } = await connect(t);
  await workspace.close();
  const error = await failure(create(client));
  assert.equal(error.kind, "busy");
  assert.match(error.message, /refused the connection/);
});

test("a workspace that does not respond is an open end, and an abort ends the wait at once", async (t) => {
  const { client, workspace } = await connect(t);
  workspace.fail({ match: "*", kind: "silence", times: 2 });
  const late = await failure(client.send("POST", "/api/2.0/thing", {}, { timeoutMs: 50 }));
  assert.equal(late.kind, "open");
  const stop = new AbortController();
  const reading = client.get("/api/2.0/thing", {}, { signal: stop.signal });
  stop.abort(new Error("gone"));
  await assert.rejects(reading, { message: "gone" });
});

test("a response above its limit is refused", async (t) => {
  const { client } = await connect(t, undefined, {
    "POST /api/2.0/thing": () => ({ text: "x".repeat(5000) }),
  });
  const error = await failure(client.send("POST", "/api/2.0/thing", {}, { maxBytes: 1000 }));
  assert.match(error.message, /sent more than 1000 bytes/);
});

test("a list is read to its last page, also over empty pages, and never in a circle", async (t) => {
  const pages = [{ items: [1], next_page_token: "a" }, { next_page_token: "b" }, { items: [2] }];
  const { client } = await connect(t, undefined, {
    "GET /api/2.0/list": ({ query }) => pages[["a", "b"].indexOf(query.page_token ?? "") + 1] ?? {},
    "GET /api/2.0/circle": () => ({ items: [1], next_page_token: "a" }),
  });
  assert.deepEqual(await Array.fromAsync(client.list("/api/2.0/list", "items")), [1, 2]);
  assert.match(
    (await failure(Array.fromAsync(client.list("/api/2.0/circle", "items")))).message,
    /same page/,
  );
});

const machineTokens = (workspace: () => FakeWorkspace, now: () => number, secret = testClient.clientSecret) =>
  renewedToken(
    () => fetchMachineToken(outbound, workspace().url, { ...testClient, clientSecret: secret }),
    now,
  );

test("a machine token is fetched once for concurrent requests, and renewed more than a minute before its end", async (t) => {
  const clock = testClock();
  let fake: FakeWorkspace | undefined;
  const tokens = machineTokens(() => fake as FakeWorkspace, clock.now);
  const { client, workspace } = await connect(t, tokens);
  fake = workspace;
  const fetches = () => workspace.requests.filter(({ line }) => line === "POST /oidc/v1/token").length;
  await Promise.all([read(client), read(client), read(client)]);
  assert.equal(fetches(), 1);
  clock.advance(3_400_000);
  await read(client);
  assert.equal(fetches(), 1);
  clock.advance(120_000);
  await read(client);
  assert.equal(fetches(), 2);
});

test("after the 403 of an expired token one new token is fetched, and a create is then sent again", async (t) => {
  let fake: FakeWorkspace | undefined;
  const tokens = machineTokens(
    () => fake as FakeWorkspace,
    () => 0,
  );
  const { client, workspace } = await connect(t, tokens);
  fake = workspace;
  await read(client);
  workspace.expireTokens();
  await create(client);
  assert.deepEqual(
    workspace.requests.map(({ line }) => line.split("/").at(-1)),
    ["token", "thing", "thing", "token", "thing"],
  );
  workspace.fail({
    match: "POST /api/*",
    kind: { status: 403, body: { error_code: 403, message: "no" } },
    times: 9,
  });
  const before = workspace.requests.length;
  assert.equal((await failure(create(client))).kind, "denied");
  assert.equal(workspace.requests.length, before + 3);
});

test("a wrong secret is denied with what to do, and no message has a credential", async (t) => {
  let fake: FakeWorkspace | undefined;
  const tokens = machineTokens(
    () => fake as FakeWorkspace,
    () => 0,
    "wrong-secret-value",
  );
  const { client, workspace } = await connect(t, tokens);
  fake = workspace;
  const error = await failure(read(client));
  assert.equal(error.kind, "denied");
  assert.match(error.message, /Check the client id and the client secret/);
  assert.doesNotMatch(error.message, /wrong-secret-value/);
});

test("a workspace that repeats the token in its error does not bring it into the message", async (t) => {
  const { client, workspace } = await connect(t);
  workspace.fail({
    match: "*",
    kind: { status: 400, body: { error_code: "X", message: `bad ${testToken}` } },
  });
  const error = await failure(read(client));
  assert.match(error.message, /bad \*{8}/);
});

test("a name is one segment of a path and cannot lead elsewhere", () => {
  assert.equal(segment("a/b c"), "a%2Fb%20c");
  for (const name of ["..", ".", ""]) {
    assert.throws(
      () => segment(name),
      (error) => isWorkspaceError(error, "refused"),
    );
  }
});
