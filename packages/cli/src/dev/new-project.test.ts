import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isEmpty } from "./new-project.ts";

test("a folder with files of git or an editor is empty, a home folder is not", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-new-"));
  t.after(() => rm(folder, { recursive: true }));
  assert.equal(await isEmpty(folder), true);
  for (const name of [".gitignore", ".editorconfig"]) await writeFile(join(folder, name), "");
  assert.equal(await isEmpty(folder), true);
  await writeFile(join(folder, ".bashrc"), "");
  assert.equal(await isEmpty(folder), false);
  assert.equal(await isEmpty(join(folder, "missing")), false);
});
