import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { insidePlatform } from "../../testing/inside-platform.ts";
import { done, lineOf, outsidePlatform, refusing } from "../../testing/outside-platform.ts";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { linesIn, states } from "./test-states.ts";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";
const allStopped = {
  agent_endpoint: "stopped/stopped",
  ui_app: "stopped/stopped",
  chat: "stopped/stopped",
};

for (const engine of engines) {
  suite(`stopping agents on ${engine}`, () => {
    const remote = outsidePlatform("remote");
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine, platforms: [remote, insidePlatform("inside")] });
    });
    after(() => server.close());

    /** An agent with three running components, two running apps and one stopped app. */
    async function running(platform = "inside") {
      remote.answer = () => done;
      const { client } = server;
      const { id: environment } = await client.createEnvironment({
        body: { name: unique("here"), platform },
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
      const started = await linesIn(server, environment);
      const linesSince = async () => (await linesIn(server, environment)).slice(started.length);
      remote.asked.length = 0;
      return { client, id, name, alias, environment, here, ui: ui.id, second: second.id, linesSince };
    }

    test("#10 cascades from the agent to its UI app and its chat, in an order that lets requests finish", async () => {
      const { client, id, name, environment, here, ui, second, linesSince } = await running();
      const earlier = (await server.events()).length;
      const { success, message, agent } = await client.stopAgent({
        body: { agent_id: id, components: null },
        ...here,
      });
      assert.deepEqual([success, message], [true, `${name} is stopped.`]);
      assert.deepEqual(states(agent, environment), allStopped);
      assert.deepEqual(await linesSince(), [
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
        [`app.stopped app/${ui}`, `app.stopped app/${second}`, `agent.stopped agent/${id}`],
      );
    });

    test("#10: what is stopped stays as it is, and nothing is written", async () => {
      const { client, id, name, here } = await running();
      const call = { body: { agent_id: id.toUpperCase() }, ...here };
      const { agent } = await client.stopAgent(call);
      const before = await server.rows();
      const again = await client.stopAgent(call);
      assert.deepEqual(again, { success: true, message: `There was nothing to stop of ${name}.`, agent });
      assert.deepEqual(await server.rows(), before);

      const fresh = await client.createAgent({ body: { name: unique("fresh") } });
      const untouched = await client.stopAgent({ body: { agent_id: fresh.id } });
      assert.deepEqual(untouched.agent, fresh);
    });

    test("#10 with components stops just those", async () => {
      const { client, id, name, environment, here, ui } = await running();
      const { agent, message } = await client.stopAgent({
        body: { agent_id: id, components: ["chat", "agent_endpoint", "chat"] },
        ...here,
      });
      assert.equal(message, `Stopped of ${name}: chat, agent_endpoint.`);
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

    test("#10 stops in the environment that was named alone; unknown 404, inactive 409", async () => {
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

    test("#10 takes a canonical UUID only (422); an unknown agent is 404, an unknown component 409", async () => {
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

    test("#10: many at once end alike, and each thing is stopped once", async () => {
      const { client, id, here, linesSince } = await running();
      const call = { body: { agent_id: id }, ...here };
      const ended = await Promise.all(Array.from({ length: 8 }, () => client.stopAgent(call)));
      assert.ok(ended.every(({ success }) => success));
      assert.equal((await linesSince()).length, 5);
    });

    test("#10: a platform that refuses one leaves that one failed and stops the others", async () => {
      const { client, id, name, environment, here } = await running("remote");
      remote.answer = ({ data }) => (data.component === "chat" ? refusing("the bot is on leave") : done);
      const call = { body: { agent_id: id }, ...here };
      await refused(client.stopAgent(call), 409, `chat of "${name}" failed: the bot is on leave`);
      const agent = await client.getAgent({ params: { agent_id: id } });
      assert.deepEqual(states(agent, environment), { ...allStopped, chat: "stopped/failed" });
      await refused(client.deleteAgent({ params: { agent_id: id } }), 409);

      remote.answer = () => done;
      remote.asked.length = 0;
      const { agent: stopped } = await client.stopAgent(call);
      assert.deepEqual(remote.asked.map(lineOf), [`component.stop agent/${id} chat`]);
      assert.deepEqual(states(stopped, environment), allStopped);
    });

    test("#10: what a crash interrupted is finished after the restart, in the same order", async () => {
      const { client, id, environment, here, ui, second } = await running("remote");
      const { asked } = remote.holdNext();
      const lost = assert.rejects(client.stopAgent({ body: { agent_id: id }, ...here }));
      await asked;
      const between = await client.getAgent({ params: { agent_id: id } });
      assert.deepEqual(new Set(Object.values(states(between, environment))), new Set(["stopped/pending"]));

      remote.asked.length = 0;
      server = await server.crash();
      await lost;
      assert.deepEqual(remote.asked.map(lineOf), [
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

test("#10: of two servers on one PostgreSQL, a starting one does not repeat the call that the other is making", async (t) => {
  const remote = outsidePlatform("remote");
  const slow = await startTestServer({ engine: "postgres", platforms: [remote] });
  t.after(() => slow.close());
  const { client } = slow;
  const { id: environment } = await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  await client.retryComponent({ body: { agent_id: id, component: "chat" }, environment });
  const held = remote.holdNext();
  const stopping = client.stopAgent({ body: { agent_id: id }, environment });
  await held.asked;
  const asked = remote.asked.length;

  const other = await slow.another();
  t.after(() => other.close());
  await other.server.tick();
  const read = async (from: typeof client) =>
    states(await from.getAgent({ params: { agent_id: id } }), environment);
  assert.deepEqual(await read(other.client), { chat: "stopped/pending" });
  assert.equal(remote.asked.length, asked);
  held.answer(done);
  await stopping;
  assert.deepEqual(await read(other.client), { chat: "stopped/stopped" });
  assert.deepEqual(await read(client), { chat: "stopped/stopped" });
  assert.equal(remote.asked.length, asked);
});
