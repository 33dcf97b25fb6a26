import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ApiError, type Client, createClient } from "@lakehelm/contract/client";
import { done, startRemotePlatform } from "../../testing/remote-platform.ts";
import { startTestServer } from "../../testing/server.ts";
import { appliedPlan, endedPlan } from "./test-plans.ts";

const refusedWith = (status: number, text: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.status === status && text.test(error.message);

const connector = (name: string) => ({
  kind: "connector" as const,
  name,
  definition: { target_type: "csv", target_config: { path: "/srv/shop" }, execution_mode: "manual" },
});

/** A connector whose job the platform is asked to install. */
const installed = (name: string) => ({
  kind: "connector" as const,
  name,
  definition: { target_type: "csv", target_config: null },
});

async function addUser(client: Client, baseUrl: string, username: string, role: "admin" | "operator") {
  const { id } = await client.createUser({ body: { username, role } });
  const { token } = await client.createToken({ params: { user_id: id }, body: {} });
  return { id, client: createClient({ baseUrl, token, retries: 0 }) };
}

test("a plan that failed does not resume past a policy that is new since then", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "policies-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  let server = await startTestServer({
    settings: { PLATFORM_POLICIES_DIR: folder, PLATFORM_CONNECTOR_FOLDERS: `${folder}-exchange` },
  });
  t.after(() => server.close());
  const taken = await server.client.createAgent({ body: { name: "taken" } });
  const plan = (project: string) =>
    server.client.createPlan({
      body: {
        environment: "local",
        project: { name: project },
        resources: [
          connector(`${project}-first`),
          { kind: "agent", name: `${project}-desk`, definition: { aliases: ["taken"] } },
        ],
      },
    });
  const denied = await plan("one");
  const asked = await plan("two");
  for (const { id } of [denied, asked]) {
    const failed = await appliedPlan(server.client, id);
    assert.deepEqual([failed.status, failed.summary.done], ["failed", 1]);
  }
  await writeFile(
    join(folder, "frozen.yaml"),
    'rule: resource.name.startsWith("one-")\nmessage: "{actor} may not {action} {kind} {name} in {environment} for {project}."\n',
  );
  await writeFile(
    join(folder, "asked.yaml"),
    'level: approve\nrule: resource.name.startsWith("two-")\nmessage: Ask first.\n',
  );
  server = await server.restart();
  await server.client.deleteAgent({ params: { agent_id: taken.id } });

  const sentence = "internal-service may not create agent one-desk in local for one.";
  await assert.rejects(
    server.client.applyPlan({ params: { plan_id: denied.id } }),
    (error) => error instanceof ApiError && error.status === 409 && error.message.includes(sentence),
  );
  assert.equal((await server.client.getPlan({ params: { plan_id: denied.id } })).status, "refused");
  assert.equal(await server.client.listAgents({}).then(({ total }) => total), 0);

  await assert.rejects(
    server.client.applyPlan({ params: { plan_id: asked.id } }),
    refusedWith(409, /another admin/),
  );
  const ada = await addUser(server.client, server.url, "ada", "admin");
  await ada.client.approvePlan({ params: { plan_id: asked.id } });
  const resumed = await appliedPlan(server.client, asked.id);
  assert.equal(resumed.status, "applied", resumed.status_reason ?? "");
});

for (const [how, change, why] of [
  [
    "was deleted",
    (client: Client, user_id: string) => client.deleteUser({ params: { user_id } }),
    /no longer a user/,
  ],
  [
    "lost the role",
    (client: Client, user_id: string) => client.updateUser({ params: { user_id }, body: { role: "viewer" } }),
    /no longer has the role operator/,
  ],
] as const) {
  test(`a plan stops before its next step when the user who applies it ${how}`, async (t) => {
    const remote = await startRemotePlatform("remote", ["csv"]);
    const { client, url, close } = await startTestServer({ platforms: [remote.platform] });
    t.after(async () => {
      await close();
      await remote.close();
    });
    await client.createEnvironment({ body: { name: "away", platform: "remote" } });
    const oscar = await addUser(client, url, "oscar", "operator");
    const made = await oscar.client.createPlan({
      body: {
        environment: "away",
        project: { name: "shop" },
        resources: [installed("first"), installed("second")],
      },
    });
    const held = remote.holdNext();
    await oscar.client.applyPlan({ params: { plan_id: made.id } });
    await held.received;
    await change(client, oscar.id);
    held.reply(done);
    const ended = await endedPlan(client, made.id);
    assert.deepEqual([ended.status, ended.summary.done], ["failed", 1]);
    assert.match(ended.status_reason ?? "", why);
    const { connectors } = await client.listConnectors({});
    assert.deepEqual(
      connectors.map(({ name }) => name),
      ["first"],
    );
    const resumed = await appliedPlan(client, made.id);
    assert.equal(resumed.status, "applied", resumed.status_reason ?? "");
  });
}

test("a plan stops before its next step when the admin who approved it is none any more, until another approves it", async (t) => {
  const remote = await startRemotePlatform("remote", ["csv"]);
  const { client, url, close } = await startTestServer({ platforms: [remote.platform] });
  t.after(async () => {
    await close();
    await remote.close();
  });
  await client.createEnvironment({ body: { name: "away", platform: "remote", protected: true } });
  const [ada, bob, carol] = [
    await addUser(client, url, "ada", "admin"),
    await addUser(client, url, "bob", "admin"),
    await addUser(client, url, "carol", "admin"),
  ];
  const { id: plan_id } = await ada.client.createPlan({
    body: {
      environment: "away",
      project: { name: "shop" },
      resources: [installed("first"), installed("second")],
    },
  });
  await bob.client.approvePlan({ params: { plan_id } });
  const held = remote.holdNext();
  await ada.client.applyPlan({ params: { plan_id } });
  await held.received;
  await client.updateUser({ params: { user_id: bob.id }, body: { role: "operator" } });
  held.reply(done);
  const ended = await endedPlan(client, plan_id);
  assert.deepEqual([ended.status, ended.summary.done], ["failed", 1]);
  assert.match(ended.status_reason ?? "", /bob approved it and is no longer an admin there/);

  await assert.rejects(
    ada.client.applyPlan({ params: { plan_id } }),
    refusedWith(409, /another admin must approve the plan\. bob approved it/),
  );
  await carol.client.approvePlan({ params: { plan_id } });
  const resumed = await appliedPlan(ada.client, plan_id);
  assert.equal(resumed.status, "applied", resumed.status_reason ?? "");
});

test("a freeze that begins during an apply stops it", async (t) => {
  const remote = await startRemotePlatform("remote", ["csv"]);
  let now = Date.parse("2026-03-02T12:00:00Z");
  let monotonic = 0;
  const { client, close } = await startTestServer({
    platforms: [remote.platform],
    now: () => new Date(now),
    monotonicMs: () => performance.now() + monotonic,
  });
  t.after(async () => {
    await close();
    await remote.close();
  });
  await client.createEnvironment({ body: { name: "away", platform: "remote" } });
  const freeze = {
    name: "freeze",
    level: "deny" as const,
    rule: 'now >= timestamp("2026-03-02T13:00:00Z")',
    message: "Not now.",
  };
  const made = await client.createPlan({
    body: {
      environment: "away",
      project: { name: "shop" },
      resources: [installed("first"), installed("second")],
      policies: [freeze],
    },
  });
  const held = remote.holdNext();
  await client.applyPlan({ params: { plan_id: made.id } });
  await held.received;
  now += 3_600_000;
  monotonic += 3_600_000;
  held.reply(done);
  const ended = await endedPlan(client, made.id);
  assert.deepEqual([ended.status, ended.summary.done], ["failed", 1]);
  assert.match(ended.status_reason ?? "", /freeze denies it/);
});

test("policies count the steps of a plan and its approvals", async (t) => {
  const { client, url, close } = await startTestServer();
  t.after(close);
  const policies = [
    { name: "few", level: "deny" as const, rule: "steps.delete > 1", message: "Too many deletions." },
    {
      name: "two",
      level: "approve" as const,
      rule: 'action == "create" && size(approvals) < 2',
      message: "Two admins.",
    },
  ];
  const plan = (names: string[]) =>
    client.createPlan({
      body: { environment: "local", project: { name: "shop" }, resources: names.map(connector), policies },
    });
  const made = await plan(["a", "b"]);
  assert.equal(made.status, "needs_approval");
  const admins = await Promise.all(["ada", "bob"].map((name) => addUser(client, url, name, "admin")));
  const approve = (at: number) => admins[at]?.client.approvePlan({ params: { plan_id: made.id } });
  assert.equal((await approve(0))?.status, "needs_approval");
  await assert.rejects(approve(0) ?? Promise.resolve(), refusedWith(403, /have approved/));
  await assert.rejects(
    client.applyPlan({ params: { plan_id: made.id } }),
    refusedWith(409, /one more admin/),
  );
  const approved = await approve(1);
  assert.deepEqual(
    [approved?.status, approved?.approvals?.map(({ by }) => by)],
    ["approved", ["ada", "bob"]],
  );
  assert.equal((await appliedPlan(client, made.id)).status, "applied");

  assert.equal((await plan(["a"])).status, "planned");
  const both = await plan([]);
  assert.deepEqual([both.status, both.findings[0]?.policy], ["refused", "few"]);
});

test("a plan without a change needs no approval", async (t) => {
  const { client, close } = await startTestServer();
  t.after(close);
  const plan = () =>
    client.createPlan({
      body: { environment: "local", project: { name: "shop" }, resources: [connector("a")] },
    });
  await appliedPlan(client, (await plan()).id);
  await client.updateEnvironment({ params: { environment_id: "local" }, body: { protected: true } });
  const again = await plan();
  assert.deepEqual([again.status, again.summary.unchanged], ["planned", 1]);
  assert.equal((await appliedPlan(client, again.id)).status, "applied");
});
