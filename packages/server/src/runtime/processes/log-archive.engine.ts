import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { createRedaction } from "@lakehelm/contract/connections";
import { pino } from "pino";
import { eventKey } from "../../core/events/chain.ts";
import { createArchive } from "../../core/retention/archive.ts";
import { verifyArchive } from "../../core/retention/archive-verification.ts";
import { migrate } from "../../core/store/migrate.ts";
import { createSystem } from "../../core/system.ts";
import { readSettings } from "../../settings.ts";
import { archivedLines } from "../../testing/archive.ts";
import { type DatabaseEngine, enginesOfSlowSuites, startTestServer } from "../../testing/server.ts";
import { newId, query, testDatabase, testStoreOn } from "../../testing/store.ts";
import { createOutputArchive, type OutputPiece } from "./log-archive.ts";
import { processLog } from "./log-file.ts";

const secret = "Zq3vT8kLmW0p";
const id = "app/019f0000-0000-7000-8000-000000000001";
/** A line of 1,000 bytes; every tenth line has a secret. */
const line = (n: number) => `${n % 10 === 0 ? secret : "x"} ${n}`.padEnd(999, ".");
const lines = (from: number, count: number) => Array.from({ length: count }, (_, n) => line(from + n));
const hidden = (text: string) => text.replace(secret, "********");

async function given(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
  engine: DatabaseEngine = "sqlite",
) {
  const database = await testDatabase(t, engine);
  const opened = await database.open();
  await migrate(opened);
  const store = testStoreOn(opened);
  const system = { ...createSystem(), newId };
  const read = readSettings(settings);
  const folder = join(database.folder, "archive");
  const key = eventKey(Buffer.alloc(32, 7));
  const archive =
    read.PLATFORM_ARCHIVE === "none"
      ? undefined
      : createArchive({ folder, key, now: system.now, reserveBytes: 0 });
  const logged: { msg: string; bytes?: number; why?: string }[] = [];
  const output = createOutputArchive(
    { store, system, settings: read },
    archive,
    pino({}, { write: (text: string) => void logged.push(JSON.parse(text)) }),
  );
  const home = join(database.folder, "process");
  await mkdir(home);
  const log = processLog(home, async () => createRedaction([secret]), output.of(id));
  return {
    folder,
    output,
    log,
    logged,
    write: (from: number, count: number) =>
      appendFile(join(home, "log"), `${lines(from, count).join("\n")}\n`),
    size: async () => (await stat(join(home, "log"))).size,
    fill: (bytes: number) => truncate(join(home, "log"), bytes),
    verify: () => verifyArchive(folder, key),
    events: () => query(store, "select body from pending_events"),
    /** All lines of the archive, in the order of their positions. */
    async archived(): Promise<string[]> {
      const texts = await archivedLines(join(folder, "process_logs"));
      const pieces = texts.map((text): OutputPiece => JSON.parse(text));
      for (const [n, piece] of pieces.entries()) assert.equal(piece.after, pieces[n - 1]?.before ?? 0);
      return pieces.flatMap((piece) => piece.lines);
    },
    /** All lines that the log still has. */
    async kept(): Promise<string[]> {
      const all: string[] = [];
      for (let after = 0; ; ) {
        const { lines, nextAfter } = await log.read(after, 10_000);
        if (lines.length === 0) return all;
        all.push(...lines.map((one) => one.line));
        after = nextAfter;
      }
    },
  };
}

suite("older output of apps and agents", () => {
  for (const engine of enginesOfSlowSuites) {
    test(`is archived before it is removed, without secrets, and can be verified, on ${engine}`, async (t) => {
      const { log, write, archived, kept, verify, events, output, logged, folder } = await given(
        t,
        {},
        engine,
      );
      await write(0, 6_000);
      await log.trim();
      await write(6_000, 6_000);
      await log.trim();
      const [older, newer] = [await archived(), await kept()];
      assert.ok(older.length > 6_000, String(older.length));
      assert.deepEqual([...older, ...newer], lines(0, 12_000).map(hidden));

      const [verdict] = await verify();
      assert.deepEqual([verdict?.kind, verdict?.problems], ["process_logs", []]);
      const stats = output.stats();
      assert.deepEqual([verdict?.records, stats.isFailing], [stats.removed, false]);
      const written = (await events()).map(({ body }) => JSON.parse(String(body)));
      assert.deepEqual(
        written.map((event) => [event.kind, event.subject, event.data.process_id]),
        written.map(() => ["retention.archived", "retention/process_logs", id]),
      );
      assert.equal(verdict?.files, 1, "one for a day");
      const said = logged.filter(({ msg }) => msg === "retention: archived and removed");
      assert.deepEqual([said.length, output.unarchivedBytes()], [written.length, 0]);

      const file = join(folder, written[0]?.data.file);
      const bytes = await readFile(file);
      bytes.fill(0, 100, 110);
      await writeFile(file, bytes);
      assert.match((await verify())[0]?.problems[0] ?? "", /was changed/);
    });
  }

  test("without an archive, what is removed is counted and logged", async (t) => {
    const { log, write, kept, output, logged } = await given(t, { PLATFORM_ARCHIVE: "none" });
    await write(0, 6_000);
    await log.trim();
    const bytes = 6_000_000 - 5 * 1024 * 1024;
    assert.equal(output.unarchivedBytes(), bytes);
    assert.deepEqual(
      logged.map(({ msg, bytes, why }) => [msg, bytes, why]),
      [["retention: removed without an archive", bytes, "PLATFORM_ARCHIVE is none"]],
    );
    assert.equal((await kept()).at(-1), line(5_999));
  });

  test("the archive holds a limited size of one process; what is beyond is counted and logged", async (t) => {
    const { log, write, archived, kept, output, logged } = await given(t, {
      PLATFORM_PROCESS_LOG_ARCHIVE_MB: "2",
    });
    await write(0, 6_000);
    await log.trim();
    const count = (await archived()).length;
    await write(6_000, 6_000);
    await log.trim();
    assert.equal((await archived()).length, count, "no room for 6 MB");
    const removed = output.unarchivedBytes();
    assert.ok(removed > 5_000_000, String(removed));
    assert.match(logged.at(-1)?.why ?? "", /PLATFORM_PROCESS_LOG_ARCHIVE_MB/);
    const rest = (await kept()).slice(1);
    assert.deepEqual(rest, lines(12_000 - rest.length, rest.length).map(hidden));
  });

  test("while the archive cannot be written, the log keeps up to 64 MB, and nothing is lost silently", async (t) => {
    const { log, write, archived, kept, output, logged, size, folder, fill } = await given(t);
    await writeFile(folder, "not a folder");
    await write(0, 6_000);
    await log.trim();
    assert.deepEqual([output.stats().isFailing, await size()], [true, 6_000_000]);
    await write(6_000, 6_000);
    await log.trim();
    assert.deepEqual([output.stats().failures, await size()], [2, 12_000_000]);
    assert.equal(logged.length, 1, "a failure is logged once");

    await rm(folder);
    await write(12_000, 6_000);
    await log.trim();
    assert.deepEqual([output.stats().isFailing, await size()], [false, 0]);
    assert.deepEqual([...(await archived()), ...(await kept())], lines(0, 18_000).map(hidden));

    await rm(folder, { recursive: true });
    await writeFile(folder, "not a folder");
    await fill(70_000_000);
    await log.trim();
    assert.equal(await size(), 0);
    assert.ok(output.unarchivedBytes() > 64_000_000);
    assert.equal(logged.at(-1)?.why, "the archive cannot be written");
  });

  test("a server that stops leaves the log as it is", async (t) => {
    const { log, write, size, output, archived } = await given(t);
    await write(0, 6_000);
    await log.trim(() => true);
    assert.deepEqual([await size(), output.stats().removed], [6_000_000, 0]);
    await log.trim();
    assert.ok((await archived()).length > 0);
  });

  test("is counted in /metrics", async (t) => {
    const server = await startTestServer();
    t.after(server.close);
    const text = await (await server.fetch("/metrics")).text();
    assert.match(text, /^lakehelm_process_log_unarchived_bytes_total 0$/m);
    assert.match(text, /^lakehelm_retention_removed_total\{records="process_logs"\} 0$/m);
  });
});
