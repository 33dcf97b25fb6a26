import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Problem } from "../../core/errors.ts";
import { testFolder } from "../../web/identity/test-dependencies.ts";
import { cleanTemporary, inTemporaryFolder } from "./temporary-folder.ts";

test("files are read back unchanged in path order, and the folder is removed", async (t) => {
  const root = await testFolder(t);
  const files = [
    { path: "sql/a.sql", content: "select 1\r\n" },
    { path: "a.txt", content: "é𝄞" },
  ];
  const result = await inTemporaryFolder(
    files,
    async (readBack) => ({ readBack, folders: (await readdir(root)).length }),
    root,
  );
  assert.deepEqual(result, { readBack: files.toReversed(), folders: 1 });
  assert.deepEqual(await readdir(root), []);
  await assert.rejects(
    inTemporaryFolder(files, () => Promise.reject(new Error("no")), root),
    /^Error: no$/,
  );
  assert.deepEqual(await readdir(root), []);
});

test("an unwritable folder is an unavailable error, and nothing is left behind", async (t) => {
  const root = await testFolder(t);
  const twice = [
    { path: "a", content: "" },
    { path: "a/b", content: "" },
  ];
  const nothing = async () => {};
  const isUnavailable = (error: unknown) => error instanceof Problem && error.kind === "unavailable";
  await assert.rejects(inTemporaryFolder(twice, nothing, root), isUnavailable);
  assert.deepEqual(await readdir(root), []);
  await assert.rejects(inTemporaryFolder([], nothing, join(root, "missing")), isUnavailable);
});

test("startup removes the folders of ended processes and keeps those of running ones", async (t) => {
  const root = await testFolder(t);
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const names = [`lakehelm-design-${gone}-abc`, `lakehelm-design-${process.ppid}-abc`, "someone-elses"];
  for (const name of names) await mkdir(join(root, name, "sql"), { recursive: true });
  assert.equal(await cleanTemporary(root), 1);
  assert.deepEqual((await readdir(root)).sort(), names.slice(1).sort());
});
