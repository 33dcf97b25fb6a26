import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { testFolder } from "../identity/test-parts.ts";
import { Problem } from "../problems.ts";
import { cleanTemporary, writtenAndReadBack } from "./temporary.ts";

test("what is read back is what was written, in the order of paths, and nothing stays", async (t) => {
  const root = await testFolder(t);
  const files = [
    { path: "sql/a.sql", content: "select 1\r\n" },
    { path: "a.txt", content: "é𝄞" },
  ];
  assert.deepEqual(await writtenAndReadBack(files, root), files.toReversed());
  assert.deepEqual(await readdir(root), []);
});

test("a folder that cannot be written is unavailable, and nothing stays", async (t) => {
  const root = await testFolder(t);
  const twice = [
    { path: "a", content: "" },
    { path: "a/b", content: "" },
  ];
  const isUnavailable = (error: unknown) => error instanceof Problem && error.kind === "unavailable";
  await assert.rejects(writtenAndReadBack(twice, root), isUnavailable);
  assert.deepEqual(await readdir(root), []);
  await assert.rejects(writtenAndReadBack([], join(root, "missing")), isUnavailable);
});

test("the next start removes what a process that is gone has left, and nothing of one that runs", async (t) => {
  const root = await testFolder(t);
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const names = [`lakehelm-design-${gone}-abc`, `lakehelm-design-${process.ppid}-abc`, "somebody-elses"];
  for (const name of names) await mkdir(join(root, name, "sql"), { recursive: true });
  assert.equal(await cleanTemporary(root), 1);
  assert.deepEqual((await readdir(root)).sort(), names.slice(1).sort());
});
