import assert from "node:assert/strict";
import { test } from "node:test";
import { newFolder, openHouse, refusal, remotePlatform, states } from "./test-house.ts";

const activate = { agent_name: "desk", version: "1", environment: "prod", action: "activate" } as const;
const remove = { ...activate, action: "delete" } as const;

test("sync-release: registers an agent that is not known, and makes its version answer in chat", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const workflow = { workflow_run_id: "7", workflow_name: "deploy", workflow_run_url: "https://ci/7" };
  const { success, message, agent } = await house.client.syncAgentRelease({
    body: { ...activate, ...workflow },
  });
  assert.deepEqual([success, message], [true, "desk 1 answers in the chat of prod."]);
  const prod = await house.client.getEnvironment({ params: { environment_id: "prod" } });
  const [release] = agent.releases;
  assert.deepEqual(release, {
    environment_id: prod.id,
    environment: "prod",
    version: "1",
    ...workflow,
    activated_at: release?.activated_at,
    activated_by: "internal-service",
  });
  assert.deepEqual(
    agent.components.map((one) => [one.component, one.observed_state, one.version]),
    [["chat", "running", "1"]],
  );
  assert.deepEqual(await house.records(), [`component.start agent/${agent.id} chat`]);
  const { versions } = await house.client.listAgentVersions({ params: { agent_id: "desk" } });
  assert.deepEqual(
    versions.map(({ version }) => version),
    ["1"],
  );
  assert.deepEqual((await house.events()).slice(-3), [
    `agent.created agent/${agent.id}`,
    `agent.version_created agent/${agent.id}`,
    `agent.release_activated agent/${agent.id}`,
  ]);
  assert.deepEqual(await house.agents.currentReleases(prod.id), [
    { artifact: "agent/desk", version: "1", activated_at: release?.activated_at },
  ]);
});

test("sync-release: the same call twice changes nothing", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  for (const body of [activate, remove]) {
    const first = await house.client.syncAgentRelease({ body });
    const [records, events] = [await house.records(), await house.events()];
    const second = await house.client.syncAgentRelease({ body });
    assert.deepEqual(second.agent, first.agent);
    assert.deepEqual(await house.records(), records);
    assert.deepEqual(await house.events(), events);
  }
});

test("sync-release: many first calls at once register one agent", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const ended = await Promise.all(
    Array.from({ length: 8 }, () => house.client.syncAgentRelease({ body: activate })),
  );
  assert.equal(new Set(ended.map(({ agent }) => agent.id)).size, 1);
  assert.equal((await house.client.listAgents()).total, 1);
  assert.equal((await house.records()).length, 1);
});

test("sync-release: a new version replaces the release of that environment alone", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  await house.client.syncAgentRelease({ body: activate });
  await house.client.syncAgentRelease({ body: { ...activate, environment: "test" } });
  const { agent } = await house.client.syncAgentRelease({ body: { ...activate, version: "2" } });
  const current = Object.fromEntries(agent.releases.map((one) => [one.environment, one.version]));
  assert.deepEqual(current, { prod: "2", test: "1" });
  assert.equal((await house.records()).length, 3);
});

test("sync-release: activating again starts a chat that was stopped", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const { agent } = await house.client.syncAgentRelease({ body: activate });
  const prod = agent.releases[0]?.environment_id as string;
  const stopped = await house.client.stopAgent({ body: { agent_id: agent.id }, environment: prod });
  assert.deepEqual(stopped.agent.releases, agent.releases);
  const again = await house.client.syncAgentRelease({ body: activate });
  assert.deepEqual(states(again.agent, prod), { chat: "running/running" });
  assert.deepEqual(again.agent.releases, agent.releases);
});

test("sync-release: delete takes the release out and stops its chat there", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const { agent } = await house.client.syncAgentRelease({ body: activate });
  const prod = agent.releases[0]?.environment_id as string;
  const kept = await refusal(house.client.deleteEnvironment({ params: { environment_id: prod } }));
  assert.equal(kept.status, 409);

  const gone = await house.client.syncAgentRelease({ body: remove });
  assert.equal(gone.message, "desk 1 no longer answers in the chat of prod.");
  assert.deepEqual(gone.agent.releases, []);
  assert.deepEqual(states(gone.agent, prod), { chat: "stopped/stopped" });
  assert.deepEqual(await house.agents.currentReleases(prod), []);
  await house.client.deleteEnvironment({ params: { environment_id: prod } });
});

test("sync-release: deleting another version, or where there is none, changes nothing and says so", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const { agent } = await house.client.syncAgentRelease({ body: activate });
  const other = await house.client.syncAgentRelease({ body: { ...remove, version: "9" } });
  assert.deepEqual(other, {
    success: true,
    message: "9 is not the release of desk in prod: 1 stays.",
    agent,
  });
  const none = await house.client.syncAgentRelease({ body: { ...remove, environment: "test" } });
  assert.deepEqual(none, { success: true, message: "desk has no release in test.", agent });
});

test("sync-release: an environment that nobody knows is 404; an inactive one 409; no name or version 409", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  await client.createEnvironment({ body: { name: "asleep", isActive: false } });
  const refused = async (change: object) =>
    (await refusal(client.syncAgentRelease({ body: { ...activate, ...change } }))).status;
  assert.equal(await refused({ environment: "mars" }), 404);
  assert.equal(await refused({ environment: "asleep" }), 409);
  assert.equal(await refused({ agent_name: "" }), 409);
  assert.equal(await refused({ version: "" }), 409);
  assert.equal((await client.listAgents()).total, 0);
});

test("sync-release: a chat that the platform refuses is failed, and the same call tries again", async (t) => {
  const remote = remotePlatform();
  const { client } = await openHouse(t, await newFolder(t), remote);
  const { id } = await client.createEnvironment({ body: { name: "prod", platform: "remote" } });
  remote.answer = () => ({ done: false, reason: "no bot" });
  const refused = await refusal(client.syncAgentRelease({ body: activate }));
  assert.deepEqual(refused, { status: 409, detail: 'chat of "desk" failed: no bot' });
  remote.answer = () => ({ done: true, reference: null });
  const { agent } = await client.syncAgentRelease({ body: activate });
  assert.deepEqual(states(agent, id), { chat: "running/running" });
});
