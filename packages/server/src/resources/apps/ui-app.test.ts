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
import { states } from "../agents/test-states.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`the apps of an agent on ${engine}`, () => {
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

    /** An environment of its own, and an agent. */
    async function given(platform = "remote") {
      remote.reply = () => done;
      remote.requests.length = 0;
      const { client } = server;
      const { id: environment } = await client.createEnvironment({
        body: { name: unique("here"), platform },
      });
      const name = unique("desk");
      const { id } = await client.createAgent({ body: { name } });
      return {
        client,
        environment,
        agent: { id, name },
        start: { body: { application_name: "ui" }, environment },
        createUi: (agent?: string) =>
          client.createApp({ body: { name: "ui", ...(agent && { agent }) }, environment }),
        statesNow: async () =>
          states(await server.client.getAgent({ params: { agent_id: id } }), environment),
      };
    }

    test("POST /api/apps/stop stops an app by name with its agent's ui_app; a second call changes nothing", async () => {
      const { client, agent, environment, start, createUi, statesNow } = await given();
      const { id } = await createUi(agent.name);
      await client.startApp(start);
      const { success, message, app } = await client.stopApp(start);
      assert.deepEqual([success, message, app.id], [true, "ui is stopped.", id]);
      assert.deepEqual(await statesNow(), { agent_endpoint: "running/running", ui_app: "stopped/stopped" });
      const before = await server.rows();
      assert.deepEqual((await client.stopApp(start)).app, app);
      assert.deepEqual(await server.rows(), before);
      await refused(client.stopApp({ body: { application_name: "none" }, environment }), 404);
    });

    test("with several apps, the ui_app has the worst state of those that should run", async () => {
      const { client, agent, environment, statesNow } = await given();
      const create = (name: string) => client.createApp({ body: { name, agent: agent.id }, environment });
      const [first, second] = [await create("first"), await create("second")];
      const call = (application_name: string) => ({ body: { application_name }, environment });
      await client.startApp(call("first"));
      remote.reply = ({ subject }) => (subject === `app/${second.id}` ? refusing("no port") : done);
      await refused(client.startApp(call("second")), 409);
      assert.equal((await statesNow()).ui_app, "running/failed");
      remote.reply = () => done;
      await client.stopApp(call("second"));
      assert.equal((await statesNow()).ui_app, "running/running");
      await client.deleteApp({ params: { app_id: first.id } });
      assert.equal((await statesNow()).ui_app, "stopped/stopped");
    });

    test("#17 ui_app redeploys only the agent's apps in that environment", async () => {
      const { client, agent, environment, start, createUi, statesNow } = await given();
      const { id } = await createUi(agent.name);
      await client.startApp(start);
      const before = remote.requests.length;
      const body = { agent_id: agent.name, component: "ui_app" } as const;
      const { message } = await client.retryComponent({ body, environment });
      assert.equal(message, `ui_app of ${agent.name} is deployed again.`);
      assert.deepEqual(remote.requests.map(lineOf).slice(before), [`component.start app/${id}`]);
      assert.deepEqual(await statesNow(), { agent_endpoint: "running/running", ui_app: "running/running" });
    });

    test("a start without a source_path or an app is rejected", async () => {
      const { client, agent, environment, start, createUi } = await given("embedded");
      const retry = (component: "agent_endpoint" | "ui_app") =>
        client.retryComponent({ body: { agent_id: agent.id, component }, environment });
      const nothing = /It has no source_path: there is nothing to run/;
      await refused(retry("agent_endpoint"), 409, nothing);
      await refused(retry("ui_app"), 409, /No app is linked to the agent/);
      await createUi();
      await refused(client.startApp(start), 409, nothing);
      const [app] = (await client.listApps({ environment })).apps;
      assert.deepEqual([app?.desired_state, app?.observed_state], ["running", "failed"]);
      await client.stopApp(start);
      await client.stopAgent({ body: { agent_id: agent.id }, environment });
      assert.deepEqual((await server.rows()).outbox, []);
    });
  });
}
