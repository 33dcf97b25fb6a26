import assert from "node:assert/strict";
import { test } from "node:test";
import { type House, openHouse, refusal, soundDefinition } from "./test-house.ts";

const orders = { automation_alias: "orders-daily" };
const pause = { params: { ...orders, action: "pause" } } as const;
const resume = { params: { ...orders, action: "resume" } } as const;

async function released(house: House, ...environments: string[]): Promise<House> {
  const { client } = house;
  await client.createAutomation({ body: { alias: "orders-daily", definition: soundDefinition } });
  for (const environment of environments) {
    await client.syncAutomationRelease({ body: { ...orders, environment } });
  }
  return house;
}

test("#20 pauses and resumes apart from the declared schedule: who, when, why, until when", async (t) => {
  const { client, asked, events } = await released(await openHouse(t), "prod");
  const body = { reason: "stock-taking", until: "2026-03-02T06:00:00+01:00" };
  const paused = await client.setSchedule({ ...pause, body });
  assert.equal(paused.message, "orders-daily is paused in prod.");
  const [state] = paused.schedules;
  assert.equal(state?.state, "paused");
  assert.deepEqual(state?.schedule, soundDefinition.schedule);
  assert.deepEqual(state?.override, {
    paused: true,
    by: "internal-service",
    at: "2026-03-01T12:00:00.000Z",
    reason: "stock-taking",
    until: "2026-03-02T05:00:00.000Z",
  });
  assert.deepEqual((await client.getAutomation({ params: orders })).schedules, paused.schedules);
  const resumed = await client.setSchedule(resume);
  assert.deepEqual([resumed.schedules[0]?.state, resumed.schedules[0]?.override], ["active", null]);
  assert.deepEqual(
    (await asked()).map(({ kind }) => kind),
    ["job.install", "job.pause", "job.resume"],
  );
  const kinds = (await events()).map(({ kind }) => kind);
  assert.ok(kinds.includes("automation.schedule_paused") && kinds.includes("automation.schedule_resumed"));
});

test("#20 works without a body, with an empty one, and with our keys wrong it is 409", async (t) => {
  const { client, url } = await released(await openHouse(t), "prod");
  const post = (body?: string) =>
    fetch(`${url}/api/automations/orders-daily/schedule/pause`, {
      method: "POST",
      ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
    });
  for (const wrong of [
    { reason: 5 },
    { until: 5 },
    { until: "tomorrow" },
    { until: "2026-03-05" },
    { until: "2026-13-45T00:00:00Z" },
    { until: "2026-03-01T12:00:00Z" },
  ]) {
    assert.equal((await post(JSON.stringify(wrong))).status, 409, JSON.stringify(wrong));
  }
  assert.equal((await client.getAutomation({ params: orders })).schedules[0]?.state, "active");
  assert.equal((await post()).status, 200);
  assert.equal((await post("{}")).status, 200);
});

test("#20: pausing what is paused and resuming what is not changes nothing and is success", async (t) => {
  const { client, rows } = await released(await openHouse(t), "prod");
  const unpaused = await rows();
  assert.equal((await client.setSchedule(resume)).success, true);
  assert.deepEqual(await rows(), unpaused);
  const first = await client.setSchedule({ ...pause, body: { reason: "one" } });
  const paused = await rows();
  assert.deepEqual(await client.setSchedule({ ...pause, body: { reason: "two" } }), first);
  assert.deepEqual(await rows(), paused);
});

test("#20 without X-Environment-Id acts wherever there is a release, with it in that environment", async (t) => {
  const { client } = await released(await openHouse(t), "dev", "prod");
  const states = async () =>
    (await client.getAutomation({ params: orders })).schedules.map(({ environment, state }) => [
      environment,
      state,
    ]);
  const one = await client.setSchedule({ ...pause, environment: "prod" });
  assert.equal(one.schedules.length, 1);
  assert.deepEqual(await states(), [
    ["dev", "active"],
    ["prod", "paused"],
  ]);
  const both = await client.setSchedule(pause);
  assert.equal(both.message, "orders-daily is paused in dev, prod.");
  assert.deepEqual(await states(), [
    ["dev", "paused"],
    ["prod", "paused"],
  ]);
});

test("#20: unknown automation or environment 404, no current release there 409, inactive 409", async (t) => {
  const { client } = await released(await openHouse(t));
  const nobody = { params: { automation_alias: "nobody", action: "pause" } } as const;
  await assert.rejects(client.setSchedule(nobody), refusal(404, /no automation "nobody"/));
  await assert.rejects(client.setSchedule(pause), refusal(409, /no current release in any/));
  await assert.rejects(client.setSchedule({ ...pause, environment: "local" }), refusal(409, /in local/));
  await assert.rejects(
    client.setSchedule({ ...pause, environment: "x" }),
    refusal(404, /no environment "x"/),
  );
  await client.syncAutomationRelease({ body: { ...orders, environment: "dev" } });
  await client.updateEnvironment({ params: { environment_id: "dev" }, body: { isActive: false } });
  await assert.rejects(client.setSchedule({ ...pause, environment: "dev" }), refusal(409, /not active/));
  await assert.rejects(client.setSchedule(pause), refusal(409, /in any active environment/));
});

test("#20: any other action is refused by the contract", async (t) => {
  const { url } = await released(await openHouse(t), "prod");
  const post = await fetch(`${url}/api/automations/orders-daily/schedule/stop`, { method: "POST" });
  assert.equal(post.status, 422);
});

test("a pause survives a new release, whose job is installed as paused", async (t) => {
  const { client, asked } = await released(await openHouse(t), "prod");
  const before = await client.setSchedule({ ...pause, body: { reason: "stock-taking" } });
  await client.syncAutomationRelease({
    body: { ...orders, environment: "prod", metadata: { version: "2" } },
  });
  const { schedules } = await client.getAutomation({ params: orders });
  assert.deepEqual(schedules, before.schedules);
  assert.deepEqual((await asked()).at(-1)?.data.paused, true);
});

test("a pause and a new release at once: the pause holds", async (t) => {
  const { client, asked } = await released(await openHouse(t), "prod");
  await Promise.all([
    client.setSchedule(pause),
    client.syncAutomationRelease({ body: { ...orders, environment: "prod", metadata: { version: "2" } } }),
  ]);
  assert.equal((await client.getAutomation({ params: orders })).schedules[0]?.state, "paused");
  const last = (await asked()).at(-1);
  assert.ok(last?.kind === "job.pause" || last?.data.paused === true);
});

test("two that pause at once both succeed, and it is paused once", async (t) => {
  const { client, asked } = await released(await openHouse(t), "prod");
  await Promise.all([1, 2, 3].map(() => client.setSchedule(pause)));
  assert.equal((await asked()).filter(({ kind }) => kind === "job.pause").length, 1);
});

test("an automation without a schedule is unscheduled; pausing it still says who wanted that", async (t) => {
  const { client } = await openHouse(t);
  await client.syncAutomationRelease({ body: { ...orders, environment: "prod" } });
  const [state] = (await client.setSchedule(pause)).schedules;
  assert.equal(state?.state, "unscheduled");
  assert.equal(state?.override?.by, "internal-service");
});

test("a pause ends when its time has come", async (t) => {
  const { client, automations, parts, asked } = await released(await openHouse(t), "dev", "prod");
  await client.setSchedule({ ...pause, environment: "dev", body: { until: "2026-03-01T13:00:00Z" } });
  await client.setSchedule({ ...pause, environment: "prod" });
  const by = () => ({ actor: "lakehelm", requestId: null, time: parts.nature.now().toISOString() });
  assert.equal(await automations.endPauses(by()), 0);
  parts.nature.pass(3_600_000);
  assert.equal(await automations.endPauses(by()), 1);
  assert.equal(await automations.endPauses(by()), 0);
  const { schedules } = await client.getAutomation({ params: orders });
  assert.deepEqual(
    schedules.map(({ state }) => state),
    ["active", "paused"],
  );
  assert.equal((await asked()).at(-1)?.kind, "job.resume");
});
