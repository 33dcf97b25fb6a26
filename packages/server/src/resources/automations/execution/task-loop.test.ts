import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomationDefinition } from "@lakehelm/contract";
import { testSystem } from "../../../web/identity/test-dependencies.ts";
import { runTasks } from "./task-loop.ts";
import { createTaskStates } from "./task-states.ts";

const names = ["a", "b", "c", "d", "e"];

/** Performs five independent tasks, and returns the most that were in progress at the same time. */
async function mostInProgress(mostAtOnce: number): Promise<number> {
  const { tasks } = AutomationDefinition.check(
    { tasks: names.map((name) => ({ name, kind: "sql", query: "select 1" })) },
    [],
    [],
  );
  const states = createTaskStates(tasks, { release_id: "r" }, [], async () => {});
  const control = { signal: new AbortController().signal, line() {} };
  let inProgress = 0;
  let most = 0;
  await runTasks({ tasks, mostAtOnce, states, system: testSystem(), control }, async ({ name }) => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    await new Promise(setImmediate);
    inProgress -= 1;
    await states.set(name, { status: "succeeded" });
  });
  assert.ok(names.every((name) => states.of(name).status === "succeeded"));
  return most;
}

test("at most max_concurrent_tasks tasks are in progress at the same time, and all are performed", async () => {
  assert.deepEqual(await Promise.all([1, 2, names.length].map(mostInProgress)), [1, 2, 5]);
});
