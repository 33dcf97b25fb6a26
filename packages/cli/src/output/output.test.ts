import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { jsonIn } from "../input/json.ts";
import { fakeIo } from "../testing/terminal.ts";
import { csvLine } from "./csv.ts";
import { toJson } from "./json.ts";
import { printItems, printValue } from "./print.ts";
import { toYaml } from "./yaml.ts";

const hostile = "a\u001b[2Jb\u009b31mc\u202ed\u2028e\u{e0041}\r\nf";

async function* items(...values: unknown[]) {
  yield* values;
}

test("text from the server cannot control the terminal, in any format, and keeps its meaning in JSON and YAML", async () => {
  const { io, written } = fakeIo({ isTerminal: true, env: { NO_COLOR: "1" } });
  await printItems(io, items({ name: hostile }), { output: "table" }, { columns: ["name"] });
  await printValue(io, { name: hostile, nested: { [hostile]: hostile } }, { output: "table" });
  await printValue(io, hostile, { output: "table" });
  for (const output of ["json", "jsonl", "yaml"] as const) {
    await printValue(io, { [hostile]: hostile }, { output });
    await printItems(io, items(hostile), { output });
  }
  const controls = written.stdout.match(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu);
  assert.equal(controls, null);
  assert.deepEqual(JSON.parse(toJson({ [hostile]: hostile })), { [hostile]: hostile });
  assert.deepEqual(parse(toYaml({ [hostile]: hostile })), { [hostile]: hostile });
});

test("integers beyond 2^53 keep their digits", async () => {
  const value = { n: 12345678901234567890n };
  assert.equal(toJson(value, 0), '{"n":12345678901234567890}');
  assert.equal(toYaml(value), "n: 12345678901234567890\n");
  assert.equal(csvLine([value.n]), "12345678901234567890\n");
  assert.deepEqual(jsonIn('{"n":12345678901234567890}'), value);
});

test("a table has a head, aligned columns, empty cells for null, and lists joined", async () => {
  const { io, written } = fakeIo();
  const rows = items(
    { id: 1, cause: { trigger: "cron" }, keys: ["a", "b"] },
    { id: 20, cause: null, keys: [] },
  );
  await printItems(io, rows, { output: "table" }, { columns: ["id", "cause.trigger", "keys"] });
  assert.equal(written.stdout, "ID  TRIGGER  KEYS\n1   cron     a, b\n20\n");
});

test("a long list is printed as it arrives", async () => {
  const { io, written } = fakeIo();
  async function* endless() {
    for (let n = 0; ; n++) {
      if (n === 2000) throw new Error(written.stdout.includes("1400") ? "streams" : "waits");
      yield { n };
    }
  }
  await assert.rejects(printItems(io, endless(), { output: "table" }, { columns: ["n"] }), /streams/);
});

test("CSV quotes what would be misread, and tells NULL from an empty text", () => {
  assert.equal(
    csvLine(["a,b", 'say "x"', null, "", " x", "two\nlines", { a: 1 }]),
    '"a,b","say ""x""",,""," x","two\nlines","{""a"":1}"\n',
  );
});

test("safe CSV has no formulas, and numbers stay numbers", () => {
  const formulas = [
    "=1+1",
    "+1 2",
    "-1+cmd|x",
    "@SUM(A1)",
    "\t=1",
    " =1",
    "\u200b=1",
    "\uff1d1",
    "\n",
    '=a"b',
  ];
  for (const text of formulas) {
    assert.match(csvLine([text], true), /^"?'/, JSON.stringify(text));
    assert.equal(csvLine(["'"], true), "'\n");
    assert.doesNotMatch(csvLine([text]), /'/);
  }
  const plain = [-1, "-1.5e-3", "+7", ".5", "a=b", "", null, ["=1"], true, "2026-01-01"];
  assert.equal(csvLine(plain, true), csvLine(plain));
});

test("a JMESPath expression selects from the answer, and a wrong one is an error of usage", async () => {
  const { io, written } = fakeIo();
  const rows = [
    { name: "a", ok: true },
    { name: "b", ok: false },
  ];
  await printValue(io, rows, { output: "json", query: "[?ok].name | [0]" });
  await printItems(io, items(...rows), { output: "table", query: "[].name" });
  assert.equal(written.stdout, '"a"\na\nb\n');
  await assert.rejects(printValue(io, rows, { output: "json", query: "[?" }), { name: "UsageError" });
});

test("of a text with several lines, a list shows the first line, and one item the whole text", async () => {
  const { io, written } = fakeIo();
  const error = 'Task "load" failed:\n  no such table\n  at line 3';
  const item = { name: "nightly", error };
  await printItems(
    io,
    items(item, { name: "hourly", error: "gone" }),
    { output: "table" },
    { columns: ["name", "error"] },
  );
  assert.equal(written.stdout, 'NAME     ERROR\nnightly  Task "load" failed: …\nhourly   gone\n');
  await printValue(io, item, { output: "table" });
  assert.match(
    written.stdout,
    /\nname {2}nightly\nerror: \|-\n {2}Task "load" failed:\n {4}no such table\n {4}at line 3\n$/,
  );
});
