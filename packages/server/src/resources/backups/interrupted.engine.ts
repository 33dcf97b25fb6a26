/** A backup that ends in the middle: its disk becomes full, or its server is killed. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Backup } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../testing/process.ts";
import { startTestServer } from "../../testing/server.ts";
import { smallDisk } from "../../testing/small-disk.ts";
import { restoreBackup } from "./restore.ts";

const ended = (client: Client, { id }: Pick<Backup, "id">) =>
  until(async () => {
    const found = await client.getBackup({ params: { backup_id: id } });
    return found.status === "running" ? undefined : found;
  }, 20);

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-backup-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a disk that becomes full during the copy fails the backup, which leaves nothing, and the next one succeeds", async (t) => {
  const disk = await smallDisk(t, "12m");
  if (disk === undefined) return;
  const server = await startTestServer({
    settings: {
      PLATFORM_BACKUP_DIR: disk,
      PLATFORM_CONNECTOR_FOLDERS: `${disk}-exchange`,
      PLATFORM_DISK_RESERVE_MB: "0",
    },
  });
  t.after(server.close);
  const { client, dataDir } = server;
  // The sum of the sizes fits. But each file takes a whole block, so the disk is full halfway.
  const many = join(dataDir, "workspaces", "many");
  await mkdir(many, { recursive: true });
  for (let n = 0; n < 4000; n++) await writeFile(join(many, `${n}.txt`), "x");

  const failed = await ended(client, await client.createBackup());
  assert.equal(failed.status, "failed");
  assert.match(failed.error ?? "", /became full, and nothing of the backup is left\. Delete old backups, or/);
  assert.deepEqual(await readdir(disk), []);
  assert.equal((await server.events("backup.failed")).length, 1);

  await rm(many, { recursive: true });
  await client.putFile({ params: { path: "kept.txt" }, body: "kept" });
  const done = await ended(client, await client.createBackup());
  assert.equal(done.status, "complete", done.error ?? "");
  assert.deepEqual(await readdir(disk), [done.id]);
});

test("a server that is killed during the copy leaves no backup: none is listed, and the next server removes the rest", async (t) => {
  const scratch = await scratchFolder(t);
  const backups = join(scratch, "backups");
  const home = await testHome(t, "sqlite");
  const settings = {
    PLATFORM_BACKUP_DIR: backups,
    PLATFORM_CONNECTOR_FOLDERS: `${backups}-exchange`,
    PLATFORM_DISK_RESERVE_MB: "0",
  };
  const large = join(home.dataDir, "workspaces");
  await mkdir(large, { recursive: true });
  const file = await open(join(large, "large.bin"), "w");
  for (let n = 0; n < 256; n++) await file.write(Buffer.alloc(1024 * 1024, n + 1));
  await file.close();
  const entries = () => readdir(backups).catch(() => []);
  const isPartial = (name: string) => name.startsWith(".partial-");

  let server = await startProcess(t, home, settings);
  // On a fast disk, a backup may be complete before its partial folder is seen.
  await until(async () => {
    const complete = (await entries()).length;
    await server.client.createBackup();
    await until(async () => {
      const found = await entries();
      return found.some(isPartial) || found.length > complete;
    }, 1);
    server.child.kill("SIGKILL");
    await server.ended;
    const found = await entries();
    if (found.some(isPartial)) return true;
    server = await startProcess(t, home, settings);
    return false;
  }, 0);
  const [partial = ""] = (await entries()).filter(isPartial);
  await assert.rejects(
    restoreBackup({
      backup: join(backups, partial),
      dataDir: join(scratch, "restored"),
      secretKey: undefined,
      startsActive: false,
    }),
    /is not a complete backup/,
  );

  server = await startProcess(t, home, settings);
  const complete = (await entries()).sort();
  assert.ok(!complete.some(isPartial), "the rest is removed");
  assert.deepEqual((await server.client.listBackups()).backups.map(({ id }) => id).sort(), complete);
  assert.ok(!(await readdir(home.dataDir)).includes(".backup-links"));
  const done = await ended(server.client, await server.client.createBackup());
  assert.equal(done.status, "complete", done.error ?? "");
  assert.ok(done.bytes >= 256 * 1024 * 1024);
});
