import assert from "node:assert/strict";
import { test } from "node:test";
import { attentionOf, shownOf } from "../src/pages/home/attention-items.ts";

type Job = Parameters<typeof attentionOf>[0][number];
type Run = Parameters<typeof attentionOf>[1][number];

const now = Date.parse("2026-03-02T06:00:00.000Z");
const job = (id: string, more: Partial<Job> = {}): Job =>
  ({ id, name: id, failures: 0, problem: null, paused: null, next_at: null, last_run: null, ...more }) as Job;
const run = (id: string, status: Run["status"], queued_at: string, error: string | null = null): Run =>
  ({ id, job_id: "orders", status, queued_at, error }) as Run;

test("what fails comes first, with the cause of its newest run and the time of its first failure in a row", () => {
  const jobs = [
    job("held", {
      paused: { by: "ada", at: "2026-03-01T00:00:00.000Z", reason: "migration", missed: 0 } as Job["paused"],
    }),
    job("orders", { failures: 2 }),
  ];
  const runs = [
    run("r3", "failed", "2026-03-02T05:00:00.000Z", "no password"),
    run("r2", "failed", "2026-03-02T04:00:00.000Z", "timeout"),
    run("r1", "succeeded", "2026-03-02T03:00:00.000Z"),
    run("r0", "failed", "2026-03-02T02:00:00.000Z", "older"),
  ];
  const found = attentionOf(jobs, runs, now).map(({ what, cause, since, runId }) => [
    what,
    cause,
    since,
    runId,
  ]);
  assert.deepEqual(found, [
    ["failing", "no password", "2026-03-02T04:00:00.000Z", "r3"],
    ["paused", "Paused by ada: migration.", "2026-03-01T00:00:00.000Z", undefined],
  ]);
});

test("a run that succeeded with failed checks needs attention, until one has none", () => {
  const time = "2026-03-02T05:00:00.000Z";
  const warned = run("r2", "succeeded", time, "orders did not pass its checks");
  const [found] = attentionOf([job("orders")], [warned], now);
  assert.deepEqual([found?.what, found?.cause, found?.runId], ["problem", warned.error, "r2"]);
  assert.deepEqual(attentionOf([job("orders")], [run("r3", "succeeded", time), warned], now), []);
});

test("a pause says how many runs it has skipped and when it ends; a run that waits in the queue is late", () => {
  const paused = {
    by: "ada",
    at: "2026-03-01T00:00:00.000Z",
    reason: "migration",
    until: "2026-03-03T00:00:00.000Z",
    missed: 1,
  } as Job["paused"];
  const [held] = attentionOf([job("held", { paused })], [], now);
  assert.deepEqual(
    [held?.cause, held?.until],
    ["Paused by ada: migration. 1 scheduled run was skipped.", "2026-03-03T00:00:00.000Z"],
  );
  const waiting = { ...run("r1", "queued", "2026-03-02T05:50:00.000Z"), not_before: null };
  const [late] = attentionOf([job("orders")], [waiting], now);
  assert.deepEqual([late?.what, late?.runId], ["late", "r1"]);
  assert.match(late?.cause ?? "", /waited in the queue for 10 min/);
});

test("a job is late five minutes after its time, not before", () => {
  const due = (next_at: string) => attentionOf([job("orders", { next_at })], [], now).map(({ what }) => what);
  assert.deepEqual(due("2026-03-02T05:54:00.000Z"), ["late"]);
  assert.deepEqual(due("2026-03-02T05:56:00.000Z"), []);
});

test("refused resources do not hide what fails, nor all of what is late or paused", () => {
  const refused = Array.from({ length: 12 }, (_, at) => ({ id: `f${at}` })) as unknown as Parameters<
    typeof shownOf
  >[1];
  const held = { by: "ada", at: "2026-03-01T00:00:00.000Z", reason: null, missed: 0 } as Job["paused"];
  const many = (count: number, more: Partial<Job>) =>
    Array.from({ length: count }, (_, at) => job(`j${at}`, more));
  const counts = (jobs: readonly Job[], isWhole = false) => {
    const shown = shownOf(attentionOf(jobs, [], now), refused, isWhole);
    return [shown.failing.length, shown.refused.length, shown.others.length];
  };
  const jobs = [...many(2, { paused: held }), ...many(2, { failures: 1 })];
  assert.deepEqual(counts(jobs), [2, 3, 1]);
  assert.deepEqual(counts(jobs, true), [2, 12, 2]);
  assert.deepEqual(counts(many(9, { failures: 1 })), [6, 0, 0]);
  assert.deepEqual(counts([]), [0, 3, 0]);
});
