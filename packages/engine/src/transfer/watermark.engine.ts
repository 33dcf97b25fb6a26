import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { freshSchema } from "../connectors/postgresql/testing/schema.ts";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";
import { ingest } from "./ingest.ts";

const time = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const decimal = fc
  .tuple(fc.integer({ min: -2000, max: 2000 }), fc.nat(999))
  .map(([whole, part]) => `${whole}.${part}`);

/**
 * Types that have an order, with values in PostgreSQL's text form. The values of `last` sort last, and no later value
 * exceeds them.
 */
const types: Readonly<Record<string, { readonly value: fc.Arbitrary<string>; readonly last: string[] }>> = {
  integer: { value: fc.integer({ min: -5, max: 5000 }).map(String), last: ["2147483647"] },
  bigint: { value: fc.bigInt({ min: -5n, max: 10n ** 18n }).map(String), last: [`${2n ** 63n - 1n}`] },
  numeric: {
    value: fc.oneof(fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n }).map(String), decimal),
    last: ["NaN", "Infinity"],
  },
  "numeric(12,3)": { value: decimal, last: [] },
  "double precision": {
    value: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    last: ["NaN", "Infinity"],
  },
  date: { value: time, last: ["infinity", "9999-12-31"] },
  timestamp: { value: time, last: ["infinity", "9999-12-31 00:00:00"] },
  timestamptz: { value: time, last: ["infinity"] },
  text: { value: fc.string({ unit: fc.constantFrom("a", "B", "c", "-", "ä", "Z", "9", " ") }), last: [] },
  'text COLLATE "en-x-icu"': {
    value: fc.string({ unit: fc.constantFrom("a", "B", "c", "-", "ä", "Z", "9", " ") }),
    last: [],
  },
  "character(5)": { value: fc.constantFrom("a", "ab", "a b", "B", "9"), last: [] },
  uuid: { value: fc.uuid(), last: [] },
};

async function openShop(t: TestContext) {
  const harness = await startTransferHarness(t);
  const schema = await freshSchema();
  t.after(() => schema.drop());
  const { connection } = schema;
  const load = (dataset: Parameters<typeof harness.request>[0]) =>
    ingest(harness.request(dataset, { connection }), harness.context);
  return { ...harness, client: schema.client, connection, load };
}

suite("a watermark", () => {
  for (const [type, { value, last }] of Object.entries(types)) {
    test(`of type ${type}: rows that are added in its order all arrive, once`, async (t) => {
      const { client, load, rows } = await openShop(t);
      let cases = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(value, { minLength: 20, maxLength: 40 }),
          fc.array(fc.constantFrom(...last, null), { maxLength: 2 }),
          fc.array(fc.nat(20), { minLength: 1, maxLength: 2 }),
          async (values, lasts, cuts) => {
            const table = `t${++cases}`;
            await client.query(`CREATE TABLE ${table} (id int, v ${type})`);
            const ordered = await client.query(
              `SELECT one::text AS v FROM unnest($1::text[]::${type.replace(/ COLLATE.*/, "")}[]) one ORDER BY ${/text|character/.test(type) ? 'one::text COLLATE "C"' : "one"}`,
              [values],
            );
            const texts = ordered.rows.map(({ v }) => String(v));
            const ends = [...new Set(cuts)].sort((a, b) => a - b).filter((end) => end < texts.length);
            let id = 0;
            let from = 0;
            for (const to of [...ends, texts.length]) {
              // The first batch also has the values that no later value exceeds.
              for (const v of [...texts.slice(from, to), ...(from === 0 ? lasts : [])]) {
                await client.query(`INSERT INTO ${table} VALUES ($1, $2)`, [++id, v]);
              }
              from = to;
              for (const strategy of ["append", "upsert"] as const) {
                const target = `${table}_${strategy}`;
                await load({
                  id: target,
                  source: table,
                  target,
                  strategy,
                  watermark: "v",
                  keys: strategy === "upsert" ? ["id"] : [],
                });
                const found = await rows(`SELECT id FROM _main."default".${target} ORDER BY id`);
                assert.deepEqual(
                  found.map(([one]) => Number(one)),
                  Array.from({ length: id }, (_, at) => at + 1),
                  `${strategy} ${JSON.stringify(texts)} ${JSON.stringify(lasts)} cut at ${ends}`,
                );
              }
            }
          },
        ),
        { numRuns: randomCases(5), endOnFailure: true },
      );
    });
  }

  test("that no later row can exceed is not stored, and the log says so", async (t) => {
    const { client, load, lines } = await openShop(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, updated_at timestamptz); INSERT INTO orders VALUES (1, 'infinity'), (2, '2026-01-01Z')",
    );
    assert.equal((await load({})).watermark_after, "2026-01-01 00:00:00+00");
    assert.match(lines.join("\n"), /1 row has a value in "updated_at" that no later row can exceed/);
    const again = await load({});
    assert.deepEqual([again.inserted, again.updated], [0, 0]);
    await client.query("INSERT INTO orders VALUES (3, '2099-01-01Z')");
    assert.equal((await load({})).inserted, 1);
    assert.match(lines.join("\n"), /the watermark 2099-01-01 00:00:00\+00 is in the future/);
  });

  test("of a type without an order is an error", async (t) => {
    const { client, load } = await openShop(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY, updated_at jsonb)");
    await assert.rejects(load({}), /"updated_at" of orders has the type jsonb and cannot be the watermark/);
  });

  test("in another column starts over, in both directions", async (t) => {
    const { client, load, context, request, connection } = await openShop(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, updated_at int, seq int); INSERT INTO orders VALUES (1, 100, 1)",
    );
    await load({});
    await client.query("INSERT INTO orders VALUES (2, 1, 2), (3, 1, 3)");
    assert.equal((await load({})).inserted, 0, "they are below the watermark");
    const changed = await load({ watermark: "seq" });
    assert.deepEqual([changed.watermark_before, changed.inserted], [null, 2]);
    assert.equal((await load({ watermark: "seq" })).watermark_before, "3");

    const send = (watermark: string) =>
      deliver(request({ id: "out", target: "copy", watermark }, { direction: "out", connection }), context);
    await send("updated_at");
    await client.query("DELETE FROM copy WHERE id > 1");
    assert.equal((await send("updated_at")).inserted, 0);
    assert.equal((await send("seq")).inserted, 2);
    assert.equal((await send("seq")).watermark_before, "3");
  });

  test("changed primary keys: the table is refused with the next step, or written anew", async (t) => {
    const { client, load } = await openShop(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, region text, updated_at int); INSERT INTO orders VALUES (1, 'n', 1)",
    );
    await load({});
    await assert.rejects(
      load({ keys: ["id", "region"] }),
      /its rows have the key id instead of id, region\. Nothing was written\..*--set parameters\.full_refresh=true/,
    );
    await client.query("UPDATE orders SET region = 's' WHERE id = 1; INSERT INTO orders VALUES (2, 'n', 2)");
    // A dataset with `deletes` equals its source, as does any dataset after a full refresh.
    const done = await load({ keys: ["id", "region"], deletes: true });
    assert.deepEqual([done.inserted, done.deleted], [2, 1]);
    assert.equal((await load({ keys: ["id", "region"], deletes: true })).inserted, 0);
  });

  for (const direction of ["in", "out"] as const)
    test(`${direction}: a window that sees changed settings first leaves no old rows behind`, async (t) => {
      const { client, context, connection, request, rows } = await openShop(t);
      const transfer = async (dataset: Partial<Dataset>, window?: TransferRequest["window"]) => {
        const given = { deletes: true, maxDeleteShare: 1, ...dataset };
        const more = { direction, connection, ...(window && { window }) };
        return direction === "in"
          ? ingest(request(given, more), context)
          : deliver(request({ ...given, target: "copy" }, more), context);
      };
      const stored = '_main."default".orders';
      await client.query(
        "CREATE TABLE orders (id int PRIMARY KEY, code int, updated_at int, seq int); INSERT INTO orders SELECT n, n, n, 10 - n FROM generate_series(1, 9) n",
      );
      if (direction === "out")
        await ingest(request({ id: "first", keys: [], strategy: "replace" }, { connection }), context);
      await transfer({});
      const found = async () =>
        direction === "in"
          ? (await rows(`SELECT id, code FROM ${stored} ORDER BY ALL`)).map(([id, code]) => [
              +`${id}`,
              +`${code}`,
            ])
          : (await client.query("SELECT id, code FROM copy ORDER BY 1, 2")).rows.map(({ id, code }) => [
              id,
              code,
            ]);
      const before = await found();
      const change = (set: string) =>
        direction === "in" ? client.query(`UPDATE orders SET ${set}`) : rows(`UPDATE ${stored} SET ${set}`);
      await change("code = 10 - code WHERE id IN (1, 9)");
      const window = { from: "2", to: "4" };
      await assert.rejects(
        transfer({ keys: ["code"] }, window),
        /its rows have the key id instead of code\. Nothing was written\..*lakehelm connectors run shop/,
      );
      assert.deepEqual(await found(), before);
      if (direction === "out") await client.query("CREATE UNIQUE INDEX ON copy (code)");
      await transfer({ keys: ["code"] });
      const after = [[1, 9], ...before.slice(1, 8), [9, 1]];
      assert.deepEqual(await found(), after);

      // Another watermark: first the rows of the window, then all rows.
      await transfer({ keys: ["code"], watermark: "seq" }, window);
      await change("id = 77 WHERE id = 8");
      await transfer({ keys: ["code"], watermark: "seq" });
      assert.deepEqual(
        await found(),
        after
          .map(([id, code]) => [id === 8 ? 77 : id, code])
          .sort(([a = 0], [b = 0]) => Number(a) - Number(b)),
      );
    });
});
