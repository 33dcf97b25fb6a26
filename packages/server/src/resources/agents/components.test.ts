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

for (const engine of enginesOfSlowSuites) {
  suite(`components of agents on ${engine}`, () => {
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

    async function given() {
      remote.reply = () => done;
      remote.requests.length = 0;
      const { client } = server;
      const { id: environment } = await client.createEnvironment({
        body: { name: unique("here"), platform: "remote" },
      });
      const [name, alias] = [unique("desk"), unique("alias")];
      const { id } = await client.createAgent({ body: { name, aliases: [alias] } });
      const read = async () =>
        states(await server.client.getAgent({ params: { agent_id: id } }), environment);
      return { client, environment, id, name, alias, read };
    }

    test("#17 redeploys only the named component, even if it runs; aliases are accepted", async () => {
      const { client, environment, id, name, alias } = await given();
      for (const agent_id of [id, name, alias]) {
        const { success, message, agent } = await client.retryComponent({
          body: { agent_id, component: "agent_endpoint" },
          environment,
        });
        assert.deepEqual([success, message], [true, `agent_endpoint of ${name} is deployed again.`]);
        assert.deepEqual(
          agent.components.map((one) => [one.component, one.desired_state, one.observed_state, one.version]),
          [["agent_endpoint", "running", "running", null]],
        );
      }
      const start = `component.start agent/${id} agent_endpoint`;
      assert.deepEqual(remote.requests.map(lineOf), [start, start, start]);
      assert.equal((await server.events("agent.component_retried", `agent/${id}`)).length, 3);
      await refused(client.retryComponent({ body: { agent_id: "nobody", component: "chat" } }), 404);
    });

    test("#17 accepts agent_endpoint, ui_app and chat; any other component is 422", async () => {
      const { client, environment, id, read } = await given();
      for (const component of ["agent_endpoint", "ui_app", "chat"] as const) {
        await client.retryComponent({ body: { agent_id: id, component }, environment });
      }
      assert.deepEqual(await read(), {
        agent_endpoint: "running/running",
        ui_app: "running/running",
        chat: "running/running",
      });
      const brain = { agent_id: id, component: "brain" as "chat" };
      await refused(client.retryComponent({ body: brain, environment }), 422);
    });

    test("#17 deploys the released version, or the newest one without a release", async () => {
      const { client, environment, id, name } = await given();
      for (const version of ["1", "2"]) {
        await client.createAgentVersion({ params: { agent_id: id }, body: { version } });
      }
      const prodName = unique("prod");
      const prod = await client.createEnvironment({ body: { name: prodName, platform: "remote" } });
      const release = { agent_name: name, version: "1", environment: prodName, action: "activate" } as const;
      await client.syncAgentRelease({ body: release });
      const body = { agent_id: id, component: "agent_endpoint" } as const;
      await client.retryComponent({ body, environment });
      const { agent } = await client.retryComponent({ body, environment: prod.id });
      const versions = agent.components.filter(({ component }) => component === "agent_endpoint");
      assert.deepEqual(
        versions.map(({ version }) => version),
        ["2", "1"],
      );
    });

    test("a refused component is failed, with the reason, until a retry succeeds", async () => {
      const { client, environment, id, name } = await given();
      remote.reply = () => refusing("no room");
      const call = { body: { agent_id: id, component: "chat" }, environment } as const;
      await refused(client.retryComponent(call), 409, `chat of "${name}" failed: no room`);
      const [failed] = (await client.getAgent({ params: { agent_id: id } })).components;
      assert.deepEqual(
        [failed?.desired_state, failed?.observed_state, failed?.message],
        ["running", "failed", "no room"],
      );
      assert.equal((await server.events("agent.component_failed", `agent/${id}`)).length, 1);

      remote.reply = () => "reset";
      await refused(client.retryComponent(call), 409, /ECONNRESET/);
      remote.reply = () => done;
      const { agent } = await client.retryComponent(call);
      assert.deepEqual(
        agent.components.map(({ observed_state, message }) => [observed_state, message]),
        [["running", null]],
      );
    });

    test("a component is pending until the platform answers, and an outdated outcome is ignored", async () => {
      const { client, environment, id, read } = await given();
      const slow = remote.holdNext();
      const first = client.retryComponent({ body: { agent_id: id, component: "chat" }, environment });
      await slow.received;
      assert.deepEqual(await read(), { chat: "running/pending" });

      await client.stopAgent({ body: { agent_id: id }, environment });
      slow.reply(done);
      await first;
      assert.deepEqual(await read(), { chat: "stopped/stopped" });
    });

    test("outcomes are matched to their requests even if the clock does not advance", async (t) => {
      const still = await startRemotePlatform("still");
      const noon = new Date("2026-03-01T12:00:00Z");
      const { client, close } = await startTestServer({
        engine,
        platforms: [still.platform],
        now: () => noon,
      });
      t.after(close);
      t.after(still.close);
      const { id: environment } = await client.createEnvironment({
        body: { name: "far", platform: "still" },
      });
      const { id } = await client.createAgent({ body: { name: "desk" } });
      const retry = () => client.retryComponent({ body: { agent_id: id, component: "chat" }, environment });
      const first = still.holdNext();
      const early = retry();
      await first.received;
      await client.stopAgent({ body: { agent_id: id }, environment });
      const second = still.holdNext();
      const late = retry();
      await second.received;
      first.reply(refusing("an answer to the first"));
      const { agent: between } = await early;
      assert.deepEqual(states(between, environment), { chat: "running/pending" });
      second.reply(done);
      const { agent } = await late;
      assert.deepEqual(states(agent, environment), { chat: "running/running" });
    });

    test("a start that a crash interrupted is completed after the restart", async () => {
      const { client, environment, id, read } = await given();
      const { received } = remote.holdNext();
      const lost = assert.rejects(
        client.retryComponent({ body: { agent_id: id, component: "chat" }, environment }),
      );
      await received;
      server = await server.crash();
      await lost;
      assert.deepEqual(remote.requests.map(lineOf), Array(2).fill(`component.start agent/${id} chat`));
      const [before, again] = remote.requests;
      assert.equal(again?.id, before?.id, "the platform can recognize the same request");
      assert.deepEqual(await read(), { chat: "running/running" });
    });

    test("an environment in which a component runs cannot be deleted", async () => {
      const { client, environment, id } = await given();
      await client.retryComponent({ body: { agent_id: id, component: "agent_endpoint" }, environment });
      const call = { params: { environment_id: environment } };
      await refused(client.deleteEnvironment(call), 409, /still has resources/);
      await client.stopAgent({ body: { agent_id: id }, environment });
      await client.deleteEnvironment(call);
      await client.deleteAgent({ params: { agent_id: id } });
    });

    test("#17 honours X-Environment-Id: unknown 404, inactive 409", async () => {
      const { client, id } = await given();
      const off = unique("off");
      await client.createEnvironment({ body: { name: off, isActive: false } });
      const body = { agent_id: id, component: "chat" } as const;
      await refused(client.retryComponent({ body, environment: unique("nowhere") }), 404);
      await refused(client.retryComponent({ body, environment: off }), 409, /not active/);
    });
  });
}
