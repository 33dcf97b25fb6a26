import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomationDefinition, type Run } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { testSystem } from "../../../web/identity/test-dependencies.ts";
import { PermanentError } from "./permanent-error.ts";
import { runWithRetries, type TaskAttempt } from "./task-attempts.ts";
import { storedTasks } from "./task-state.ts";
import { createTaskStates } from "./task-states.ts";

/** A task, its states, and everything that was stored about the task, in order. */
function given(
  policy: {
    retries?: number;
    retry_seconds?: number;
    max_retry_seconds?: number;
    timeout_seconds?: number;
  } = {},
  before = {},
) {
  const { tasks } = AutomationDefinition.check(
    { tasks: [{ name: "load", kind: "sql", query: "select 1", ...policy }] },
    [],
    [],
  );
  const [task] = tasks;
  assert.ok(task);
  const system = testSystem();
  const kept: Run["metrics"][] = [];
  const stopping = new AbortController();
  const lines: string[] = [];
  const keep = async (metrics: Run["metrics"]) => void kept.push(metrics);
  const earlier = storedTasks({ metrics: { release_id: "r", tasks: [], ...before } })?.tasks ?? [];
  const states = createTaskStates(tasks, { release_id: "r" }, earlier, keep);
  const control = {
    signal: stopping.signal,
    line: (level: string, text: string) => void lines.push(`${level}: ${text}`),
    progress() {},
    checkpoint: keep,
  };
  return {
    system,
    states,
    stopping,
    lines,
    kept: () =>
      kept
        .flatMap((metrics) => storedTasks({ metrics })?.tasks ?? [])
        .map(({ status, attempt }) => `${status} ${attempt}`),
    run: (attemptTask: TaskAttempt) => runWithRetries(task, { states, system, control }, attemptTask),
  };
}

test("a successful task has its output, and its start and end are stored", async () => {
  const { run, states, kept } = given();
  await run(async () => ({ value: 1 }));
  assert.deepEqual(kept(), ["running 1", "succeeded 1"]);
  assert.deepEqual([states.of("load").output, states.of("load").error], [{ value: 1 }, null]);
});

test("a failed task is retried up to its limit, after its delay", async () => {
  const { run, states, system, kept } = given({ retries: 2, retry_seconds: 3600 });
  const begun: number[] = [];
  const done = run(async (attempt) => {
    begun.push(attempt);
    throw new Error(`no ${attempt}`);
  });
  for (const attempt of [1, 2]) {
    await until(() => states.of("load").attempt === attempt + 1);
    assert.deepEqual(begun.length, attempt);
    system.advance(3600_000);
  }
  await done;
  assert.deepEqual(begun, [1, 2, 3]);
  assert.deepEqual(kept(), ["running 1", "waiting 2", "running 2", "waiting 3", "running 3", "failed 3"]);
  assert.equal(states.of("load").error, "no 3");
});

test("with max_retry_seconds the pause is doubled up to it, and the log says how long it is", async () => {
  const { run, states, system, lines } = given({ retries: 3, retry_seconds: 40, max_retry_seconds: 100 });
  const done = run(async () => {
    throw new Error("restarting");
  });
  for (const [attempt, seconds] of [
    [1, 40],
    [2, 80],
    [3, 100],
  ] as const) {
    await until(() => states.of("load").attempt === attempt + 1);
    system.advance(seconds * 1000);
  }
  await done;
  assert.deepEqual(
    lines.filter((line) => line.startsWith("warn")),
    [40, 80, 100].map(
      (seconds) => `warn: Task "load" failed; the next attempt starts in ${seconds} s: restarting`,
    ),
  );
});

test("a time limit of any size is accepted, and a year is the longest", () => {
  const task = { name: "load", kind: "sql", query: "select 1", timeout_seconds: 10n ** 30n };
  const { tasks } = AutomationDefinition.check({ tasks: [task] }, [], []);
  assert.equal(tasks[0]?.timeout_seconds, 31_536_000);
});

test("a permanent error is not retried", async () => {
  const { run, kept } = given({ retries: 5 });
  await run(async () => {
    throw new PermanentError("never");
  });
  assert.deepEqual(kept(), ["running 1", "failed 1"]);
});

test("after a crash the same attempt continues, and earlier failures count", async () => {
  const state = {
    ...{
      name: "load",
      kind: "sql",
      reason: null,
      started_at: null,
      ended_at: null,
      error: null,
      output: null,
    },
    ...{ status: "running", attempt: 2, run_id: "child-2" },
  };
  const { run, states } = given({ retries: 1 }, { tasks: [state] });
  const begun: unknown[] = [];
  await run(async (attempt) => {
    begun.push([attempt, states.of("load").run_id]);
    throw new Error("no");
  });
  assert.deepEqual(begun, [[2, "child-2"]]);
  assert.equal(states.of("load").status, "failed");
});

test("a task that exceeds its timeout is stopped and fails", async () => {
  const { run, states, system } = given({ timeout_seconds: 60 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = run((_, signal) => {
    resolve();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await promise;
  system.advance(60_000);
  await done;
  assert.equal(states.of("load").error, "It took longer than 60 s and was stopped.");
});

test("if the run is stopped, the task keeps its state for the next worker", async () => {
  const { run, states, stopping } = given({ retries: 3 });
  const reason = new Error("stopping");
  await assert.rejects(
    run(async () => {
      stopping.abort(reason);
      throw reason;
    }),
    reason,
  );
  assert.deepEqual([states.of("load").status, states.of("load").attempt], ["running", 1]);
});
