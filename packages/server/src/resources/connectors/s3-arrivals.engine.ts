/** A connector that waits for files in object storage, if versitygw is installed. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { startS3, type TestS3, withoutS3 } from "@lakehelm/engine/testing";
import { until } from "@lakehelm/testing/until";
import { startTestServer } from "../../testing/server.ts";

const endings: (() => Promise<void>)[] = [];
const s3 = await startS3((end) => endings.push(end));
after(async () => {
  for (const end of endings) await end();
});

suite("files that arrive in object storage", { skip: s3 ? false : withoutS3 }, () => {
  const storage = s3 as TestS3;

  test("objects that are new start a run, and a wrong key is a problem of the job", async (t) => {
    const { client, close } = await startTestServer({ settings: { PLATFORM_FILE_LOOK_SECONDS: "1" } });
    t.after(close);
    await storage.createBucket("arrivals");
    await storage.put("arrivals/drop/orders/year=2026/a.csv", "id\n1\n2\n");
    const { access_key_id = "", secret_access_key = "", endpoint = "" } = storage.config;
    for (const [key, value] of [
      ["id", access_key_id],
      ["key", secret_access_key],
      ["wrong", "not-the-right-secret-key"],
    ] as const) {
      await client.putSecret({ params: { scope: "lake", key }, body: { value } });
    }
    const create = (name: string, mode: "manual" | "file_arrival", key: string, path?: string) =>
      client.createConnector({
        body: {
          name,
          target_type: "warehouse",
          target_config: {
            connection: {
              name: "lake",
              type: "files",
              config: {
                path: "s3://arrivals/drop",
                format: "csv",
                endpoint,
                access_key_id: "{{secrets/lake/id}}",
                secret_access_key: `{{secrets/lake/${key}}}`,
              },
            },
          },
          execution_mode: mode,
          file_arrival_config: { wait_after_last_change_seconds: 0, ...(path && { path }) },
          created_by: "ada",
          datasets: [
            {
              source_dataset: "orders",
              target_name: `shop.sales.${name}`,
              watermark_column: "_file_modified",
            },
          ],
        },
      });
    // Starts the engine: otherwise the first poll would take long, and the next one would wait.
    const manual = await create("manual", "manual", "key");
    assert.equal((await client.checkConnector({ params: { connector_id: manual.id } })).ok, true);

    const made = await create("arrivals", "file_arrival", "key");
    assert.deepEqual([made.status, made.error_message], ["active", null]);
    const query = { job: `connector-${made.id}` };
    await until(async () => (await client.listRuns({ query })).runs[0]?.status === "succeeded", 100);
    const { runs } = await client.listRuns({ query });
    assert.deepEqual(runs[0]?.cause.files, ["s3://arrivals/drop/orders/year=2026/a.csv"]);
    const sql = "SELECT id, year FROM shop.sales.arrivals ORDER BY id";
    const { rows } = await client.runQuery({ body: { sql } });
    assert.deepEqual(
      rows?.map((row) => row.map(Number)),
      [
        [1, 2026],
        [2, 2026],
      ],
    );

    const wrong = await create("wrong", "file_arrival", "wrong");
    const problem = async () =>
      (await client.getJob({ params: { job_id: `connector-${wrong.id}` } })).problem;
    await until(async () => (await problem()) !== null, 100);
    assert.match((await problem()) ?? "", /s3:\/\/arrivals cannot be used: the secret key is wrong/);
    const elsewhere = await create("elsewhere", "file_arrival", "key", "s3://other/drop");
    assert.match(elsewhere.error_message ?? "", /s3:\/\/other\/drop is not below the path of the connection/);
  });
});
