import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { onlyNightly, someOf } from "@lakehelm/testing/nightly";
import { ingestionOf, secrets } from "./ingestion-requests.ts";
import { type EmptyDatabase, emptyDatabase } from "./postgres.ts";
import { crashPoints, type SparkEngine, startSpark } from "./spark-engine.ts";

const orders = { source_dataset: "orders", target_name: "orders", watermark_column: "updated_at" };

describe("ingestion from PostgreSQL", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"] });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.bronze");
  });

  const from = (database: EmptyDatabase, ...tables: object[]) =>
    ingestionOf("postgresql", { ...addressOf(database), pii_columns: ["EMAIL"] }, tables);
  const idsAndNames = (table = "orders") =>
    engine.sql(`SELECT id, name FROM main.bronze.${table} ORDER BY id, name`);

  it(
    "reads a table in parallel, also rows without a value in the partition column",
    onlyNightly,
    async (t) => {
      const database = await emptyDatabase(t);
      await database.query('CREATE TABLE orders (id int, name text, "At" timestamp)');
      const notebook = ingestionOf(
        "postgresql",
        { ...addressOf(database), partition_columns: { orders: "at" }, num_partitions: 3, fetch_size: 2 },
        [{ ...orders, watermark_column: undefined, write_strategy: "replace" }],
      );
      const empty = await engine.completes(notebook, { secrets });
      assert.match(empty.output, /0 rows replaced/);
      await database.query(
        `INSERT INTO orders SELECT n, 'x', '2026-01-01'::timestamp + n * interval '1 day' FROM generate_series(1, 9) n`,
      );
      await database.query("INSERT INTO orders VALUES (10, 'no time', NULL)");
      assert.match((await engine.completes(notebook, { secrets })).output, /10 rows replaced/);
    },
  );

  it("reads new rows, finds late rows at the watermark, and changes only rows that differ", async (t) => {
    const database = await emptyDatabase(t);
    await database.query("CREATE TABLE orders (id int PRIMARY KEY, name text, updated_at timestamptz)");
    await database.query(
      `INSERT INTO orders VALUES (1, 'one', '2026-01-01 10:00:00.000001Z'), (2, 'two', '2026-01-01 10:00:00.000002Z'),
       (3, 'no mark', NULL)`,
    );
    const notebook = from(database, { ...orders, primary_keys: ["id"] });
    const first = await engine.completes(notebook, { secrets });
    assert.match(first.output, /3 inserted, 0 updated, mark None -> 2026-01-01 10:00:00.000002/);

    const again = await engine.completes(notebook, { secrets, on: "databricks" });
    assert.match(again.output, /0 inserted, 0 updated\n/);
    assert.equal(
      (await engine.sql("DESCRIBE HISTORY main.bronze.orders")).length,
      2,
      "no new rows, no commit",
    );

    await database.query("INSERT INTO orders VALUES (4, 'late, at the mark', '2026-01-01 10:00:00.000002Z')");
    await database.query("UPDATE orders SET name = 'TWO' WHERE id = 2");
    await database.query("UPDATE orders SET name = 'still none' WHERE id = 3");
    await database.query("UPDATE orders SET name = 'unseen' WHERE id = 1");
    const late = await engine.completes(notebook, { secrets });
    assert.match(late.output, /1 inserted, 2 updated\n/);
    assert.deepEqual(await idsAndNames(), [
      { id: 1, name: "one" },
      { id: 2, name: "TWO" },
      { id: 3, name: "still none" },
      { id: 4, name: "late, at the mark" },
    ]);

    const parameters = { datasets: '["orders"]', reset_watermark: "true" };
    const reset = await engine.completes(notebook, { secrets, parameters });
    assert.match(reset.output, /0 inserted, 1 updated, mark None -> 2026-01-01 10:00:00.000002/);
    assert.deepEqual((await idsAndNames())[0], { id: 1, name: "unseen" });
    const wrong = await engine.runNotebook(notebook, { secrets, parameters: { datasets: '["other"]' } });
    assert.match(wrong.error?.message ?? "", /there is no table other/);

    await database.query("UPDATE orders SET name = 'later' WHERE id IN (1, 2)");
    const window = JSON.stringify({ from: "2026-01-01", to: "2026-01-01T10:00:00.000002Z" });
    const part = await engine.completes(notebook, { secrets, parameters: { window } });
    assert.match(part.output, /0 inserted, 1 updated, of a window\n/);
    await database.query("DELETE FROM orders WHERE id = 4");
    const full = await engine.completes(notebook, { secrets, parameters: { full_refresh: "true" } });
    assert.match(full.output, /0 inserted, 1 updated, 1 deleted, mark None -> 2026-01-01 10:00:00.000002/);
    const left = [1, 2, 3].map((id) => ({ id, name: id === 3 ? "still none" : "later" }));
    assert.deepEqual(await idsAndNames(), left);
    await database.query("DELETE FROM orders WHERE id < 3");
    const lost = await engine.runNotebook(notebook, { secrets, parameters: { full_refresh: "true" } });
    assert.match(lost.error?.message ?? "", /it would delete 2 of 3 rows, more than half/);
    assert.deepEqual(await idsAndNames(), left);
  });

  // Only the last case runs in the gate.
  const endless = [
    ["double precision", "1.5", "2.5", "'NaN'"],
    ["double precision", "1.5", "2.5", "'infinity'"],
    ["date", "'2026-01-01'", "'2026-01-02'", "'9999-12-31'"],
    ["bigint", "1", "2", "9223372036854775807"],
    ["timestamptz", "'2026-01-01Z'", "'2026-01-02Z'", "'infinity'"],
  ] as const;
  for (const [type, early, late, value] of someOf(endless, 1)) {
    it(`${type} ${value} does not hide later rows`, async (t) => {
      const database = await emptyDatabase(t);
      await database.query(`CREATE TABLE orders (id int, name text, updated_at ${type})`);
      await database.query(`INSERT INTO orders VALUES (1, 'a', ${early}), (2, 'b', ${value})`);
      const notebook = from(database, orders);
      const first = await engine.completes(notebook, { secrets });
      assert.match(first.output, /1 rows have a watermark that no later row can exceed/);
      assert.match(first.output, /2 inserted, 0 updated, mark None -> [12]/);
      await database.query(`INSERT INTO orders VALUES (3, 'c', ${late})`);
      assert.match((await engine.completes(notebook, { secrets })).output, /1 inserted, 0 updated, mark/);
    });
  }

  it("widens a column, and casts to a type of the target that is wider already", async (t) => {
    const database = await emptyDatabase(t);
    await database.query("CREATE TABLE orders (id int, v1 numeric(5,2), v2 bigint, v3 numeric(9,4))");
    await database.query("INSERT INTO orders VALUES (1, 1.25, 9000000000, 1.2345)");
    const notebook = from(database, { ...orders, watermark_column: undefined, primary_keys: ["id"] });
    await engine.completes(notebook, { secrets });
    await database.query("DROP TABLE orders");
    await database.query("CREATE TABLE orders (id bigint, v1 numeric(9,4), v2 int, v3 numeric(5,2))");
    await database.query("INSERT INTO orders VALUES (1, 1.2345, 5, 1.25), (9000000000, 2, 6, NULL)");
    const { output } = await engine.completes(notebook, { secrets });
    assert.match(output, /1 inserted, 1 updated/);
    assert.match(
      output,
      /widened the column v1 of main\.bronze\.orders from decimal\(5,2\) to decimal\(9,4\)/,
    );
    assert.deepEqual(await engine.sql("SELECT * FROM main.bronze.orders ORDER BY id"), [
      { id: 1, v1: "1.2345", v2: 5, v3: "1.2500" },
      { id: 9000000000, v1: "2.0000", v2: 6, v3: null },
    ]);
  });

  it("counts the rows that another row with the same key supersedes", async (t) => {
    const database = await emptyDatabase(t);
    // Some keys are NULL, and one column has a name that the notebook could use itself.
    await database.query("CREATE TABLE orders (count int, part text, name text, updated_at int)");
    await database.query(
      `INSERT INTO orders SELECT nullif(n % 7, 0), nullif(n % 2, 0), n, n / 10 FROM generate_series(1, 60) n`,
    );
    const [counts] = await database.query(
      "SELECT count(*)::int AS found, count(DISTINCT (count, part))::int AS keys FROM orders",
    );
    const { found, keys } = counts as { found: number; keys: number };
    assert.ok(found > keys);
    const keyed = { primary_keys: ["count", "part"] };
    const words = `${found - keys} superseded by another row with the same key`;
    for (const table of [
      { ...orders, ...keyed },
      { ...orders, ...keyed, watermark_column: undefined },
    ]) {
      await engine.sql("DROP TABLE IF EXISTS main.bronze.orders");
      const notebook = from(database, table);
      const parameters = { reset_watermark: "true" };
      const first = await engine.completes(notebook, { secrets, parameters });
      assert.ok(first.output.includes(`${keys} inserted, 0 updated, ${words}`), first.output);
      const full = await engine.completes(notebook, { secrets, parameters: { full_refresh: "true" } });
      assert.ok(full.output.includes(`0 inserted, 0 updated, ${words}, 0 deleted`), full.output);
    }
    const window = JSON.stringify({ from: "0", to: "2" });
    const part = await engine.completes(from(database, { ...orders, ...keyed }), {
      secrets,
      parameters: { window },
    });
    assert.match(part.output, /updated, 5 superseded by another row with the same key, of a window/);
  });

  it("appends each row once, equal ones as often as the source has them", onlyNightly, async (t) => {
    const database = await emptyDatabase(t);
    await database.query("CREATE TABLE orders (id int, name text, updated_at bigint)");
    await database.query("INSERT INTO orders VALUES (1, 'a', 9), (1, 'a', 9), (2, 'b', NULL)");
    const notebook = from(database, orders);
    await engine.completes(notebook, { secrets });
    await database.query("INSERT INTO orders VALUES (1, 'a', 9), (3, 'c', 9), (4, 'd', 10), (2, 'b', NULL)");
    const second = await engine.completes(notebook, { secrets });
    assert.match(second.output, /4 inserted, 0 updated, mark 9 -> 10/);
    await engine.completes(notebook, { secrets });
    const rows = (...ids: readonly number[]) => ids.map((id) => ({ id, name: "_abcde"[id] ?? "" }));
    assert.deepEqual(await idsAndNames(), rows(1, 1, 1, 2, 2, 3, 4));

    // A window is replaced, the next run reads the rows above the watermark, and a full refresh replaces all rows.
    await database.query("DELETE FROM orders WHERE id = 3");
    await database.query("INSERT INTO orders VALUES (5, 'e', 9), (5, 'e', 12)");
    const parameters = { window: JSON.stringify({ from: "9", to: "99" }) };
    const part = await engine.completes(notebook, { secrets, parameters });
    assert.match(part.output, /1 inserted, 0 updated, of a window\n/);
    assert.deepEqual(await idsAndNames(), rows(1, 1, 1, 2, 2, 4, 5));
    await database.query("DELETE FROM orders WHERE id = 4");
    const full = await engine.completes(notebook, { secrets, parameters: { full_refresh: "true" } });
    assert.match(full.output, /1 inserted, 0 updated, 1 deleted, mark None -> 12/);
    assert.deepEqual(await idsAndNames(), rows(1, 1, 1, 2, 2, 5, 5));
  });

  for (const [strategy, more] of [
    ["upsert", { primary_keys: ["id"] }],
    ["append", {}],
  ] as const) {
    it(`an ${strategy} that crashes neither loses nor duplicates rows`, async (t) => {
      const database = await emptyDatabase(t);
      const notebook = from(database, { ...orders, ...more });
      const whole = async (crashAt?: object) => {
        await engine.clear();
        await engine.sql("CREATE SCHEMA main.bronze");
        await database.query("DROP TABLE IF EXISTS orders");
        await database.query("CREATE TABLE orders (id int, name text, updated_at timestamp)");
        await database.query("INSERT INTO orders VALUES (1, 'one', '2026-01-01'), (2, 'two', '2026-01-02')");
        const run = await engine.runNotebook(notebook, { secrets, ...crashAt });
        assert.equal(run.crashed === true, crashAt !== undefined, run.output);
        await database.query("INSERT INTO orders VALUES (3, 'late', '2026-01-02'), (4, 'new', '2026-01-03')");
        const next = await engine.completes(notebook, { secrets });
        assert.deepEqual(
          await idsAndNames(),
          [
            { id: 1, name: "one" },
            { id: 2, name: "two" },
            { id: 3, name: "late" },
            { id: 4, name: "new" },
          ],
          JSON.stringify(crashAt),
        );
        assert.match(next.output, /-> 2026-01-03 00:00:00/);
        return run;
      };
      // A crash after one effect equals a crash before the next.
      const points = crashPoints(await whole()).filter(
        ({ when }, at, { length }) => when === "before" || at === length - 1,
      );
      assert.equal(points.length, 5, "state table, target, rows and watermark");
      for (const crashAt of someOf(points, 1)) await whole({ crashAt });
    });
  }

  it(
    "compares the whole table without a watermark, and replaces it in one commit",
    onlyNightly,
    async (t) => {
      const database = await emptyDatabase(t);
      await database.query("CREATE TABLE orders (id int, name text)");
      await database.query("INSERT INTO orders VALUES (1, 'a'), (1, 'a'), (2, NULL)");
      const tables = [
        { source_dataset: "orders", target_name: "appended" },
        { source_dataset: "orders", target_name: "upserted", primary_keys: ["ID"] },
        { source_dataset: "public.orders", target_name: "replaced", write_strategy: "replace" },
      ];
      const notebook = from(database, ...tables);
      await engine.completes(notebook, { secrets });
      await database.query("DELETE FROM orders WHERE id = 2");
      await database.query("INSERT INTO orders VALUES (1, 'a'), (3, 'c')");
      await engine.completes(notebook, { secrets });
      await engine.completes(notebook, { secrets });
      const a = { id: 1, name: "a" };
      const [b, c] = [
        { id: 2, name: null },
        { id: 3, name: "c" },
      ];
      assert.deepEqual(await idsAndNames("appended"), [a, a, a, b, c]);
      assert.deepEqual(await idsAndNames("upserted"), [a, b, c]);
      assert.deepEqual(await idsAndNames("replaced"), [a, a, a, c]);
    },
  );

  it("keeps values exact, adds new columns, refuses changed types, and continues with the other tables", async (t) => {
    const database = await emptyDatabase(t);
    await database.query(
      `CREATE TABLE "odd "" $ \`n\`ame" (id bigint PRIMARY KEY, "a b,c" numeric(30,10), at timestamptz, day date, raw bytea,
       doc jsonb, ok boolean, email text, list int[])`,
    );
    await database.query(
      `INSERT INTO "odd "" $ \`n\`ame" VALUES (9007199254740993, 12345678901234567890.0123456789,
       '2026-03-29 02:30:00.123456+01', '0001-01-01', '\\x00ff27', '{"a": [1]}', true, 'ada@example.com', '{1,NULL}')`,
    );
    const tables = [
      {
        source_dataset: '"odd "" $ `n`ame"',
        target_name: "exact",
        primary_keys: ["id"],
        pii_suppressed: true,
      },
      { source_dataset: "plain", target_name: "plain" },
    ];
    await database.query("CREATE TABLE plain (id int, name text)");
    const notebook = from(database, ...tables);
    await engine.completes(notebook, { secrets });
    await database.query(`ALTER TABLE "odd "" $ \`n\`ame" ADD COLUMN more text DEFAULT 'new'`);
    await engine.completes(notebook, { secrets });
    assert.deepEqual(await engine.sql("SELECT * FROM main.bronze.exact"), [
      {
        ...{
          id: "9007199254740993",
          "a b,c": "12345678901234567890.0123456789",
          at: "2026-03-29 01:30:00.123456",
        },
        ...{ day: "0001-01-01", raw: "00ff27", doc: '{"a": [1]}', ok: true, list: [1, null], more: "new" },
      },
    ]);

    await database.query(`ALTER TABLE "odd "" $ \`n\`ame" ALTER COLUMN ok TYPE text`);
    await database.query("INSERT INTO plain VALUES (1, 'x')");
    const changed = await engine.runNotebook(notebook, { secrets });
    assert.match(String(changed.error?.trace), /1 of 2 tables failed/);
    assert.match(
      String(changed.error?.trace),
      /the column ok is boolean in the target, and string in the source/,
    );
    assert.deepEqual(await idsAndNames("plain"), [{ id: 1, name: "x" }]);
  });
});

describe("ingestion in another time zone, killed by SIGKILL", () => {
  it("neither loses nor duplicates rows, and its watermarks are UTC", onlyNightly, async (t) => {
    const engine = await startSpark({ catalogs: ["main"], durable: true, timeZone: "Asia/Tokyo" });
    t.after(() => engine.stop());
    await engine.sql("CREATE SCHEMA main.bronze");
    const database = await emptyDatabase(t);
    await database.query("CREATE TABLE orders (id int, updated_at timestamptz)");
    await database.query("INSERT INTO orders VALUES (1, '2026-01-01 10:00Z'), (2, '2026-01-01 11:00Z')");
    const notebook = ingestionOf("postgresql", addressOf(database), [orders]);
    const whole = await engine.completes(notebook, { secrets });
    const rows = whole.effects.findIndex((effect) => effect.startsWith("MERGE INTO main.bronze.orders")) + 1;
    assert.ok(rows > 0, whole.effects.join("\n"));

    await database.query("INSERT INTO orders VALUES (3, '2026-01-01 11:00Z'), (4, '2026-01-01 12:00Z')");
    // The target exists already, so writing its rows is one effect earlier than before.
    const crashAt = { effect: rows - 1, when: "after", signal: true } as const;
    assert.equal((await engine.runNotebook(notebook, { secrets, crashAt })).crashed, true);
    assert.equal((await engine.sql("SELECT * FROM main.bronze.orders")).length, 4, "the rows were written");
    const last = await engine.completes(notebook, { secrets });
    assert.match(last.output, /0 inserted, 0 updated, mark 2026-01-01 11:00:00 -> 2026-01-01 12:00:00/);
  });
});

const addressOf = ({ host, port, database, user }: EmptyDatabase) => ({
  ...{ host, port, database, user },
  password: "{{secrets/lakehelm/postgres}}",
});
