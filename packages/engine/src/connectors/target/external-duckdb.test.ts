import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryProblem } from "../../warehouse/memory-problem.ts";
import { fileProblem } from "./external-duckdb.ts";

test("an export that runs out of temporary space names the setting, also if DuckDB wraps its error", () => {
  const text =
    "failed to offload data block of size 256.0 KiB (1.0 MiB/1.0 MiB used). This limit was set by the 'max_temp_directory_size' setting.";
  for (const message of [
    `Out of Memory Error: ${text}`,
    `Invalid Input Error: ${JSON.stringify({ exception_type: "Out of Memory", exception_message: text })}`,
  ]) {
    const problem = fileProblem("s3://shop/out/orders.csv", new Error(message));
    assert.equal(
      memoryProblem(problem, "The transfer of orders", 64),
      "The transfer of orders needs more temporary disk space than its limit. PLATFORM_WAREHOUSE_SPILL_MB sets the limit.",
    );
  }
});
