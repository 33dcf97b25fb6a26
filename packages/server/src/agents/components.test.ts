import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../platforms/platform.ts";
import { newFolder, openHouse, refusal, remotePlatform, states, toldOf } from "./test-house.ts";

const done: Outcome = { done: true, reference: null };

test("retry: deploys that one component again, alone, also if it runs", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const { client } = house;
  const { id } = await client.createAgent({ body: { name: "desk", aliases: ["alias"] } });
  for (const agent_id of [id, "desk", "alias"]) {
    const { success, message, agent } = await client.retryComponent({
      body: { agent_id, component: "agent_endpoint" },
    });
    assert.deepEqual([success, message], [true, "agent_endpoint of desk is deployed again."]);
    assert.deepEqual(
      agent.components.map((one) => [one.component, one.desired_state, one.observed_state, one.version]),
      [["agent_endpoint", "running", "running", null]],
    );
  }
  const start = `component.start agent/${id} agent_endpoint`;
  assert.deepEqual(await house.records(), [start, start, start]);
  assert.equal(
    (await house.events()).filter((event) => event.startsWith("agent.component_retried")).length,
    3,
  );
  const unknown = { body: { agent_id: "nobody", component: "chat" } } as const;
  assert.equal((await refusal(client.retryComponent(unknown))).status, 404);
});

test("retry: deploys the released version, else the newest one", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const { id } = await client.createAgent({ body: { name: "desk" } });
  for (const version of ["1", "2"]) {
    await client.createAgentVersion({ params: { agent_id: id }, body: { version } });
  }
  const release = { agent_name: "desk", version: "1", environment: "prod", action: "activate" } as const;
  await client.syncAgentRelease({ body: release });
  const body = { agent_id: id, component: "agent_endpoint" } as const;
  await client.retryComponent({ body });
  const { agent } = await client.retryComponent({ body, environment: "prod" });
  const versions = agent.components.filter(({ component }) => component === "agent_endpoint");
  assert.deepEqual(
    versions.map(({ version }) => version),
    ["2", "1"],
  );
});

test("a platform that refuses leaves the component failed, with its reason, until a retry succeeds", async (t) => {
  const remote = remotePlatform();
  const house = await openHouse(t, await newFolder(t), remote);
  const { client } = house;
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  remote.answer = () => ({ done: false, reason: "no room" });
  const call = { body: { agent_id: id, component: "chat" }, environment } as const;
  assert.deepEqual(await refusal(client.retryComponent(call)), {
    status: 409,
    detail: 'chat of "desk" failed: no room',
  });
  const [failed] = (await client.getAgent({ params: { agent_id: id } })).components;
  assert.deepEqual(
    [failed?.desired_state, failed?.observed_state, failed?.message],
    ["running", "failed", "no room"],
  );
  assert.ok((await house.events()).includes(`agent.component_failed agent/${id}`));

  remote.answer = () => {
    throw new Error("connection reset");
  };
  assert.match((await refusal(client.retryComponent(call))).detail, /connection reset/);
  remote.answer = () => done;
  const { agent } = await client.retryComponent(call);
  assert.deepEqual(
    agent.components.map(({ observed_state, message }) => [observed_state, message]),
    [["running", null]],
  );
});

test("until a platform answers the component is pending, and an older answer does not count", async (t) => {
  const remote = remotePlatform();
  const { client } = await openHouse(t, await newFolder(t), remote);
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const slow = Promise.withResolvers<Outcome>();
  const isAsked = Promise.withResolvers<void>();
  remote.answer = () => {
    isAsked.resolve();
    return slow.promise;
  };
  const first = client.retryComponent({ body: { agent_id: id, component: "chat" }, environment });
  await isAsked.promise;
  const read = async () => states(await client.getAgent({ params: { agent_id: id } }), environment);
  assert.deepEqual(await read(), { chat: "running/pending" });

  remote.answer = () => done;
  await client.stopAgent({ body: { agent_id: id }, environment });
  slow.resolve(done);
  await first;
  assert.deepEqual(await read(), { chat: "stopped/stopped" });
});

test("a start that a crash interrupted is finished after the restart", async (t) => {
  const folder = await newFolder(t);
  const remote = remotePlatform();
  const { client } = await openHouse(t, folder, remote);
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const never = Promise.withResolvers<Outcome>();
  const isAsked = Promise.withResolvers<void>();
  remote.answer = () => {
    isAsked.resolve();
    return never.promise;
  };
  const lost = client.retryComponent({ body: { agent_id: id, component: "chat" }, environment });
  lost.catch(() => {});
  await isAsked.promise;

  const later = remotePlatform();
  const restarted = await openHouse(t, folder, later);
  assert.equal(await restarted.resume(), 1);
  assert.deepEqual(later.asked.map(toldOf), [`component.start agent/${id} chat`]);
  assert.equal(later.asked[0]?.id, remote.asked[0]?.id, "the platform can tell that it is the same asking");
  const agent = await restarted.client.getAgent({ params: { agent_id: id } });
  assert.deepEqual(states(agent, environment), { chat: "running/running" });
});

test("an environment in which a component runs is not deleted", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const { id: environment } = await client.createEnvironment({ body: { name: "far" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  await client.retryComponent({ body: { agent_id: id, component: "agent_endpoint" }, environment });
  const call = { params: { environment_id: environment } };
  assert.equal((await refusal(client.deleteEnvironment(call))).status, 409);
  await client.stopAgent({ body: { agent_id: id }, environment });
  await client.deleteEnvironment(call);
  await client.deleteAgent({ params: { agent_id: id } });
});
