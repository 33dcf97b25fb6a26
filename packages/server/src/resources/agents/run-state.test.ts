import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlatformComponentRequest } from "../../runtime/platforms/platform-request.ts";
import { isOutcomeOfLastRequest, observedState, runState, waitingState } from "./run-state.ts";

const [before, asked_at, later] = [
  "2026-03-01T06:00:00.000Z",
  "2026-03-01T06:00:01.000Z",
  "2026-03-01T06:00:02.000Z",
];
const start: PlatformComponentRequest = {
  id: "1",
  environmentId: "2",
  subject: "app/3",
  kind: "component.start",
  data: { name: "desk-ui", agent_id: null, source_path: null, asked_at },
};
const reason = "The workspace cannot be reached. The server tries again.";

test("what is observed of an earlier start does not end one that waits for the platform", () => {
  const asked = runState("component.start", undefined, asked_at);
  const waiting = waitingState(asked, start, reason);
  assert.deepEqual(waiting, { ...asked, message: reason });
  assert.equal(observedState(waiting, { observed_state: "running", message: null }, later), undefined);
  assert.ok(isOutcomeOfLastRequest(waiting, start), "its outcome is still recorded");
  assert.equal(waitingState(waiting, start, reason), undefined, "the same reason is recorded once");
});

test("a reason of an earlier request is not shown in a later one", () => {
  const next = runState("component.stop", undefined, later);
  assert.equal(waitingState(next, start, reason), undefined);
  const running = runState("component.start", { done: true, reference: null }, before);
  assert.equal(waitingState(running, start, reason), undefined);
});

test("an observation that says how it ended is followed by the next one", () => {
  const ended = {
    ...runState("component.start", undefined, asked_at),
    message: "It ended with exit code 1.",
  };
  const running = observedState(ended, { observed_state: "running", message: null }, later);
  assert.equal(running?.observed_state, "running");
});
