/** A disk with a few megabytes left: a run fails at once, with the reason, and nothing is lost. */
import assert from "node:assert/strict";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startProcess } from "./testing/process.ts";
import { smallDisk } from "./testing/small-disk.ts";

const rows = 200_000;

/** A server on a small disk, and a source on another one whose rows do not fit on what is left of the first. */
async function start(t: TestContext, settings: Readonly<Record<string, string>>) {
  const disk = await smallDisk(t, "400m");
  const elsewhere = await smallDisk(t, "200m");
  if (disk === undefined || elsewhere === undefined) return undefined;
  const dataDir = join(disk, "data");
  await mkdir(dataDir);
  const path = join(elsewhere, "shop.db");
  const shop = new DatabaseSync(path);
  shop.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)");
  shop.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) INSERT INTO orders SELECT i, hex(randomblob(100)) FROM n`,
  );
  shop.close();
  const { client, url } = await startProcess(t, { dataDir, databaseUrl: undefined }, settings);
  const shared = { execution_mode: "manual" as const, created_by: "ada" };
  const { workflow_id: job } = await client.createConnector({
    body: {
      ...{ name: "shop-in", target_type: "warehouse", ...shared },
      target_config: { connection: { name: "shop", type: "sqlite", config: { path } } },
      datasets: [
        { source_dataset: "orders", target_name: "orders", primary_keys: ["id"], write_strategy: "upsert" },
      ],
    },
  });
  const ballast = join(disk, "ballast");
  const begin = async () => (await client.runJob({ params: { job_id: job ?? "" } })).id;
  const end = (id: string) =>
    until(
      async () => {
        const found = await client.getRun({ params: { run_id: id } });
        return found.ended_at ? found : undefined;
      },
      50,
      60_000,
    );
  return {
    ...{ url, begin, end },
    async leave(megabytes: number) {
      const { bavail, bsize } = await statfs(disk);
      await writeFile(ballast, Buffer.alloc(bavail * bsize - megabytes * 2 ** 20));
    },
    free: () => rm(ballast),
    async expectAllRows() {
      const { status, error } = await end(await begin());
      assert.equal(status, "succeeded", error ?? "");
      const { rows: found } = await client.runQuery({ body: { sql: "SELECT count(*) FROM orders" } });
      assert.deepEqual(found[0]?.map(Number), [rows]);
    },
  };
}

suite("a disk that is nearly full", () => {
  test("an import fails in its first attempt, and the next one has all rows", async (t) => {
    const server = await start(t, {});
    if (!server) return;
    await server.leave(5);
    const failed = await server.end(await server.begin());
    assert.deepEqual([failed.status, failed.attempt], ["failed", 1], failed.error ?? "");
    assert.match(failed.error ?? "", /PLATFORM_DISK_RESERVE_MB/);
    await server.free();
    await server.expectAllRows();
  });

  test("if nothing is kept free, the server says that the disk is full, and the run fails when there is space again", async (t) => {
    const server = await start(t, { PLATFORM_DISK_RESERVE_MB: "0" });
    if (!server) return;
    await server.leave(5);
    const id = await server.begin();
    await until(async () => (await fetch(`${server.url}/health`)).status === 503, 50, 60_000);
    await server.free();
    const failed = await server.end(id);
    assert.deepEqual([failed.status, failed.attempt], ["failed", 1], failed.error ?? "");
    assert.match(failed.error ?? "", /The disk (?:of the data folder )?is full/);
    await server.expectAllRows();
  });
});
