/** A run's metrics shown as an update: its tables, and its history. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run, UpdatedTable } from "@lakehelm/contract";
import { metricsIn, metricsOf, type RepeatedAttempt, updateOf } from "./update.ts";
import { eventsOf } from "./update-events.ts";

const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, "0")}.000Z`;

const table = (
  name: string,
  state: UpdatedTable["state"],
  from: number | null = null,
  to: number | null = null,
): UpdatedTable => ({
  name,
  kind: "materialized_view",
  state,
  rows_added: 0,
  rows_updated: 0,
  rows_removed: 0,
  rows_dropped: 0,
  expectations: [],
  seconds: 0,
  error: state === "failed" ? "It is full." : null,
  start_time: from === null ? null : at(from),
  end_time: to === null ? null : at(to),
});

function runWith(
  tables: readonly UpdatedTable[],
  more: Partial<Run> = {},
  again: readonly RepeatedAttempt[] = [],
): Run {
  return {
    id: "u1",
    job_id: "pipeline-p1",
    environment_id: "e1",
    kind: "pipeline",
    name: "nightly",
    status: "running",
    cause: { trigger: "manual", by: "ada", time: at(0) },
    attempt: 1,
    queued_at: at(0),
    not_before: null,
    started_at: at(1),
    ended_at: null,
    error: null,
    metrics: { ...metricsOf(tables, 0, again) },
    cancelled: null,
    ...more,
  };
}

const tables = [
  table("a", "completed", 2, 3),
  table("b", "running", 3),
  table("c", "waiting"),
  table("d", "excluded"),
];
const shown = (run: Run) =>
  updateOf("p1", run).tables.map(({ state, error, start_time, end_time }) =>
    [state, error, start_time, end_time].map((one) => one ?? "").join("|"),
  );
const eventLines = (run: Run) =>
  eventsOf(updateOf("p1", run), metricsIn(run).again).map(({ id, table, state, message }) =>
    [id, table ?? "update", state, message].join("|"),
  );

test("after a stopped or failed update no table is waiting or running", () => {
  for (const [status, how] of [
    ["cancelled", "was stopped"],
    ["failed", "failed"],
  ] as const) {
    const run = runWith(tables, { status, ended_at: at(9) });
    assert.deepEqual(shown(run), [
      `completed||${at(2)}|${at(3)}`,
      `skipped|The update ${how} before b was done.|${at(3)}|${at(9)}`,
      `skipped|The update ${how} before c was done.||${at(9)}`,
      "excluded|||",
    ]);
    assert.deepEqual(eventLines(run).slice(-4, -1), [
      "u1/4|b|running|b started.",
      `u1/5|b|skipped|b was skipped: The update ${how} before b was done.`,
      `u1/6|c|skipped|c was skipped: The update ${how} before c was done.`,
    ]);
  }
});

test("between two attempts no table is running", () => {
  assert.deepEqual(shown(runWith(tables, { status: "queued" })).slice(1), [
    "waiting|||",
    "waiting|||",
    "excluded|||",
  ]);
});

test("a repeated attempt adds an event, and earlier events keep their positions", () => {
  const first = [table("a", "completed", 2, 3), table("b", "failed", 3, 4), table("c", "running", 4)];
  const before = eventLines(runWith(first));
  const again = [
    {
      attempt: 2,
      time: at(6),
      reason: "The server crashed during attempt 1.",
      tables: first,
    },
    { attempt: 2, time: at(8), reason: null, tables: [table("b", "running", 7)] },
  ];
  const now = [table("a", "completed", 2, 3), table("b", "completed", 9, 10), table("c", "running", 10)];
  const after = eventLines(runWith(now, { attempt: 2 }, again));
  assert.deepEqual(after.slice(0, before.length), before);
  assert.deepEqual(after.slice(before.length), [
    "u1/7|update|RUNNING|Attempt 2 started. The server crashed during attempt 1.",
    "u1/8|b|running|b started.",
    "u1/9|update|RUNNING|The update continues after a shutdown of the server.",
    "u1/10|b|running|b started.",
    "u1/11|b|completed|b: 0 rows added, 0 updated, 0 removed, 0 dropped.",
    "u1/12|c|running|c started.",
  ]);
});

test("an update from a version that stored no attempts can be read", () => {
  const { again: _, ...metrics } = metricsOf([table("a", "completed", 2, 3)], 1, []);
  assert.deepEqual(metricsIn({ metrics: { ...metrics } }).again, []);
});
