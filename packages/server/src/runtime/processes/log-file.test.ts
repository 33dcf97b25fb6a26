import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { createRedaction } from "@lakehelm/contract/connections";
import { openVault } from "../../core/secrets/vault.ts";
import type { OlderOutput } from "./log-archive.ts";
import { processLog } from "./log-file.ts";
import { followLog } from "./log-stream.ts";
import { processSecrets } from "./process-secrets.ts";

const notArchived: OlderOutput = {
  isArchived: false,
  archive: async () => false,
  failed: () => {},
  removed: () => {},
};

suite("the log of a process", () => {
  async function given(t: TestContext, secrets: readonly string[] = []) {
    const folder = await mkdtemp(join(tmpdir(), "lakehelm-log-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const log = processLog(folder, async () => createRedaction(secrets), notArchived);
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

  test("what is written after its size was read is left to the next trim", async (t) => {
    const { log, write, file } = await given(t);
    const seen = await log.size();
    await write("x".repeat(6_000_000));
    await log.trim(undefined, seen);
    assert.equal((await stat(file)).size, 6_000_000);
    await log.trim(undefined, await log.size());
    assert.equal((await stat(file)).size, 0);
  });

  for (const step of ["copied", "recorded", "renamed", "emptied", "moved"] as const) {
    test(`positions stay valid if the server is killed while it trims: ${step}`, async (t) => {
      const { log, write, folder, file } = await given(t);
      const line = (n: number) => `${String(n).padStart(99, "0")}\n`;
      const many = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, n) => line(from + n)).join("");
      await write(many(0, 60_000));
      await log.trim();
      await write(many(60_000, 120_000));
      const killed = processLog(
        folder,
        async () => createRedaction([]),
        notArchived,
        async (at) => {
          if (at === step) throw new Error("killed");
        },
      );
      await assert.rejects(killed.trim(), /killed/);
      const check = async (last: number, reader = log) => {
        const texts = async (after: number, limit: number) =>
          (await reader.read(after, limit)).lines.map((one) => Number(one.line));
        assert.deepEqual(await texts(11_999_800, 3), [119_998, 119_999, 120_000]);
        assert.deepEqual(await texts(last * 100, 3), [last]);
        const [oldest = 0] = await texts(0, 1);
        assert.deepEqual(await texts(oldest * 100, 2), [oldest, oldest + 1]);
        assert.ok(oldest <= 120_000 - 52_000, `the oldest line is ${oldest}`);
      };
      // The process survives the server and goes on writing.
      await write(line(120_000));
      await check(120_000);
      await log.trim();
      await check(120_000);
      await write(line(120_001));
      await check(120_001);
      assert.ok((await stat(file)).size <= 5 * 1024 * 1024);
    });
  }

  test("secrets are hidden wherever a read begins and ends", async (t) => {
    const secret = "Zq3vT8kLmW0p";
    const { log, write } = await given(t, [secret]);
    await write(
      `ü the key is ${secret}!\n${secret}\n${"x".repeat(1024 * 1024 - 60)}${secret}${"y".repeat(99)}\n`,
    );
    const { lines } = await log.read(0, 10);
    assert.deepEqual(
      lines.slice(0, 2).map(({ line }) => line),
      ["ü the key is ********!", "********"],
    );
    const end = 28 + 13 + 1024 * 1024 - 60;
    for (let after = 0; after < 45; after += 3) await check(after);
    for (let after = end - 20; after < end + 20; after += 7) await check(after);
    /** An overlong line is cut in the middle of the secret. */
    for (let at = 0; at <= secret.length; at += 4) await check(end + at - 1024 * 1024);

    async function check(after: number) {
      const texts = (await log.read(after, 10)).lines.map(({ line }) => line).join("\n");
      for (let at = 0; at + 4 <= secret.length; at++) {
        assert.ok(!texts.includes(secret.slice(at, at + 4)), `after ${after}`);
      }
    }
  });

  test("the secrets of earlier starts stay hidden", async (t) => {
    const { folder } = await given(t);
    const vault = openVault("a long enough secret", randomBytes);
    const secrets = processSecrets(folder, vault);
    const log = processLog(folder, secrets.redaction, notArchived);
    await appendFile(join(folder, "log"), "first-key second-key\n");
    const line = async () => (await log.read(0, 1)).lines[0]?.line;
    assert.equal(await line(), "first-key second-key");
    await secrets.add(["first-key"]);
    assert.equal(await line(), "******** second-key");
    await processSecrets(folder, vault).add(["second-key", "first-key"]);
    assert.equal(await line(), "******** ********");
    assert.ok(!(await readFile(join(folder, "log-secrets"), "utf8")).includes("key"));
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
