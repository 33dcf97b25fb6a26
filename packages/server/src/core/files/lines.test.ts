import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { cpuMsOf } from "@lakehelm/testing/linear";
import { linesOf } from "./lines.ts";

async function fileOf(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-lines-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "lines"), text);
  return join(folder, "lines");
}

const all = (path: string, maxLength = 1_000_000) => Array.fromAsync(linesOf(path, maxLength));

test("lines end at a newline only, and the last one need not", async (t) => {
  assert.deepEqual(await all(await fileOf(t, "")), []);
  assert.deepEqual(await all(await fileOf(t, "a\n\nb\u2028c\r\n")), ["a", "", "b\u2028c\r"]);
  assert.deepEqual(await all(await fileOf(t, "a\nb")), ["a", "b"]);
});

test("lines that are longer than a chunk of the file are whole", async (t) => {
  const long = ["é".repeat(100_000), "x", "y".repeat(200_001)];
  assert.deepEqual(await all(await fileOf(t, `${long.join("\n")}\n`)), long);
});

test("a line that is too long is cut, and those after it are whole", async (t) => {
  const path = await fileOf(t, `${"a".repeat(200_000)}\nbcd\nbcde\n`);
  assert.deepEqual(await all(path, 3), ["aaa", "bcd", "bcd"]);
});

test("a line takes time in proportion to its length", async (t) => {
  const mib = 1024 * 1024;
  const cpuMs = async (length: number) => {
    const path = await fileOf(t, "a".repeat(length));
    return cpuMsOf(async () => {
      const [line] = await all(path, 64 * mib);
      assert.equal(line?.length, length);
    });
  };
  await cpuMs(mib);
  const small = Math.max(5, await cpuMs(2 * mib));
  const large = await cpuMs(32 * mib);
  assert.ok(large < 80 * small, `${small} ms, and ${large} ms for 16 times the length`);
});
