import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openShop, type TestShop } from "../testing/shop.ts";

let shop: TestShop;
before(async () => {
  shop = await openShop();
});
after(() => shop[Symbol.asyncDispose]());

/** An expression, and its value in Databricks. */
const expressions: readonly (readonly [string, unknown])[] = [
  ["array_join(array('a', 'b'), '-')", "a-b"],
  ["array_size(array(1, 2))", 2],
  ["bround(2.5)", "2"],
  ["charindex('b', 'ab')", 2],
  ["concat('a', NULL)", null],
  ["'a' || NULL", null],
  ["concat('a', 'b', 'c')", "abc"],
  ["date_add(DATE '2026-01-31', 1)", "2026-02-01"],
  ["date_sub(DATE '2026-01-01', 1)", "2025-12-31"],
  ["dayofweek(DATE '2026-01-04')", 1],
  ["weekday(DATE '2026-01-04')", 6],
  ["element_at(array(1, 2), 2)", 2],
  ["element_at(map('a', 1), 'a')", 1],
  ["map('a', 1)['a']", 1],
  ["get(array(5, 6), 0)", 5],
  ["endswith('abc', 'c')", true],
  ["startswith('abc', 'c')", false],
  ["flatten(array(array(1), array(2)))", [1, 2]],
  ["from_unixtime(0)", "1970-01-01 00:00:00"],
  ["get_json_object('{\"a\": \"b\"}', '$.a')", "b"],
  ["hex('Ab')", "4162"],
  ["initcap('ada LOVELACE')", "Ada Lovelace"],
  ["isnull(NULL)", true],
  ["isnotnull(1)", true],
  ["locate('b', 'ab')", 2],
  ["nullifzero(0)", null],
  ["zeroifnull(NULL)", 0],
  ["percentile(id, 0.5)", 2],
  ["pmod(-7, 3)", 2],
  ["regexp_like('abc', 'b.')", true],
  ["rint(2.5)", 2],
  ["sequence(1, 3)", [1, 2, 3]],
  ["sha2('a', 256)", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"],
  ["slice(array(1, 2, 3), 2, 2)", [2, 3]],
  ["substring_index('a.b.c', '.', 2)", "a.b"],
  ["substring_index('a.b.c', '.', -2)", "b.c"],
  ["timestamp_millis(1)", "1970-01-01T00:00:00.001Z"],
  ["unix_date(DATE '1970-01-03')", 2],
  ["unix_micros(TIMESTAMP '1970-01-01 00:00:01')", 1_000_000],
  ["unix_timestamp(TIMESTAMP '1970-01-01 00:00:01')", 1],
  ["transform(array(1, 2), x -> x + 1)", [2, 3]],
  ["filter(array(1, 2), x -> x > 1)", [2]],
  ["try_cast('x' AS INT)", null],
  ["try_cast(concat('1', '2') AS INT)", 12],
  ["coalesce(try_cast('x' AS INT), cast('3' AS INT))", 3],
  ["9223372036854775807", "9223372036854775807"],
  ["12345678901234567890.12345", "12345678901234567890.12345"],
  ["nvl(NULL, 1)", 1],
  ["if(1 = 1, 'x', 'y')", "x"],
  ["1 <=> NULL", false],
  ["date_format(DATE '2026-02-03', 'dd.MM.yyyy')", "03.02.2026"],
  ["datediff(DATE '2026-01-03', DATE '2026-01-01')", 2],
  ["'it\\'s'", "it's"],
];

for (const [expression, expected] of expressions) {
  test(`${expression} is ${JSON.stringify(expected)}`, async () => {
    const isAggregate = expression.startsWith("percentile");
    const { rows } = await shop.query(`SELECT ${expression} AS x${isAggregate ? " FROM orders" : ""}`);
    assert.deepEqual(rows, [[expected]]);
  });
}

test("a failed cast is an error that names the value", async () => {
  assert.match(await shop.errorMessage("SELECT CAST('x' AS DATE) AS n"), /invalid date field format: "x"/);
});

test("an unnamed column has the name of its expression as written", async () => {
  const { columns } = await shop.query("SELECT pmod(id, 2), count(*) FROM orders GROUP BY id");
  assert.deepEqual(
    columns.map(({ name }) => name),
    ["pmod(id, 2)", "count(*)"],
  );
});

test("an index in brackets counts from 0, and is the key of a map", async () => {
  const { rows } = await shop.query(
    "SELECT array(1, 2)[0] AS a, map(1, 'x')[1] AS b, map('k', 'y')['k'] AS c",
  );
  assert.deepEqual(rows, [[1, "x", "y"]]);
  const sentence =
    "INVALID_ARRAY_INDEX: the list has no element 2. Write get(list, index) to get NULL instead.";
  assert.equal(await shop.errorMessage("SELECT array(1, 2)[2] AS n"), sentence);
});

test("a chain of indexes is rejected before it grows without limit", async () => {
  const chain = `SELECT ${"array(".repeat(25)}1${")".repeat(25)}${"[0]".repeat(25)} AS n`;
  assert.equal(await shop.errorMessage(chain), "This is nested too deeply: split it up with WITH.");
  const { rows } = await shop.query("SELECT array(array(map(7, 'x')))[0][0][7] AS n");
  assert.deepEqual(rows, [["x"]]);
});

test("a path into JSON text gives text without quotes, and a lambda that is a text stays one", async () => {
  const { rows } = await shop.query(
    'SELECT p:name AS a, p:lines[0].sku AS b, transform(array(1), x -> \'$.name\') AS c FROM (SELECT \'{"name": "Ada", "lines": [{"sku": "s"}]}\' AS p)',
  );
  assert.deepEqual(rows, [["Ada", "s", ["$.name"]]]);
});

test("long lists are not compared element by element", async () => {
  const message = await shop.errorMessage("SELECT array_distinct(sequence(1, 20000)) AS n");
  assert.match(message, /^LIMIT_EXCEEDED: a list of 20000 elements/);
});

/** A number by its shortest text, rounded half up to `scale` decimals. */
function roundedText(number: number, scale: number): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(number)) ?? [];
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  const power = 10n ** BigInt(Math.abs(places - scale));
  const unscaled = places <= scale ? digits * power : (digits * 2n + power) / (power * 2n);
  const padded = String(unscaled).padStart(scale + 1, "0");
  return `${unscaled === 0n ? "" : sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

test("a DOUBLE is a DECIMAL by its shortest text, however many digits it has", async () => {
  let seed = 31;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (const scale of [2, 5]) {
    const numbers = Array.from({ length: 600 }, (_, at) => {
      const size = 10 ** Math.floor(random() * 17);
      const number = random() * size;
      // Half of the last digit, and its neighbours.
      const half = (Math.floor(number) + 0.5) / 10 ** scale;
      return [number, half, half * (1 + Number.EPSILON), -half * (1 - Number.EPSILON)][at % 4] ?? 0;
    });
    const { rows = [] } = await shop.query(
      `SELECT n, CAST(d AS DECIMAL(38, ${scale})) FROM (VALUES ${numbers.map((number, at) => `(${at}, CAST('${number}' AS DOUBLE))`).join(", ")}) AS t (n, d)`,
      { limit: 1000, timeoutMs: 60_000 },
    );
    const different = rows.flatMap(([at, found]) => {
      const number = numbers[Number(at)] ?? 0;
      return found === roundedText(number, scale) ? [] : [`${number}: ${found}`];
    });
    assert.equal(rows.length, numbers.length);
    assert.deepEqual(different, []);
  }
});
