/**
 * Runs `npm run backup` and `npm run restore` as a user types them: copies a running server, and starts other servers
 * from the copy.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startTestServer } from "../packages/server/src/testing/server.ts";

const root = resolve(import.meta.dirname, "..");

async function typed(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const words = ["run.js", `scripts/${script}.ts`, ...args];
  const options = { cwd: root, env: { PATH: process.env.PATH, ...env } };
  return (await promisify(execFile)(process.execPath, words, options)).stdout.trim();
}

test("a backup of a running server is restored, and the copy is paused unless it is asked to be active", async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-backup-"));
  t.after(() => rm(scratch, { recursive: true, force: true }));
  const server = await startTestServer({
    settings: {
      PLATFORM_BACKUP_DIR: join(scratch, "backups"),
      PLATFORM_CONNECTOR_FOLDERS: join(scratch, "exchange"),
    },
  });
  t.after(server.close);
  const { client, dataDir, url } = server;
  await client.putFile({ params: { path: "a.txt" }, body: "hello" });

  const env = { PLATFORM_SERVICE_AUTH_TOKEN: server.token };
  const folder = await typed("backup", ["--url", url], env);
  const { backups } = await client.listBackups();
  assert.deepEqual(
    backups.map(({ path, status }) => [path, status]),
    [[folder, "complete"]],
  );
  await assert.rejects(typed("backup", ["--url", url], { PLATFORM_DATA_DIR: scratch }), /No token/);

  for (const isActive of [false, true]) {
    const copy = join(scratch, `active-${isActive}`);
    const words = [folder, "--data-dir", copy, "--secret-key-file", join(dataDir, "secret-key")];
    if (isActive) words.push("--active");
    const said = await typed("restore", words);
    assert.match(said, isActive ? /will be active/ : /will be paused/);
    await assert.rejects(typed("restore", words), /is not empty/);
    const restored = await startTestServer({ settings: { PLATFORM_DATA_DIR: copy } });
    t.after(restored.close);
    assert.equal((await restored.client.getInfo()).paused === true, !isActive);
    assert.equal(await (await restored.fetch("/api/v1/files/a.txt")).text(), "hello");
  }
});
