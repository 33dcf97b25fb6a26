import assert from "node:assert/strict";
import { test } from "node:test";
import { openHouse, refusal, soundDefinition, soundDesign } from "./test-house.ts";

const orders = { automation_alias: "orders-daily" };

test("an automation is registered, listed and read with its releases and schedules", async (t) => {
  const { client, events } = await openHouse(t);
  const made = await client.createAutomation({
    body: { alias: "orders-daily", definition: soundDefinition },
  });
  assert.equal(made.description, soundDefinition.description);
  assert.equal(made.created_by, "internal-service");
  assert.match(made.design_content_hash ?? "", /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(await client.listAutomations(), { automations: [made], total: 1 });
  const read = await client.getAutomation({ params: orders });
  assert.deepEqual(read, { automation: made, releases: [], schedules: [] });
  const [event] = (await events()).filter(({ kind }) => kind === "automation.created");
  assert.equal(event?.subject, `automation/${made.id}`);
});

test("an unknown automation is 404, a taken alias 409, also for two requests at once", async (t) => {
  const { client, events } = await openHouse(t);
  await assert.rejects(
    client.getAutomation({ params: orders }),
    refusal(404, /no automation "orders-daily"/),
  );
  const both = await Promise.allSettled(
    [1, 2].map(() => client.createAutomation({ body: { alias: "orders-daily" } })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  await assert.rejects(client.createAutomation({ body: { alias: "orders-daily" } }), refusal(409, /already/));
  assert.equal((await events()).filter(({ kind }) => kind === "automation.created").length, 1);
});

test("the same Idempotency-Key replays the first answer", async (t) => {
  const { client } = await openHouse(t);
  const create = () => client.createAutomation({ body: { alias: "a" }, idempotencyKey: "k" });
  assert.deepEqual(await create(), await create());
  assert.equal((await client.listAutomations()).total, 1);
});

test("an inconsistent definition is a conflict that names the task", async (t) => {
  const { client } = await openHouse(t);
  const definition = { tasks: [{ name: "load", kind: "connector" as const }] };
  await assert.rejects(
    client.createAutomation({ body: { alias: "a", definition } }),
    refusal(409, /Task "load" is of kind connector and needs a reference/),
  );
  await client.createAutomation({ body: { alias: "a" } });
  const body = { tasks: [], schedule: { cron: "at noon" } };
  await assert.rejects(
    client.setDefinition({ params: { automation_alias: "a" }, body }),
    refusal(409, /"at noon" does not parse/),
  );
});

test("setting a definition moves the version; the same one again changes nothing", async (t) => {
  const { client, rows } = await openHouse(t);
  await client.createAutomation({ body: { alias: "orders-daily" } });
  const set = (ifMatch?: string) =>
    client.withResponse.setDefinition({
      params: orders,
      body: soundDefinition,
      ...(ifMatch !== undefined && { ifMatch }),
    });
  const first = await set('"1"');
  assert.equal(first.etag, '"2"');
  assert.equal(first.body.updated_by, "internal-service");
  const before = await rows();
  assert.equal((await set()).etag, '"2"');
  assert.deepEqual(await rows(), before);
  await assert.rejects(set('"1"'), refusal(412, /changed since/));
});

test("a registered definition has the hash of an attempt with the same design", async (t) => {
  const { client } = await openHouse(t);
  const made = await client.createAutomation({
    body: { alias: "orders-daily", definition: soundDefinition },
  });
  await client.putAttempt({ params: { ...orders, attempt_id: "a-1" }, body: soundDesign });
  const valid = await client.validateArtifacts({ params: orders, body: { attempt_id: "a-1" } });
  assert.equal(valid.design_content_hash, made.design_content_hash);
});

test("secret parameters are masked, encrypted, kept by the mask, and stay with their task", async (t) => {
  const { client, rows, automations } = await openHouse(t);
  const task = (name: string, password: string) => ({
    name,
    kind: "sql" as const,
    query: "select 1",
    parameters: { password },
  });
  const reference = "{{secrets/shop/db}}";
  const first = { tasks: [task("a", "hunter1"), task("b", "hunter2"), task("c", reference)] };
  const made = await client.createAutomation({ body: { alias: "orders-daily", definition: first } });
  const shown = ["********", "********", reference];
  const passwords = (definition: unknown) =>
    (definition as typeof first).tasks.map(({ parameters }) => parameters.password);
  assert.deepEqual(passwords(made.definition), shown);
  assert.doesNotMatch(JSON.stringify(await rows()), /hunter/);

  const turned = { tasks: [task("b", "********"), task("a", "********")] };
  await client.setDefinition({ params: orders, body: turned });
  await client.syncAutomationRelease({ body: { ...orders, environment: "dev" } });
  const stored = await automations.find("orders-daily");
  assert.ok(stored);
  assert.deepEqual(passwords(automations.definitionOf(stored)), ["hunter2", "hunter1"]);
  assert.doesNotMatch(JSON.stringify(await rows()), /hunter/);
});

test("numbers beyond a double come back digit for digit", async (t) => {
  const { url } = await openHouse(t);
  const body = '{"alias":"big","definition":{"tasks":[],"parameters":{"n":123456789012345678901}}}';
  const post = (path: string, text: string) =>
    fetch(`${url}${path}`, { method: "POST", body: text, headers: { "content-type": "application/json" } });
  assert.match(await (await post("/api/automations", body)).text(), /"n":123456789012345678901/);
  const released = await post(
    "/api/automations/sync-release",
    '{"automation_alias":"big","environment":"dev","metadata":{"n":123456789012345678901}}',
  );
  assert.equal(released.status, 200);
});
