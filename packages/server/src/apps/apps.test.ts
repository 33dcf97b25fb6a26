import assert from "node:assert/strict";
import { test } from "node:test";
import { newFolder, openHouse, refusal, remotePlatform, states, toldOf } from "../agents/test-house.ts";
import type { Outcome } from "../platforms/platform.ts";

const done: Outcome = { done: true, reference: null };

test("an app's name is unique in its environment, also at once", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  await client.createEnvironment({ body: { name: "other" } });
  const ended = await Promise.allSettled(
    Array.from({ length: 6 }, () => client.createApp({ body: { name: "ui" } })),
  );
  assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
  for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 409);
  const other = await client.createApp({ body: { name: "ui" }, environment: "other" });
  assert.deepEqual(await client.getApp({ params: { app_id: other.id } }), other);
  assert.deepEqual(await client.listApps({ environment: "other" }), { apps: [other], total: 1 });
  assert.equal((await client.listApps()).total, 2);
});

test("an app is linked to an agent by id, name or alias; an unknown one is 404", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const { id } = await client.createAgent({ body: { name: "desk", aliases: ["alias"] } });
  for (const agent of [id, "desk", "alias"]) {
    assert.equal((await client.createApp({ body: { name: `ui of ${agent}`, agent } })).agent_id, id);
  }
  assert.equal((await refusal(client.createApp({ body: { name: "x", agent: "nobody" } }))).status, 404);
  assert.equal((await client.createApp({ body: { name: "x", agent: null } })).agent_id, null);
});

test("start: when the app is linked to an agent, the agent's endpoint is started first", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const agent = await house.client.createAgent({ body: { name: "desk" } });
  const { id, environment_id } = await house.client.createApp({ body: { name: "ui", agent: "desk" } });
  const { success, message, app } = await house.client.startApp({ body: { application_name: "ui" } });
  assert.deepEqual([success, message], [true, "ui is running."]);
  assert.deepEqual([app.desired_state, app.observed_state], ["running", "running"]);
  assert.deepEqual(await house.records(), [
    `component.start agent/${agent.id} agent_endpoint`,
    `component.start app/${id}`,
  ]);
  const after = await house.client.getAgent({ params: { agent_id: agent.id } });
  assert.deepEqual(states(after, environment_id), {
    agent_endpoint: "running/running",
    ui_app: "running/running",
  });
});

test("start: an app without an agent starts alone", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const { id } = await house.client.createApp({ body: { name: "ui" } });
  await house.client.startApp({ body: { application_name: "ui" } });
  assert.deepEqual(await house.records(), [`component.start app/${id}`]);
});

test("start: a running app stays as it is, without an event", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  await house.client.createAgent({ body: { name: "desk" } });
  await house.client.createApp({ body: { name: "ui", agent: "desk" } });
  const call = { body: { application_name: "ui" } };
  const first = await house.client.startApp(call);
  const [records, events] = [await house.records(), await house.events()];
  assert.deepEqual(await house.client.startApp(call), first);
  assert.deepEqual(await house.records(), records);
  assert.deepEqual(await house.events(), events);
});

test("start: many at once end alike, and each thing is started once", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  await house.client.createAgent({ body: { name: "desk" } });
  await house.client.createApp({ body: { name: "ui", agent: "desk" } });
  const ended = await Promise.all(
    Array.from({ length: 8 }, () => house.client.startApp({ body: { application_name: "ui" } })),
  );
  assert.ok(ended.every(({ app }) => app.observed_state === "running"));
  assert.equal((await house.records()).length, 2);
});

test("start: an endpoint that was stopped alone is started again", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const { id } = await house.client.createAgent({ body: { name: "desk" } });
  await house.client.createApp({ body: { name: "ui", agent: "desk" } });
  await house.client.startApp({ body: { application_name: "ui" } });
  await house.client.stopAgent({ body: { agent_id: id, components: ["agent_endpoint"] } });
  await house.client.startApp({ body: { application_name: "ui" } });
  assert.deepEqual((await house.records()).slice(-1), [`component.start agent/${id} agent_endpoint`]);
});

test("start: in the environment that was named; unknown app or environment 404", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  await client.createEnvironment({ body: { name: "other" } });
  await client.createApp({ body: { name: "ui" }, environment: "other" });
  const body = { application_name: "ui" };
  assert.equal((await refusal(client.startApp({ body }))).status, 404);
  assert.equal((await refusal(client.startApp({ body, environment: "mars" }))).status, 404);
  assert.equal((await client.startApp({ body, environment: "other" })).app.observed_state, "running");
});

test("start: an agent endpoint that fails keeps the app from being started, and says why", async (t) => {
  const remote = remotePlatform();
  const { client } = await openHouse(t, await newFolder(t), remote);
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const app = await client.createApp({ body: { name: "ui", agent: id }, environment });
  remote.answer = () => ({ done: false, reason: "no room" });
  const call = { body: { application_name: "ui" }, environment };
  assert.deepEqual(await refusal(client.startApp(call)), {
    status: 409,
    detail: 'The app "ui" needs its agent. agent_endpoint of "desk" failed: no room',
  });
  assert.deepEqual(remote.asked.map(toldOf), [`component.start agent/${id} agent_endpoint`]);
  assert.deepEqual(await client.getApp({ params: { app_id: app.id } }), app);

  remote.answer = () => done;
  assert.equal((await client.startApp(call)).app.observed_state, "running");
});

test("start: an app that the platform refuses is failed, and its agent's ui_app with it", async (t) => {
  const remote = remotePlatform();
  const { client } = await openHouse(t, await newFolder(t), remote);
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const app = await client.createApp({ body: { name: "ui", agent: id }, environment });
  remote.answer = ({ subject }) => (subject.startsWith("app/") ? { done: false, reason: "no port" } : done);
  const call = { body: { application_name: "ui" }, environment };
  assert.deepEqual(await refusal(client.startApp(call)), {
    status: 409,
    detail: 'The app "ui" failed: no port',
  });
  const failed = await client.getApp({ params: { app_id: app.id } });
  assert.deepEqual(
    [failed.desired_state, failed.observed_state, failed.message],
    ["running", "failed", "no port"],
  );
  const agent = await client.getAgent({ params: { agent_id: id } });
  assert.deepEqual(states(agent, environment), {
    agent_endpoint: "running/running",
    ui_app: "running/failed",
  });
});

test("start: what a crash interrupted is finished after the restart", async (t) => {
  const folder = await newFolder(t);
  const remote = remotePlatform();
  const { client } = await openHouse(t, folder, remote);
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const app = await client.createApp({ body: { name: "ui", agent: id }, environment });
  const never = Promise.withResolvers<Outcome>();
  const isAsked = Promise.withResolvers<void>();
  remote.answer = ({ subject }) => {
    if (subject.startsWith("agent/")) return done;
    isAsked.resolve();
    return never.promise;
  };
  client.startApp({ body: { application_name: "ui" }, environment }).catch(() => {});
  await isAsked.promise;

  const restarted = await openHouse(t, folder, remotePlatform());
  assert.equal(await restarted.resume(), 1);
  assert.equal((await restarted.client.getApp({ params: { app_id: app.id } })).observed_state, "running");
  const agent = await restarted.client.getAgent({ params: { agent_id: id } });
  assert.equal(states(agent, environment).ui_app, "running/running");
});

test("start and stop at once never leave an app running without its endpoint", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const { id: app_id, environment_id } = await client.createApp({ body: { name: "ui", agent: id } });
  for (let n = 0; n < 10; n++) {
    await Promise.all([
      client.startApp({ body: { application_name: "ui" } }),
      client.stopAgent({ body: { agent_id: id } }),
    ]);
    const app = await client.getApp({ params: { app_id } });
    const { agent_endpoint, ui_app } = states(
      await client.getAgent({ params: { agent_id: id } }),
      environment_id,
    );
    const state = `${app.desired_state}/${app.observed_state}`;
    assert.equal(ui_app, state);
    if (state === "running/running") assert.equal(agent_endpoint, state);
  }
});

test("delete: stops an app that runs, and the ui_app of its agent with the last one", async (t) => {
  const house = await openHouse(t, await newFolder(t));
  const { client } = house;
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const first = await client.createApp({ body: { name: "first", agent: id } });
  const last = await client.createApp({ body: { name: "last", agent: id } });
  await client.startApp({ body: { application_name: "first" } });
  await client.startApp({ body: { application_name: "last" } });
  const before = (await house.records()).length;
  const uiApp = async () =>
    states(await client.getAgent({ params: { agent_id: id } }), first.environment_id).ui_app;

  await client.deleteApp({ params: { app_id: first.id } });
  assert.equal(await uiApp(), "running/running");
  await client.deleteApp({ params: { app_id: last.id } });
  assert.equal(await uiApp(), "stopped/stopped");
  assert.deepEqual((await house.records()).slice(before), [
    `component.stop app/${first.id}`,
    `component.stop app/${last.id}`,
    `component.stop agent/${id} ui_app`,
  ]);
  assert.equal((await client.listApps()).total, 0);
  assert.equal((await refusal(client.deleteApp({ params: { app_id: last.id } }))).status, 404);
});

test("delete: an app that the platform will not stop is kept", async (t) => {
  const remote = remotePlatform();
  const { client } = await openHouse(t, await newFolder(t), remote);
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id: app_id } = await client.createApp({ body: { name: "ui" }, environment });
  await client.startApp({ body: { application_name: "ui" }, environment });
  remote.answer = () => ({ done: false, reason: "it hangs" });
  assert.deepEqual(await refusal(client.deleteApp({ params: { app_id } })), {
    status: 409,
    detail: 'The app "ui" failed: it hangs',
  });
  remote.answer = () => done;
  await client.deleteApp({ params: { app_id } });
  await client.deleteEnvironment({ params: { environment_id: environment } });
});

test("delete: If-Match keeps a stale copy from deleting", async (t) => {
  const { client } = await openHouse(t, await newFolder(t));
  const made = await client.withResponse.createApp({ body: { name: "ui" } });
  const params = { app_id: made.body.id };
  await client.startApp({ body: { application_name: "ui" } });
  assert.equal((await refusal(client.deleteApp({ params, ifMatch: made.etag as string }))).status, 412);
  const { etag } = await client.withResponse.getApp({ params });
  await client.deleteApp({ params, ifMatch: etag as string });
});
