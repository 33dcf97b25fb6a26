import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { lockFolder } from "./file-lock.ts";

async function testFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-lease-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const inUse = (folder: string) => ({
  message: `The data folder ${folder} is in use by another Lakehelm. Stop it, or set PLATFORM_DATA_DIR.`,
});

test("a data folder is locked by one server until it releases the lock", async (t) => {
  const folder = await testFolder(t);
  const lock = lockFolder(folder);
  assert.throws(() => lockFolder(folder), inUse(folder));

  lock.release();
  lockFolder(folder).release();
});

test("the lock of another process ends when that process ends, even by SIGKILL", async (t) => {
  const folder = await testFolder(t);
  const script = `
    const { lockFolder } = await import(${JSON.stringify(new URL("./file-lock.ts", import.meta.url).href)});
    lockFolder(${JSON.stringify(folder)});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  assert.throws(() => lockFolder(folder), inUse(folder));

  holder.kill("SIGKILL");
  await once(holder, "exit");
  lockFolder(folder).release();
});
