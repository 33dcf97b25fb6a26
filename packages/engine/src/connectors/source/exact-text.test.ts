import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { timePattern } from "../files/read/time-patterns.ts";
import { exactText } from "./exact-text.ts";
import { instant } from "./instant.ts";
import { parseExact } from "./json/exact-json.ts";
import { watermarkCandidates } from "./watermark-candidates.ts";
import { isSince } from "./watermark-filter.ts";

describe("exact text", () => {
  it("a decimal keeps all digits, or is refused", () => {
    const decimal = exactText("DECIMAL(6,2)");
    for (const [text, expected] of [
      ["1.10", "1.10"],
      ["-0001.5", "-0001.5"],
      ["-00001.5", "-1.5"],
      ["+7", "+7"],
      [".5", "0.5"],
      ["5.", "5."],
      ["1.2345e3", "1234.5"],
      ["12e-2", "0.12"],
      ["5e-1", "0.5"],
      ["9999.99", "9999.99"],
      ["1.10000", "1.1"],
      ["10000", undefined],
      ["1.005", undefined],
      ["1e4", undefined],
      ["1e-3", undefined],
      ["1e999", undefined],
      [".", undefined],
      ["", undefined],
      ["NaN", undefined],
      ["1,5", undefined],
    ] as const) {
      assert.equal(decimal(text), expected, text);
    }
    assert.equal(exactText("DECIMAL(38,0)")("9".repeat(38)), "9".repeat(38));
    assert.equal(exactText("DECIMAL(38,0)")("9".repeat(39)), undefined);
    assert.equal(exactText("DECIMAL(2,2)")("0.25"), "0.25");
    assert.equal(exactText("DECIMAL(2,2)")("1.25"), undefined);
  });

  it("a date or time is converted to UTC, or is refused", () => {
    for (const [type, text, expected] of [
      ["DATE", "2026-02-28", "2026-02-28"],
      ["DATE", "2026-02-28T00:00:00", "2026-02-28"],
      ["DATE", "2026-02-28T00:00:01", undefined],
      ["DATE", "2026-02-29", undefined],
      ["DATE", "0044-03-15 (BC)", "0044-03-15 (BC)"],
      ["DATE", "infinity", "infinity"],
      ["TIMESTAMP", "2026-02-28", "2026-02-28 00:00:00.000000"],
      ["TIMESTAMP", "2026-02-28 12:30", "2026-02-28 12:30:00.000000"],
      ["TIMESTAMP", "2026-02-28T23:30:00.25-01:00", "2026-03-01 00:30:00.250000"],
      ["TIMESTAMP", "2026-02-28 24:00:00", undefined],
      ["TIMESTAMP", "2026-02-28 12:30:00.1234567", undefined],
      ["TIMESTAMP", "12026-02-28 12:30:00", "12026-02-28 12:30:00"],
      ["TIMESTAMP WITH TIME ZONE", "2026-02-28T12:30:00+0530", "2026-02-28 07:00:00.000000+00"],
      ["TIMESTAMP WITH TIME ZONE", "yesterday", undefined],
    ] as const) {
      assert.equal(exactText(type)(text), expected, `${type} ${text}`);
    }
    assert.equal(instant("0001-01-01")?.text, "0001-01-01 00:00:00.000000");
  });

  it("the watermark filter keeps equal, greater and incomparable values", () => {
    const read = (type: string, watermark: string, values: (string | null)[]) =>
      values.filter(isSince(type, watermark));
    assert.deepEqual(
      read("BIGINT", "9007199254740993", ["9007199254740992", "9007199254740993", "x", null]),
      ["9007199254740993", "x", null],
    );
    assert.deepEqual(read("DOUBLE", "1.5", ["1.4", "1.5", "2e0"]), ["1.5", "2e0"]);
    assert.deepEqual(read("VARCHAR", "b", ["a", "b", "c"]), ["b", "c"]);
    // In UTF-16 the emoji would be below.
    assert.deepEqual(read("VARCHAR", "\uFF5E", ["\uFF5D", "😀"]), ["😀"]);
    assert.deepEqual(read("TIME", "10:00:00", ["9:00", "10:00", "11:00:00"]), ["9:00", "10:00", "11:00:00"]);
  });
});

describe("exact JSON", () => {
  it("keeps digits that a double cannot hold", () => {
    for (const text of [
      "12345678901234567890",
      "0.12345678901234567890",
      "1234567890123.1234567",
      "1e400",
      "[9007199254740993]",
      '{"a":-9007199254740993}',
    ]) {
      assert.equal(JSON.stringify(parseExact(text)), text);
    }
    assert.deepEqual(
      parseExact("[0.30000000000000004, 1e3, 9007199254740991]"),
      [0.30000000000000004, 1000, 9007199254740991],
    );
  });
});

describe("watermark candidates", () => {
  it("modification times come first, then other times, dates, and an integer key", () => {
    const columns = [
      { name: "id", type: "BIGINT" },
      { name: "created", type: "TIMESTAMP" },
      { name: "day", type: "DATE" },
      { name: "note", type: "VARCHAR" },
      { name: "lastModified", type: "TIMESTAMP WITH TIME ZONE" },
      { name: "changed_on", type: "DATE" },
    ];
    assert.deepEqual(watermarkCandidates(columns, ["id"]), [
      "lastModified",
      "changed_on",
      "created",
      "day",
      "id",
    ]);
    assert.deepEqual(watermarkCandidates(columns.slice(0, 1), ["id", "note"]), []);
  });
});

describe("time patterns", () => {
  it("accepts the syntax of Spark and of strptime", () => {
    assert.deepEqual(timePattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX"), { pattern: "%Y-%m-%dT%H:%M:%S.%f%z" });
    assert.deepEqual(timePattern("%d/%m/%Y"), { pattern: "%d/%m/%Y" });
    assert.ok("problem" in timePattern("yyyy-qq"));
  });
});
