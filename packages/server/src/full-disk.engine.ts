/** On a disk with a few megabytes left, no run starts, everything reports why, and nothing is lost. */
import assert from "node:assert/strict";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startProcess } from "./testing/process.ts";
import { smallDisk } from "./testing/small-disk.ts";

const rows = 500_000;

/** A server on a small disk, and a source on another disk with more rows than fit into the free space of the first. */
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
  const { client, url, token } = await startProcess(t, { dataDir, databaseUrl: undefined }, settings);
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
    ...{ client, token, url, begin, end },
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
  test("no run starts, everything says so, and the run goes on by itself when there is space", async (t) => {
    const server = await start(t, {});
    if (!server) return;
    const { client } = server;
    const health = async () => {
      const response = await fetch(`${server.url}/health`);
      assert.equal(response.status, 200);
      return (await response.json()) as { status: string; ready: boolean; detail: string | null };
    };
    const kinds = async () =>
      (await client.readEvents({ query: { after: 0, kind: "disk.*" } })).events.map(({ kind }) => kind);
    assert.equal((await health()).status, "ok");
    await server.leave(5);
    await until(async () => (await health()).status === "degraded", 50, 60_000);
    const { ready, detail } = await health();
    assert.ok(ready && detail?.includes("PLATFORM_DISK_RESERVE_MB"), String(detail));
    const id = await server.begin();
    await until(async () => (await kinds()).length === 1, 50, 60_000);
    const { disk } = await client.getOverview({});
    assert.ok(disk.is_low && disk.free_bytes < disk.reserve_bytes, JSON.stringify(disk));
    const metrics = await (
      await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } })
    ).text();
    assert.match(metrics, /^lakehelm_disk_reserve_bytes 268435456$/m);
    assert.ok(Number(/^lakehelm_disk_free_bytes (\d+)$/m.exec(metrics)?.[1]) < 268_435_456);
    const { status, attempt } = await client.getRun({ params: { run_id: id } });
    assert.deepEqual([status, attempt], ["queued", 0]);

    await server.free();
    const done = await server.end(id);
    assert.deepEqual([done.status, done.attempt], ["succeeded", 1], done.error ?? "");
    await until(async () => (await health()).status === "ok", 50, 60_000);
    await until(async () => (await kinds()).length === 2, 50, 60_000);
    assert.deepEqual(await kinds(), ["disk.low", "disk.recovered"]);
    await server.expectAllRows();
  });

  test("a run that fills the disk is stopped, and its next attempt waits for space", async (t) => {
    const server = await start(t, {});
    if (!server) return;
    await server.leave(262);
    const id = await server.begin();
    const retried = await until(
      async () => {
        const run = await server.client.getRun({ params: { run_id: id } });
        assert.equal(run.ended_at, null, run.error ?? run.status);
        return run.status === "queued" && run.error !== null ? run : undefined;
      },
      50,
      60_000,
    );
    assert.match(retried.error ?? "", /PLATFORM_DISK_RESERVE_MB/);
    await server.free();
    const done = await server.end(id);
    assert.equal(done.status, "succeeded", done.error ?? "");
    await server.expectAllRows();
  });

  test("the program of a task is ended, and says why", async (t) => {
    const server = await start(t, { PLATFORM_PROGRAMS: "unconfined", PLATFORM_PROCESS_TASKS: "on" });
    if (!server) return;
    const { client } = server;
    const definition = {
      tasks: [{ name: "waits", kind: "shell" as const, command: ["sh", "-c", "echo begun; sleep 600"] }],
    };
    await client.createAutomation({ body: { alias: "waits", definition } });
    await client.syncAutomationRelease({ body: { automation_alias: "waits", environment: "local" } });
    const { id } = await client.runAutomation({ params: { automation_alias: "waits" } });
    await until(
      async () =>
        (await client.readRunLog({ params: { run_id: id } })).lines.some(({ line }) =>
          line.includes("begun"),
        ),
      50,
      60_000,
    );
    await server.leave(5);
    const failed = await server.end(id);
    assert.equal(failed.status, "failed");
    assert.match(failed.error ?? "", /PLATFORM_DISK_RESERVE_MB/);
    await server.free();
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
