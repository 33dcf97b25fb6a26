import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { databricksWorkspace } from "./databricks-workspace.ts";
import { ada, fakeWorkspace, json, silence, text } from "./fake-workspace.ts";

type Replies = Parameters<typeof fakeWorkspace> extends [TestContext, ...infer R] ? R : never;

async function given(t: TestContext, timeoutMs: number, ...replies: Replies) {
  const fake = await fakeWorkspace(t, ...replies);
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  return { fake, pauses, workspace: databricksWorkspace({ url: fake.url, timeoutMs, pause }) };
}

const patient = 10_000;
const unavailable = { kind: "unavailable" };

test("a token belongs to the user that the current-user lookup returns", async (t) => {
  const { workspace, fake } = await given(t, patient, ada);
  const user = await workspace.userOfToken("dapi1");
  assert.deepEqual(user, { id: "ada@example.com", name: "ada@example.com" });
  assert.deepEqual(fake.calls, ["Bearer dapi1"]);
  assert.equal(workspace.address, fake.url);
});

test("a trailing slash of the address is ignored, and `active` may be absent", async (t) => {
  const { fake } = await given(t, patient, json(200, { userName: "ada" }));
  const workspace = databricksWorkspace({ url: `${fake.url}/`, timeoutMs: patient, pause: async () => {} });
  assert.equal((await workspace.userOfToken("dapi1")).name, "ada");
});

for (const status of [401, 403]) {
  test(`${status} from the workspace is unauthorized, without a retry`, async (t) => {
    const { workspace, fake } = await given(t, patient, json(status, { error_code: "no" }));
    await assert.rejects(workspace.userOfToken("dapi1"), { kind: "unauthorized" });
    assert.equal(fake.calls.length, 1);
  });
}

test("an inactive user is forbidden", async (t) => {
  const { workspace } = await given(t, patient, json(200, { userName: "ada", active: false }));
  await assert.rejects(workspace.userOfToken("dapi1"), { kind: "forbidden", message: /inactive/ });
});

for (const status of [429, 500, 502, 503]) {
  test(`${status} and then a user: one retry`, async (t) => {
    const { workspace, fake, pauses } = await given(t, patient, json(status, {}), ada);
    assert.equal((await workspace.userOfToken("dapi1")).name, "ada@example.com");
    assert.equal(fake.calls.length, 2);
    assert.deepEqual(pauses, [100]);
  });
  test(`${status} twice is unavailable`, async (t) => {
    const { workspace, fake } = await given(t, patient, json(status, {}));
    await assert.rejects(workspace.userOfToken("dapi1"), unavailable);
    assert.equal(fake.calls.length, 2);
  });
}

test("the pause before the retry follows Retry-After, up to a second", async (t) => {
  for (const [header, ms] of [
    ["0", 0],
    ["1", 1000],
    ["120", 1000],
    ["soon", 100],
  ] as const) {
    const { workspace, pauses } = await given(t, patient, json(429, {}, { "retry-after": header }), ada);
    await workspace.userOfToken("dapi1");
    assert.deepEqual(pauses, [ms]);
  }
});

test("a workspace that hangs is unavailable after two timeouts", async (t) => {
  const { workspace, fake } = await given(t, 400, silence);
  await assert.rejects(workspace.userOfToken("dapi1"), unavailable);
  assert.equal(fake.calls.length, 2);
});

test("the timeout covers the body, too", async (t) => {
  const { workspace } = await given(t, 30, (response) => response.writeHead(200).write('{"userName":'));
  await assert.rejects(workspace.userOfToken("dapi1"), unavailable);
});

test("a lookup that times out is retried once", async (t) => {
  const { workspace } = await given(t, 1_000, silence, ada);
  assert.equal((await workspace.userOfToken("dapi1")).name, "ada@example.com");
});

test("a workspace that is down is unavailable", async (t) => {
  const { workspace, fake } = await given(t, patient, ada);
  await fake.close();
  await assert.rejects(workspace.userOfToken("dapi1"), unavailable);
});

const misconfigured = {
  "404": json(404, {}),
  "no JSON": text(200, "<html>Sign in</html>"),
  "an empty answer": text(200, ""),
  "no user": json(200, {}),
  null: json(200, null),
  "a nameless user": json(200, { userName: "" }),
  "a name that is a number": json(200, { userName: 7 }),
  "neither active nor not": json(200, { userName: "ada", active: "maybe" }),
  "an endless answer": text(200, `{"userName":"ada","x":"${"x".repeat(1024 * 1024)}"}`),
};
for (const [name, reply] of Object.entries(misconfigured)) {
  test(`${name} is unavailable, without a retry`, async (t) => {
    const { workspace, fake } = await given(t, patient, reply);
    await assert.rejects(workspace.userOfToken("dapi1"), unavailable);
    assert.equal(fake.calls.length, 1);
  });
}

test("a redirect is not followed: the token would go elsewhere", async (t) => {
  const elsewhere = await fakeWorkspace(t, ada);
  const { workspace } = await given(t, patient, (response) =>
    response.writeHead(302, { location: `${elsewhere.url}/api/2.0/preview/scim/v2/Me` }).end(),
  );
  await assert.rejects(workspace.userOfToken("dapi1"), unavailable);
  assert.deepEqual(elsewhere.calls, []);
});

test("a token that cannot be sent in a header is unauthorized without a call", async (t) => {
  const { workspace, fake } = await given(t, patient, ada);
  for (const token of ["", "a b", "a\nb", "a\0", "ключ", "é", "😀", "x".repeat(8193)]) {
    await assert.rejects(workspace.userOfToken(token), { kind: "unauthorized" });
    await assert.rejects(workspace.userOfPassword("ada", token), { kind: "unauthorized" });
  }
  assert.deepEqual(fake.calls, []);
});

test("a password must be a personal access token of the same user", async (t) => {
  const { workspace } = await given(t, patient, ada);
  assert.equal((await workspace.userOfPassword("ADA@example.com", "dapi1")).name, "ada@example.com");
  await assert.rejects(workspace.userOfPassword("bob@example.com", "dapi1"), { kind: "unauthorized" });
});
