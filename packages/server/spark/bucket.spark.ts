import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startS3, withoutS3 } from "@lakehelm/engine/testing";
import { startConnectServerWith } from "./bucket.ts";
import { runStatements } from "./run-statements.ts";

const s3 = await startS3(after);

test("a cluster with the jars and keys writes several files to a bucket and reads them", {
  skip: s3 ? false : withoutS3,
}, async (t) => {
  assert.ok(s3);
  await s3.createBucket("staging");
  const cluster = await startConnectServerWith(s3, "staging");
  t.after(() => cluster.stop());
  const count = await runStatements(cluster, [
    "INSERT OVERWRITE DIRECTORY 's3a://staging/some/out' USING parquet SELECT /*+ REPARTITION(3) */ id FROM range(1000)",
    "CREATE TEMPORARY VIEW v USING parquet OPTIONS (path 's3a://staging/some/out')",
    "SELECT count(*), sum(id) FROM v",
  ]);
  assert.deepEqual(count, [[1000, 499_500]]);
  const parts = (await s3.keys("staging")).filter((key) => key.startsWith("some/out/part-"));
  assert.equal(parts.length, 3);
});
