/** The archive in a backup, with files of this version and of earlier ones. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { eventKey } from "../../core/events/chain.ts";
import { signEntry } from "../../core/retention/archive-entry.ts";
import { verifyArchive } from "../../core/retention/archive-verification.ts";
import { archivedLines } from "../../testing/archive.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { restoreBackup } from "./restore.ts";

const dayMs = 86_400_000;

async function createEnvironments({ client }: TestServer, ...names: string[]): Promise<void> {
  for (const name of names) await client.createEnvironment({ body: { name } });
}

/** Writes the archive as versions before daily files did: one uncompressed file for each batch. */
async function writeOlderFile(archive: string, key: ReturnType<typeof eventKey>): Promise<void> {
  const text = '{"id":"one"}\n{"id":"two"}\n';
  const sha256 = createHash("sha256").update(text).digest("hex");
  const file = `deliveries-one-two-${sha256.slice(0, 12)}.jsonl`;
  const records = { first: "one", last: "two", count: 2 };
  const entry = { ...records, file, bytes: text.length, sha256, time: new Date().toISOString() };
  const folder = join(archive, "deliveries");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), text);
  await writeFile(join(folder, "manifest.jsonl"), `${JSON.stringify(signEntry(key, "", entry))}\n`);
}

test("a restored archive is intact, has both kinds of files, and goes on", async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-archive-"));
  t.after(() => rm(scratch, { recursive: true, force: true }));
  let aheadMs = 0;
  const options = { now: () => new Date(Date.now() + aheadMs) };
  const settings = { PLATFORM_EVENTS_KEPT_DAYS: "10" };
  const server = await startTestServer({ ...options, settings });
  t.after(() => server.close());
  const key = eventKey(server.deps.vault.deriveKey("event log"));
  await writeOlderFile(join(server.dataDir, "archive"), key);
  await createEnvironments(server, "one", "two");
  await server.events();
  aheadMs = 11 * dayMs;
  await server.server.retain();
  await createEnvironments(server, "three");
  await server.events();

  const { id } = await server.client.createBackup();
  const backup = await until(async () => {
    const found = await server.client.getBackup({ params: { backup_id: id } });
    return found.status === "running" ? undefined : found;
  });
  assert.equal(backup.status, "complete", String(backup.error));
  const dataDir = join(scratch, "restored");
  const secretKey = (await readFile(join(server.dataDir, "secret-key"), "utf8")).trim();
  await restoreBackup({ backup: backup.path, dataDir, secretKey, keepsKey: true, startsActive: true });
  const archive = join(dataDir, "archive");
  const verdicts = await verifyArchive(archive, key);
  assert.deepEqual(
    verdicts.map(({ kind, problems, records }) => [kind, problems, records > 0]),
    [
      ["events", [], true],
      ["deliveries", [], true],
    ],
  );

  aheadMs = 22 * dayMs;
  const copy = await startTestServer({ ...options, settings: { ...settings, PLATFORM_DATA_DIR: dataDir } });
  t.after(() => copy.close());
  await copy.server.retain();
  const sequences = (await archivedLines(join(archive, "events"))).map((line) => JSON.parse(line).sequence);
  assert.deepEqual(
    sequences,
    sequences.map((_, n) => n + 1),
  );
  const { intact, removed } = await copy.client.verifyEvents();
  assert.deepEqual([intact, removed], [true, sequences.length]);
  assert.deepEqual(
    (await verifyArchive(archive, key)).flatMap(({ problems }) => problems),
    [],
  );
});
