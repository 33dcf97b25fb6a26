import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { copyOne, refreshCopy } from "./copy.ts";

const megabyte = 1024 * 1024;

test("an earlier copy becomes equal to its file, whatever has changed since", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-copy-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [from, to] = [join(folder, "a"), join(folder, "b")];
  const bytes = Buffer.alloc(9 * megabyte, "0123456789");
  await writeFile(from, bytes);
  await copyOne(from, to);
  const refreshed = async () => {
    await refreshCopy(from, to);
    assert.ok((await readFile(from)).equals(await readFile(to)));
  };
  await refreshed();
  for (const at of [0, 4 * megabyte - 1, 4 * megabyte, bytes.length - 1]) bytes[at] = 0;
  await writeFile(from, bytes);
  await refreshed();
  await writeFile(from, Buffer.concat([bytes, bytes]));
  await refreshed();
  await truncate(from, 5 * megabyte + 3);
  await refreshed();
  await truncate(from, 0);
  await refreshed();
});
