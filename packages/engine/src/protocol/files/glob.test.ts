import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { type TestContext, test } from "node:test";
import { cpuMsOf } from "@lakehelm/testing/linear";
import { findFiles, globProblem, nameMatcher, splitGlob } from "./glob.ts";

async function folderWith(t: TestContext, names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-glob-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), "");
  }
  return folder;
}

test("patterns select the same files as Node's", async (t) => {
  const names = [
    "a.csv",
    "b.csv",
    "ab.csv",
    ".hidden.csv",
    "A.CSV",
    "1.csv",
    "10.csv",
    "03.csv",
    "x]y.csv",
    "x*y.csv",
    "{a}.csv",
    "ü.csv",
    "2026/01/orders.csv",
    "2026/02/orders.csv",
    "2026/02/deep/er/orders.csv",
    "2026/readme.txt",
  ];
  const folder = await folderWith(t, names);
  for (const pattern of [
    "*.csv",
    "?.csv",
    "[ab].csv",
    "[!a].csv",
    "[^a]*.csv",
    "[a-b].csv",
    "[]x]*",
    "{a,b}.csv",
    "{a,b,{1,10}}.csv",
    "{a,}b.csv",
    "{1..10}.csv",
    "{01..03}.csv",
    "{a..c}.csv",
    "{a}.csv",
    "2026/*/orders.csv",
    "2026/**/*.csv",
    "**",
    "**/*",
    "**/orders.csv",
    "**/deep/**",
    "2026/**",
    "*/*/*",
    "2026/{01,02}/*",
    "{2026/**/orders.csv,*.csv}",
    "{*.csv,*.csv/*}",
    "**/**/*.csv",
    "*a*b*.csv",
    "{",
    "[",
    "none/*",
    ".*",
    "[.]h*",
    "*a*a*",
    "*.c*v",
    "a*.csv*",
    "[z-a]*",
    "?{a,b}.csv",
    "[à-ÿ].csv",
    "*0*.*",
  ]) {
    assert.deepEqual(
      (await findFiles(folder, pattern)).sort(),
      names.filter((name) => matchesGlob(name, pattern)).sort(),
      pattern,
    );
  }
});

test("a pattern that would take long is refused", async () => {
  for (const pattern of [
    "*a*a*a*a*b",
    "{1..1000000}",
    "{a,b}".repeat(20),
    "{1..50}{1..50}",
    "*+(a|b)",
    `${"x".repeat(20_000)}*`,
    `{${"a,".repeat(3_000)}b}`,
    `${"{a,b}".repeat(10)}${"?".repeat(9_000)}`,
    `{1..2000}${"[^a]".repeat(2_000)}`,
  ]) {
    assert.match(globProblem(pattern) ?? "", /^The pattern .+ cannot be used: /s, pattern.slice(0, 50));
  }
  const ms = await cpuMsOf(() => {
    for (const part of ["{", "}", "[", "{,", "{a}"]) globProblem(part.repeat(9_999 / part.length));
  });
  assert.ok(ms < 2_000, `${ms} ms`);
});

test("many alternatives are compared with many files in little time", async (t) => {
  const folder = await folderWith(
    t,
    Array.from({ length: 1_000 }, (_, index) => `f${index}.csv`),
  );
  const ms = await cpuMsOf(async () => assert.equal((await findFiles(folder, "f{0..1900}.*")).length, 1_000));
  assert.ok(ms < 5_000, `${ms} ms`);
});

test("no pattern that is accepted takes long with any name", async () => {
  const name = "a".repeat(255);
  const patterns = [
    "*a*a*b",
    "*a*a*{1..1900}",
    "*[ab]*[ab]*[!a]{1..900}",
    `{1..30}${"*a".repeat(3)}${"?a".repeat(300)}b`,
  ];
  for (const pattern of [...patterns, `*${"a".repeat(100)}*${"a".repeat(100)}b{1..100}`]) {
    const ms = await cpuMsOf(async () => assert.equal(nameMatcher(pattern)(name), false));
    assert.ok(ms < 2_000, `${pattern.slice(0, 50)}: ${ms} ms`);
  }
});

test("links to folders are not followed, and the walk ends at a depth", async (t) => {
  const deep = `${"d/".repeat(30)}x.csv`;
  const folder = await folderWith(t, ["in/a.csv", deep]);
  await symlink(folder, join(folder, "in/up"));
  assert.deepEqual(await findFiles(folder, "**/*.csv"), ["in/a.csv"]);
});

test("names are matched as a whole", () => {
  const matches = nameMatcher("{a*,b?}.csv");
  assert.deepEqual(["a.csv", "b1.csv", "b.csv", "xa.csv"].map(matches), [true, true, false, false]);
  assert.deepEqual(["x*y", "xay"].map(nameMatcher("x\\*y")), [true, false]);
  assert.deepEqual(splitGlob("/in/2026/*/x.csv"), { folder: "/in/2026", pattern: "*/x.csv" });
  assert.deepEqual(splitGlob("/lakehel[m]/x"), { folder: "/", pattern: "lakehel[m]/x" });
});
