import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { SimulatedCrash, startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";
import { ingest } from "./ingest.ts";
import { preview } from "./preview.ts";
import { listRejects } from "./rejects.ts";

interface Shop extends TransferHarness {
  readonly db: DatabaseSync;
  put(id: number | null, name: string | null, amount: string | null, updatedAt: string | null): void;
}

async function openShop(t: TestContext): Promise<Shop> {
  const harness = await startTransferHarness(t);
  const db = new DatabaseSync(join(harness.folder, "shop.db"));
  t.after(() => db.close());
  db.exec(
    "create table orders (id integer primary key, name text, amount decimal(10,2), updated_at timestamp)",
  );
  const put = db.prepare("insert or replace into orders values (?, ?, ?, ?)");
  return { ...harness, db, put: (...row) => void put.run(...row) };
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

const orders = ({ rows }: TransferHarness, table = "orders") =>
  rows(`SELECT id, name, amount, updated_at FROM _main."default".${table} ORDER BY id`);

suite("ingest", () => {
  test("the first run reads all rows, the next run only newer rows, and the watermark is their greatest value", async (t) => {
    const shop = await filledShop(t);
    const first = await ingest(shop.request(), shop.context);
    assert.deepEqual(counts(first), { read: 10, inserted: 10, updated: 0, deleted: 0, rejected: 0 });
    assert.deepEqual(
      [first.watermark_before, first.watermark_after, first.changed],
      [null, "2026-01-01 00:00:09", ["main.default.orders"]],
    );
    const again = await ingest(shop.request(), shop.context);
    assert.deepEqual(counts(again), { read: 1, inserted: 0, updated: 0, deleted: 0, rejected: 0 });
    assert.deepEqual([again.changed, again.watermark_time], [[], first.watermark_time]);

    shop.put(3, "three", "3.33", "2026-01-02 00:00:00");
    shop.put(11, null, null, "2026-01-02 00:00:00");
    const third = await ingest(shop.request(), shop.context);
    assert.deepEqual(counts(third), { read: 3, inserted: 1, updated: 1, deleted: 0, rejected: 0 });
    assert.deepEqual((await orders(shop))[2], [3, "three", "3.33", "2026-01-02 00:00:00"].map(String));
  });

  test("a change of the table is recorded as rewritten only if rows were changed", async (t) => {
    const shop = await filledShop(t);
    const versions = () => shop.rows("SELECT version, rewritten FROM _main._lakehelm.versions");
    await ingest(shop.request(), shop.context);
    assert.deepEqual(await versions(), [["1", "1"]], "the table was created");
    shop.put(11, "new", "1.00", "2026-01-02 00:00:00");
    await ingest(shop.request(), shop.context);
    assert.deepEqual(await versions(), [["2", "1"]]);
    shop.put(3, "three", "3.33", "2026-01-03 00:00:00");
    await ingest(shop.request(), shop.context);
    assert.deepEqual(await versions(), [["3", "3"]]);
  });

  test("later rows with the same watermark, and rows without one, are read", async (t) => {
    const shop = await filledShop(t);
    for (const strategy of ["upsert", "append"] as const) {
      const request = () => shop.request({ id: strategy, target: strategy, strategy });
      await ingest(request(), shop.context);
    }
    shop.put(12, "late", "1.00", "2026-01-01 00:00:09");
    shop.put(13, "timeless", "1.00", null);
    for (const strategy of ["upsert", "append"] as const) {
      const request = () => shop.request({ id: strategy, target: strategy, strategy });
      assert.equal((await ingest(request(), shop.context)).inserted, 2);
      assert.equal((await ingest(request(), shop.context)).inserted, 0);
      assert.equal((await orders(shop, strategy)).length, 12);
    }
  });

  test("without a watermark, whole tables are compared, and missing rows are deleted if the dataset says so", async (t) => {
    const shop = await filledShop(t);
    const run = (deletes: boolean) => ingest(shop.request({ watermark: null, deletes }), shop.context);
    assert.equal((await run(false)).inserted, 10);
    shop.db.exec("delete from orders where id = 9; update orders set name = 'x' where id = 10");
    assert.deepEqual(counts(await run(false)), { read: 9, inserted: 0, updated: 1, deleted: 0, rejected: 0 });
    assert.equal((await orders(shop)).length, 10);
    assert.deepEqual(counts(await run(true)), { read: 9, inserted: 0, updated: 0, deleted: 1, rejected: 0 });
    assert.equal((await orders(shop)).length, 9);
  });

  test("append without a watermark writes each row as often as the source has it", async (t) => {
    const shop = await openShop(t);
    shop.db.exec("create table log (line text); insert into log values ('a'), ('a'), ('b')");
    const run = () =>
      ingest(
        shop.request({ source: "log", target: "log", keys: [], strategy: "append", watermark: null }),
        shop.context,
      );
    assert.equal((await run()).inserted, 3);
    assert.equal((await run()).inserted, 0);
    shop.db.exec("insert into log values ('a')");
    assert.equal((await run()).inserted, 1);
  });

  test("replace writes nothing if no row has changed", async (t) => {
    const shop = await filledShop(t);
    const run = () => ingest(shop.request({ strategy: "replace", watermark: null }), shop.context);
    assert.deepEqual((await run()).changed, ["main.default.orders"]);
    assert.deepEqual((await run()).changed, []);
    shop.db.exec("delete from orders where id = 1");
    assert.deepEqual(counts(await run()), { read: 9, inserted: 9, updated: 0, deleted: 10, rejected: 0 });
  });

  test("a reject is stored with its reason, can be retried, and is deleted when its row is accepted", async (t) => {
    const shop = await filledShop(t);
    const rejects = async () =>
      (await listRejects(shop.warehouse, ["orders"], { skip: 0, limit: 10 })).rejects;
    shop.put(11, "bad", "seven", "2026-01-02 00:00:00");
    assert.deepEqual(counts(await ingest(shop.request(), shop.context)), {
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

    const retried = await ingest(shop.request({}, { retryRejects: true }), shop.context);
    assert.equal(retried.rejected, 1);
    assert.deepEqual(
      (await rejects()).map(({ row }) => row),
      [bad?.row],
    );
    shop.put(11, "good", "7.00", "2026-01-02 00:00:01");
    assert.equal((await ingest(shop.request(), shop.context)).inserted, 1);
    assert.deepEqual(await rejects(), []);
  });

  test("too many rejects fail the run and nothing is written; with a limit of 0, one reject is too many", async (t) => {
    const shop = await filledShop(t);
    const run = (maxRejectShare: number) => ingest(shop.request({ maxRejectShare }), shop.context);
    shop.put(11, "bad", "seven", "2026-01-02 00:00:00");
    await assert.rejects(run(0), { message: /^1 of 11 rows were rejected/ });
    shop.put(12, "bad", "eight", "2026-01-02 00:00:00");
    await assert.rejects(run(0.05), {
      message:
        /^2 of 12 rows were rejected, more than the 5 % that max_reject_share allows\. Nothing was written/,
    });
    assert.deepEqual(await shop.warehouse.tables(), []);
    shop.db.exec("delete from orders where id = 12");
    assert.equal((await run(0.05)).rejected, 1);
  });

  test("a new column is added, a changed type is an error that names the column, and case is ignored in names", async (t) => {
    const shop = await filledShop(t);
    await ingest(shop.request(), shop.context);
    shop.db.exec("alter table orders add column note text; alter table orders rename column name to NAME");
    shop.db.exec("update orders set note = '', updated_at = '2026-01-03 00:00:00' where id = 7");
    assert.equal((await ingest(shop.request(), shop.context)).updated, 1);
    assert.deepEqual(
      await shop.rows(`SELECT note FROM _main."default".orders WHERE id IN (6, 7) ORDER BY id`),
      [[null], [""]],
    );
    shop.db.exec("alter table orders drop column amount; alter table orders add column amount blob");
    await assert.rejects(ingest(shop.request(), shop.context), {
      message:
        /^The type of the column "amount" has changed: it is DECIMAL\(10,2\) in main\.default\.orders, but/,
    });
  });

  test("excluded columns are not written to the warehouse", async (t) => {
    const shop = await filledShop(t);
    await ingest(shop.request({ leftOut: ["NAME"] }), shop.context);
    assert.deepEqual(await shop.rows(`SELECT column_name FROM (DESCRIBE _main."default".orders)`), [
      ["id"],
      ["amount"],
      ["updated_at"],
    ]);
  });

  test("an unknown key or dataset is an error that lists the available names", async (t) => {
    const shop = await filledShop(t);
    await assert.rejects(ingest(shop.request({ keys: ["idd"] }), shop.context), {
      message:
        'orders has no column "idd", which is configured as its primary key. Available columns: id, name, amount, updated_at.',
    });
    await assert.rejects(ingest(shop.request({ source: "ordrs" }), shop.context), { message: /orders/ });
    assert.deepEqual(shop.warehouse.catalogs, []);
  });

  test("a crash at any point leaves the warehouse unchanged, and the next run completes", async (t) => {
    const shop = await filledShop(t);
    for (const step of ["read", "staged", "written", "checkpointed"]) {
      await assert.rejects(ingest(shop.request(), shop.crashingAt(step)), SimulatedCrash);
      assert.deepEqual(await shop.warehouse.tables(), []);
    }
    assert.equal((await ingest(shop.request(), shop.context)).inserted, 10);
    shop.put(1, "one", "1.11", "2026-01-02 00:00:00");
    for (const step of ["read", "staged", "written", "checkpointed"]) {
      const before = await orders(shop);
      await assert.rejects(ingest(shop.request(), shop.crashingAt(step)), SimulatedCrash);
      assert.deepEqual(await orders(shop), before);
    }
    assert.equal((await ingest(shop.request(), shop.context)).updated, 1);
  });

  test("a preview shows what a run would do, and changes nothing", async (t) => {
    const shop = await filledShop(t);
    const first = await preview(shop.request(), shop.context);
    assert.deepEqual(
      [first.insert, first.update, first.schema],
      [10, 0, ["create the table main.default.orders"]],
    );
    assert.deepEqual([shop.warehouse.catalogs, await shop.warehouse.tables()], [[], []]);
    await ingest(shop.request(), shop.context);
    shop.put(1, "one", "1.11", "2026-01-02 00:00:00");
    shop.put(11, "new", "1.00", "2026-01-02 00:00:00");
    shop.put(12, "bad", "x", "2026-01-02 00:00:00");
    const second = await preview(shop.request(), shop.context);
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
