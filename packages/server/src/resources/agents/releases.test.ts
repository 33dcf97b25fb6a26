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
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { states } from "./test-states.ts";

for (const engine of engines) {
  suite(`releases of agents on ${engine}`, () => {
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

    async function given(platform = "embedded") {
      remote.reply = () => done;
      remote.requests.length = 0;
      const { client } = server;
      const [name, environment] = [unique("desk"), unique("prod")];
      const { id: prod } = await client.createEnvironment({ body: { name: environment, platform } });
      const activate = { agent_name: name, version: "1", environment, action: "activate" } as const;
      const remove = { ...activate, action: "delete" } as const;
      return { client, name, environment, prod, activate, remove };
    }
    /** The current releases of the environment's summary, once it is reconciled. */
    async function summarized(environment_id: string) {
      const { id } = await server.client.createDeployment({ body: {}, environment: environment_id });
      await server.client.finishDeployment({ params: { deployment_id: id }, body: { status: "succeeded" } });
      const summary = await server.client.getEnvironmentSummary({ params: { environment_id } });
      return summary.current_releases;
    }

    test("#4 activate registers an unknown agent and starts its version in the chat", async () => {
      const { client, name, environment, prod, activate } = await given();
      const workflow = { workflow_run_id: "7", workflow_name: "deploy", workflow_run_url: "https://ci/7" };
      const { success, message, agent } = await client.syncAgentRelease({
        body: { ...activate, ...workflow },
      });
      assert.deepEqual([success, message], [true, `${name} 1 answers in the chat of ${environment}.`]);
      const [release] = agent.releases;
      assert.deepEqual(release, {
        environment_id: prod,
        environment,
        version: "1",
        ...workflow,
        activated_at: release?.activated_at,
        activated_by: "internal-service",
      });
      assert.deepEqual(
        agent.components.map((one) => [one.component, one.observed_state, one.version]),
        [["chat", "running", "1"]],
      );
      const { versions } = await client.listAgentVersions({ params: { agent_id: name } });
      assert.deepEqual(
        versions.map(({ version }) => version),
        ["1"],
      );
      assert.deepEqual(
        (await server.events(undefined, `agent/${agent.id}`)).map(({ kind }) => kind),
        ["agent.created", "agent.version_created", "agent.release_activated"],
      );
      assert.deepEqual(await summarized(prod), [
        { artifact: `agent/${name}`, version: "1", activated_at: release?.activated_at },
      ]);
    });

    test("#4 creates dev, test and prod on first use, also concurrently; any other environment is 404", async (t) => {
      const fresh = await startTestServer({ engine });
      t.after(() => fresh.close());
      const sync = (environment: string) =>
        fresh.client.syncAgentRelease({
          body: { agent_name: "desk", version: "1", environment, action: "activate" },
        });
      await refused(sync("mars"), 404, 'There is no environment "mars".');
      const names = ["dev", "test", "prod"];
      await Promise.all([...names, ...names].map(sync));
      const { environments } = await fresh.client.listEnvironments();
      assert.deepEqual(environments.map(({ name }) => name).sort(), ["dev", "local", "prod", "test"]);
      for (const { platform } of environments) assert.equal(platform, "embedded");
      assert.equal((await fresh.client.getAgent({ params: { agent_id: "desk" } })).releases.length, 3);
    });

    test("#4: the same call twice changes nothing", async () => {
      const { client, activate, remove } = await given();
      for (const body of [activate, remove]) {
        const first = await client.syncAgentRelease({ body });
        const before = await server.rows();
        const second = await client.syncAgentRelease({ body });
        assert.deepEqual(second.agent, first.agent);
        assert.deepEqual(await server.rows(), before);
      }
    });

    test("#4: concurrent first calls register one agent", async () => {
      const { client, activate } = await given("remote");
      const ended = await Promise.all(
        Array.from({ length: 8 }, () => client.syncAgentRelease({ body: activate })),
      );
      const [id, ...others] = new Set(ended.map(({ agent }) => agent.id));
      assert.deepEqual(others, []);
      assert.equal((await server.events("agent.created", `agent/${id}`)).length, 1);
      assert.equal((await server.events("agent.release_activated", `agent/${id}`)).length, 1);
      assert.deepEqual(remote.requests.map(lineOf), [`component.start agent/${id} chat`]);
    });

    test("#4: a new version replaces the release of only that environment", async () => {
      const { client, environment, prod, activate } = await given("remote");
      const other = unique("test");
      const { id } = await client.createEnvironment({ body: { name: other, platform: "remote" } });
      await client.syncAgentRelease({ body: activate });
      await client.syncAgentRelease({ body: { ...activate, environment: other } });
      const { agent } = await client.syncAgentRelease({ body: { ...activate, version: "2" } });
      const current = Object.fromEntries(agent.releases.map((one) => [one.environment, one.version]));
      assert.deepEqual(current, { [environment]: "2", [other]: "1" });
      assert.deepEqual(
        remote.requests.map((request) => [
          request.environmentId,
          lineOf(request),
          "version" in request.data && request.data.version,
        ]),
        [
          [prod, `component.start agent/${agent.id} chat`, "1"],
          [id, `component.start agent/${agent.id} chat`, "1"],
          [prod, `component.start agent/${agent.id} chat`, "2"],
        ],
      );
    });

    test("#4: activating again starts a stopped chat", async () => {
      const { client, prod, activate } = await given();
      const { agent } = await client.syncAgentRelease({ body: activate });
      const stopped = await client.stopAgent({ body: { agent_id: agent.id }, environment: prod });
      assert.deepEqual(stopped.agent.releases, agent.releases);
      const again = await client.syncAgentRelease({ body: activate });
      assert.deepEqual(states(again.agent, prod), { chat: "running/running" });
      assert.deepEqual(again.agent.releases, agent.releases);
    });

    test("#4 delete removes the release and stops its chat", async () => {
      const { client, name, environment, prod, activate, remove } = await given();
      await client.syncAgentRelease({ body: activate });
      await refused(client.deleteEnvironment({ params: { environment_id: prod } }), 409);

      const gone = await client.syncAgentRelease({ body: remove });
      assert.equal(gone.message, `${name} 1 no longer answers in the chat of ${environment}.`);
      assert.deepEqual(gone.agent.releases, []);
      assert.deepEqual(states(gone.agent, prod), { chat: "stopped/stopped" });
      assert.deepEqual(await summarized(prod), []);
      await client.deleteEnvironment({ params: { environment_id: prod } });
    });

    test("#4: deleting a version that is not current changes nothing and reports it", async () => {
      const { client, name, environment, activate, remove } = await given();
      const { agent } = await client.syncAgentRelease({ body: activate });
      const other = await client.syncAgentRelease({ body: { ...remove, version: "9" } });
      const message = `9 is not the release of ${name} in ${environment}. The current release is still 1.`;
      assert.deepEqual(other, { success: true, message, agent });
      const empty = unique("test");
      await client.createEnvironment({ body: { name: empty } });
      const none = await client.syncAgentRelease({ body: { ...remove, environment: empty } });
      assert.deepEqual(none, { success: true, message: `${name} has no release in ${empty}.`, agent });
    });

    test("#4: an inactive environment is 409; no name or version 409; an unknown action 422", async () => {
      const { client, name, activate } = await given();
      const asleep = unique("asleep");
      await client.createEnvironment({ body: { name: asleep, isActive: false } });
      const { total } = await client.listAgents();
      const sync = (change: object) => client.syncAgentRelease({ body: { ...activate, ...change } });
      await refused(sync({ environment: asleep }), 409, /not active/);
      await refused(sync({ agent_name: "" }), 409);
      await refused(sync({ version: "" }), 409);
      await refused(sync({ action: "promote" }), 422);
      assert.equal((await client.listAgents()).total, total);
      await refused(client.getAgent({ params: { agent_id: name } }), 404);
    });

    test("#4: a chat that the platform refuses is failed, and the same call retries it", async () => {
      const { client, name, prod, activate } = await given("remote");
      remote.reply = () => refusing("no bot");
      await refused(client.syncAgentRelease({ body: activate }), 409, `chat of "${name}" failed: no bot`);
      remote.reply = () => done;
      const { agent } = await client.syncAgentRelease({ body: activate });
      assert.deepEqual(states(agent, prod), { chat: "running/running" });
    });
  });
}
