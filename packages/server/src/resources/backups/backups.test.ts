import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Backup } from "@lakehelm/contract";
import { type Client, createClient } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer } from "../../testing/server.ts";
import { startReceiver } from "../chat/test-receiver.ts";
import { contents, leftOut, stateFile, warehouseFolder } from "./contents.ts";
import { parseChecksums, printChecksums } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";

const ended = (client: Client, { id }: Pick<Backup, "id">): Promise<Backup> =>
  until(async () => {
    const found = await client.getBackup({ params: { backup_id: id } });
    return found.status === "running" ? undefined : found;
  });

async function flipBit(path: string): Promise<void> {
  const { size, atime, mtime } = await stat(path);
  const file = await open(path, "r+");
  const bytes = Buffer.alloc(1);
  const at = Math.floor(size / 2);
  await file.read(bytes, 0, 1, at);
  bytes.writeUInt8(bytes.readUInt8() ^ 1);
  await file.write(bytes, 0, 1, at);
  await file.close();
  await utimes(path, atime, mtime);
}

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-backup-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

for (const engine of engines) {
  test(`a backup is made, listed, kept and deleted, with an event for each, on ${engine}`, async (t) => {
    const folder = await scratchFolder(t);
    let server = await startTestServer({
      engine,
      settings: {
        PLATFORM_BACKUP_DIR: folder,
        PLATFORM_CONNECTOR_FOLDERS: `${folder}-exchange`,
        PLATFORM_BACKUPS_KEPT: "2",
      },
    });
    t.after(() => server.close());
    const { client, dataDir } = server;
    await client.putFile({ params: { path: "notes/a b.txt" }, body: "hello" });
    // These folders are what a killed server leaves.
    const own = (await readFile(join(dataDir, "data-folder-id"), "utf8")).trim();
    await mkdir(join(folder, `.partial-${own}-x`));
    await mkdir(join(dataDir, ".backup-links"));
    // A folder that is not a backup of this server is neither removed nor listed.
    await mkdir(join(folder, "20200101T000000000Z-00000000"));

    const first = await client.createBackup();
    assert.deepEqual([first.status, first.ended_at], ["running", null]);
    const done = await ended(client, first);
    assert.deepEqual([done.status, done.error, done.path], ["complete", null, join(folder, first.id)]);
    assert.equal(done.includes_state, engine === "sqlite");
    assert.ok((done.event_sequence ?? 0) > 0);
    const sums = parseChecksums(await readFile(join(done.path, "SHA256SUMS"), "utf8"));
    assert.equal(sums.length, done.files);
    const names = sums.map(({ path }) => path);
    assert.ok(names.some((name) => name.endsWith("notes/a b.txt")));
    assert.equal(names.includes("data/lakehelm.db"), engine === "sqlite");
    for (const name of [...names, "SHA256SUMS", "manifest.json"])
      assert.equal((await stat(join(done.path, name))).mode & 0o077, 0, `${name} is private`);
    assert.ok(!names.some((name) => /secret-key|service-token/.test(name)), "keys are apart");

    const second = await ended(client, await client.createBackup());
    const third = await ended(client, await client.createBackup());
    const { backups } = await client.listBackups();
    assert.deepEqual(backups.map(({ id }) => id).sort(), [second.id, third.id].sort());
    const params = { backup_id: second.id };
    assert.equal((await client.deleteBackup({ params })).success, true);
    await refused(client.getBackup({ params }), 404);
    await refused(client.deleteBackup({ params: { backup_id: "../x" } }), 404);
    assert.deepEqual(
      (await server.events("backup.*")).map(({ kind, subject }) => [kind, subject.slice("backup/".length)]),
      [
        ["backup.started", first.id],
        ["backup.completed", first.id],
        ["backup.started", second.id],
        ["backup.completed", second.id],
        ["backup.started", third.id],
        ["backup.completed", third.id],
        ["backup.deleted", first.id],
        ["backup.deleted", second.id],
      ],
    );
    server = await server.restart();
    assert.ok(!(await readdir(dataDir)).includes(".backup-links"));
    assert.deepEqual((await readdir(folder)).sort(), ["20200101T000000000Z-00000000", third.id].sort());
    assert.deepEqual((await server.client.listBackups()).backups, [third]);
  });

  test(`a paused server sends nothing and starts no run until it is resumed, on ${engine}`, async (t) => {
    const receiver = await startReceiver(t);
    const settings = { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" };
    let server = await startTestServer({ engine, settings });
    t.after(() => server.close());
    const { dataDir } = server;
    await server.client.createAutomation({ body: { alias: "orders" } });
    await server.client.bindChat({
      body: {
        environment: "local",
        channel_id: "ops",
        channel_url: receiver.url,
        automation_alias: "orders",
      },
    });
    // A restored server must not overwrite the anchor of the original server either.
    const anchored = { PLATFORM_AUDIT_ANCHOR_URL: `${receiver.url}/anchor` };
    server = await server.restart(anchored, () => writeFileSync(join(dataDir, "paused"), "Restored.\n"));
    const { client } = server;
    assert.equal((await client.getInfo()).paused, true);
    assert.ok(server.logged.some((line) => line.includes("the server is paused")));
    // A paused server still writes files, because they are local.
    await client.putFile({ params: { path: "a.txt" }, body: "a" });
    await client.syncAutomationRelease({
      body: { automation_alias: "orders", environment: "local", metadata: { version: "1" } },
    });
    await until(async () => (await client.listDeliveries()).deliveries.length === 1);
    await server.server.tick();
    assert.deepEqual(receiver.received, []);
    await refused(createClient({ baseUrl: server.url, retries: 0 }).resumeServer(), 401);
    await client.resumeServer();
    await until(() => receiver.received.some(({ path }) => path === "/"));
    await until(() => receiver.received.some(({ path }) => path === "/anchor"));
    await refused(client.resumeServer(), 409, "The server is not paused.");
    assert.equal((await server.events("server.resumed")).length, 1);
    server = await server.restart();
    assert.equal((await server.client.getInfo()).paused, false);
  });
}

test("one backup runs at a time, and one that lacks space fails with a sentence and leaves nothing", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_DISK_RESERVE_MB: "2147483647" } });
  t.after(server.close);
  const { client, dataDir } = server;
  await until(async () => {
    const started = await Promise.allSettled([client.createBackup(), client.createBackup()]);
    const second = started.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
    for (const one of started) if (one.status === "fulfilled") await ended(client, one.value);
    if (second) assert.match(String(second.reason), /is running\. Wait until it has ended/);
    return second !== undefined;
  });
  const [failed] = (await client.listBackups()).backups;
  assert.equal(failed?.status, "failed");
  assert.match(failed?.error ?? "", /must stay free .* Delete old backups, or set PLATFORM_BACKUP_DIR/);
  assert.deepEqual(await readdir(join(dataDir, "backups")), []);
  assert.ok((await server.events("backup.failed")).length > 0);
});

test("a backup decides about everything in the data folder", async (t) => {
  const server = await startTestServer();
  t.after(server.close);
  await ended(server.client, await server.client.createBackup());
  const known = [
    ...contents.files,
    ...contents.linked,
    ...contents.copied,
    ...leftOut,
    stateFile,
    warehouseFolder,
  ];
  const unknown = (await readdir(server.dataDir)).filter((name) => !known.includes(name));
  assert.deepEqual(unknown, [], "add it to contents.ts");
});

test("a restore refuses a folder with content, a changed file, a missing one, and another key", async (t) => {
  const scratch = await scratchFolder(t);
  const server = await startTestServer({
    settings: {
      PLATFORM_BACKUP_DIR: join(scratch, "backups"),
      PLATFORM_CONNECTOR_FOLDERS: join(scratch, "exchange"),
    },
  });
  t.after(server.close);
  await server.client.putFile({ params: { path: "a.txt" }, body: "hello" });
  const { path: backup } = await ended(server.client, await server.client.createBackup());
  const dataDir = join(scratch, "restored");
  const secretKey = (await readFile(join(server.dataDir, "secret-key"), "utf8")).trim();
  const restore = (more = {}) => restoreBackup({ backup, dataDir, secretKey, startsActive: true, ...more });

  await assert.rejects(restore({ dataDir: scratch }), /is not empty\. Restore into a new folder/);
  await assert.rejects(restore({ secretKey: "another key of a server" }), /The secret key is not that/);
  await assert.rejects(restore({ backup: scratch }), /is not a complete backup/);
  const file = parseChecksums(await readFile(join(backup, "SHA256SUMS"), "utf8")).find(({ path }) =>
    path.endsWith("a.txt"),
  );
  const path = join(backup, file?.path ?? "");
  // Changes one bit of the control database, with the same size and time.
  const state = join(backup, "data", "lakehelm.db");
  await flipBit(state);
  await assert.rejects(restore(), /lakehelm\.db of the backup was changed\. Use another backup\./);
  await flipBit(state);
  await truncate(path, 4);
  await assert.rejects(restore(), /a\.txt of the backup was changed/);
  await rm(path);
  await assert.rejects(restore(), /lacks the file .*a\.txt/);
  await writeFile(path, "hello");
  await writeFile(join(backup, "data", "workspaces", "b.txt"), "more");
  await assert.rejects(restore(), /not in SHA256SUMS, such as data\/workspaces\/b\.txt/);
  await rm(join(backup, "data", "workspaces", "b.txt"));
  assert.deepEqual(await readdir(dataDir).catch(() => []), [], "nothing was left of the refused ones");
  await assert.rejects(restore({ secretKey: undefined }), /only be verified with the secret key/);
  assert.equal((await restore()).manifest.files, (await server.client.listBackups()).backups[0]?.files);
});

test("checksums are printed and read as sha256sum does", () => {
  const sum = "0".repeat(64);
  const files = ["a b", "back\\slash", "line\nbreak", "\\n"].map((path) => ({ path, sum }));
  assert.equal(
    printChecksums(files),
    `${sum}  a b\n\\${sum}  back\\\\slash\n\\${sum}  line\\nbreak\n\\${sum}  \\\\n\n`,
  );
  assert.deepEqual(parseChecksums(printChecksums(files)), files);
});
