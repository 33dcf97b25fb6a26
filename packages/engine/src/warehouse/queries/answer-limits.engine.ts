import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { openShop, type TestShop } from "../testing/shop.ts";

const valueBytes = 10_000;
const limits = { valueBytes, answerBytes: 40_000 };

/** DuckDB's SQL for a value that needs more than the limit, for each kind of vector. */
const large: readonly string[] = [
  "repeat('x', 20000)",
  "repeat('x', 20000)::BLOB",
  "repeat('1', 160000)::BIT",
  "('[' || repeat('1,', 10000) || '1]')::JSON",
  "range(5000)",
  "[range(2500), range(2500)]",
  "[repeat('x', 6000), repeat('y', 6000)]",
  "array_value(repeat('x', 6000), repeat('y', 6000))",
  "{'a': 1, 'b': {'c': repeat('x', 20000)}}",
  `{'${"n".repeat(20_000)}': 1}`,
  "MAP {'a': repeat('x', 20000)}",
  "map_from_entries([(i, i) for i in range(2000)])",
  "union_value(a := repeat('x', 20000))",
  "repeat('x', 20000)::VARIANT",
  "range(5000)::VARIANT",
  "repeat('9', 500)::BIGNUM",
  "rpad('x', 20000, 'y')",
  "list_value(NULL, {'a': range(5000)})",
];
const scalars =
  "1::TINYINT, 1::HUGEINT, 1.5::DECIMAL(38,2), uuid(), INTERVAL 1 DAY, DATE '2026-01-01', TRUE, NULL";

suite("limits of an answer", () => {
  let shop: TestShop;
  before(async () => {
    shop = await openShop({ limits });
  });
  after(() => shop[Symbol.asyncDispose]());

  for (const format of ["json", "arrow"] as const) {
    for (const sql of large) {
      test(`${format}: ${sql.slice(0, 60)} is too large`, async () => {
        assert.match(
          await shop.errorMessage(`SELECT ${sql} AS v`, { dialect: "duckdb", format }),
          /^A value in the column "v" is larger than 10000 bytes\./,
        );
      });
    }
  }

  test("values below the limit are returned, and NULL has no size", async () => {
    const { count } = await shop.query(
      `SELECT repeat('x', 9000), ${scalars}, CASE WHEN false THEN repeat('x', 20000) END, [NULL, 'a'], NULL::VARCHAR[]`,
      { dialect: "duckdb" },
    );
    assert.equal(count, 1);
  });

  test("a page ends before the answer is too large, also if JSON escapes make it so", async () => {
    const plain = await shop.query("SELECT repeat('x', 9000) FROM range(10)", { dialect: "duckdb" });
    assert.deepEqual([plain.count, plain.rows?.length, plain.more], [4, 4, true]);
    const escaped = await shop.query("SELECT repeat(chr(1), 5000) FROM range(10)", { dialect: "duckdb" });
    assert.deepEqual([escaped.count, escaped.rows?.length, escaped.more], [1, 1, true]);
    const next = await shop.query("SELECT repeat('x', 9000) FROM range(10)", { dialect: "duckdb", skip: 8 });
    assert.deepEqual([next.count, next.more], [2, false]);
  });

  test("a row that is larger than an answer is refused, and so are columns with long names", async () => {
    const wide = Array.from({ length: 6 }, (_, at) => `repeat('x', 9000) AS c${at}`).join();
    const sentence = /^A row is larger than 40000 bytes\./;
    assert.match(await shop.errorMessage(`SELECT ${wide}`, { dialect: "duckdb" }), sentence);
    assert.match(await shop.errorMessage("SELECT repeat(chr(1), 9000)", { dialect: "duckdb" }), sentence);
    const named = `SELECT 1 AS "${"n".repeat(50_000)}"`;
    assert.match(await shop.errorMessage(named, { dialect: "duckdb" }), sentence);
  });

  test("a message that quotes a huge value is shortened", async () => {
    const message = await shop.errorMessage("SELECT CAST(repeat('x', 1000000) AS INT)", {
      dialect: "duckdb",
    });
    assert.ok(message.length < 6_000, String(message.length));
    const ansi = await shop.errorMessage("SELECT CAST(repeat('x', 1000000) AS INT)");
    assert.match(ansi, /^CAST_INVALID_INPUT/);
    assert.ok(ansi.length < 500, String(ansi.length));
  });

  test("a query that spills more than its limit fails, and the next one runs", async () => {
    const small = await openShop({ memoryMb: 64, limits: { spillMb: 16 } });
    try {
      const message = await small.errorMessage(
        "SELECT m FROM (SELECT md5(range::VARCHAR) AS m, range FROM range(6000000)) ORDER BY m, range",
        { dialect: "duckdb", skip: 5_999_990, timeoutMs: 60_000 },
      );
      assert.match(message, /needs more temporary disk space than its limit\./);
      assert.equal((await small.query("SELECT 1")).count, 1);
    } finally {
      await small[Symbol.asyncDispose]();
    }
  });
});
