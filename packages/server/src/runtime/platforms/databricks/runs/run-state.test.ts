import assert from "node:assert/strict";
import { test } from "node:test";
import { hasEnded, stateOf } from "./run-state.ts";

const status = (state: string, code?: string) => ({
  status: { state, ...(code && { termination_details: { code } }) },
});
const old = (life_cycle_state: string, result_state?: string) => ({
  state: { life_cycle_state, ...(result_state && { result_state }) },
});

for (const [run, expected] of [
  [status("QUEUED"), "waiting"],
  [status("WAITING"), "waiting"],
  [status("RUNNING"), "running"],
  [status("TERMINATING"), "running"],
  [status("TERMINATED", "SUCCESS"), "succeeded"],
  [status("TERMINATED", "USER_CANCELED"), "cancelled"],
  [status("TERMINATED", "MAX_CONCURRENT_RUNS_EXCEEDED"), "skipped"],
  [status("TERMINATED", "A_CODE_OF_NEXT_YEAR"), "failed"],
  // `status` counts, whatever the older `state` says.
  [{ ...old("RUNNING"), ...status("TERMINATED", "SUCCESS") }, "succeeded"],
  [old("PENDING"), "waiting"],
  [old("TERMINATED", "SUCCESS"), "succeeded"],
  [old("INTERNAL_ERROR", "FAILED"), "failed"],
  [old("SKIPPED"), "skipped"],
  // An unknown state: the run has ended if it has an end.
  [{ ...status("HIBERNATING"), end_time: 0 }, "running"],
  [{ ...status("HIBERNATED"), end_time: 5 }, "failed"],
  [{}, "running"],
] as const) {
  test(`${JSON.stringify(run)} is ${expected}`, () => {
    assert.equal(stateOf(run), expected);
    assert.equal(hasEnded(run), expected !== "waiting" && expected !== "running");
  });
}
