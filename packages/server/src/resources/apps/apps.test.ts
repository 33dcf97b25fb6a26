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
  suite(`apps on ${engine}`, () => {
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
    async function given() {
      remote.reply = () => done;
      remote.requests.length = 0;
      const { client } = server;
      const { id: environment } = await client.createEnvironment({
        body: { name: unique("here"), platform: "remote" },
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

    test("an app's name is unique in its environment, also for concurrent requests", async () => {
      const { environment, createUi } = await given();
      const { client, createUi: createThere, environment: there } = await given();
      const ended = await Promise.allSettled(Array.from({ length: 6 }, () => createUi()));
      assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
      for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 409);
      const other = await createThere();
      assert.deepEqual(await client.getApp({ params: { app_id: other.id } }), other);
      assert.deepEqual(await client.listApps({ environment: there }), { apps: [other], total: 1 });
      const { apps, total } = await client.listApps({ query: { limit: 1000 } });
      assert.equal(apps.length, total);
      const both = apps.filter((app) => [environment, there].includes(app.environment_id));
      assert.equal(both.length, 2);
    });

    test("concurrent requests with the same Idempotency-Key create one app and get the same response", async () => {
      const { client, environment } = await given();
      const call = { body: { name: "ui" }, environment, idempotencyKey: environment };
      const made = await Promise.all([1, 2, 3, 4].map(() => client.createApp(call)));
      for (const one of made) assert.deepEqual(one, made[0]);
      assert.equal((await client.listApps({ environment })).total, 1);
      assert.equal((await server.events("app.created", `app/${made[0]?.id}`)).length, 1);
    });

    test("an app is linked to an agent by id, name or alias; an unknown one is 404", async () => {
      const { client, environment } = await given();
      const [name, alias] = [unique("desk"), unique("alias")];
      const { id } = await client.createAgent({ body: { name, aliases: [alias] } });
      for (const agent of [id, name, alias]) {
        const made = await client.createApp({ body: { name: `ui of ${agent}`, agent }, environment });
        assert.equal(made.agent_id, id);
      }
      await refused(client.createApp({ body: { name: "x", agent: "nobody" }, environment }), 404);
      const alone = await client.createApp({ body: { name: "x", agent: null }, environment });
      assert.equal(alone.agent_id, null);
    });

    test("#19: when the app is linked to an agent, the agent's endpoint is started first", async () => {
      const { client, agent, start, createUi, statesNow } = await given();
      const { id } = await createUi(agent.name);
      const { success, message, app } = await client.startApp(start);
      assert.deepEqual([success, message], [true, "ui is running."]);
      assert.deepEqual([app.desired_state, app.observed_state], ["running", "running"]);
      assert.deepEqual(remote.requests.map(lineOf), [
        `component.start agent/${agent.id} agent_endpoint`,
        `component.start app/${id}`,
      ]);
      assert.deepEqual(await statesNow(), {
        agent_endpoint: "running/running",
        ui_app: "running/running",
      });
    });

    test("#19: an app without an agent starts alone", async () => {
      const { client, start, createUi } = await given();
      const { id } = await createUi();
      await client.startApp(start);
      assert.deepEqual(remote.requests.map(lineOf), [`component.start app/${id}`]);
    });

    test("#19: starting a running app writes nothing", async () => {
      const { client, agent, start, createUi } = await given();
      await createUi(agent.name);
      const first = await client.startApp(start);
      const before = await server.rows();
      assert.deepEqual(await client.startApp(start), first);
      assert.deepEqual(await server.rows(), before);
    });

    test("#19: concurrent calls start each thing once; one that meets a pending endpoint gets 409", async () => {
      const { client, agent, start, createUi } = await given();
      const { id } = await createUi(agent.name);
      const calls = () => Array.from({ length: 8 }, () => client.startApp(start));
      const first = await Promise.allSettled(calls());
      assert.ok(
        first.some((one) => one.status === "fulfilled" && one.value.app.observed_state === "running"),
      );
      for (const one of first) {
        if (one.status === "rejected") await refused(Promise.reject(one.reason), 409, /still being started/);
      }
      const again = await Promise.all(calls());
      assert.ok(again.every(({ app }) => app.observed_state === "running"));
      assert.deepEqual(remote.requests.map(lineOf), [
        `component.start agent/${agent.id} agent_endpoint`,
        `component.start app/${id}`,
      ]);
    });

    test("#19: a stopped endpoint is started again", async () => {
      const { client, agent, environment, start, createUi } = await given();
      await createUi(agent.name);
      await client.startApp(start);
      const body = { agent_id: agent.id, components: ["agent_endpoint"] };
      await client.stopAgent({ body, environment });
      await client.startApp(start);
      assert.deepEqual(remote.requests.map(lineOf).slice(-1), [
        `component.start agent/${agent.id} agent_endpoint`,
      ]);
    });

    test("#19 starts in the named environment; an unknown app or environment is 404, an inactive one 409", async () => {
      const { client, environment } = await given();
      const name = unique("ui");
      await client.createApp({ body: { name }, environment });
      const body = { application_name: name };
      await refused(client.startApp({ body }), 404, /no app/);
      await refused(client.startApp({ body, environment: "mars" }), 404, /no environment/);
      assert.equal((await client.startApp({ body, environment })).app.observed_state, "running");
      await client.updateEnvironment({ params: { environment_id: environment }, body: { isActive: false } });
      await refused(client.startApp({ body, environment }), 409, /not active/);
    });

    test("#19: if the agent's endpoint fails, the app is not started, and the response has the reason", async () => {
      const { client, agent, start, createUi } = await given();
      const app = await createUi(agent.id);
      remote.reply = () => refusing("no room");
      const why = `The app "ui" needs its agent. agent_endpoint of "${agent.name}" failed: no room`;
      await refused(client.startApp(start), 409, why);
      assert.deepEqual(remote.requests.map(lineOf), [`component.start agent/${agent.id} agent_endpoint`]);
      assert.deepEqual(await client.getApp({ params: { app_id: app.id } }), app);

      remote.reply = () => done;
      assert.equal((await client.startApp(start)).app.observed_state, "running");
    });

    test("#19: an app that the platform refuses is failed, and its agent's ui_app with it", async () => {
      const { client, agent, start, createUi, statesNow } = await given();
      const app = await createUi(agent.id);
      remote.reply = ({ subject }) => (subject.startsWith("app/") ? refusing("no port") : done);
      await refused(client.startApp(start), 409, 'The app "ui" failed: no port');
      const failed = await client.getApp({ params: { app_id: app.id } });
      assert.deepEqual(
        [failed.desired_state, failed.observed_state, failed.message],
        ["running", "failed", "no port"],
      );
      assert.deepEqual(await statesNow(), {
        agent_endpoint: "running/running",
        ui_app: "running/failed",
      });
    });

    test("#19: a start that a crash interrupted is completed after the restart", async () => {
      const { client, agent, environment, start, createUi, statesNow } = await given();
      const app = await createUi(agent.id);
      await client.retryComponent({ body: { agent_id: agent.id, component: "agent_endpoint" }, environment });
      const { received } = remote.holdNext();
      const lost = assert.rejects(client.startApp(start));
      assert.equal((await received).subject, `app/${app.id}`);
      assert.equal((await statesNow()).ui_app, "running/pending");

      server = await server.crash();
      await lost;
      const after = await server.client.getApp({ params: { app_id: app.id } });
      assert.equal(after.observed_state, "running");
      assert.equal((await statesNow()).ui_app, "running/running");
      assert.deepEqual((await server.rows()).outbox, []);
    });

    test("concurrent #10 and #19 never leave an app running without its endpoint", async () => {
      const { client, agent, environment, start, createUi, statesNow } = await given();
      const { id: app_id } = await createUi(agent.id);
      for (let n = 0; n < 20; n++) {
        await Promise.all([
          // If the agent is stopped after its endpoint started and before the app does, the start fails with this
          // reason.
          client
            .startApp(start)
            .catch((error) => assert.match(error.detail, /stopped while it was being started/)),
          client.stopAgent({ body: { agent_id: agent.id }, environment }),
        ]);
        const app = await client.getApp({ params: { app_id } });
        const { agent_endpoint, ui_app } = await statesNow();
        const state = `${app.desired_state}/${app.observed_state}`;
        // An app that was never started is not in the agent's components.
        assert.equal(ui_app ?? "stopped/stopped", state);
        if (state === "running/running") assert.equal(agent_endpoint, state);
      }
    });

    test("DELETE stops a running app, and with the last app the agent's ui_app", async () => {
      const { client, agent, environment, statesNow } = await given();
      const create = (name: string) => client.createApp({ body: { name, agent: agent.id }, environment });
      const [first, last] = [await create("first"), await create("last")];
      await client.startApp({ body: { application_name: "first" }, environment });
      await client.startApp({ body: { application_name: "last" }, environment });
      const before = remote.requests.length;

      await client.deleteApp({ params: { app_id: first.id } });
      assert.equal((await statesNow()).ui_app, "running/running");
      await client.deleteApp({ params: { app_id: last.id } });
      assert.equal((await statesNow()).ui_app, "stopped/stopped");
      assert.deepEqual(remote.requests.map(lineOf).slice(before), [
        `component.stop app/${first.id}`,
        `component.remove app/${first.id}`,
        `component.stop app/${last.id}`,
        `component.stop agent/${agent.id} ui_app`,
        `component.remove app/${last.id}`,
      ]);
      assert.equal((await client.listApps({ environment })).total, 0);
      await refused(client.deleteApp({ params: { app_id: last.id } }), 404);
    });

    test("DELETE: an app that the platform refuses to stop is kept", async () => {
      const { client, environment, start, createUi } = await given();
      const { id: app_id } = await createUi();
      await client.startApp(start);
      remote.reply = () => refusing("it hangs");
      await refused(client.deleteApp({ params: { app_id } }), 409, 'The app "ui" failed: it hangs');
      await refused(client.deleteEnvironment({ params: { environment_id: environment } }), 409);
      remote.reply = () => done;
      await client.deleteApp({ params: { app_id } });
      await client.deleteEnvironment({ params: { environment_id: environment } });
    });

    test("DELETE with an outdated If-Match is 412", async () => {
      const { client, environment, start } = await given();
      const made = await client.withResponse.createApp({ body: { name: "ui" }, environment });
      assert.ok(made.etag);
      const params = { app_id: made.body.id };
      await client.startApp(start);
      await refused(client.deleteApp({ params, ifMatch: made.etag }), 412);
      const { etag } = await client.withResponse.getApp({ params });
      assert.ok(etag);
      await client.deleteApp({ params, ifMatch: etag });
    });
  });
}
