/** Rows whose transactions commit after others with a greater watermark. */
import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { freshSchema } from "../connectors/postgresql/testing/schema.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";
import { ingest } from "./ingest.ts";

const day = 86_400;
const start = Date.UTC(2026, 0, 30);
const iso = (seconds: number) => new Date(start + seconds * 1000).toISOString();

/** Types that have a lag: the value of the n-th transaction, and the lag that reaches back over n of them. */
const types: Readonly<
  Record<string, { readonly value: (n: number) => string; readonly lag: (n: number) => number }>
> = {
  integer: { value: (n) => String(n - 3), lag: (n) => n },
  bigint: { value: (n) => String(2n ** 60n + BigInt(n) * 1_000_000_007n), lag: (n) => n * 1_000_000_007 },
  numeric: { value: (n) => `${10n ** 40n + BigInt(n)}.125`, lag: (n) => n },
  "numeric(12,3)": { value: (n) => String(n / 8 - 0.5), lag: (n) => n / 8 },
  "double precision": { value: (n) => String(n / 4), lag: (n) => n / 4 },
  date: { value: (n) => iso(n * day), lag: (n) => n * day },
  timestamp: { value: (n) => iso(n * 7.25), lag: (n) => n * 7.25 },
  timestamptz: { value: (n) => iso(n * 3600), lag: (n) => n * 3600 },
};

async function openShop(t: TestContext) {
  const harness = await startTransferHarness(t);
  const schema = await freshSchema();
  t.after(() => schema.drop());
  const { connection, client } = schema;
  const load = (dataset: Parameters<typeof harness.request>[0]) =>
    ingest(harness.request(dataset, { connection }), harness.context);
  const session = await schema.connect();
  t.after(() => session.end());
  return { ...harness, client, session, connection, load };
}

const transactions = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Transactions take their watermarks in order and commit in another one. A run follows the chosen commits and the last one. */
const commits = fc
  .record({
    order: fc.shuffledSubarray(transactions, { minLength: transactions.length }),
    runs: fc.uniqueArray(fc.nat(transactions.length - 2), { minLength: 2, maxLength: 2 }),
    updates: fc.array(fc.nat(8), { minLength: transactions.length, maxLength: transactions.length }),
  })
  .map((one) => ({ ...one, lateness: latenessOf(one.order) }));

/** The greatest number of transactions between one that commits and the newest one that has committed before it. */
function latenessOf(order: readonly number[]): number {
  let newest = 0;
  let most = 0;
  for (const n of order) {
    newest = Math.max(newest, n);
    most = Math.max(most, newest - n);
  }
  return most;
}

suite("late commits", () => {
  for (const [type, { value, lag }] of someOf(Object.entries(types), 1)) {
    test(`a watermark of type ${type} and a lag: every row arrives, once, whatever the order of commits`, async (t) => {
      const { client, load, rows } = await openShop(t);
      let cases = 0;
      await fc.assert(
        fc.asyncProperty(commits, async ({ order, runs, updates, lateness }) => {
          const table = `t${++cases}`;
          for (const name of [table, `${table}_keyed`]) {
            await client.query(`CREATE TABLE ${name} (id int, v ${type}, n int)`);
          }
          const arrived = async () => {
            for (const [strategy, keys] of [
              ["append", []],
              ["append", ["id"]],
              ["upsert", ["id"]],
            ] as const) {
              const source = strategy === "upsert" ? `${table}_keyed` : table;
              const target = `${table}_${strategy}${keys.length}`;
              const watermarkLag = lag(lateness);
              await load({ id: target, source, target, strategy, watermark: "v", keys, watermarkLag });
              const found = await rows(`SELECT id, n FROM _main."default".${target} ORDER BY id, n`);
              const expected = await client.query(`SELECT id, n FROM ${source} ORDER BY id, n`);
              assert.deepEqual(
                found.map(([id, n]) => [Number(id), Number(n)]),
                expected.rows.map(({ id, n }) => [id, n]),
                `${strategy} ${keys} after ${order}`,
              );
            }
          };
          for (const [at, n] of order.entries()) {
            // What a transaction wrote becomes visible when it commits, with the value that the transaction took when
            // it began.
            await client.query(`INSERT INTO ${table} VALUES (${at % 5}, $1, ${n})`, [value(n)]);
            await client.query(`INSERT INTO ${table}_keyed VALUES (${n}, $1, 0)`, [value(n)]);
            await client.query(
              `UPDATE ${table}_keyed SET v = $1, n = n + 1 WHERE id = ${updates[at]} AND v < $1`,
              [value(n)],
            );
            if (runs.includes(at)) await arrived();
          }
          await arrived();
        }),
        { numRuns: randomCases(5), endOnFailure: true },
      );
    });
  }

  test("a transaction that began first and commits last: its row arrives with a lag, and not without one", async (t) => {
    const { client, session, load, rows, lines } = await openShop(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, updated_at timestamptz NOT NULL DEFAULT now())",
    );
    await client.query("INSERT INTO orders VALUES (1, '2026-01-01Z')");
    await session.query("BEGIN; INSERT INTO orders VALUES (2)");
    await client.query("INSERT INTO orders VALUES (3)");
    await load({});
    await session.query("COMMIT");
    await load({});
    const ids = async () =>
      (await rows('SELECT id FROM _main."default".orders ORDER BY id')).flat().map(Number);
    assert.deepEqual(await ids(), [1, 3]);
    const { inserted, updated, read } = await load({ watermarkLag: 3600 });
    assert.deepEqual({ inserted, updated, read }, { inserted: 1, updated: 0, read: 2 });
    assert.deepEqual(await ids(), [1, 2, 3]);
    assert.match(lines.join("\n"), /reading orders from .*, which is the watermark .* less watermark_lag/);
    assert.deepEqual((await load({ watermarkLag: 3600 })).changed, [], "nothing is written again");
  });

  test("appended rows that are read again are known by key and watermark, or by all values without a key", async (t) => {
    const { client, load, rows } = await openShop(t);
    await client.query("CREATE TABLE visits (id int, seen int, views int)");
    await client.query("INSERT INTO visits VALUES (1, 10, 0), (2, 20, 0), (2, 20, 0)");
    const dataset = { source: "visits", strategy: "append", watermark: "seen", watermarkLag: 10 } as const;
    const append = async (target: string, keys: string[]) => {
      await load({ ...dataset, id: target, target, keys });
      return (await rows(`SELECT id, seen, views FROM _main."default".${target} ORDER BY ALL`)).map(String);
    };
    await append("keyed", ["id"]);
    await append("bare", []);
    await client.query("UPDATE visits SET views = 1 WHERE id = 1; INSERT INTO visits VALUES (3, 15, 0)");
    assert.deepEqual(await append("keyed", ["id"]), ["1,10,0", "2,20,0", "2,20,0", "3,15,0"]);
    assert.deepEqual(await append("bare", []), ["1,10,0", "1,10,1", "2,20,0", "2,20,0", "3,15,0"]);
    await client.query("INSERT INTO visits VALUES (2, 20, 0), (9, 9, 0)");
    assert.equal(
      (await append("bare", [])).length,
      6,
      "a third row with the same values; the other is below the lag",
    );
  });

  test("exports send rows again that were added below the watermark, once", async (t) => {
    const { client, rows, warehouse, request, context, connection } = await openShop(t);
    await warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
    await rows('CREATE TABLE _main."default".orders (id INTEGER, updated_at INTEGER)');
    await rows('INSERT INTO _main."default".orders VALUES (1, 100), (2, 120)');
    const send = (strategy: "append" | "upsert", watermarkLag: number) =>
      deliver(
        request(
          { id: strategy, target: strategy, strategy, keys: ["id"], watermarkLag },
          { direction: "out", connection },
        ),
        context,
      );
    const ids = async (table: string) =>
      (await client.query(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id);
    for (const strategy of ["append", "upsert"] as const) await send(strategy, 10);
    await rows('INSERT INTO _main."default".orders VALUES (3, 110), (4, 109)');
    for (const strategy of ["append", "upsert"] as const) {
      await send(strategy, 0);
      assert.deepEqual(await ids(strategy), [1, 2], strategy);
      await send(strategy, 10);
      assert.deepEqual(await ids(strategy), [1, 2, 3], strategy);
      const again = await send(strategy, 10);
      assert.deepEqual([again.inserted, again.updated], [0, 0], strategy);
    }
  });

  test("a lag below the least value of a type reads all rows", async (t) => {
    const { client, load } = await openShop(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY, updated_at int)");
    await client.query("INSERT INTO orders VALUES (1, 5)");
    await load({});
    await client.query("INSERT INTO orders VALUES (2, -2147483648)");
    assert.equal((await load({ watermarkLag: 1e15 })).inserted, 1);
  });

  test("a lag of a watermark that has no distances is an error", async (t) => {
    const { client, load } = await openShop(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY, updated_at text)");
    await assert.rejects(
      load({ watermarkLag: 1 }),
      /watermark_lag needs a watermark that is a number, a date or a timestamp, but "updated_at" of orders has the type text/,
    );
  });
});
