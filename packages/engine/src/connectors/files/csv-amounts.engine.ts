/** Amounts in CSV files become DECIMAL exactly if their digits after the point agree, and no number changes on its way. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { ingest } from "../../transfer/ingest.ts";
import { openFilesSource } from "./source.ts";

/** A number with the given count of digits before and after the point. */
const numberWith = (before: number, after: number) =>
  fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.bigInt({ min: before === 1 ? 0n : 10n ** BigInt(before - 1), max: 10n ** BigInt(before) - 1n }),
      fc.bigInt({ min: 0n, max: 10n ** BigInt(after) - 1n }),
    )
    .map(([sign, whole, fraction]) => `${sign}${whole}.${String(fraction).padStart(after, "0")}`);

/** The counts of digits after the point that a column has. Usually all its values have the same count. */
const scales = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 18 }).map((scale) => [scale]) },
  fc.uniqueArray(fc.integer({ min: 1, max: 18 }), { minLength: 2, maxLength: 2 }),
  fc.constant([1]),
);

/** The values of a column; null is NULL. Often 9 or 10 digits before the point: DECIMAL(18) is chosen for up to 9. */
const column = fc
  .tuple(scales, fc.oneof(fc.constantFrom(9, 10), fc.integer({ min: 1, max: 20 })))
  .chain(([after, before]) =>
    fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc
            .tuple(fc.constantFrom(...after), fc.integer({ min: 1, max: before }))
            .chain(([scale, digits]) => numberWith(digits, scale)),
        },
        fc.constant(null),
      ),
      { minLength: 6, maxLength: 6 },
    ),
  );

/** The expected type; undefined if the column is not a DECIMAL. */
function decimalOf(values: readonly (string | null)[]): string | undefined {
  const parts = values.flatMap((value) => (value === null ? [] : [value.replace("-", "").split(".")]));
  const after = new Set(parts.map(([, fraction = ""]) => fraction.length));
  const [scale = 0] = after;
  if (after.size !== 1 || scale < 2) return undefined;
  const before = Math.max(...parts.map(([whole = ""]) => whole.length));
  return `DECIMAL(${before <= 9 && scale <= 6 ? 18 : 38},${scale})`;
}

const withoutSignOfZero = (text: string): string => (/[1-9]/.test(text) ? text : text.replace("-", ""));

test("columns of amounts, over several files", async (t) => {
  const { folder, context, read } = await openSourceHarness(t);
  const seen = { decimal18: 0, decimal38: 0, double: 0, text: 0 };
  let cases = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(column, { minLength: 12, maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (columns, files) => {
        const path = join(folder, `case-${++cases}`);
        await mkdir(join(path, "amounts"), { recursive: true });
        const header = ["id", ...columns.map((_, at) => `c${at}`)].join(",");
        const lines = Array.from({ length: 6 }, (_, row) =>
          [row, ...columns.map((values) => values[row] ?? "")].join(","),
        );
        for (let file = 0; file < files; file += 1) {
          const own = lines.filter((_, row) => row % files === file);
          await writeFile(join(path, "amounts", `${file}.csv`), `${[header, ...own].join("\n")}\n`);
        }
        const source = await openFilesSource({ path, format: "csv", options: {} }, context);

        const [described] = await source.discover();
        const { rows, types, rejects } = await read(source, "amounts");

        assert.deepEqual(rejects, []);
        for (const [at, values] of columns.entries()) {
          const [type = "", shown] = [
            types[at + 1],
            described?.columns.find(({ name }) => name === `c${at}`),
          ];
          const expected = decimalOf(values);
          assert.equal(type.startsWith("DECIMAL") ? type : undefined, expected, JSON.stringify(values));
          assert.deepEqual(
            [shown?.type, shown?.origin],
            [type, type === "VARCHAR" ? "CSV" : "CSV, inferred"],
          );
          for (const [row, value] of values.entries()) {
            const found = rows[row]?.[at + 1];
            if (type !== "DOUBLE" || value === null)
              assert.equal(found, type === "VARCHAR" ? value : value && withoutSignOfZero(value));
            else {
              // Rows as JSON have no negative zero.
              assert.equal(Number(found) + 0, Number(value) + 0);
              // A DOUBLE holds at most 17 significant digits.
              assert.ok(value.replace(/^-?[0.]*|\.|\.?0*$/g, "").length <= 17, value);
            }
          }
          seen[
            type === "DOUBLE"
              ? "double"
              : type === "VARCHAR"
                ? "text"
                : type.includes("(18")
                  ? "decimal18"
                  : "decimal38"
          ] += 1;
        }
        await rm(path, { recursive: true });
      },
    ),
    // No shrinking: each attempt reads files, so the search for a smaller case would take minutes.
    { numRuns: randomCases(30), endOnFailure: true },
  );
  for (const [kind, count] of Object.entries(seen)) assert.ok(count > 0, `no column is ${kind}`);
});

suite("a number that its column does not hold is a reject, and no other row changes", () => {
  async function start(t: TestContext, columns?: object) {
    const { folder, request, context, rows } = await startTransferHarness(t);
    const path = join(folder, "drop");
    await mkdir(path);
    const made = request(
      { source: "orders-*.csv", watermark: "_file_modified", maxRejectShare: 0.9 },
      { connection: { type: "files", config: { path, format: "csv", ...(columns && { columns }) } } },
    );
    return {
      rows,
      async load(file: string, lines: readonly string[]) {
        await writeFile(join(path, `orders-${file}.csv`), `id,amount\n${lines.join("\n")}\n`);
        const { rejected } = await ingest({ ...made, run: `run-${file}` }, context);
        return rejected;
      },
      type: async () =>
        (
          await rows(
            "SELECT data_type FROM duckdb_columns() WHERE table_name = 'orders' AND column_name = 'amount'",
          )
        )[0]?.[0],
    };
  }
  const table = '_main."default".orders';

  test("an amount with more digits after the sample of 20,480 rows", async (t) => {
    const shop = await start(t);
    const sample = Array.from({ length: 20_480 }, (_, at) => `${at},${at}.25`);
    const rejected = await shop.load("1", [
      ...sample,
      ...["90001,1.255", "90002,12345678901234567.25", "90003,1.2500", "90004,7", "90005,1.5"],
    ]);
    assert.equal(await shop.type(), "DECIMAL(18,2)");
    assert.equal(rejected, 2);
    assert.deepEqual(await shop.rows(`SELECT count(*), sum(amount) FROM ${table} WHERE id < 90000`), [
      ["20480", "209710080.00"],
    ]);
    assert.deepEqual(await shop.rows(`SELECT id, amount FROM ${table} WHERE id > 90000 ORDER BY id`), [
      ["90003", "1.25"],
      ["90004", "7.00"],
      ["90005", "1.50"],
    ]);
  });

  test("1e400 is text in the sample, and a reject of a DOUBLE", async (t) => {
    const text = await start(t);
    assert.equal(await text.load("1", ["1,1.5", "2,1e400"]), 0);
    assert.equal(await text.type(), "VARCHAR");
    assert.deepEqual(await text.rows(`SELECT amount FROM ${table} ORDER BY id`), [["1.5"], ["1e400"]]);
    const number = await start(t);
    assert.equal(await number.load("1", ["1,1.5", "2,1e300"]), 0);
    assert.equal(await number.type(), "DOUBLE");
    assert.equal(await number.load("2", ["3,1e400", "4,-1e400", "5,1e-400", "6,2.5"]), 3);
    assert.deepEqual(await number.rows(`SELECT id, amount FROM ${table} ORDER BY id`), [
      ["1", 1.5],
      ["2", 1e300],
      ["6", 2.5],
    ]);
  });

  test("a declared float does not take 16777217, nor a declared double 123456789012345.123", async (t) => {
    for (const [type, fitting, lost] of [
      ["float", "16777216", "16777217"],
      ["double", "123456789012345", "123456789012345.123"],
    ] as const) {
      const shop = await start(t, { amount: type });
      assert.equal(await shop.load("1", [`1,${fitting}`, `2,${lost}`, "3,0.5"]), 1);
      assert.equal(await shop.type(), type.toUpperCase());
      assert.deepEqual(await shop.rows(`SELECT id, amount FROM ${table} ORDER BY id`), [
        ["1", Number(fitting)],
        ["3", 0.5],
      ]);
    }
  });
});
