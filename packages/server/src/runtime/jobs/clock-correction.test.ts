import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { firingsOf } from "@lakehelm/schedule";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import type { DatabaseEngine } from "../../testing/server.ts";
import { query } from "../../testing/store.ts";
import type { Executor } from "./executor.ts";
import { live, type Trigger } from "./job-steps.ts";
import { brief, engines, retryableError, type TestJobs, testJobs } from "./test-jobs.ts";

const second = 1_000;
const hour = 3_600_000;
const cron = (expression: string, timezone = "UTC"): Trigger => ({
  kind: "cron",
  cron: expression,
  timezone,
});

/** The first attempt at each run fails. */
const failsOnce: Executor = {
  async execute(run) {
    if (run.attempt === 1) throw retryableError("not yet");
    return { metrics: {} };
  },
};

const schedules = [
  cron("*/7 * * * *"),
  cron("30 * * * *", "Asia/Kolkata"),
  cron("0 6 * * *", "Europe/Berlin"),
];

async function given(t: TestContext, engine: DatabaseEngine) {
  const at = await testJobs(t, { engine, executor: failsOnce, startAt: "2026-03-27T10:10:00.000Z" });
  const ids: string[] = [];
  for (const schedule of schedules)
    ids.push(await at.install(schedule, { backoff_seconds: 10, max_backoff_seconds: 60 }));
  ids.push(await at.install(live));
  return { at, ids };
}

async function work({ jobs }: TestJobs): Promise<void> {
  for (let n = 0; n < 2; n++) {
    await jobs.tick();
    await jobs.idle();
  }
}

/** Nothing waits for longer than it would have without the jump. */
async function assertWaits({ deps, jobs, runs }: TestJobs, ids: readonly string[]): Promise<void> {
  const now = deps.system.now().getTime();
  for (const id of ids) {
    const job = await jobs.rows.get(id);
    const trigger = job?.definition.trigger;
    if (trigger?.kind === "cron") {
      const due = firingsOf(trigger.cron, trigger.timezone).after(now) ?? Number.NaN;
      assert.equal(job?.nextAt, new Date(due).toISOString(), id);
    } else
      assert.ok(Date.parse(job?.nextAt ?? "") <= now + 300 * second || job?.open, `${id} ${job?.nextAt}`);
  }
  for (const { id, status, not_before } of await runs()) {
    if (status === "queued")
      assert.ok(Date.parse(not_before ?? "") <= now + 300 * second, `${id} ${not_before}`);
  }
}

for (const engine of engines) {
  test(`a clock that was three hours ahead for 14 seconds stops no schedule, and it is said, on ${engine}`, async (t) => {
    const { at, ids } = await given(t, engine);
    const hourly = ids[1] ?? "";
    at.deps.system.setAhead(3 * hour);
    await work(at);
    assert.equal((await at.jobs.rows.get(hourly))?.nextAt, "2026-03-27T14:00:00.000Z");
    at.deps.system.advance(14 * second);
    at.deps.system.setAhead(-3 * hour);
    await work(at);
    assert.equal((await at.jobs.rows.get(hourly))?.nextAt, "2026-03-27T11:00:00.000Z");
    await at.advanceTo("2026-03-27T11:00:00.000Z");
    await at.jobs.idle();
    assert.ok(
      (await at.runs()).some((run) => run.job_id === hourly && run.cause.time === "2026-03-27T11:00:00.000Z"),
    );

    const said = await query(at.deps.store, "select body from pending_events where kind = 'clock.corrected'");
    assert.deepEqual(
      said.map(({ body }) => JSON.parse(String(body)).data.seconds),
      [10_800, -10_800],
    );
  });

  test(`a start finds due times that a wrong clock has left, on ${engine}`, async (t) => {
    const { at, ids } = await given(t, engine);
    at.deps.system.setAhead(3 * hour);
    await work(at);
    at.deps.system.setAhead(-3 * hour);
    const restarted = await at.another();
    await work(restarted);
    await assertWaits(restarted, ids);
  });
}

const jump = fc.record({
  setMs: fc.oneof(
    fc.integer({ min: -4 * 24 * hour, max: 4 * 24 * hour }),
    fc.integer({ min: -90 * second, max: 90 * second }),
  ),
  heldMs: fc.integer({ min: 0, max: hour }),
  restarts: fc.boolean(),
});

test("however the clock jumps: nothing waits too long, no slot is lost or runs twice", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(jump, { minLength: 1, maxLength: 3 }), async (jumps) => {
      const { at: first, ids } = await given(t, "sqlite");
      const { system } = first.deps;
      let at = first;
      for (const { setMs, heldMs, restarts } of jumps) {
        system.setAhead(setMs);
        await work(at);
        system.advance(heldMs);
        await work(at);
        await assertWaits(at, ids);
        system.setAhead(-setMs);
        if (restarts) at = await at.another();
        await work(at);
        await assertWaits(at, ids);
      }
      const slots = new Set<string>();
      for (let n = 0; n < 4; n++) {
        const now = system.now().getTime();
        const next = Math.min(
          ...schedules.map(
            (one) =>
              firingsOf("cron" in one ? one.cron : "", "timezone" in one ? one.timezone : "").after(now) ??
              Number.NaN,
          ),
        );
        await at.advanceTo(new Date(next).toISOString());
        await at.jobs.idle();
        for (const [m, one] of schedules.entries()) {
          if (one.kind !== "cron" || firingsOf(one.cron, one.timezone).after(next - 1) !== next) continue;
          slots.add(`${ids[m]} ${new Date(next).toISOString()}`);
        }
      }
      const scheduled = (await at.runs()).filter(({ cause }) => cause.trigger === "cron");
      const ran = scheduled.map(({ job_id, cause: { time } }) => `${job_id} ${time}`);
      assert.equal(new Set(ran).size, ran.length, "twice");
      assert.deepEqual(
        [...slots].filter((slot) => !ran.includes(slot)),
        [],
        scheduled.map(brief).join("\n"),
      );
    }),
    { numRuns: randomCases(60) },
  );
});
