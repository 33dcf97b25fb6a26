import assert from "node:assert/strict";
import { test } from "node:test";
import { openHouse, refusal } from "../automations/test-house.ts";

const hook = "https://chat.example.com/hooks/s3cret";
const channel = { channel_id: "C0123" };

test("#11 binds a channel, in dev if no environment is named, and lists it", async (t) => {
  const { client, events } = await openHouse(t);
  await client.createAutomation({ body: { alias: "orders-daily" } });
  const answer = await client.bindChat({
    body: { ...channel, channel_name: "data-ops", automation_alias: "orders-daily" },
  });
  const { binding } = answer;
  assert.equal(answer.message, "Channel C0123 is bound in dev.");
  assert.deepEqual(binding, {
    id: binding.id,
    environment_id: binding.environment_id,
    environment: "dev",
    channel_id: "C0123",
    team_id: null,
    channel_name: "data-ops",
    channel_url: null,
    automation_alias: "orders-daily",
    metadata: {},
    created_at: "2026-03-01T12:00:00.000Z",
    updated_at: "2026-03-01T12:00:00.000Z",
    created_by: "internal-service",
  });
  assert.deepEqual(await client.listBindings(), { bindings: [binding], total: 1 });
  assert.equal((await client.listBindings({ environment: "local" })).total, 0);
  assert.equal((await events()).at(-1)?.kind, "binding.created");
});

test("#11: an unknown automation or environment is 404, and nothing is made by it", async (t) => {
  const { client, rows } = await openHouse(t);
  const before = await rows();
  await assert.rejects(
    client.bindChat({ body: { ...channel, automation_alias: "nobody" } }),
    refusal(404, /no automation "nobody"/),
  );
  await assert.rejects(
    client.bindChat({ body: { ...channel, environment: "nowhere" } }),
    refusal(404, /no environment "nowhere"/),
  );
  assert.deepEqual(await rows(), before);
});

test("#11 again replaces the binding under the same id; the same request changes nothing", async (t) => {
  const { client, parts, rows } = await openHouse(t);
  const bind = (channel_name: string) =>
    client.bindChat({
      body: { ...channel, channel_name, channel_url: hook, metadata: { token: "hunter2" } },
    });
  const first = await bind("one");
  parts.nature.pass(1000);
  const before = await rows();
  assert.deepEqual(await bind("one"), first);
  assert.deepEqual(await rows(), before);
  const second = await bind("two");
  assert.equal(second.binding.id, first.binding.id);
  assert.equal(second.binding.created_at, first.binding.created_at);
  assert.equal(second.binding.updated_at, "2026-03-01T12:00:01.000Z");
  assert.equal((await client.listBindings()).total, 1);
  const elsewhere = await client.bindChat({ body: { ...channel, environment: "prod" } });
  assert.notEqual(elsewhere.binding.id, first.binding.id);
});

test("#11 at once ends in one binding", async (t) => {
  const { client } = await openHouse(t);
  const all = await Promise.all([1, 2, 3].map(() => client.bindChat({ body: channel })));
  assert.equal(new Set(all.map(({ binding }) => binding.id)).size, 1);
});

test("the address of a channel is a secret: masked, encrypted, and kept by the mask", async (t) => {
  const { client, chat, rows, events } = await openHouse(t);
  const bind = (channel_url: string | null, channel_name: string) =>
    client.bindChat({ body: { ...channel, channel_name, channel_url, metadata: { api_key: "hunter2" } } });
  const { binding } = await bind(hook, "one");
  assert.equal(binding.channel_url, "********");
  assert.deepEqual(binding.metadata, { api_key: "********" });
  assert.doesNotMatch(JSON.stringify([await rows(), await events()]), /s3cret|hunter2/);
  const address = () => chat.addressOf(binding.environment_id, "C0123");
  assert.equal(await address(), hook);
  assert.equal((await bind("********", "two")).binding.channel_url, "********");
  assert.equal(await address(), hook);
  assert.equal((await bind("{{secrets/chat/hook}}", "two")).binding.channel_url, "{{secrets/chat/hook}}");
  assert.equal(await address(), "{{secrets/chat/hook}}");
  assert.equal((await bind(null, "two")).binding.channel_url, null);
  assert.equal((await bind("********", "three")).binding.channel_url, null);
  assert.equal(await address(), null);
});

test("a binding is removed once; until then its environment stays", async (t) => {
  const { client, events } = await openHouse(t);
  await client.createEnvironment({ body: { name: "qa" } });
  const { binding } = await client.bindChat({ body: { ...channel, environment: "qa" } });
  const environment = { params: { environment_id: "qa" } };
  await assert.rejects(client.deleteEnvironment(environment), refusal(409, /still lives/));
  const params = { binding_id: binding.id };
  const done = await client.deleteBinding({ params });
  assert.equal(done.message, "Channel C0123 is no longer bound in qa.");
  await assert.rejects(client.deleteBinding({ params }), refusal(404, /no chat binding/));
  assert.equal((await events()).at(-1)?.kind, "binding.deleted");
  await client.deleteEnvironment(environment);
});

test("bindings tell the name their environment has now", async (t) => {
  const { client } = await openHouse(t);
  await client.bindChat({ body: channel });
  await client.updateEnvironment({ params: { environment_id: "dev" }, body: { name: "development" } });
  assert.equal((await client.listBindings()).bindings[0]?.environment, "development");
});
