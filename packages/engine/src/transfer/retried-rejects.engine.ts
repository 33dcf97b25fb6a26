/** Rows that a target has refused are sent again, although the watermark is beyond them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import type { Dataset } from "../protocol/transfer.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";
import { ingest } from "./ingest.ts";
import { listRejects } from "./rejects.ts";

/** Three orders in the warehouse, and a table that refuses some of them. */
async function givenTarget(t: TestContext, refused: string) {
  const { folder, warehouse, rows, request, context } = await startTransferHarness(t);
  const db = new DatabaseSync(join(folder, "shop.db"));
  t.after(() => db.close());
  db.exec("create table copy (id integer, updated_at integer)");
  db.exec(`create trigger odd before insert on copy when ${refused} begin select raise(abort, 'odd'); end`);
  await warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
  await rows('CREATE TABLE _main."default".orders (id BIGINT, updated_at BIGINT)');
  await rows('INSERT INTO _main."default".orders VALUES (1, 10), (2, 20), (3, 30)');
  const append = { id: "out", target: "copy", strategy: "append" } as const;
  return {
    db,
    ids: () =>
      db
        .prepare("select id from copy order by id")
        .all()
        .map(({ id }) => id),
    stored: async () => (await listRejects(warehouse, ["out"], { skip: 0, limit: 1 })).total,
    send: (retryRejects: boolean, dataset: Partial<Dataset>) =>
      deliver(request({ ...append, ...dataset }, { direction: "out", retryRejects }), context),
  };
}

suite("retried rejects", () => {
  for (const keys of [["id"], []]) {
    test(`appended ${keys.length > 0 ? "with" : "without"} keys arrive once`, async (t) => {
      const { db, ids, stored, send } = await givenTarget(t, "new.id = 1");
      assert.equal((await send(false, { keys })).rejected, 1);
      db.exec("drop trigger odd");
      assert.equal((await send(false, { keys })).inserted, 0);
      assert.equal((await send(true, { keys })).inserted, 1);
      assert.equal((await send(true, { keys })).inserted, 0);
      assert.deepEqual(ids(), [1, 2, 3]);
      assert.equal(await stored(), 0);
    });
  }

  for (const watermarkLag of [0, 15]) {
    test(`a row at the watermark arrives once, ${watermarkLag > 0 ? "with" : "without"} a lag`, async (t) => {
      const { db, ids, stored, send } = await givenTarget(t, "new.id > 1");
      const dataset = { keys: [], watermarkLag, maxRejectShare: 1 };
      assert.equal((await send(false, dataset)).rejected, 2);
      assert.equal((await send(true, dataset)).rejected, 2);
      assert.equal(await stored(), 2, "still refused");
      db.exec("drop trigger odd");
      assert.equal((await send(true, dataset)).inserted, 2);
      assert.equal((await send(true, dataset)).inserted, 0);
      assert.deepEqual(ids(), [1, 2, 3]);
      assert.equal(await stored(), 0);
    });
  }

  test("a row that is read again is not stored or written beside its reject", async (t) => {
    const { folder, warehouse, rows, request, context } = await startTransferHarness(t);
    const db = new DatabaseSync(join(folder, "shop.db"));
    t.after(() => db.close());
    db.exec("create table orders (amount integer, updated_at integer)");
    db.exec("insert into orders values (1, 10), (2, 20)");
    const dataset = { strategy: "append", keys: [], watermarkLag: 15 } as const;
    const read = (retryRejects: boolean) => ingest(request(dataset, { retryRejects }), context);
    const stored = async () => (await listRejects(warehouse, ["orders"], { skip: 0, limit: 1 })).total;
    assert.equal((await read(false)).inserted, 2);
    db.exec("insert into orders values ('twelve', 30)");
    assert.equal((await read(false)).rejected, 1);
    for (const inserted of [0, 0]) {
      assert.deepEqual([(await read(true)).inserted, await stored()], [inserted, 1]);
    }
    // The stored reject would become NULL, so it stays a reject. The repaired row arrives.
    db.exec("update orders set amount = 12 where updated_at = 30");
    assert.equal((await read(true)).inserted, 1);
    assert.deepEqual(await rows('SELECT amount FROM _main."default".orders ORDER BY 1'), [
      ["1"],
      ["2"],
      ["12"],
    ]);
    assert.equal(await stored(), 1);
  });
});
