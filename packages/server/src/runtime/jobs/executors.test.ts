import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { executeByKind } from "./executors.ts";

test("a run is abandoned by the executor of its kind, even if its job is deleted", async () => {
  const ended: string[] = [];
  const execute = async () => ({ metrics: {} });
  const executors = executeByKind(() => ({
    connector: { execute },
    automation: { execute, abandon: async ({ id }) => void ended.push(id) },
  }));
  const runOf = (id: string, job_id: string): Run => ({
    id,
    job_id,
    kind: "connector",
    name: "orders",
    environment_id: "e-1",
    status: "cancelled",
    cause: { trigger: "manual", by: "ada", time: "2026-03-01T12:00:00.000Z" },
    attempt: 1,
    queued_at: "2026-03-01T12:00:00.000Z",
    not_before: null,
    started_at: null,
    ended_at: null,
    error: null,
    metrics: {},
    cancelled: null,
  });
  await executors.abandon(runOf("r-1", "connector-1"));
  await executors.abandon(runOf("r-2", "automation-1-2"));
  assert.deepEqual(ended, ["r-2"]);
});
