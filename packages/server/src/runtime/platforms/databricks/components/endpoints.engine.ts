import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../../testing/refusal.ts";
import { type DatabaseEngine, enginesOfSlowSuites } from "../../../../testing/server.ts";
import { startWithWorkspace } from "../testing/connected-server.ts";
import { lostAnswers } from "../testing/faults.ts";

const endpoints = "/api/2.0/serving-endpoints";

/** The agent `desk` with two versions of a model. */
async function startWithAgent(t: TestContext, engine: DatabaseEngine = "sqlite") {
  const fixture = await startWithWorkspace(t, engine);
  const { id } = await fixture.client.createAgent({ body: { name: "Order desk" } });
  for (const version of ["1.0.0", "2.0.0"]) {
    await fixture.client.createAgentVersion({
      params: { agent_id: id },
      body: {
        version,
        metadata: {
          model: "agents.order_desk",
          model_version: version[0],
          environment_vars: { API_KEY: "{{secrets/shop/api}}", LANGUAGE: "de" },
        },
      },
    });
  }
  const activate = (version: string, action: "activate" | "delete" = "activate") =>
    fixture.client.syncAgentRelease({
      body: { agent_name: "Order desk", version, environment: "lake", action },
    });
  const retry = () =>
    fixture.client.retryComponent({
      body: { agent_id: id, component: "agent_endpoint" },
      environment: "lake",
    });
  const stop = () => fixture.client.stopAgent({ body: { agent_id: id }, environment: "lake" });
  const state = async () => {
    const { components } = await fixture.client.getAgent({ params: { agent_id: id } });
    const found = components.find(({ component }) => component === "agent_endpoint");
    return [found?.desired_state, found?.observed_state, found?.version].join(" ");
  };
  const only = () => {
    const all = [...fixture.serving.endpoints.values()];
    assert.equal(all.length, 1, "there is exactly one endpoint");
    return all[0] as (typeof all)[0];
  };
  const ask = async (content: string) => {
    const response = await fixture.server.fetch("/agents/Order%20desk/invocations", {
      method: "POST",
      headers: { "content-type": "application/json", "x-environment-id": "lake" },
      body: JSON.stringify({ messages: [{ role: "user", content }] }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { ...fixture, fixture, id, activate, retry, stop, state, only, ask };
}

for (const engine of enginesOfSlowSuites) {
  suite(`endpoints of agents in a workspace, ${engine}`, () => {
    test("a version's model is served, asked, changed by a release without a gap, and deleted with a stop", async (t) => {
      const { client, serving, objects, activate, retry, stop, state, only, ask, id } = await startWithAgent(
        t,
        engine,
      );
      await activate("1.0.0");
      await retry();
      assert.equal(await state(), "running running 1.0.0");
      const { name, config, tags } = only();
      assert.match(name, /^order-desk-[0-9a-f]{8}$/);
      const [entity] = config.served_entities;
      assert.deepEqual(
        [entity.entity_name, entity.entity_version, entity.environment_vars.LANGUAGE],
        ["shop.agents.order_desk", "1", "de"],
      );
      assert.equal(tags.find(({ key }) => key === "lakehelm_resource")?.value, `agent/${id}`);
      assert.equal(tags.find(({ key }) => key === "team")?.value, "data");
      const [, scope, key] = /^\{\{secrets\/(.*)\/(.*)\}\}$/.exec(entity.environment_vars.API_KEY) ?? [];
      assert.equal(objects.secrets.get(`${scope}/${key}`), "Bearer s3cr3t-9920");

      assert.match((await ask("hello")).text, /version 1 heard hello/);
      serving.state.isSlow = true;
      const activating = activate("2.0.0");
      await until(() => only().pending !== undefined);
      assert.match((await ask("meanwhile")).text, /version 1 heard meanwhile/);
      serving.settle(only());
      await activating;
      assert.equal(await state(), "running running 2.0.0");
      assert.match((await ask("now")).text, /version 2 heard now/);
      const { lines } = await client.readAgentLog({ params: { agent_id: id }, environment: "lake" });
      assert.ok(lines.some(({ line }) => line === "listening"));

      await stop();
      assert.deepEqual([await state(), serving.endpoints.size], ["stopped stopped 2.0.0", 0]);
      assert.equal((await ask("anyone?")).status, 409);
      assert.deepEqual([...objects.secrets.keys()], []);
    });

    test("a create whose answer is lost is found by its mark, also after a crash", async (t) => {
      const { fixture, serving, retry, state, only, workspace } = await startWithAgent(t, engine);
      workspace.fail({ match: `POST ${endpoints}`, kind: "silence", after: true });
      const unanswered = retry().catch((error) => error);
      await until(() => serving.endpoints.size === 1);
      await fixture.crash();
      await unanswered;
      await until(async () => (await fixture.pending()) === 0);
      assert.equal(await state(), "running running 2.0.0");
      assert.equal(only().config.served_entities[0].entity_version, "2");
      assert.equal(workspace.lines().filter((line) => line === `POST ${endpoints}`).length, 1);
    });
  });
}

suite("endpoints of agents in a workspace", () => {
  test("a stranger's endpoint of the same name is never touched", async (t) => {
    const { retry, stop, serving, only, workspace } = await startWithAgent(t);
    await retry();
    const { name } = only();
    await stop();
    const stranger = {
      name,
      tags: [{ key: "team", value: "other" }],
      config: { served_entities: [{ entity_name: "x", entity_version: "1" }] },
      pending: undefined,
      failure: undefined,
      suspended: false,
    };
    serving.endpoints.set(name, stranger);
    const before = workspace.requests.length;
    await refused(retry(), 409, /that Lakehelm did not create/);
    await stop();
    assert.equal(serving.endpoints.get(name), stranger);
    const written = workspace.requests.slice(before).filter(({ line }) => line.includes(endpoints));
    assert.ok(written.every(({ line }) => line.startsWith("GET ") || line.startsWith("POST ")));
    assert.equal(stranger.tags.length, 1);
  });

  test("each way of losing an answer, at each request, ends with one endpoint of the last version", async (t) => {
    const { workspace, activate, retry, stop, state, only, fixture, serving } = await startWithAgent(t);
    const requests = ["POST", "PUT", "PATCH", "GET"].map((method) => `${method} ${endpoints}*`);
    let version = 1;
    for (const fault of someOf(lostAnswers, 2)) {
      for (const match of requests) workspace.fail({ match, ...fault });
      version = 3 - version;
      await activate(`${version}.0.0`);
      await retry().catch(() => {});
      await until(async () => (await fixture.pending()) === 0);
      assert.equal(await state(), `running running ${version}.0.0`);
      assert.equal(only().config.served_entities[0].entity_version, String(version));
    }
    workspace.fail({ match: `DELETE ${endpoints}*`, kind: "drop", after: true });
    await stop();
    await until(async () => (await fixture.pending()) === 0);
    assert.equal(serving.endpoints.size, 0);
  });

  test("an update that fails leaves the version before it, and says why", async (t) => {
    const { serving, activate, retry, only, ask, client, id } = await startWithAgent(t);
    await activate("1.0.0");
    await retry();
    serving.state.isSlow = true;
    const activating = activate("2.0.0").catch((error) => error);
    await until(() => only().pending !== undefined);
    serving.settle(only(), "The model has no signature.");
    assert.match((await activating).message, /The model has no signature/);
    const { components } = await client.getAgent({ params: { agent_id: id } });
    const endpoint = components.find(({ component }) => component === "agent_endpoint");
    assert.equal(endpoint?.observed_state, "failed");
    assert.match(endpoint?.message ?? "", /version before it still answers/);
    assert.match((await ask("still there?")).text, /version 1 heard/);
  });

  test("while the workspace is busy the caller gets the agent as it is, and a stop ends what was begun", async (t) => {
    const { serving, workspace, retry, stop, state, fixture } = await startWithAgent(t);
    workspace.fail({ match: `POST ${endpoints}`, kind: { status: 503 } });
    await retry();
    assert.equal(await state(), "running pending 2.0.0");
    await stop();
    await until(async () => (await fixture.pending()) === 0);
    assert.deepEqual([await state(), serving.endpoints.size], ["stopped stopped 2.0.0", 0]);
  });

  test("chat, streams and other bodies pass through", async (t) => {
    const { client, server, activate, retry, id } = await startWithAgent(t);
    await activate("1.0.0");
    await retry();
    await client.bindChat({ body: { environment: "lake", channel_id: "C1" } });
    const body = { environment: "lake", channel_id: "C1", text: "How many?", user: "ada" };
    const { answer } = await client.postChatMessage({ params: { agent_id: id }, body });
    assert.equal(answer, 'version 1 heard How many?, {"conversation_id":"C1","user_id":"ada"}');
    const invoke = (content: object) =>
      server.fetch("/agents/Order%20desk/invocations", {
        method: "POST",
        headers: { "content-type": "application/json", "x-environment-id": "lake" },
        body: JSON.stringify(content),
      });
    const streamed = await invoke({ stream: true });
    assert.equal(streamed.headers.get("content-type"), "text/event-stream");
    assert.equal(await streamed.text(), "data: 1\n\ndata: [DONE]\n\n");
    assert.deepEqual(await (await invoke({ inputs: [1] })).json(), { predictions: [14] });
  });

  test("a version without a model is refused with a sentence", async (t) => {
    const { client } = await startWithWorkspace(t);
    const { id } = await client.createAgent({ body: { name: "plain" } });
    const retry = () =>
      client.retryComponent({ body: { agent_id: id, component: "agent_endpoint" }, environment: "lake" });
    await refused(retry(), 409, /has no version to deploy/);
    await client.createAgentVersion({
      params: { agent_id: id },
      body: { version: "1", metadata: { model: 3, scale_to_zero: "yes", environment_vars: { "a b": "x" } } },
    });
    await refused(
      retry(),
      409,
      /metadata\.model of version 1.*model_version.*scale_to_zero.*environment_vars/s,
    );
  });
});
