/** What a caller sees if rows need more memory than the warehouse has. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { startTestServer } from "../../testing/server.ts";

test("a value that does not fit into memory: a preview and a run name the column and the setting, and are not repeated", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-memory-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { client, close } = await startTestServer({
    settings: { PLATFORM_WAREHOUSE_MEMORY_MB: "64" },
  });
  t.after(close);
  const path = join(folder, "shop.db");
  const shop = new DatabaseSync(path);
  shop.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, document TEXT)");
  shop.prepare("INSERT INTO orders VALUES (1, ?)").run("x".repeat(60_000_000));
  shop.close();
  const { id } = await client.createConnector({
    body: {
      name: "shop-in",
      target_type: "warehouse",
      target_config: { connection: { name: "shop", type: "sqlite", config: { path } } },
      execution_mode: "manual",
      created_by: "ada",
      datasets: [{ source_dataset: "orders", target_name: "orders", primary_keys: ["id"] }],
    },
  });
  const sentence =
    /whose column "document" has very large values.* PLATFORM_WAREHOUSE_MEMORY_MB sets the limit/;
  await refused(client.previewConnector({ params: { connector_id: id } }), 409, sentence);
  const { id: run_id } = await client.runJob({ params: { job_id: `connector-${id}` } });
  const run = await until(async () => {
    const found = await client.getRun({ params: { run_id } });
    return found.ended_at ? found : undefined;
  }, 50);
  assert.deepEqual([run.status, run.attempt], ["failed", 1]);
  assert.match(run.error ?? "", sentence);
  const { status, error_message } = await client.getConnector({ params: { connector_id: id } });
  assert.deepEqual([status, error_message], ["failing", run.error]);
});
