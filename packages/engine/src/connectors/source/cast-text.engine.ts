import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "@lakehelm/testing/random-cases";
import { literal } from "../../warehouse/names.ts";
import { castText } from "./cast-text.ts";
import { keepsDigits } from "./exact-float.ts";

const types = [
  "DECIMAL(18,2)",
  "DECIMAL(19,0)",
  "DECIMAL(20,0)",
  "DECIMAL(20,18)",
  "DECIMAL(38,0)",
  "DECIMAL(38,2)",
  "DECIMAL(38,10)",
  "DECIMAL(38,18)",
  "DECIMAL(38,19)",
  "DECIMAL(38,38)",
];

/** Integers at the limits of 64 and 128 bits and of every precision. */
const limits = [63n, 64n, 127n, 128n]
  .flatMap((bits) => [2n ** bits - 1n, 2n ** bits])
  .concat(
    [1, 2, 17, 18, 19, 20, 21, 28, 36, 37, 38, 39].flatMap((n) => [10n ** BigInt(n) - 1n, 10n ** BigInt(n)]),
  )
  .map(String);
const fractions = [
  "",
  ".",
  ".0",
  ".4",
  ".5",
  ".05",
  ".005",
  `.${"9".repeat(17)}`,
  `.${"9".repeat(18)}`,
  `.${"9".repeat(19)}`,
  `.${"9".repeat(38)}`,
  `.${"0".repeat(37)}1`,
];
const invalid = [
  "",
  " ",
  "-",
  "+",
  ".",
  "-.",
  "abc",
  "1_000",
  "1,000",
  "0x10",
  "1 2",
  "--1",
  "1.2.3",
  "NaN",
  "inf",
  "-infinity",
  "١",
  "1\n",
  "\t1 ",
];
const exponents = [
  "1e3",
  "1E3",
  "1.5e1",
  "15e-1",
  "1e17",
  "1e18",
  "1e37",
  "1e38",
  "1e-38",
  "1e-40",
  "e5",
  "1e",
];

const numbers = ["0", "00", "007", ...limits].flatMap((digits) =>
  fractions.flatMap((fraction) => ["", "-", "+"].map((sign) => `${sign}${digits}${fraction}`)),
);

suite("a cast of text to DECIMAL", () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  before(async () => {
    instance = await DuckDBInstance.create(":memory:");
    connection = await instance.connect();
  });
  after(() => {
    connection.closeSync();
    instance.closeSync();
  });

  /** The texts for which `castText` and TRY_CAST differ, in their value or their type. */
  async function differences(type: string, texts: readonly (string | null)[]) {
    const values = texts.map((text) => `(${text === null ? "NULL" : literal(text)})`).join(", ");
    const [cast, expected] = [castText("t", type), `TRY_CAST(t AS ${type})`];
    const found = await connection.runAndReadAll(
      `SELECT t, CAST(${cast} AS VARCHAR), CAST(${expected} AS VARCHAR) FROM (VALUES ${values}) v(t)
       WHERE ${cast} IS DISTINCT FROM ${expected} OR typeof(${cast}) <> typeof(${expected})`,
    );
    return found.getRowsJson();
  }

  for (const type of types) {
    test(`${type}: limits, fractions, signs, exponents, NULL and invalid texts give the result of TRY_CAST`, async () => {
      const texts = [null, ...numbers, ...exponents, ...invalid];
      assert.deepEqual(await differences(type, texts), []);
    });
  }

  test("random numbers give the result of TRY_CAST", async () => {
    const digits = (maxLength: number) =>
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength }).map((list) => list.join(""));
    const text = fc
      .tuple(fc.constantFrom("", "-", "+", " "), digits(40), fc.constantFrom("", "."), digits(40))
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...types),
        fc.array(text, { minLength: 100, maxLength: 100 }),
        async (type, texts) => assert.deepEqual(await differences(type, texts), []),
      ),
      { numRuns: 20, seed: 20_261_115 },
    );
  });

  test("a whole number in a FLOAT or DOUBLE is exact, or is refused", async () => {
    const whole = fc
      .tuple(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.nat(70))
      .map(([number, bits]) => number >> BigInt(bits));
    await fc.assert(
      fc.asyncProperty(fc.array(whole, { minLength: 200, maxLength: 200 }), async (all) => {
        for (const [type, round] of [
          ["FLOAT", Math.fround],
          ["DOUBLE", Number],
        ] as const) {
          const values = all.map((number) => `('${number}')`).join(", ");
          const found = await connection.runAndReadAll(
            `SELECT ${castText("t", type)} IS NOT NULL FROM (VALUES ${values}) v(t)`,
          );
          assert.deepEqual(
            found.getRowsJson().map(([isHeld]) => isHeld),
            all.map((number) => BigInt(round(Number(number))) === number),
            `${type} ${all}`,
          );
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});

suite("a cast of text to FLOAT and DOUBLE", () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  before(async () => {
    instance = await DuckDBInstance.create(":memory:");
    connection = await instance.connect();
  });
  after(() => {
    connection.closeSync();
    instance.closeSync();
  });

  async function cast(type: string, texts: readonly string[]): Promise<(string | null)[]> {
    const values = texts.map((text, at) => `(${at}, ${literal(text)})`).join(", ");
    const found = await connection.runAndReadAll(
      `SELECT CAST(${castText("t", type)} AS VARCHAR) FROM (VALUES ${values}) v(n, t) ORDER BY n`,
    );
    return found.getRowsJson().map(([value]) => (value === null ? null : String(value)));
  }

  test("a number that the type does not keep is refused, and its own values are not", async () => {
    for (const [type, accepted, refused] of [
      [
        "FLOAT",
        [
          "0",
          "-0.0",
          "0.1",
          "16777216",
          "3.1415927",
          "1e38",
          "-1.5e-10",
          "inf",
          "NaN",
          "-Infinity",
          "000.5",
          "1.50000000000",
        ],
        ["16777217", "3.14159265", "1e39", "1e-60", "-16777217.0", "1e400", "x", ""],
      ],
      [
        "DOUBLE",
        [
          "0.1",
          "16777217",
          "0.30000000000000004",
          "0.10000000000000001",
          "9007199254740992",
          "1e308",
          "5e-324",
          "1e22",
          "infinity",
          "nan",
          "0e999",
          "123456789012345",
        ],
        [
          "1e400",
          "-1e400",
          "1e-400",
          "9007199254740993",
          "0.1234567890123456789",
          "1.7976931348623159e308",
          "12345678901234567890",
          "abc",
          "1.2.3",
        ],
      ],
    ] as const) {
      const found = await cast(type, [...accepted, ...refused]);
      assert.deepEqual(
        found.map((value) => value !== null),
        [...accepted.map(() => true), ...refused.map(() => false)],
        `${type} ${found.join(" ")}`,
      );
    }
  });

  test("for random numbers, the warehouse and the readers of JSON agree, and what is accepted is the number that was written", async () => {
    const digits = (maxLength: number) =>
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength }).map((list) => list.join(""));
    const text = fc
      .tuple(
        fc.constantFrom("", "-"),
        digits(19),
        fc.constantFrom("", "."),
        digits(19),
        fc.constantFrom("", "e5", "e-20", "e300"),
      )
      .map(
        ([sign, before, point, after, exponent]) => `${sign}${before}${point && point + after}${exponent}`,
      );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 200, maxLength: 200 }), async (texts) => {
        for (const [at, value] of (await cast("DOUBLE", texts)).entries()) {
          const given = texts[at] ?? "";
          assert.equal(value !== null, keepsDigits(Number(given), given), given);
          if (value !== null) assert.equal(Number(value), Number(given), given);
        }
      }),
      { numRuns: 10, seed: 20_261_118 },
    );
  });
});
