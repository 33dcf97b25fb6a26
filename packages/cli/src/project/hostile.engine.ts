import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { lakehelm } from "../testing/terminal.ts";
import { folderOf, revenue } from "./testing/folder.ts";

test("hostile folders are read within limits, and say what is wrong", async (t) => {
  const folder = await folderOf(t, {
    "lakehelm.yaml": "name: shop\n",
    "connectors/alias.yaml": `a: &a [1, 2]\nb: [${"*a, ".repeat(1000)}*a]\n`,
    "connectors/deep.yaml": `a: ${"[".repeat(5000)}`,
    "connectors/nested.yaml": `a: ${"[".repeat(1500)}${"]".repeat(1500)}`,
    "connectors/huge.yaml": `a: ${"x".repeat(300_000)}`,
    "connectors/keys.yaml": Array.from({ length: 10_000 }, (_, at) => `k${at}: 1`).join("\n"),
    "connectors/twice.yaml": "a: 1\na: 2\n",
    "connectors/proto.yaml": "__proto__: { polluted: true }\ntarget_type: warehouse\ntarget_config: {}\n",
    "connectors/list.yaml": "- a\n",
    "flows/outside.yaml": revenue("${file:../../../../etc/hostname}"),
  });
  await symlink("/etc/hostname", join(folder, "connectors/link.yaml"));
  await symlink("/etc", join(folder, "agents"));
  await symlink("loop.yaml", join(folder, "connectors/loop.yaml"));
  execFileSync("mkfifo", [join(folder, "connectors/fifo.yaml")]);
  const { code, stdout: all } = await lakehelm(["validate", "--dir", folder]);
  assert.equal(code, 1);
  for (const expected of [
    /connectors\/alias\.yaml:1:\d+: error: Anchors and aliases are not supported\./,
    /connectors\/deep\.yaml:1:1: error: It is nested too deeply\.|connectors\/deep\.yaml:\d+:\d+: error: This is not YAML/,
    /connectors\/nested\.yaml:\d+:\d+: error: .*It is nested too deeply\./,
    /connectors\/huge\.yaml:1:1: error: The file has more than 200000 characters/,
    /connectors\/keys\.yaml:1:1: error: .*is not known/,
    /connectors\/twice\.yaml:2:1: error: The key "a" is there twice\./,
    /connectors\/proto\.yaml:1:1: error: The key "__proto__" is not known/,
    /connectors\/list\.yaml:1:1: error: The file must contain fields and their values\./,
    /connectors\/link\.yaml:1:1: error: The file leads out of the folder of the project\./,
    /connectors\/loop\.yaml:1:1: error: The file is a link that leads to itself\./,
    /connectors\/fifo\.yaml:1:1: error: The file is not a file\./,
    /agents:1:1: error: The folder leads out of the folder of the project\./,
    /flows\/outside\.yaml:4:14: error: The file "\.\.\/\.\.\/\.\.\/etc\/hostname" leads out of the folder/,
  ])
    assert.match(all, expected);
});
