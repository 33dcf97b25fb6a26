import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../platforms/platform.ts";
import { type House, openHouse, refusal, soundDefinition } from "./test-house.ts";

const orders = { automation_alias: "orders-daily" };
const there = { ...orders, environment: "far" };
const pause = { params: { ...orders, action: "pause" } } as const;
const resume = { params: { ...orders, action: "resume" } } as const;
const no: Outcome = { done: false, reason: "no capacity" };
const yes: Outcome = { done: true, reference: "job-7" };

async function farAway(...[t]: Parameters<typeof openHouse>): Promise<House> {
  const house = await openHouse(t);
  await house.client.createEnvironment({ body: { name: "far", platform: "elsewhere" } });
  await house.client.createAutomation({ body: { alias: "orders-daily", definition: soundDefinition } });
  return house;
}

const pending = async ({ rows }: House) => ((await rows()).intents ?? []).length;

test("a platform that answers later: its job's id is in the answer", async (t) => {
  const house = await farAway(t);
  const { release } = await house.client.syncAutomationRelease({ body: there });
  assert.equal(release?.workflow_id, "job-7");
  assert.deepEqual((await house.client.listReleases({ params: orders })).releases, [release]);
  assert.equal(await pending(house), 0);
});

test("a platform that refuses a job: told as 409, the release has no workflow, and can be tried again", async (t) => {
  const house = await farAway(t);
  const { client, outside, rows, events } = house;
  outside.answer = () => no;
  await assert.rejects(
    client.syncAutomationRelease({ body: there }),
    refusal(409, /registered in far without its job; .* elsewhere refused it: no capacity/),
  );
  const [refused] = (await client.listReleases({ params: orders })).releases;
  assert.equal(refused?.workflow_id, null);
  assert.ok((await events()).some(({ kind, data }) => kind === "automation.job_refused" && data.reason));

  outside.answer = () => yes;
  const again = await client.syncAutomationRelease({ body: there });
  assert.deepEqual(again.release, { ...refused, workflow_id: "job-7" });
  assert.equal(again.deployment, null);
  assert.equal((await rows()).deployments?.length, 1);
  const before = await rows();
  await client.syncAutomationRelease({ body: there });
  assert.deepEqual(await rows(), before);
});

test("a platform that will not remove a job: told as 409, and the release stays", async (t) => {
  const house = await farAway(t);
  const { client, outside } = house;
  const { release } = await client.syncAutomationRelease({ body: there });
  const remove = () => client.syncAutomationRelease({ body: { ...there, action: "delete" } });
  outside.answer = () => no;
  await assert.rejects(remove(), refusal(409, /still current in far.* no capacity/));
  assert.deepEqual((await client.listReleases({ params: orders })).releases, [release]);
  outside.answer = () => yes;
  assert.equal((await remove()).success, true);
  assert.equal((await client.listReleases({ params: orders })).total, 0);
  assert.equal(await pending(house), 0);
});

test("a platform that will not pause or resume: told as 409, and the pause is as it was", async (t) => {
  const house = await farAway(t);
  const { client, outside } = house;
  await client.syncAutomationRelease({ body: there });
  const stateNow = async () => (await client.getAutomation({ params: orders })).schedules[0];
  outside.answer = () => no;
  await assert.rejects(client.setSchedule(pause), refusal(409, /refused to pause orders-daily in far/));
  assert.equal((await stateNow())?.state, "active");
  outside.answer = () => yes;
  const [paused] = (await client.setSchedule({ ...pause, body: { reason: "why not" } })).schedules;
  outside.answer = () => no;
  await assert.rejects(client.setSchedule(resume), refusal(409, /refused to resume/));
  assert.deepEqual(await stateNow(), paused);
  assert.equal(await pending(house), 0);
});

test("what a crash interrupted is recorded after the restart", async (t) => {
  const house = await farAway(t);
  const { client, outside, work } = house;
  let crash = (_: Error) => {};
  const reached = new Promise<void>((asked) => {
    outside.answer = () => {
      asked();
      return new Promise<Outcome>((_, reject) => {
        crash = reject;
      });
    };
  });
  const lost = client.syncAutomationRelease({ body: there }).catch(() => undefined);
  await reached;
  const [release] = (await client.listReleases({ params: orders })).releases;
  assert.equal(release?.workflow_id, null);

  // The next process finds the intent and asks again.
  outside.answer = () => yes;
  const far = release?.environment_id;
  await work.resume(async (environmentId) => (environmentId === far ? "elsewhere" : undefined));
  const [settled] = (await client.listReleases({ params: orders })).releases;
  assert.deepEqual(settled, { ...release, workflow_id: "job-7" });
  assert.equal(await pending(house), 0);
  crash(new Error("the first process is gone"));
  await lost;
});

test("an answer for a release that was replaced meanwhile changes nothing", async (t) => {
  const house = await farAway(t);
  const { client, outside } = house;
  let answerFirst = (_: Outcome) => {};
  const reached = new Promise<void>((asked) => {
    outside.answer = () => {
      outside.answer = () => yes;
      asked();
      return new Promise<Outcome>((answer) => {
        answerFirst = answer;
      });
    };
  });
  const first = client.syncAutomationRelease({ body: { ...there, metadata: { version: "1" } } });
  await reached;
  const second = await client.syncAutomationRelease({ body: { ...there, metadata: { version: "2" } } });
  answerFirst({ done: true, reference: "job-of-the-first" });
  await first;
  assert.deepEqual((await client.listReleases({ params: orders })).releases, [second.release]);
  assert.equal(await pending(house), 0);
});
