import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { processLog } from "./log-file.ts";
import { followLog } from "./log-stream.ts";

suite("the log of a process", () => {
  async function given(t: TestContext) {
    const folder = await mkdtemp(join(tmpdir(), "lakehelm-log-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const log = processLog(folder);
    const file = join(folder, "log");
    return {
      log,
      file,
      folder,
      write: (text: string) => appendFile(file, text),
      texts: async (after?: number, limit = 100) =>
        (await log.read(after, limit)).lines.map(({ line }) => line),
    };
  }

  test("a new log is empty", async (t) => {
    const { log } = await given(t);
    assert.deepEqual(await log.read(undefined, 10), { lines: [], nextAfter: 0 });
    assert.deepEqual(await log.read(99, 10), { lines: [], nextAfter: 0 });
    await log.trim();
  });

  test("the last lines and the lines after a position are read", async (t) => {
    const { log, write, texts } = await given(t);
    await write("one\ntwö\nthree\nfo");
    assert.deepEqual(await texts(undefined, 2), ["twö", "three"]);
    const { lines } = await log.read(0, 100);
    assert.deepEqual(lines, [
      { n: 4, line: "one" },
      { n: 9, line: "twö" },
      { n: 15, line: "three" },
    ]);
    assert.deepEqual(await log.read(4, 1), { lines: [{ n: 9, line: "twö" }], nextAfter: 9 });
    assert.deepEqual(await log.read(15, 100), { lines: [], nextAfter: 15 }, "an incomplete line");
    await write("ur\n");
    assert.deepEqual(await texts(15), ["four"]);
  });

  test("a note is written on its own line", async (t) => {
    const { log, write, texts } = await given(t);
    await log.note("starting");
    await write("half");
    await log.note("It ended.");
    assert.deepEqual(await texts(), ["--- starting", "half", "--- It ended."]);
  });

  test("trimming keeps the last 5 to 10 MB, and positions stay valid", async (t) => {
    const { log, write, file, texts } = await given(t);
    const line = (n: number) => `${String(n).padStart(99, "0")}\n`;
    const many = (from: number) => Array.from({ length: 60_000 }, (_, n) => line(from + n)).join("");
    const handle = await log.open();
    t.after(() => handle.close());
    await write(many(0));
    await log.trim();
    assert.equal((await stat(file)).size, 0);
    await handle.write(line(60_000));
    assert.equal((await stat(file)).size, 100, "an open handle continues at its beginning");
    assert.deepEqual(await texts(6_000_000), [line(60_000).trim()]);
    assert.deepEqual(
      await texts(5_999_900),
      [line(59_999), line(60_000)].map((one) => one.trim()).slice(0, 2),
    );
    const [oldest] = await texts(0, 1);
    assert.ok(Number(oldest) >= 60_000 - 52_429, "removed lines are skipped");
    await write(many(60_001));
    await log.trim();
    assert.deepEqual(await texts(undefined, 1), [line(120_000).trim()]);
  });

  test("a log is followed from a position until the reader disconnects", async (t) => {
    const { log, write } = await given(t);
    await write("one\ntwo\n");
    const leaving = new AbortController();
    const messages: string[] = [];
    for await (const { id, data } of followLog(log, 4, 10, leaving.signal)) {
      messages.push(`${id} ${JSON.parse(data).line}`);
      if (messages.length === 1) await write("three\n");
      if (messages.length === 2) leaving.abort();
    }
    assert.deepEqual(messages, ["8 two", "14 three"]);
  });
});
