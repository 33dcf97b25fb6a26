import assert from "node:assert/strict";
import { chmod, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { closeFolder, createPrivateFile } from "./private-folder.ts";

async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-private-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
const modeOf = async (path: string) => ((await lstat(path)).mode & 0o777).toString(8);

test("a new folder is closed, and a closed one is left alone", async (t) => {
  const data = join(await scratch(t), "new/data");
  assert.equal(await closeFolder(data), undefined);
  assert.equal(await modeOf(data), "700");
  createPrivateFile(join(data, "db"));
  assert.equal(await modeOf(join(data, "db")), "600");
  assert.equal(await closeFolder(data), undefined);
});

test("an open folder is closed with everything in it, and links are not followed", async (t) => {
  const folder = await scratch(t);
  const data = join(folder, "data");
  await mkdir(join(data, "a/b/c"), { recursive: true });
  await writeFile(join(data, "a/b/c/deep"), "");
  await writeFile(join(data, "program"), "");
  await writeFile(join(folder, "outside"), "");
  for (const path of [data, join(data, "a/b/c"), join(data, "program")]) await chmod(path, 0o755);
  for (const path of [join(data, "a/b/c/deep"), join(folder, "outside")]) await chmod(path, 0o644);
  await symlink(join(folder, "outside"), join(data, "link"));
  const found = await closeFolder(data);
  assert.deepEqual([found?.mode, found?.path, found?.problem], ["755", data, undefined]);
  assert.ok((found?.closed ?? 0) >= 4);
  assert.equal(await modeOf(data), "700");
  assert.equal(await modeOf(join(data, "a/b/c")), "700");
  assert.equal(await modeOf(join(data, "a/b/c/deep")), "600");
  assert.equal(await modeOf(join(data, "program")), "700");
  assert.equal(await modeOf(join(folder, "outside")), "644");
  assert.equal(await closeFolder(data), undefined);
});

test("a closed folder with an open file in it is closed too", async (t) => {
  const data = join(await scratch(t), "data");
  await closeFolder(data);
  await writeFile(join(data, "lakehelm.db"), "");
  await chmod(join(data, "lakehelm.db"), 0o644);
  assert.deepEqual(await closeFolder(data), {
    mode: "644",
    path: join(data, "lakehelm.db"),
    closed: 1,
    problem: undefined,
  });
});
