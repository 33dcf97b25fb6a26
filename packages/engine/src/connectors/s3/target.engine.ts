import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { startS3, type TestS3, withoutS3 } from "../../testing/s3-server.ts";
import { SimulatedStop, sharedTargetHarness } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";

const ends: (() => Promise<void>)[] = [];
const s3 = await startS3((end) => ends.push(end));
let buckets = 0;

after(async () => {
  for (const end of ends) await end();
});

async function newTarget(server: TestS3, type: string, bucket = `out-${++buckets}`) {
  await server.createBucket(bucket);
  return { type, config: { ...server.config, path: `s3://${bucket}/exports` } };
}

if (s3) {
  for (const type of ["csv", "parquet"]) {
    targetSuite(
      `${type} objects as a target`,
      () => newTarget(s3, type),
      (name) => (type === "csv" ? !/^a table that was emptied/.test(name) : /^upsert inserts/.test(name)),
    );
  }
}

suite("a bucket as a target", { skip: s3 ? false : withoutS3 }, () => {
  const newHarness = sharedTargetHarness();
  const server = s3 as TestS3;
  const given = async (type: string) => {
    const harness = await newHarness();
    const connection = await newTarget(server, type);
    const bucket = `out-${buckets}`;
    return {
      harness,
      connection,
      bucket,
      text: async (key: string) => (await server.get(`${bucket}/exports/${key}`)).text(),
    };
  };

  test("append: each run writes one object, and the object of a failed run is overwritten or removed", async () => {
    const { harness, connection, bucket, text } = await given("csv");
    const run = { strategy: "append", keys: [] } as const;
    const parts = async () =>
      (await server.keys(bucket)).filter((key) => key.includes("/part-")).map((key) => key.slice(-15));
    await harness.write(connection, { ...run, select: "SELECT 1 AS id", whole: true });
    await assert.rejects(
      harness.write(connection, { ...run, select: "SELECT 2 AS id", failAt: "written" }),
      SimulatedStop,
    );
    assert.deepEqual(await parts(), ["part-000001.csv", "part-000002.csv"]);
    assert.deepEqual(await harness.targetRows(connection, run), [[1]]);
    await harness.write(connection, { ...run, select: "SELECT 3 AS id" });
    assert.equal(await text("orders/part-000002.csv"), "id\n3\n");
    await assert.rejects(
      harness.write(connection, { ...run, select: "SELECT 4 AS id", failAt: "written" }),
      SimulatedStop,
    );
    await harness.write(connection, { ...run, select: "SELECT 4 AS id LIMIT 0", watermark: "m2" });
    assert.deepEqual(await parts(), ["part-000001.csv", "part-000002.csv"]);
    await server.remove(`${bucket}/exports/orders/part-000001.csv`);
    assert.deepEqual(await harness.targetRows(connection, run), [[3]]);
  });

  test("a large file is uploaded in parts, and what a killed run left is removed", onlyNightly, async () => {
    const { harness, connection, bucket } = await given("jsonl");
    const key = `${bucket}/exports/orders.jsonl`;
    const started = await server.fetch(`${key}?uploads=`, { method: "POST" });
    const [, id = ""] = /<UploadId>([^<]*)/.exec(await started.text()) ?? [];
    await server.fetch(`${key}?partNumber=1&uploadId=${id}`, { method: "PUT", body: "half a run" });
    const uploads = async () =>
      [...(await (await server.fetch(`${bucket}?uploads=`)).text()).matchAll(/<UploadId>/g)].length;
    assert.equal(await uploads(), 1);
    const select = "SELECT i AS id, repeat(md5(i::VARCHAR), 30) AS text FROM range(30000) t(i)";
    const { bytes } = await harness.write(connection, { select, whole: true });
    assert.ok(bytes > 16 * 2 ** 20, String(bytes));
    assert.equal(await uploads(), 0);
    const content = await (await server.get(key)).text();
    assert.equal(content.length, bytes);
    assert.equal(content.split("\n").length, 30_001);
    const rows = (await harness.targetRows(connection)) ?? [];
    assert.equal(rows.length, 30_000);
    // A run that is aborted between two steps leaves the object as it is.
    await assert.rejects(
      harness.write(connection, { select: "SELECT 7 AS id, 'x' AS text", whole: true, failAt: "staged" }),
      SimulatedStop,
    );
    assert.equal((await (await server.get(key)).text()).length, bytes);
  });

  test("check and discover; an object of others is not overwritten", async () => {
    const { harness, connection, bucket } = await given("csv");
    await server.put(`${bucket}/exports/orders.csv`, "mine");
    await harness.with(connection, async (target) => {
      assert.deepEqual(await target.check(["orders"]), [
        { ok: true, sentence: `can write files to s3://${bucket}/exports` },
        { ok: true, sentence: "orders will be created by the first run" },
      ]);
    });
    await assert.rejects(
      harness.write(connection, { select: "SELECT 1 AS id", whole: true }),
      /s3:.*\/exports\/orders\.csv already exists and was not written by Lakehelm/,
    );
    await harness.write(connection, { select: "SELECT 1 AS id", whole: true, strategy: "replace" });
    await harness.with(connection, async (target) => {
      assert.deepEqual(
        (await target.discover()).map(({ name, rows }) => [name, rows]),
        [["orders", 1]],
      );
    });
    const wrong = {
      ...connection,
      config: { ...connection.config, secret_access_key: "not-the-secret-key" },
    };
    await harness.with(wrong, async (target) => {
      assert.match(JSON.stringify(await target.check(["orders"])), /the secret key is wrong/);
    });
  });
});
