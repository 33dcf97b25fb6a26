import assert from "node:assert/strict";
import { test } from "node:test";
import { tableStates } from "./table-states.ts";

type Job = Parameters<typeof tableStates>[1] extends ReadonlyMap<string, infer One> ? One : never;

const daily = { kind: "cron", cron: "0 6 * * *", timezone: "UTC" } as const;
const job = (more: Partial<Job> = {}) =>
  ({
    id: "j",
    environment_id: "e",
    kind: "connector",
    name: "orders-in",
    definition: { trigger: daily },
    paused: null,
    failures: 0,
    last_run: null,
    created_at: "2026-03-01T00:00:00.000Z",
    ...more,
  }) as Job;
const written = [{ table: "shop.sales.orders", jobId: "j" }];

function stateOf(one: Job, changed: string | null, now: string) {
  const versions = changed === null ? [] : [{ name: "shop.sales.Orders", version: 1, at: changed }];
  const [state] = tableStates(written, new Map([["j", one]]), versions, new Date(now));
  return [state?.due_at, state?.is_late];
}

test("a table is late five minutes after a scheduled time at which nothing brought it up to date", () => {
  const changed = "2026-03-01T06:00:10.000Z";
  const due = "2026-03-02T06:00:00.000Z";
  assert.deepEqual(stateOf(job(), changed, "2026-03-02T06:04:00.000Z"), [due, false]);
  assert.deepEqual(stateOf(job(), changed, "2026-03-02T06:06:00.000Z"), [due, true]);
});

test("a run that succeeded without new rows leaves a table up to date", () => {
  const last_run = { id: "r", status: "succeeded", ended_at: "2026-03-02T06:00:05.000Z" } as const;
  const state = stateOf(job({ last_run }), "2026-03-01T06:00:10.000Z", "2026-03-02T08:00:00.000Z");
  assert.deepEqual(state, ["2026-03-03T06:00:00.000Z", false]);
});

test("a table that was never filled is late after the first scheduled time", () => {
  assert.deepEqual(stateOf(job(), null, "2026-03-01T06:30:00.000Z"), ["2026-03-01T06:00:00.000Z", true]);
});

test("nothing is due while the job is paused or has no schedule; a job that fails is late", () => {
  const paused = { by: "ada", at: "2026-03-01T07:00:00.000Z" } as Job["paused"];
  const now = "2026-03-05T00:00:00.000Z";
  assert.deepEqual(stateOf(job({ paused }), null, now), [null, false]);
  const manual = job({ definition: { trigger: { kind: "manual" } } as Job["definition"] });
  assert.deepEqual(stateOf(manual, null, now), [null, false]);
  assert.deepEqual(stateOf({ ...manual, failures: 1 }, now, now), [null, true]);
});
