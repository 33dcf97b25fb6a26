import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { connectorDeleteCommand } from "@lakehelm/contract/changes";
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

  test("with a watermark, deleted rows are found by their keys, and only newer rows are read in full", async (t) => {
    const shop = await filledShop(t);
    const run = () => ingest(shop.request({ deletes: true }), shop.context);
    await run();
    shop.db.exec("delete from orders where id in (2, 3)");
    shop.put(11, "new", "1.00", "2026-01-02 00:00:00");
    assert.deepEqual(counts(await run()), { read: 2, inserted: 1, updated: 0, deleted: 2, rejected: 0 });
    const ids = (await orders(shop)).map(([id]) => Number(id));
    assert.deepEqual(ids, [1, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert.equal((await run()).deleted, 0);
  });

  for (const watermark of ["updated_at", null]) {
    test(`a row that is rejected now is not deleted, ${watermark ? "with" : "without"} a watermark`, async (t) => {
      const shop = await filledShop(t);
      const run = () => ingest(shop.request({ deletes: true, watermark }), shop.context);
      await run();
      shop.put(3, "three", "no number", "2026-01-02 00:00:00");
      shop.db.exec("delete from orders where id = 4");
      const { deleted, rejected, warnings } = await run();
      assert.deepEqual([deleted, rejected, warnings], [1, 1, []]);
      const rows = await orders(shop);
      assert.deepEqual(
        rows.map(([id]) => Number(id)),
        [1, 2, 3, 5, 6, 7, 8, 9, 10],
      );
      assert.notEqual(rows[2]?.[1], "three");
    });
  }

  for (const dataset of [
    { deletes: true, watermark: null },
    { deletes: true },
    { strategy: "replace", keys: [], watermark: null },
  ] as const) {
    test(`a source that lost most of its rows stops the run: ${JSON.stringify(dataset)}`, async (t) => {
      const shop = await filledShop(t);
      await ingest(shop.request(dataset), shop.context);
      for (let id = 11; id <= 20; id++) shop.put(id, "more", "1.00", "2026-01-02 00:00:00");
      await ingest(shop.request(dataset), shop.context);
      shop.db.exec("delete from orders where id > 10");
      await ingest(shop.request(dataset), shop.context);
      assert.equal((await orders(shop)).length, 10);
      shop.db.exec("delete from orders where id > 4");
      const request = shop.request(dataset);
      const command = connectorDeleteCommand(request.connector, request.dataset.target);
      const shown = await preview(request, shop.context);
      assert.deepEqual(shown.warnings, [
        `The run would delete 6 of 10 rows of orders, more than the 50 % that max_delete_share allows, so it would fail. Check whether orders has lost its rows. If they are meant to go: ${command}`,
      ]);
      const message = `The run would delete 6 of 10 rows of orders, more than the 50 % that max_delete_share allows. Nothing was written. Check whether orders has lost its rows. If they are meant to go: ${command}`;
      await assert.rejects(ingest(shop.request(dataset), shop.context), { message });
      assert.equal((await orders(shop)).length, 10);
      await ingest(shop.request({ ...dataset, maxDeleteShare: 1 }), shop.context);
      assert.equal((await orders(shop)).length, 4);
      shop.db.exec("delete from orders where id > 2");
      await ingest(shop.request({ ...dataset, maxDeleteShare: 0.1 }), shop.context);
      assert.equal((await orders(shop)).length, 2, "a table of fewer than 10 rows is not checked");
      await assert.rejects(
        async () => {
          shop.db.exec("delete from orders where id = 2");
          await ingest(shop.request({ ...dataset, maxDeleteShare: 0 }), shop.context);
        },
        { message: /would delete 1 of 2 rows/ },
      );
    });
  }

  test("a source whose columns are all left out is an error that says so", async (t) => {
    const shop = await openShop(t);
    const leftOut = ["id", "name", "amount", "updated_at"];
    await assert.rejects(
      ingest(shop.request({ leftOut, keys: [], watermark: null, strategy: "append" }), shop.context),
      { message: /^All columns of orders are left out as personal data\. Keep one/ },
    );
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
    await assert.rejects(run(0), { message: /^1 of 11 rows was rejected/ });
    shop.put(12, "bad", "eight", "2026-01-02 00:00:00");
    await assert.rejects(run(0.05), {
      message:
        /^2 of 12 rows were rejected, more than the 5 % that max_reject_share allows\. Nothing was written/,
    });
    assert.deepEqual(await shop.warehouse.tables(), []);
    shop.db.exec("delete from orders where id = 12");
    assert.equal((await run(0.05)).rejected, 1);
  });

  test("a failed run names causes without values, and its preview shows the rows, with all digits of integers", async (t) => {
    const shop = await filledShop(t);
    for (const [id, amount] of [
      ["9007199254740993", "seven"],
      ["9007199254740994", "eight"],
      ["9007199254740995", "nine is not a number"],
    ] as const) {
      shop.db.exec(`insert into orders values (${id}, 'bad', '${amount}', '2026-01-02 00:00:00')`);
    }
    await assert.rejects(ingest(shop.request({ maxRejectShare: 0.05 }), shop.context), {
      message:
        '3 of 13 rows were rejected, more than the 5 % that max_reject_share allows. Nothing was written. Most frequent reasons: the column "amount": a value is not a DECIMAL(10,2) (3)',
    });
    const { rejected, rejects } = await preview(shop.request({ maxRejectShare: 0.05 }), shop.context);
    assert.deepEqual(
      [rejected, rejects.map(({ row }) => [row.id, row.amount])],
      [
        3,
        [
          ["9007199254740993", "seven"],
          ["9007199254740994", "eight"],
          ["9007199254740995", "nine is not a number"],
        ],
      ],
    );
    shop.db.exec("delete from orders where name = 'bad'");
    shop.db.exec("insert into orders values (9007199254740993, 'big', '1', '2026-01-02 00:00:00')");
    const { samples } = await preview(shop.request(), shop.context);
    assert.ok(samples.length > 0);
    await ingest(shop.request(), shop.context);
    shop.db.exec("update orders set name = 'bigger', updated_at = '2026-01-03 00:00:00' where name = 'big'");
    const next = await preview(shop.request(), shop.context);
    assert.equal(next.samples.find(({ action }) => action === "update")?.row.id, "9007199254740993");
  });

  for (const keys of [["id"], []]) {
    test(`rejects ${keys.length > 0 ? "with" : "without"} keys keep their identity when a column is added`, async (t) => {
      const shop = await filledShop(t);
      const strategy = keys.length > 0 ? ("upsert" as const) : ("append" as const);
      const run = (maxRejectShare: number) =>
        ingest(shop.request({ keys, strategy, watermark: null, maxRejectShare }), shop.context);
      shop.db.exec("insert into orders values (11, 'bad', 'seven', null), (12, 'bad', 'eight', null)");
      shop.db.exec("insert into orders values (13, 'bad', 'nine', null)");
      assert.equal((await run(1)).rejected, 3);
      const ids = async () =>
        (await listRejects(shop.warehouse, ["orders"], { skip: 0, limit: 10 })).rejects.map(({ id, row }) => [
          id,
          row.amount,
        ]);
      const before = await ids();
      assert.equal(before.length, 3);
      shop.db.exec("alter table orders add column note text default 'new'");
      assert.equal((await run(0)).rejected, 3);
      assert.deepEqual(await ids(), before);
      shop.db.exec("insert into orders values (14, 'bad', 'ten', null, '')");
      await assert.rejects(run(0), { message: /^1 of 14 rows was rejected/ });
    });
  }

  for (const strategy of ["upsert", "replace"] as const) {
    test(`${strategy}: a column that the source no longer has keeps its values, and the run says so once`, async (t) => {
      const shop = await filledShop(t);
      const request = () => shop.request({ strategy, watermark: null });
      await ingest(request(), shop.context);
      shop.db.exec(
        "alter table orders rename column name to title; update orders set title = 'x' where id = 1",
      );
      const { warnings } = await ingest(request(), shop.context);
      assert.deepEqual(warnings, [
        'orders no longer has the column "name". It may have been renamed to "title", which is new. Its values in orders stay.',
      ]);
      assert.ok(shop.lines.includes(warnings[0] ?? ""));
      shop.put(11, "eleven", "1.00", "2026-01-02 00:00:00");
      assert.deepEqual((await ingest(request(), shop.context)).warnings, []);
      const found = await shop.rows(
        'SELECT id, name, title FROM _main."default".orders WHERE id IN (1, 2, 11) ORDER BY id',
      );
      assert.deepEqual(found, [
        ["1", "n1", "x"],
        ["2", "n2", "n2"],
        ["11", null, "eleven"],
      ]);
    });
  }

  test("a run that reads all rows says how many stay in the table without a row in the source", async (t) => {
    const shop = await filledShop(t);
    const run = (deletes = false) => ingest(shop.request({ watermark: null, deletes }), shop.context);
    const said = () => shop.lines.filter((line) => line.includes("They stay."));
    await run();
    await run();
    assert.deepEqual(said(), []);
    shop.db.exec("update orders set id = 77 where id = 2");
    assert.equal((await run()).inserted, 1);
    assert.deepEqual(said(), [
      'orders no longer has the keys of 1 of the rows in orders: rows were deleted, or their keys were changed. They stay. Set "deletes" to remove them.',
    ]);
    assert.equal((await run(true)).deleted, 1);
    await run();
    assert.equal(said().length, 1);
  });

  test("on_missing_column: values become NULL, or the run fails", async (t) => {
    const shop = await filledShop(t);
    await ingest(shop.request({ watermark: null }), shop.context);
    shop.db.exec("alter table orders drop column name");
    const run = (onMissingColumn: "null" | "fail") =>
      ingest(shop.request({ watermark: null, onMissingColumn }), shop.context);
    const message =
      'orders no longer has the column "name". Nothing was written, because on_missing_column is "fail".';
    await assert.rejects(run("fail"), { message });
    await assert.rejects(run("fail"), { message });
    shop.db.exec("update orders set amount = '7.00' where id = 1");
    assert.match((await run("null")).warnings[0] ?? "", /become NULL when their rows are written again\.$/);
    const found = await shop.rows('SELECT name FROM _main."default".orders WHERE id < 3 ORDER BY id');
    assert.deepEqual(found, [[null], ["n2"]]);
  });

  test('on_missing_column: "fail" also fails if it is set after the column was gone', async (t) => {
    const shop = await filledShop(t);
    const run = (onMissingColumn: "keep" | "fail") =>
      ingest(shop.request({ watermark: null, onMissingColumn }), shop.context);
    await run("keep");
    shop.db.exec("alter table orders drop column name");
    assert.equal((await run("keep")).warnings.length, 1);
    assert.equal((await run("keep")).warnings.length, 0, "it was said once");
    shop.db.exec("alter table orders drop column amount");
    await assert.rejects(run("fail"), {
      message:
        'orders no longer has the column "name". orders no longer has the column "amount". Nothing was written, because on_missing_column is "fail".',
    });
    shop.db.exec("alter table orders add column amount decimal(10,2)");
    await assert.rejects(run("fail"), /no longer has the column "name"\. Nothing/);
    await shop.rows('ALTER TABLE _main."default".orders DROP COLUMN name');
    assert.deepEqual((await run("fail")).warnings, []);
  });

  test("a replaced table without keys is not written if values would be lost", async (t) => {
    const shop = await filledShop(t);
    const request = (onMissingColumn: "keep" | "null") =>
      shop.request({ strategy: "replace", keys: [], watermark: null, onMissingColumn });
    await ingest(request("keep"), shop.context);
    shop.db.exec("alter table orders drop column name; delete from orders where id = 10");
    await assert.rejects(ingest(request("keep"), shop.context), {
      message:
        'orders has values in columns that orders does not have: "name". Without primary keys they cannot be kept. Add primary_keys, or set on_missing_column to "null".',
    });
    assert.equal((await orders(shop)).length, 10);
    await ingest(request("null"), shop.context);
    assert.deepEqual(await shop.rows('SELECT count(*), count(name) FROM _main."default".orders'), [
      ["9", "0"],
    ]);
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

  for (const watermark of ["updated_at", null]) {
    test(`numbers are written to a column of texts ${watermark ? "with" : "without"} a watermark`, async (t) => {
      const shop = await filledShop(t);
      await ingest(shop.request({ watermark }), shop.context);
      shop.db.exec("alter table orders drop column name; alter table orders add column name integer");
      shop.db.exec("update orders set name = id * 2");
      const { updated, inserted } = await ingest(shop.request({ watermark }), shop.context);
      assert.ok(updated > 0);
      assert.equal(inserted, 0);
      const changed = await shop.rows(
        `SELECT count(*) FROM _main."default".orders WHERE name = CAST(id * 2 AS VARCHAR)`,
      );
      assert.deepEqual(changed, [[String(updated)]]);
      assert.equal((await ingest(shop.request({ watermark }), shop.context)).updated, 0);
    });
  }

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
