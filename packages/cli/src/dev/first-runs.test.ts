import assert from "node:assert/strict";
import { test } from "node:test";
import { runText } from "./first-runs.ts";

test("the line of a run has its rows, and the checks that failed also if it succeeded", () => {
  const moved = { rows_inserted: 4, rows_updated: 0, bytes: 100 };
  assert.equal(
    runText("orders-in", { status: "succeeded", metrics: moved, error: null }),
    "orders-in succeeded: 4 rows inserted",
  );
  const orphans = "customers: 10 rows have a key that orders does not have.";
  for (const status of ["succeeded", "failed"] as const)
    assert.equal(
      runText("mart", { status, metrics: moved, error: orphans }),
      `mart ${status}: 4 rows inserted: ${orphans}`,
    );
});
