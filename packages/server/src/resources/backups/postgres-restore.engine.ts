/**
 * With PostgreSQL, a restore uses a backup and a dump of the database, which show two different moments. In this test,
 * a copy of the database stands in for the dump.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { createDatabase } from "@lakehelm/testing";
import { someOf } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { type ServerProcess, startProcess, testHome } from "../../testing/process.ts";
import { restoreBackup } from "./restore.ts";

const table = "bronze.shop.lines";

async function given(t: TestContext) {
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-restore-"));
  t.after(() => rm(scratch, { recursive: true, force: true }));
  await mkdir(join(scratch, "exchange"));
  const source = new DatabaseSync(join(scratch, "exchange", "shop.db"));
  t.after(() => source.close());
  source.exec("create table lines (id integer primary key)");
  let rows = 0;
  const grow = () => {
    rows += 100;
    const insert = source.prepare("insert into lines values (?)");
    for (let id = rows - 99; id <= rows; id++) insert.run(id);
  };
  const home = await testHome(t, "postgres");
  const settings = {
    PLATFORM_BACKUP_DIR: join(scratch, "backups"),
    PLATFORM_CONNECTOR_FOLDERS: join(scratch, "exchange"),
  };
  let server = await startProcess(t, home, settings);
  const { id } = await server.client.createConnector({
    body: {
      name: "lines",
      target_type: "warehouse",
      execution_mode: "manual",
      target_config: {
        connection: { name: "shop", type: "sqlite", config: { path: join(scratch, "exchange", "shop.db") } },
      },
      created_by: "ada",
      datasets: [
        { source_dataset: "lines", target_name: table, write_strategy: "append", watermark_column: "id" },
      ],
    },
  });
  async function load({ client }: Pick<ServerProcess, "client"> = server): Promise<void> {
    grow();
    const { id: run_id } = await client.runJob({ params: { job_id: `connector-${id}` } });
    const run = await until(async () => {
      const found = await client.getRun({ params: { run_id } });
      return found.status === "queued" || found.status === "running" ? undefined : found;
    }, 20);
    assert.equal(run.status, "succeeded", String(run.error));
  }
  async function stop({ child, ended }: ServerProcess = server): Promise<void> {
    child.kill("SIGTERM");
    await ended;
  }
  return {
    scratch,
    load,
    rows: () => rows,
    async backUp() {
      const { id: backup_id } = await server.client.createBackup();
      const backup = await until(async () => {
        const found = await server.client.getBackup({ params: { backup_id } });
        return found.status === "running" ? undefined : found;
      }, 20);
      assert.deepEqual([backup.status, backup.includes_state], ["complete", false], String(backup.error));
      return backup;
    },
    /** PostgreSQL copies a database only while it has no other connections. */
    async dump(): Promise<string> {
      await stop();
      const name = new URL(home.databaseUrl ?? "").pathname.slice(1);
      const copy = await createDatabase(`dump_${randomUUID().replaceAll("-", "")}`, name);
      t.after(() => copy.drop());
      server = await startProcess(t, home, settings);
      return copy.url;
    },
    async restore(backup: string, databaseUrl: string): Promise<ServerProcess> {
      await stop();
      const secretKey = (await readFile(join(home.dataDir, "secret-key"), "utf8")).trim();
      const dataDir = join(scratch, "restored");
      await restoreBackup({ backup, dataDir, secretKey, keepsKey: true, startsActive: false });
      return startProcess(t, { dataDir, databaseUrl }, settings);
    },
  };
}

const shape = async (client: Client) =>
  (
    await client.runQuery({ body: { sql: `SELECT count(*), count(DISTINCT id), max(id) FROM ${table}` } })
  ).rows[0]?.map(Number);

for (const order of someOf(["the dump is older", "the backup is older"], 1)) {
  test(`a backup and a dump of PostgreSQL are restored, and each row is there once: ${order}`, async (t) => {
    const { load, backUp, dump, restore, rows } = await given(t);
    await load();
    const isDumpFirst = order === "the dump is older";
    let databaseUrl = isDumpFirst ? await dump() : "";
    if (isDumpFirst) await load();
    const { path } = await backUp();
    const atBackup = rows();
    if (!isDumpFirst) await load();
    if (!isDumpFirst) databaseUrl = await dump();
    await load();

    const restored = await restore(path, databaseUrl);
    const { client } = restored;
    assert.equal((await client.getInfo()).paused, true);
    assert.deepEqual(await shape(client), [atBackup, atBackup, atBackup]);
    // The anchor of the backup is ahead of an older dump, which looks as if the log had been cut off.
    const verdict = await client.verifyEvents();
    assert.deepEqual([verdict.intact, verdict.reason], isDumpFirst ? [false, "cut_off"] : [true, null]);
    if (isDumpFirst) await client.acknowledgeEvents({ body: { reason: "The dump is older." } });
    assert.equal((await client.verifyEvents()).intact, true);
    await client.resumeServer();
    await load(restored);
    assert.deepEqual(await shape(client), [rows(), rows(), rows()]);
  });
}
