import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import {
  done,
  lineOf,
  type RemotePlatform,
  refusing,
  startRemotePlatform,
} from "../../testing/remote-platform.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { states } from "./test-states.ts";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";
const allStopped = {
  agent_endpoint: "stopped/stopped",
  ui_app: "stopped/stopped",
  chat: "stopped/stopped",
};

for (const engine of enginesOfSlowSuites) {
  suite(`stopping agents on ${engine}`, () => {
    let remote: RemotePlatform;
    let server: TestServer;
    before(async () => {
      remote = await startRemotePlatform("remote");
      server = await startTestServer({ engine, platforms: [remote.platform] });
    });
    after(async () => {
      await server.close();
      await remote.close();
    });

    /** An agent with three running components, two running apps and one stopped app. */
    async function running() {
      remote.reply = () => done;
      const { client } = server;
      const { id: environment } = await client.createEnvironment({
        body: { name: unique("here"), platform: "remote" },
      });
      const here = { environment };
      const [name, alias] = [unique("desk"), unique("alias")];
      const { id } = await client.createAgent({ body: { name, aliases: [alias] } });
      const ui = await client.createApp({ body: { name: "ui", agent: name }, ...here });
      const second = await client.createApp({ body: { name: "second", agent: alias }, ...here });
      await client.createApp({ body: { name: "idle", agent: name }, ...here });
      await client.startApp({ body: { application_name: "ui" }, ...here });
      await client.startApp({ body: { application_name: "second" }, ...here });
      await client.retryComponent({ body: { agent_id: id, component: "chat" }, ...here });
      remote.requests.length = 0;
      return { client, id, name, alias, environment, here, ui: ui.id, second: second.id };
    }

    test("#10 cascades from the agent to its UI app and its chat, in an order that lets requests finish", async () => {
      const { client, id, name, environment, here, ui, second } = await running();
      const earlier = (await server.events()).length;
      const { success, message, agent } = await client.stopAgent({
        body: { agent_id: id, components: null },
        ...here,
      });
      assert.deepEqual([success, message], [true, `${name} is stopped.`]);
      assert.deepEqual(states(agent, environment), allStopped);
      assert.deepEqual(remote.requests.map(lineOf), [
        `component.stop agent/${id} chat`,
        `component.stop app/${ui}`,
        `component.stop app/${second}`,
        `component.stop agent/${id} ui_app`,
        `component.stop agent/${id} agent_endpoint`,
      ]);
      const { apps } = await client.listApps(here);
      assert.equal(apps.length, 3);
      for (const app of apps) {
        assert.deepEqual([app.desired_state, app.observed_state], ["stopped", "stopped"]);
      }
      assert.deepEqual(
        (await server.events()).slice(earlier).map(({ kind, subject }) => `${kind} ${subject}`),
        [
          `app.stopped app/${ui}`,
          `app.stopped app/${second}`,
          `agent.stopped agent/${id}`,
          `agent.component_settled agent/${id}`,
          `app.settled app/${ui}`,
          `app.settled app/${second}`,
          `agent.component_settled agent/${id}`,
          `agent.component_settled agent/${id}`,
        ],
      );
    });

    test("#10: stopping a stopped agent writes nothing", async () => {
      const { client, id, name, here } = await running();
      const call = { body: { agent_id: id.toUpperCase() }, ...here };
      const { agent } = await client.stopAgent(call);
      const before = await server.rows();
      const again = await client.stopAgent(call);
      assert.deepEqual(again, { success: true, message: `${name} has nothing to stop.`, agent });
      assert.deepEqual(await server.rows(), before);

      const fresh = await client.createAgent({ body: { name: unique("fresh") } });
      const untouched = await client.stopAgent({ body: { agent_id: fresh.id } });
      assert.deepEqual(untouched.agent, fresh);
    });

    test("#10 with components stops only those", async () => {
      const { client, id, name, environment, here, ui } = await running();
      const { agent, message } = await client.stopAgent({
        body: { agent_id: id, components: ["chat", "agent_endpoint", "chat"] },
        ...here,
      });
      assert.equal(message, `Stopped components of ${name}: chat, agent_endpoint.`);
      const left = {
        agent_endpoint: "stopped/stopped",
        ui_app: "running/running",
        chat: "stopped/stopped",
      };
      assert.deepEqual(states(agent, environment), left);
      const uiState = async () => (await client.getApp({ params: { app_id: ui } })).observed_state;
      assert.equal(await uiState(), "running");

      await client.stopAgent({ body: { agent_id: id, components: [] }, ...here });
      assert.equal(await uiState(), "running");
      const after = await client.stopAgent({ body: { agent_id: id, components: ["ui_app"] }, ...here });
      assert.deepEqual(states(after.agent, environment), allStopped);
      assert.equal(await uiState(), "stopped");
    });

    test("#10 with start_ui_app leaves the UI app and its apps running", async () => {
      const { client, id, environment, here, ui } = await running();
      const { agent } = await client.stopAgent({ body: { agent_id: id, start_ui_app: true }, ...here });
      assert.deepEqual(states(agent, environment), {
        agent_endpoint: "stopped/stopped",
        ui_app: "running/running",
        chat: "stopped/stopped",
      });
      assert.equal((await client.getApp({ params: { app_id: ui } })).observed_state, "running");
    });

    test("#10 stops only in the named environment; an unknown one is 404, an inactive one 409", async () => {
      const { client, id, environment } = await running();
      await client.retryComponent({ body: { agent_id: id, component: "chat" } });
      await client.stopAgent({ body: { agent_id: id } });
      const agent = await client.getAgent({ params: { agent_id: id } });
      assert.equal(states(agent, environment).chat, "running/running");
      const body = { agent_id: id };
      await refused(client.stopAgent({ body, environment: unique("no") }), 404);
      await client.updateEnvironment({ params: { environment_id: environment }, body: { isActive: false } });
      await refused(client.stopAgent({ body, environment }), 409, /not active/);
    });

    test("#10 requires a canonical UUID (422); an unknown agent is 404, an unknown component 409", async () => {
      const { client, id, alias, here } = await running();
      const stop = (agent_id: string, components?: string[]) =>
        client.stopAgent({ body: { agent_id, ...(components && { components }) }, ...here });
      await refused(stop(alias), 422);
      await refused(stop(id.replaceAll("-", "")), 422);
      await refused(stop(unknownId), 404);
      await refused(stop(id, ["chat", "brain"]), 409, /"brain"/);
      const agent = await client.getAgent({ params: { agent_id: id } });
      assert.equal(agent.components.length, 3);
      assert.ok(agent.components.every(({ desired_state }) => desired_state === "running"));
    });

    test("#10: concurrent calls succeed and stop each component and app once", async () => {
      const { client, id, here } = await running();
      const call = { body: { agent_id: id }, ...here };
      const ended = await Promise.all(Array.from({ length: 8 }, () => client.stopAgent(call)));
      assert.ok(ended.every(({ success }) => success));
      assert.equal(remote.requests.length, 5);
    });

    test("#10: a component that the platform refuses to stop is failed; the others are stopped", async () => {
      const { client, id, name, environment, here } = await running();
      remote.reply = ({ data }) =>
        "component" in data && data.component === "chat" ? refusing("the bot is on leave") : done;
      const call = { body: { agent_id: id }, ...here };
      await refused(client.stopAgent(call), 409, `chat of "${name}" failed: the bot is on leave`);
      const agent = await client.getAgent({ params: { agent_id: id } });
      assert.deepEqual(states(agent, environment), { ...allStopped, chat: "stopped/failed" });
      await refused(client.deleteAgent({ params: { agent_id: id } }), 409);

      remote.reply = () => done;
      remote.requests.length = 0;
      const { agent: stopped } = await client.stopAgent(call);
      assert.deepEqual(remote.requests.map(lineOf), [`component.stop agent/${id} chat`]);
      assert.deepEqual(states(stopped, environment), allStopped);
    });

    test("#10: a stop that a crash interrupted is completed after the restart, in the same order", async () => {
      const { client, id, environment, here, ui, second } = await running();
      const { received } = remote.holdNext();
      const lost = assert.rejects(client.stopAgent({ body: { agent_id: id }, ...here }));
      await received;
      const between = await client.getAgent({ params: { agent_id: id } });
      assert.deepEqual(new Set(Object.values(states(between, environment))), new Set(["stopped/pending"]));

      remote.requests.length = 0;
      server = await server.crash();
      await lost;
      assert.deepEqual(remote.requests.map(lineOf), [
        `component.stop agent/${id} chat`,
        `component.stop app/${ui}`,
        `component.stop app/${second}`,
        `component.stop agent/${id} ui_app`,
        `component.stop agent/${id} agent_endpoint`,
      ]);
      const after = await server.client.getAgent({ params: { agent_id: id } });
      assert.deepEqual(states(after, environment), allStopped);
      assert.deepEqual((await server.rows()).outbox, []);
    });
  });
}

test("#10: a server that starts does not repeat a platform call that another server is making", async (t) => {
  const remote = await startRemotePlatform("remote");
  const slow = await startTestServer({ engine: "postgres", platforms: [remote.platform] });
  t.after(() => slow.close());
  t.after(remote.close);
  const { client } = slow;
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  await client.retryComponent({ body: { agent_id: id, component: "chat" }, environment });
  const held = remote.holdNext();
  const stopping = client.stopAgent({ body: { agent_id: id }, environment });
  await held.received;
  const received = remote.requests.length;

  const other = await slow.another();
  t.after(() => other.close());
  await other.server.tick();
  const read = async (from: typeof client) =>
    states(await from.getAgent({ params: { agent_id: id } }), environment);
  assert.deepEqual(await read(other.client), { chat: "stopped/pending" });
  assert.equal(remote.requests.length, received);
  held.reply(done);
  await stopping;
  assert.deepEqual(await read(other.client), { chat: "stopped/stopped" });
  assert.deepEqual(await read(client), { chat: "stopped/stopped" });
  assert.equal(remote.requests.length, received);
});
