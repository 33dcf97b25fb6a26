import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { newFolder, openHouse, refusal, remotePlatform, states, told, toldOf } from "./test-house.ts";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";

/** An agent whose three components run, with two apps that run and one that does not. */
async function running(t: TestContext, options: { remote?: ReturnType<typeof remotePlatform> } = {}) {
  const house = await openHouse(t, await newFolder(t), options.remote);
  const { client } = house;
  const body = { name: "here", platform: options.remote ? "remote" : "embedded" };
  const { id: environment } = await client.createEnvironment({ body });
  const here = { environment };
  const { id } = await client.createAgent({ body: { name: "desk", aliases: ["alias"] } });
  const ui = await client.createApp({ body: { name: "ui", agent: "desk" }, ...here });
  const second = await client.createApp({ body: { name: "second", agent: "alias" }, ...here });
  await client.createApp({ body: { name: "idle", agent: "desk" }, ...here });
  await client.startApp({ body: { application_name: "ui" }, ...here });
  await client.startApp({ body: { application_name: "second" }, ...here });
  await client.retryComponent({ body: { agent_id: id, component: "chat" }, ...here });
  return { ...house, id, environment, here, ui: ui.id, second: second.id };
}

test("stop: cascades from the agent to its UI app and its chat, in an order that lets requests finish", async (t) => {
  const house = await running(t);
  const before = (await house.records()).length;
  const { success, message, agent } = await house.client.stopAgent({
    body: { agent_id: house.id, components: null },
    ...house.here,
  });
  assert.deepEqual([success, message], [true, "desk is stopped."]);
  assert.deepEqual(states(agent, house.environment), {
    agent_endpoint: "stopped/stopped",
    ui_app: "stopped/stopped",
    chat: "stopped/stopped",
  });
  assert.deepEqual((await house.records()).slice(before), [
    `component.stop agent/${house.id} chat`,
    `component.stop app/${house.ui}`,
    `component.stop app/${house.second}`,
    `component.stop agent/${house.id} ui_app`,
    `component.stop agent/${house.id} agent_endpoint`,
  ]);
  const { apps } = await house.client.listApps(house.here);
  assert.ok(apps.every(({ desired_state, observed_state }) => desired_state === observed_state));
  assert.deepEqual((await house.events()).slice(-3), [
    `app.stopped app/${house.ui}`,
    `app.stopped app/${house.second}`,
    `agent.stopped agent/${house.id}`,
  ]);
});

test("stop: what is stopped stays as it is, without an event", async (t) => {
  const house = await running(t);
  const call = { body: { agent_id: house.id.toUpperCase() }, ...house.here };
  const { agent } = await house.client.stopAgent(call);
  const [records, events] = [await house.records(), await house.events()];
  const again = await house.client.stopAgent(call);
  assert.deepEqual(again, { success: true, message: "There was nothing to stop of desk.", agent });
  assert.deepEqual(await house.records(), records);
  assert.deepEqual(await house.events(), events);

  const fresh = await house.client.createAgent({ body: { name: "fresh" } });
  const untouched = await house.client.stopAgent({ body: { agent_id: fresh.id } });
  assert.deepEqual(untouched.agent, fresh);
});

test("stop: with components, just those", async (t) => {
  const house = await running(t);
  const { agent, message } = await house.client.stopAgent({
    body: { agent_id: house.id, components: ["chat", "agent_endpoint", "chat"] },
    ...house.here,
  });
  assert.equal(message, "Stopped of desk: chat, agent_endpoint.");
  assert.deepEqual(states(agent, house.environment), {
    agent_endpoint: "stopped/stopped",
    ui_app: "running/running",
    chat: "stopped/stopped",
  });
  const ui = await house.client.getApp({ params: { app_id: house.ui } });
  assert.equal(ui.observed_state, "running");

  await house.client.stopAgent({ body: { agent_id: house.id, components: [] }, ...house.here });
  assert.equal((await house.client.getApp({ params: { app_id: house.ui } })).observed_state, "running");
});

test("stop: start_ui_app leaves the UI app and its apps running", async (t) => {
  const house = await running(t);
  const body = { agent_id: house.id, start_ui_app: true };
  const { agent } = await house.client.stopAgent({ body, ...house.here });
  assert.deepEqual(states(agent, house.environment), {
    agent_endpoint: "stopped/stopped",
    ui_app: "running/running",
    chat: "stopped/stopped",
  });
  assert.equal((await house.client.getApp({ params: { app_id: house.ui } })).observed_state, "running");
});

test("stop: only in the environment that was named", async (t) => {
  const house = await running(t);
  await house.client.retryComponent({ body: { agent_id: house.id, component: "chat" } });
  await house.client.stopAgent({ body: { agent_id: house.id } });
  const agent = await house.client.getAgent({ params: { agent_id: house.id } });
  assert.equal(states(agent, house.environment).chat, "running/running");
  assert.equal(
    (await refusal(house.client.stopAgent({ body: { agent_id: house.id }, environment: "no" }))).status,
    404,
  );
});

test("stop: takes a canonical UUID only; an unknown agent is 404, an unknown component 409", async (t) => {
  const { client, id, here } = await running(t);
  const stop = (agent_id: string, components?: string[]) =>
    refusal(client.stopAgent({ body: { agent_id, ...(components && { components }) }, ...here }));
  assert.equal((await stop("alias")).status, 422);
  assert.equal((await stop(id.replaceAll("-", ""))).status, 422);
  assert.equal((await stop(unknownId)).status, 404);
  const unknown = await stop(id, ["chat", "brain"]);
  assert.equal(unknown.status, 409);
  assert.match(unknown.detail, /"brain"/);
  const agent = await client.getAgent({ params: { agent_id: id } });
  assert.ok(agent.components.every(({ desired_state }) => desired_state === "running"));
});

test("stop: many at once end alike, and each thing is stopped once", async (t) => {
  const house = await running(t);
  const before = (await house.records()).length;
  const call = { body: { agent_id: house.id }, ...house.here };
  const ended = await Promise.all(Array.from({ length: 8 }, () => house.client.stopAgent(call)));
  assert.ok(ended.every(({ success }) => success));
  assert.equal((await house.records()).length, before + 5);
});

test("stop: a platform that refuses one leaves that one failed and stops the others", async (t) => {
  const remote = remotePlatform();
  const house = await running(t, { remote });
  remote.answer = ({ data }) =>
    data.component === "chat"
      ? { done: false, reason: "the bot is on leave" }
      : { done: true, reference: null };
  const call = { body: { agent_id: house.id }, ...house.here };
  assert.deepEqual(await refusal(house.client.stopAgent(call)), {
    status: 409,
    detail: 'chat of "desk" failed: the bot is on leave',
  });
  const agent = await house.client.getAgent({ params: { agent_id: house.id } });
  assert.deepEqual(states(agent, house.environment), {
    agent_endpoint: "stopped/stopped",
    ui_app: "stopped/stopped",
    chat: "stopped/failed",
  });
  assert.equal((await refusal(house.client.deleteAgent({ params: { agent_id: house.id } }))).status, 409);

  remote.answer = () => ({ done: true, reference: null });
  remote.asked.length = 0;
  const { agent: stopped } = await house.client.stopAgent(call);
  assert.deepEqual(remote.asked.map(toldOf), [`component.stop agent/${house.id} chat`]);
  assert.equal(states(stopped, house.environment).chat, "stopped/stopped");
});

test("stop: what a crash interrupted is finished after the restart, in the same order", async (t) => {
  const folder = await newFolder(t);
  const remote = remotePlatform();
  const house = await openHouse(t, folder, remote);
  const { client } = house;
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const ui = await client.createApp({ body: { name: "ui", agent: id }, environment });
  await client.startApp({ body: { application_name: "ui" }, environment });
  await client.retryComponent({ body: { agent_id: id, component: "chat" }, environment });

  const hang = Promise.withResolvers<{ done: true; reference: null }>();
  const isAsked = Promise.withResolvers<void>();
  remote.answer = () => {
    isAsked.resolve();
    return hang.promise;
  };
  const interrupted = client.stopAgent({ body: { agent_id: id }, environment });
  await isAsked.promise;
  const between = await client.getAgent({ params: { agent_id: id } });
  assert.deepEqual(new Set(Object.values(states(between, environment))), new Set(["stopped/pending"]));

  const later = remotePlatform();
  const restarted = await openHouse(t, folder, later);
  assert.equal(await restarted.resume(), 4);
  assert.deepEqual(later.asked.map(toldOf), [
    told("component.stop", `agent/${id}`, { component: "chat" }),
    told("component.stop", `app/${ui.id}`, {}),
    told("component.stop", `agent/${id}`, { component: "ui_app" }),
    told("component.stop", `agent/${id}`, { component: "agent_endpoint" }),
  ]);
  const after = await restarted.client.getAgent({ params: { agent_id: id } });
  assert.deepEqual(new Set(Object.values(states(after, environment))), new Set(["stopped/stopped"]));
  assert.equal(await restarted.resume(), 0);

  // The first process was only slow: what it hears now changes nothing any more.
  hang.resolve({ done: true, reference: null });
  await interrupted;
  assert.deepEqual(await client.getAgent({ params: { agent_id: id } }), after);
});
