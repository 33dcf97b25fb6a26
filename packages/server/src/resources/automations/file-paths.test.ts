import assert from "node:assert/strict";
import { test } from "node:test";
import { folderOf } from "./design.ts";
import { checkPaths } from "./file-paths.ts";

const files = (...paths: string[]) => paths.map((path) => ({ path, content: "" }));
const ours = files("definition.yaml", "src/sql_task.py");
const problemsOf = (...paths: string[]) =>
  checkPaths(files(...paths), ours).problems.map((problem) => problem.replace(/^.*" /, ""));

test("a file path must stay inside its folder", () => {
  for (const path of ["../x", "a/../../x", ".."])
    assert.deepEqual(problemsOf(path), ["points outside its folder."]);
  assert.deepEqual(problemsOf("/etc/passwd"), ["must be relative."]);
  for (const path of ["a\\b", "C:x", "a\0b", "a\nb"]) {
    assert.deepEqual(problemsOf(path), ["has a control character, a backslash or a colon."]);
  }
  for (const path of ["a//b", "./a", "a/"]) assert.deepEqual(problemsOf(path), ["has an empty segment."]);
  assert.deepEqual(problemsOf(".GIT/config"), ["must not contain a .git segment."]);
  assert.deepEqual(problemsOf("é".repeat(150)), ["is too long."]);
});

test("duplicate paths are rejected, ignoring case and Unicode normalization", () => {
  assert.deepEqual(problemsOf("a.sql", "A.SQL"), ["appears twice."]);
  assert.deepEqual(problemsOf("e\u0301.sql", "\u00e9.sql"), ["appears twice."]);
  assert.deepEqual(problemsOf("a", "a/b"), ["is both a file and a folder."]);
  assert.deepEqual(problemsOf("a/b/c", "a"), ["is both a file and a folder."]);
  assert.deepEqual(problemsOf("Definition.yaml"), ["is generated from the design."]);
  assert.deepEqual(problemsOf("src", "src/sql_task.py/x"), Array(2).fill("is both a file and a folder."));
  assert.deepEqual(problemsOf("sql/a.sql", "sql/b.sql", "sql/deep/a.sql"), []);
});

test("each alias has its own folder, inside the root", () => {
  assert.equal(folderOf("orders-daily"), "orders-daily");
  const aliases = ["Orders", "orders", "a b", "a-b", "a/b", "..", ".git", "", "日本", "x".repeat(300), "a."];
  const folders = aliases.map(folderOf);
  assert.equal(new Set(folders.map((folder) => folder.toLowerCase())).size, aliases.length);
  for (const folder of folders) assert.match(folder, /^[a-z0-9][a-z0-9._-]{0,79}$/);
});
