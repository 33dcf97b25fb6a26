import assert from "node:assert/strict";
import { test } from "node:test";
import { DataProblem } from "../protocol/problem.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { inTransaction } from "./transaction.ts";

test("a run that another one got ahead of is told so, with the next step, and is repeated", async (t) => {
  const { warehouse, context } = await startTransferHarness(t);
  const setUp = await warehouse.connect();
  await setUp.run("CREATE TABLE t AS SELECT 1 AS id, 0 AS n");
  setUp.closeSync();
  const write = "UPDATE t SET n = n + 1";
  const second = inTransaction(warehouse, context.signal, async (connection) => {
    await connection.run("SELECT * FROM t");
    await inTransaction(warehouse, context.signal, (first) => first.run(write));
    await connection.run(write);
  });
  await assert.rejects(
    second,
    (error: unknown) =>
      error instanceof DataProblem &&
      error.retryable &&
      /^Another run changed the same table.* Nothing was written\. Run this again when/.test(error.message),
  );
});
