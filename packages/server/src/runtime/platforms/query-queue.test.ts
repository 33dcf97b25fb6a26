import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineLost, LimitExceeded } from "@lakehelm/engine";
import { Problem } from "../../core/errors.ts";
import { readSettings } from "../../settings.ts";
import { createQueryQueue } from "./query-queue.ts";

const never = new AbortController().signal;

function harness() {
  let now = 0;
  const queue = createQueryQueue(readSettings({}), () => now);
  const failing = (caller: string, cause: Error) =>
    queue.run(caller, never, async () => {
      throw new Problem("conflict", cause.message, { cause });
    });
  const works = (caller: string) => queue.run(caller, never, async () => true);
  return { queue, failing, works, wait: (ms: number) => (now += ms) };
}

const paused = (seconds: number) => (error: unknown) =>
  error instanceof Problem && error.kind === "tooMany" && error.retryAfterSeconds === seconds;

test("a caller whose queries ended the engine three times must pause, and others need not", async () => {
  const { failing, works, wait } = harness();
  for (let nth = 0; nth < 3; nth += 1) {
    assert.equal(await works("mallory"), true);
    await assert.rejects(failing("mallory", new LimitExceeded("too long")), { message: "too long" });
  }
  await assert.rejects(works("mallory"), paused(60));
  assert.equal(await works("ada"), true);
  wait(61_000);
  assert.equal(await works("mallory"), true);
  await assert.rejects(failing("mallory", new LimitExceeded("again")), { message: "again" });
  await assert.rejects(works("mallory"), paused(120));
  wait(31 * 60_000);
  assert.equal(await works("mallory"), true);
});

test("queries that lost the engine together share the blame, and a lost engine without a known cause is nobody's fault", async () => {
  const { queue, failing, works } = harness();
  const lost = () => new EngineLost("ran out of memory", { ranOutOfMemory: true });
  const together = (caller: string) =>
    queue.run(caller, never, async () => {
      await new Promise(setImmediate);
      throw lost();
    });
  for (let nth = 0; nth < 5; nth += 1) await Promise.allSettled([together("ada"), together("bob")]);
  assert.equal(await works("ada"), true);
  for (let nth = 0; nth < 5; nth += 1)
    await failing("eve", new EngineLost("was ended by SIGKILL")).catch(() => {});
  assert.equal(await works("eve"), true);
});
