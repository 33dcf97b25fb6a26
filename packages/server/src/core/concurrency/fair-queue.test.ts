import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../errors.ts";
import { createFairQueue, type FairQueueLimits } from "./fair-queue.ts";

const never = new AbortController().signal;
const usual: FairQueueLimits = { atOnce: 3, perOwner: 2, waiting: 6, waitingPerOwner: 4, waitMs: 60_000 };

function harness(limits: Partial<FairQueueLimits> = {}) {
  const queue = createFairQueue("queries", { ...usual, ...limits });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (owner: string, task: string, signal = never) =>
    queue.run(owner, signal, () => {
      started.push(task);
      return new Promise<string>((resolve) => ends.set(task, () => resolve(task)));
    });
  const end = async (task: string) => {
    ends.get(task)?.();
    await new Promise(setImmediate);
  };
  return { run, started, end };
}

const refusal = (kind: Problem["kind"]) => (error: unknown) =>
  error instanceof Problem && error.kind === kind && error.retryAfterSeconds === 2;

test("an owner has its own limit, and others start beside it", async () => {
  const { run, started, end } = harness();
  const tasks = ["a1", "a2", "a3", "b1"].map((task) => run(task[0] ?? "", task));
  await new Promise(setImmediate);
  assert.deepEqual(started, ["a1", "a2", "b1"]);
  await end("b1");
  assert.deepEqual(started, ["a1", "a2", "b1"]);
  await end("a1");
  assert.deepEqual(started, ["a1", "a2", "b1", "a3"]);
  await Promise.all([end("a2"), end("a3")]);
  assert.deepEqual(await Promise.all(tasks), ["a1", "a2", "a3", "b1"]);
});

test("the owner with the fewest running tasks is next, whoever came first", async () => {
  const { run, started, end } = harness({ atOnce: 2 });
  for (const task of ["a1", "a2", "a3", "a4", "b1", "c1"]) void run(task[0] ?? "", task);
  await new Promise(setImmediate);
  await end("a1");
  await end("a2");
  assert.deepEqual(started, ["a1", "a2", "b1", "c1"]);
  await end("b1");
  assert.deepEqual(started.at(-1), "a3");
  for (const task of ["c1", "a3", "a4"]) await end(task);
});

test("too many waiting tasks are refused: 429 for one owner, 503 in total", async () => {
  const { run, end } = harness({ atOnce: 1, perOwner: 1, waiting: 3, waitingPerOwner: 2 });
  for (const task of ["a1", "a2", "a3"]) void run("a", task);
  await assert.rejects(run("a", "a4"), refusal("tooMany"));
  void run("b", "b1");
  await assert.rejects(run("c", "c1"), refusal("unavailable"));
  for (const task of ["a1", "b1", "a2", "a3"]) await end(task);
});

test("a task that is aborted or waits too long leaves the queue", async () => {
  const { run, started, end } = harness({ atOnce: 1, perOwner: 1, waitMs: 20 });
  void run("a", "a1");
  const stopper = new AbortController();
  const aborted = run("b", "b1", stopper.signal);
  const late = run("c", "c1");
  stopper.abort(new Error("gone"));
  await assert.rejects(aborted, { message: "gone" });
  await assert.rejects(late, refusal("unavailable"));
  await end("a1");
  assert.deepEqual(started, ["a1"]);
});

test("a task that waits too long for tasks of its own owner is refused with 429, and one that waits for others with 503", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { run, end } = harness({ atOnce: 1, perOwner: 1, waitMs: 100 });
  void run("a", "a1");
  const behindRunning = run("a", "a2");
  const behindOthers = run("b", "b1");
  t.mock.timers.tick(100);
  await assert.rejects(behindRunning, refusal("tooMany"));
  await assert.rejects(behindOthers, refusal("unavailable"));
  // Meanwhile a task of the same owner has run, and now a task of another owner runs.
  const [first, second] = [run("c", "c1"), run("c", "c2")];
  await end("a1");
  void run("d", "d1");
  await end("c1");
  await first;
  t.mock.timers.tick(100);
  await assert.rejects(second, refusal("tooMany"));
  await end("d1");
});

test("a task that fails makes room for the next", async () => {
  const queue = createFairQueue("queries", { ...usual, atOnce: 1 });
  const failing = queue.run("a", never, async () => {
    throw new Error("no");
  });
  const next = queue.run("b", never, async () => 2);
  await assert.rejects(failing, { message: "no" });
  assert.equal(await next, 2);
});
