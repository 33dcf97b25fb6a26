import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { Killed, type Moving, startMoving } from "../testing/transfer-harness.ts";
import { ingest } from "./ingest.ts";
import { preview } from "./preview.ts";
import { listRejects } from "./rejects.ts";

interface Shop extends Moving {
  readonly db: DatabaseSync;
  put(id: number | null, name: string | null, amount: string | null, updatedAt: string | null): void;
}

async function openShop(t: TestContext): Promise<Shop> {
  const moving = await startMoving(t);
  const db = new DatabaseSync(join(moving.folder, "shop.db"));
  t.after(() => db.close());
  db.exec(
    "create table orders (id integer primary key, name text, amount decimal(10,2), updated_at timestamp)",
  );
  const put = db.prepare("insert or replace into orders values (?, ?, ?, ?)");
  return { ...moving, db, put: (...row) => void put.run(...row) };
}

async function filledShop(t: TestContext): Promise<Shop> {
  const shop = await openShop(t);
  for (let id = 1; id <= 10; id++) shop.put(id, `n${id}`, `${id}.50`, `2026-01-01 00:00:0${id % 10}`);
  return shop;
}

const counts = ({ read, inserted, updated, deleted, rejected }: Awaited<ReturnType<typeof ingest>>) => ({
  read,
  inserted,
  updated,
  deleted,
  rejected,
});

const orders = ({ rows }: Moving, table = "orders") =>
  rows(`SELECT id, name, amount, updated_at FROM _main."default".${table} ORDER BY id`);

suite("rows on their way in", () => {
  test("a first run takes all, the next only what is new; the mark comes from the rows", async (t) => {
    const shop = await filledShop(t);
    const first = await ingest(shop.movement(), shop.handling);
    assert.deepEqual(counts(first), { read: 10, inserted: 10, updated: 0, deleted: 0, rejected: 0 });
    assert.deepEqual(
      [first.watermark_before, first.watermark_after, first.changed],
      [null, "2026-01-01 00:00:09", ["main.default.orders"]],
    );
    const again = await ingest(shop.movement(), shop.handling);
    assert.deepEqual(counts(again), { read: 1, inserted: 0, updated: 0, deleted: 0, rejected: 0 });
    assert.deepEqual([again.changed, again.watermark_time], [[], first.watermark_time]);

    shop.put(3, "three", "3.33", "2026-01-02 00:00:00");
    shop.put(11, null, null, "2026-01-02 00:00:00");
    const third = await ingest(shop.movement(), shop.handling);
    assert.deepEqual(counts(third), { read: 3, inserted: 1, updated: 1, deleted: 0, rejected: 0 });
    assert.deepEqual((await orders(shop))[2], [3, "three", "3.33", "2026-01-02 00:00:00"].map(String));
  });

  test("the table is told to have only grown where no row was changed", async (t) => {
    const shop = await filledShop(t);
    const versions = () => shop.rows("SELECT version, rewritten FROM _main._lakehelm.versions");
    await ingest(shop.movement(), shop.handling);
    assert.deepEqual(await versions(), [["1", "1"]], "it was made");
    shop.put(11, "new", "1.00", "2026-01-02 00:00:00");
    await ingest(shop.movement(), shop.handling);
    assert.deepEqual(await versions(), [["2", "1"]]);
    shop.put(3, "three", "3.33", "2026-01-03 00:00:00");
    await ingest(shop.movement(), shop.handling);
    assert.deepEqual(await versions(), [["3", "3"]]);
  });

  test("a row of the same mark that came later is not lost, nor one without a mark", async (t) => {
    const shop = await filledShop(t);
    for (const strategy of ["upsert", "append"] as const) {
      const movement = () => shop.movement({ id: strategy, target: strategy, strategy });
      await ingest(movement(), shop.handling);
    }
    shop.put(12, "late", "1.00", "2026-01-01 00:00:09");
    shop.put(13, "timeless", "1.00", null);
    for (const strategy of ["upsert", "append"] as const) {
      const movement = () => shop.movement({ id: strategy, target: strategy, strategy });
      assert.equal((await ingest(movement(), shop.handling)).inserted, 2);
      assert.equal((await ingest(movement(), shop.handling)).inserted, 0);
      assert.equal((await orders(shop, strategy)).length, 12);
    }
  });

  test("without a watermark whole tables are compared; rows that are gone go where that is asked for", async (t) => {
    const shop = await filledShop(t);
    const run = (deletes: boolean) => ingest(shop.movement({ watermark: null, deletes }), shop.handling);
    assert.equal((await run(false)).inserted, 10);
    shop.db.exec("delete from orders where id = 9; update orders set name = 'x' where id = 10");
    assert.deepEqual(counts(await run(false)), { read: 9, inserted: 0, updated: 1, deleted: 0, rejected: 0 });
    assert.equal((await orders(shop)).length, 10);
    assert.deepEqual(counts(await run(true)), { read: 9, inserted: 0, updated: 0, deleted: 1, rejected: 0 });
    assert.equal((await orders(shop)).length, 9);
  });

  test("append without a watermark adds each row as often as the source has it", async (t) => {
    const shop = await openShop(t);
    shop.db.exec("create table log (line text); insert into log values ('a'), ('a'), ('b')");
    const run = () =>
      ingest(
        shop.movement({ source: "log", target: "log", keys: [], strategy: "append", watermark: null }),
        shop.handling,
      );
    assert.equal((await run()).inserted, 3);
    assert.equal((await run()).inserted, 0);
    shop.db.exec("insert into log values ('a')");
    assert.equal((await run()).inserted, 1);
  });

  test("replace writes nothing where nothing has changed", async (t) => {
    const shop = await filledShop(t);
    const run = () => ingest(shop.movement({ strategy: "replace", watermark: null }), shop.handling);
    assert.deepEqual((await run()).changed, ["main.default.orders"]);
    assert.deepEqual((await run()).changed, []);
    shop.db.exec("delete from orders where id = 1");
    assert.deepEqual(counts(await run()), { read: 9, inserted: 9, updated: 0, deleted: 10, rejected: 0 });
  });

  test("a bad row is kept with its reason, can be retried, and goes when it comes in order", async (t) => {
    const shop = await filledShop(t);
    const rejects = async () =>
      (await listRejects(shop.warehouse, ["orders"], { skip: 0, limit: 10 })).rejects;
    shop.put(11, "bad", "seven", "2026-01-02 00:00:00");
    assert.deepEqual(counts(await ingest(shop.movement(), shop.handling)), {
      read: 11,
      inserted: 10,
      updated: 0,
      deleted: 0,
      rejected: 1,
    });
    const [bad, ...others] = await rejects();
    assert.equal(others.length, 0);
    assert.match(bad?.reason ?? "", /amount.*seven/);
    assert.equal(bad?.row.name, "bad");

    const retried = await ingest(shop.movement({}, { retryRejects: true }), shop.handling);
    assert.equal(retried.rejected, 1);
    assert.deepEqual(
      (await rejects()).map(({ row }) => row),
      [bad?.row],
    );
    shop.put(11, "good", "7.00", "2026-01-02 00:00:01");
    assert.equal((await ingest(shop.movement(), shop.handling)).inserted, 1);
    assert.deepEqual(await rejects(), []);
  });

  test("more bad rows than allowed fail the run, and nothing moves; one alone fails it where none is", async (t) => {
    const shop = await filledShop(t);
    const run = (maxRejectShare: number) => ingest(shop.movement({ maxRejectShare }), shop.handling);
    shop.put(11, "bad", "seven", "2026-01-02 00:00:00");
    await assert.rejects(run(0), { message: /^1 of 11 rows were rejected/ });
    shop.put(12, "bad", "eight", "2026-01-02 00:00:00");
    await assert.rejects(run(0.05), {
      message:
        /^2 of 12 rows were rejected, more than the 5 % that max_reject_share allows; nothing was written/,
    });
    assert.deepEqual(await shop.warehouse.tables(), []);
    shop.db.exec("delete from orders where id = 12");
    assert.equal((await run(0.05)).rejected, 1);
  });

  test("a new column is added; a changed type is told with its column; case alone makes no new column", async (t) => {
    const shop = await filledShop(t);
    await ingest(shop.movement(), shop.handling);
    shop.db.exec("alter table orders add column note text; alter table orders rename column name to NAME");
    shop.db.exec("update orders set note = '', updated_at = '2026-01-03 00:00:00' where id = 7");
    assert.equal((await ingest(shop.movement(), shop.handling)).updated, 1);
    assert.deepEqual(
      await shop.rows(`SELECT note FROM _main."default".orders WHERE id IN (6, 7) ORDER BY id`),
      [[null], [""]],
    );
    shop.db.exec("alter table orders drop column amount; alter table orders add column amount blob");
    await assert.rejects(ingest(shop.movement(), shop.handling), {
      message:
        /^The type of the column "amount" has changed: main\.default\.orders keeps DECIMAL\(10,2\), and/,
    });
  });

  test("columns that stay behind are not in the warehouse", async (t) => {
    const shop = await filledShop(t);
    await ingest(shop.movement({ leftOut: ["NAME"] }), shop.handling);
    assert.deepEqual(await shop.rows(`SELECT column_name FROM (DESCRIBE _main."default".orders)`), [
      ["id"],
      ["amount"],
      ["updated_at"],
    ]);
  });

  test("what a caller has misspelt is told with what is there", async (t) => {
    const shop = await filledShop(t);
    await assert.rejects(ingest(shop.movement({ keys: ["idd"] }), shop.handling), {
      message: 'orders has no column "idd", which is its primary key. It has id, name, amount, updated_at.',
    });
    await assert.rejects(ingest(shop.movement({ source: "ordrs" }), shop.handling), { message: /orders/ });
    assert.deepEqual(shop.warehouse.catalogs, []);
  });

  test("ended at any step, the warehouse is as it was; the next run does all of it", async (t) => {
    const shop = await filledShop(t);
    for (const step of ["read", "staged", "written", "marked"]) {
      await assert.rejects(ingest(shop.movement(), shop.killedAt(step)), Killed);
      assert.deepEqual(await shop.warehouse.tables(), []);
    }
    assert.equal((await ingest(shop.movement(), shop.handling)).inserted, 10);
    shop.put(1, "one", "1.11", "2026-01-02 00:00:00");
    for (const step of ["read", "staged", "written", "marked"]) {
      const before = await orders(shop);
      await assert.rejects(ingest(shop.movement(), shop.killedAt(step)), Killed);
      assert.deepEqual(await orders(shop), before);
    }
    assert.equal((await ingest(shop.movement(), shop.handling)).updated, 1);
  });

  test("a preview tells what a run would do, and changes nothing", async (t) => {
    const shop = await filledShop(t);
    const first = await preview(shop.movement(), shop.handling);
    assert.deepEqual(
      [first.insert, first.update, first.schema],
      [10, 0, ["create the table main.default.orders"]],
    );
    assert.deepEqual([shop.warehouse.catalogs, await shop.warehouse.tables()], [[], []]);
    await ingest(shop.movement(), shop.handling);
    shop.put(1, "one", "1.11", "2026-01-02 00:00:00");
    shop.put(11, "new", "1.00", "2026-01-02 00:00:00");
    shop.put(12, "bad", "x", "2026-01-02 00:00:00");
    const second = await preview(shop.movement(), shop.handling);
    const { insert, update, unchanged, rejected } = second;
    assert.deepEqual(
      { insert, update, unchanged, rejected },
      { insert: 1, update: 1, unchanged: 1, rejected: 1 },
    );
    assert.deepEqual(
      second.samples.map(({ action, row }) => [action, row.id, row.name]),
      [
        ["insert", 11, "new"],
        ["update", 1, "one"],
      ],
    );
    assert.equal(second.rejects[0]?.row.name, "bad");
    assert.equal((await orders(shop)).length, 10);
  });
});
