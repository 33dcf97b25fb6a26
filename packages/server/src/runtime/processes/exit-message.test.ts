import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { lastLines } from "./exit-message.ts";

const linesOf = (...lines: string[]) => lines.map((line) => ({ line }));

suite("the last lines of a process", () => {
  test("a message has the last twenty lines", () => {
    assert.equal(lastLines([]), "");
    assert.equal(lastLines(linesOf("one", "", "two")), " Its last lines:\none\n\ntwo");
    const many = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    assert.equal(lastLines(linesOf(...many)), ` Its last lines:\n${many.slice(-20).join("\n")}`);
  });

  test("a message is limited to 500 characters of a line and 8 KiB, newest lines first", () => {
    assert.equal(lastLines(linesOf("x".repeat(24_000))), ` Its last lines:\n${"x".repeat(500)}…`);
    const emoji = lastLines(linesOf(`x${"😀".repeat(500)}`));
    assert.ok(emoji.isWellFormed(), "no half of a character is left");
    const wide = Array.from({ length: 20 }, (_, n) => `${n} ${"€".repeat(24_000)}`);
    const message = lastLines(linesOf(...wide));
    assert.ok(Buffer.byteLength(message) < 8 * 1024 + 32, String(Buffer.byteLength(message)));
    assert.deepEqual(
      message.match(/^\d+(?= )/gm),
      ["15", "16", "17", "18", "19"],
      "each has about 1500 bytes",
    );
  });
});
