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

  test("is empty before anything was written", async (t) => {
    const { log } = await given(t);
    assert.deepEqual(await log.read(undefined, 10), { lines: [], nextAfter: 0 });
    assert.deepEqual(await log.read(99, 10), { lines: [], nextAfter: 0 });
    await log.trim();
  });

  test("tells the last lines, and those behind a place", async (t) => {
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
    assert.deepEqual(await log.read(15, 100), { lines: [], nextAfter: 15 }, "a line that is not ended yet");
    await write("ur\n");
    assert.deepEqual(await texts(15), ["four"]);
  });

  test("a line of ours stands on a line of its own", async (t) => {
    const { log, write, texts } = await given(t);
    await log.note("starting");
    await write("half");
    await log.note("It ended.");
    assert.deepEqual(await texts(), ["--- starting", "half", "--- It ended."]);
  });

  test("keeps the last 5 to 10 MB, and places stay true", async (t) => {
    const { log, write, file, texts } = await given(t);
    const line = (n: number) => `${String(n).padStart(99, "0")}\n`;
    const many = (from: number) => Array.from({ length: 60_000 }, (_, n) => line(from + n)).join("");
    const handle = await log.open();
    t.after(() => handle.close());
    await write(many(0));
    await log.trim();
    assert.equal((await stat(file)).size, 0);
    await handle.write(line(60_000));
    assert.equal((await stat(file)).size, 100, "whoever has it open goes on at its beginning");
    assert.deepEqual(await texts(6_000_000), [line(60_000).trim()]);
    assert.deepEqual(
      await texts(5_999_900),
      [line(59_999), line(60_000)].map((one) => one.trim()).slice(0, 2),
    );
    const [oldest] = await texts(0, 1);
    assert.ok(Number(oldest) >= 60_000 - 52_429, "what is gone is passed over");
    await write(many(60_001));
    await log.trim();
    assert.deepEqual(await texts(undefined, 1), [line(120_000).trim()]);
  });

  test("is followed from a place on, until the reader leaves", async (t) => {
    const { log, write } = await given(t);
    await write("one\ntwo\n");
    const leaving = new AbortController();
    const seen: string[] = [];
    for await (const { id, data } of followLog(log, 4, 10, leaving.signal)) {
      seen.push(`${id} ${JSON.parse(data).line}`);
      if (seen.length === 1) await write("three\n");
      if (seen.length === 2) leaving.abort();
    }
    assert.deepEqual(seen, ["8 two", "14 three"]);
  });
});
