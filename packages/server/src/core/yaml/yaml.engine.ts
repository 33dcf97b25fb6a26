import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createYamlParser } from "./parser.ts";
import { longestYaml, readYaml } from "./read.ts";

const filled = (unit: string, before = "", after = "") =>
  before + unit.repeat((longestYaml - before.length - after.length) / unit.length) + after;

const valid = "- a\n".repeat(1_000);

/** Texts of the maximum length. Parsed on the event loop, each takes 0.2 to 1.9 s. */
const texts: Readonly<Record<string, string>> = {
  "closing brackets": filled("]"),
  "opening brackets": filled("["),
  "brackets in brackets": filled("- [{\n"),
  "commas in a map": filled("a: ,,", "{", "}"),
  "keys below a text": filled("a:\n", "|\n "),
  "lines after a value": filled("a\n", "a: "),
  "aliases without commas": filled("*a\n", "["),
  "anchors and aliases": filled("- &a [*a]\n"),
  directives: filled("%a\n"),
  "complex keys": filled("? a\n: b\n"),
  "nested lists": filled("- "),
  "empty lists": filled("[],", "[", "[]]"),
  "duplicate keys": filled("a: 1\n"),
  "many keys": Array.from({ length: 9_000 }, (_, n) => `k${n}: 1\n`).join(""),
  "ten thousand lines": filled("- a: b\n  c:\n"),
};

suite("a YAML text of the maximum length is parsed without blocking the event loop", () => {
  for (const [name, text] of Object.entries(texts)) {
    test(name, async () => {
      await readYaml(valid, { owner: "warm-up" });
      const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
      await readYaml(text, { owner: "author" });
      const used = process.cpuUsage(all);
      const blocked = process.threadCpuUsage(own);
      const share = (blocked.user + blocked.system) / (used.user + used.system);
      assert.ok(share < 0.25, `the event loop has ${share} of the processor time`);
    });
  }
});

test("a text that takes too long is refused, and the next one gets a new thread", async () => {
  const parse = createYamlParser({ timeoutMs: 1, memoryMb: 256 });
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(await parse(filled("]"), "strict", "author"), {
      problems: [{ line: 1, column: 1, message: "Parsing it takes longer than 0.001 seconds." }],
    });
  }
});

test("a text that needs too much memory is refused, and the next one gets a new thread", async () => {
  const parse = createYamlParser({ timeoutMs: 60_000, memoryMb: 16 });
  assert.deepEqual(await parse(filled("- [1,1,1,1]\n"), "strict", "author"), {
    problems: [{ line: 1, column: 1, message: "Parsing it needs more than 16 MB of memory." }],
  });
  assert.ok("value" in (await parse(valid, "strict", "author")));
});
