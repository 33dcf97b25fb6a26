import assert from "node:assert/strict";
import { test } from "node:test";
import { javascriptOf } from "./javascript.ts";

test("types go, files are named as JavaScript, and lines and texts stay", () => {
  const { code, names } = javascriptOf(`import type { A } from "./types.ts";
import { readFile } from "node:fs/promises";
import {
  type B,
  b,
} from "../b.ts";
import manifest from "./package.json" with { type: "json" };
export * from "@lakehelm/contract";
const later = (x: A): Promise<unknown> => import("./later.ts");
const thread = new Worker(new URL("thread.ts", import.meta.url));
const text = \`import { c } from "./c.ts";\`;
// Read "./d.ts" and new URL("./e.ts").
`);
  assert.deepEqual(
    [...names],
    ["node:fs/promises", "../b.ts", "./package.json", "@lakehelm/contract", "./later.ts", "./thread.ts"],
  );
  const lines = code.split("\n");
  assert.equal(lines[5], '} from "../b.js";');
  assert.equal(lines[8]?.replaceAll(/\s+/g, " "), 'const later = (x ) => import("./later.js");');
  assert.equal(lines[9], 'const thread = new Worker(new URL("thread.js", import.meta.url));');
  assert.equal(lines[10], 'const text = `import { c } from "./c.ts";`;');
  assert.match(lines[11] ?? "", /"\.\/d\.ts".*"\.\/e\.ts"/);
});
