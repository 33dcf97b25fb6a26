import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { tableFromIPC } from "@uwdata/flechette";
import { openShop, type TestShop } from "../testing/shop.ts";

let shop: TestShop;
before(async () => {
  shop = await openShop();
});
after(() => shop[Symbol.asyncDispose]());

interface TypeExample {
  /** DuckDB's SQL for a value. */
  readonly sql: string;
  readonly shown: string;
  readonly json: unknown;
  /** As an Arrow reader returns it: decimals as integers, times in milliseconds. */
  readonly arrow: unknown;
}

const examples: readonly TypeExample[] = [
  { sql: "true", shown: "BOOLEAN", json: true, arrow: true },
  { sql: "(-128)::TINYINT", shown: "TINYINT", json: -128, arrow: -128 },
  { sql: "32767::SMALLINT", shown: "SMALLINT", json: 32767, arrow: 32767 },
  { sql: "(-2147483648)::INTEGER", shown: "INT", json: -2147483648, arrow: -2147483648 },
  { sql: "42::BIGINT", shown: "BIGINT", json: 42, arrow: 42n },
  { sql: "9007199254740993::BIGINT", shown: "BIGINT", json: "9007199254740993", arrow: 9007199254740993n },
  {
    sql: "18446744073709551615::UBIGINT",
    shown: "DECIMAL(20,0)",
    json: "18446744073709551615",
    arrow: 18446744073709551615n,
  },
  {
    sql: "(2::HUGEINT ** 100)::HUGEINT",
    shown: "DECIMAL(38,0)",
    json: "1267650600228229401496703205376",
    arrow: "1267650600228229401496703205376",
  },
  { sql: "0.5::FLOAT", shown: "FLOAT", json: 0.5, arrow: 0.5 },
  { sql: "0.1::DOUBLE", shown: "DOUBLE", json: 0.1, arrow: 0.1 },
  { sql: "'NaN'::DOUBLE", shown: "DOUBLE", json: "NaN", arrow: Number.NaN },
  { sql: "'-Infinity'::DOUBLE", shown: "DOUBLE", json: "-Infinity", arrow: Number.NEGATIVE_INFINITY },
  { sql: "12.50::DECIMAL(12,2)", shown: "DECIMAL(12,2)", json: "12.50", arrow: 1250n },
  {
    sql: "(-12345678901234567890.1234567890)::DECIMAL(38,10)",
    shown: "DECIMAL(38,10)",
    json: "-12345678901234567890.1234567890",
    arrow: -123456789012345678901234567890n,
  },
  { sql: "'größe 😀'", shown: "STRING", json: "größe 😀", arrow: "größe 😀" },
  { sql: "''", shown: "STRING", json: "", arrow: "" },
  { sql: "'\\x00\\xFF'::BLOB", shown: "BINARY", json: "AP8=", arrow: new Uint8Array([0, 255]) },
  { sql: "DATE '1969-12-31'", shown: "DATE", json: "1969-12-31", arrow: -86_400_000 },
  { sql: "TIME '12:34:56.789012'", shown: "TIME", json: "12:34:56.789012", arrow: 45_296_789_012n },
  {
    sql: "TIMESTAMP '2026-01-02 03:04:05.123456'",
    shown: "TIMESTAMP_NTZ",
    json: "2026-01-02T03:04:05.123456",
    arrow: 1767323045123.456,
  },
  {
    sql: "TIMESTAMPTZ '2026-01-02 03:04:05.123457+02'",
    shown: "TIMESTAMP",
    json: "2026-01-02T01:04:05.123457Z",
    arrow: 1767315845123.457,
  },
  {
    sql: "TIMESTAMPTZ '1900-01-01 00:00:00+00'",
    shown: "TIMESTAMP",
    json: "1900-01-01T00:00:00Z",
    arrow: -2208988800000,
  },
  {
    sql: "INTERVAL '1 month 2 days 3 seconds'",
    shown: "INTERVAL",
    json: "1 month 2 days 00:00:03",
    arrow: Float64Array.of(1, 2, 3_000_000_000),
  },
  {
    sql: "'0195d0a1-0000-7000-8000-000000000001'::UUID",
    shown: "STRING",
    json: "0195d0a1-0000-7000-8000-000000000001",
    arrow: "0195d0a1-0000-7000-8000-000000000001",
  },
  { sql: "'{\"a\": 1}'::JSON", shown: "STRING", json: '{"a": 1}', arrow: '{"a": 1}' },
  { sql: "['a', NULL, 'b']", shown: "ARRAY<STRING>", json: ["a", null, "b"], arrow: ["a", null, "b"] },
  {
    sql: "[TIMESTAMPTZ '2026-01-02 03:04:05.123456+00']",
    shown: "ARRAY<TIMESTAMP>",
    json: ["2026-01-02T03:04:05.123456Z"],
    arrow: [1767323045123.456],
  },
  {
    sql: "{'n': 1, 'two words': 2.5::DECIMAL(3,1)}",
    shown: "STRUCT<n: INT, `two words`: DECIMAL(3,1)>",
    json: { n: 1, "two words": "2.5" },
    arrow: { n: 1, "two words": 25n },
  },
  {
    sql: "MAP {'a': 1, 'b': NULL}",
    shown: "MAP<STRING, INT>",
    json: { a: 1, b: null },
    arrow: [
      ["a", 1],
      ["b", null],
    ],
  },
];

/** Returns integers as Arrow stores them, without rounding. */
const exactValues = { useBigInt: true, useDecimalInt: true, useDate: false } as const;

for (const { sql, shown, json, arrow } of examples) {
  test(`${sql} as ${shown}, in JSON and in Arrow`, async () => {
    const text = `SELECT x FROM (VALUES (1, ${sql}), (2, NULL)) AS t(n, x) ORDER BY n`;
    const asJson = await shop.query(text, { dialect: "duckdb" });
    assert.deepEqual(asJson.columns, [{ name: "x", type: shown }]);
    assert.deepEqual(asJson.rows, [[json], [null]]);
    assert.deepEqual(JSON.parse(JSON.stringify(asJson.rows)), asJson.rows);

    const asArrow = await shop.query(text, { dialect: "duckdb", format: "arrow" });
    const column = tableFromIPC(asArrow.arrow ?? new Uint8Array(), exactValues).getChild("x");
    assert.deepEqual(plain(column.at(0)), arrow);
    assert.equal(column.at(1), null);
    assert.equal(asArrow.count, 2);
  });
}

test("a page without rows is an Arrow stream that has the columns", async () => {
  const { arrow, count } = await shop.query("SELECT id, customer FROM orders WHERE false", {
    format: "arrow",
  });
  const table = tableFromIPC(arrow ?? new Uint8Array());
  assert.deepEqual([count, table.numRows, table.names], [0, 0, ["id", "customer"]]);
});

test("an Arrow page across several chunks has exactly the requested rows", async () => {
  const sql = "SELECT id FROM range(10000) ORDER BY id";
  const { arrow, more } = await shop.query(sql, { format: "arrow", skip: 2_000, limit: 5_000 });
  const ids = tableFromIPC(arrow ?? new Uint8Array()).getChild("id");
  assert.deepEqual([ids.length, ids.at(0), ids.at(4_999), more], [5_000, 2_000, 6_999, true]);
});

test("the Arrow schema has the types of the columns", async () => {
  const sql =
    "SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00' AS a, 1.5::DECIMAL(12,2) AS b, [TIMESTAMP '2026-01-01'] AS c";
  const { arrow } = await shop.query(sql, { dialect: "duckdb", format: "arrow" });
  const table = tableFromIPC(arrow ?? new Uint8Array());
  const [a, b, c] = table.schema.fields.map(({ type }) => type);
  assert.partialDeepStrictEqual(a, { typeId: 10, unit: 2, timezone: "UTC" });
  assert.partialDeepStrictEqual(b, { typeId: 7, precision: 12, scale: 2, bitWidth: 128 });
  assert.partialDeepStrictEqual(c, {
    typeId: 12,
    children: [{ type: { typeId: 10, unit: 2, timezone: null } }],
  });
});

/** Converts nested vectors and maps of the Arrow library to arrays. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (ArrayBuffer.isView(value) || typeof value !== "object" || value === null) return value;
  if (Symbol.iterator in value) return [...(value as Iterable<unknown>)].map(plain);
  return { ...value };
}
