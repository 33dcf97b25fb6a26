import assert from "node:assert/strict";
import { test } from "node:test";
import { openPipelineHarness } from "./testing/pipeline.ts";

const count = 500;
const columns = Array.from({ length: count }, (_, at) => `c${at}`);

test("an update of a table with too many columns for the memory names the setting", async (t) => {
  const harness = await openPipelineHarness(t, 128);
  await harness.run(
    `CREATE TABLE source (key INT, sequence INT, ${columns.map((name) => `${name} INT`).join(", ")});
     INSERT INTO source VALUES (1, 1, ${columns.map(() => 7).join(", ")})`,
  );
  const sql = `
    CREATE OR REFRESH STREAMING TABLE history;
    CREATE FLOW changes AS AUTO CDC INTO history FROM STREAM(source) KEYS (key) SEQUENCE BY sequence STORED AS SCD TYPE 2;`;
  const update = async () => {
    for (let sequence = 2; sequence < 6; sequence++) {
      await harness.update(sql);
      await harness.run(`INSERT INTO source VALUES (1, ${sequence}, ${columns.map(() => 7).join(", ")})`);
    }
  };
  await assert.rejects(
    update(),
    /needs more memory than its limit of 128 MB\. PLATFORM_WAREHOUSE_MEMORY_MB sets the limit\./,
  );
});
