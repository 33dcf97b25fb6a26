/** Rows that a target has refused are sent again, although the watermark is beyond them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";
import { listRejects } from "./rejects.ts";

suite("retried rejects", () => {
  for (const keys of [["id"], []]) {
    test(`appended ${keys.length > 0 ? "with" : "without"} keys arrive once`, async (t) => {
      const { folder, warehouse, rows, request, context } = await startTransferHarness(t);
      const db = new DatabaseSync(join(folder, "shop.db"));
      t.after(() => db.close());
      db.exec("create table copy (id integer, updated_at integer)");
      db.exec(
        "create trigger odd before insert on copy when new.id = 1 begin select raise(abort, 'odd'); end",
      );
      await warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
      await rows('CREATE TABLE _main."default".orders (id BIGINT, updated_at BIGINT)');
      await rows('INSERT INTO _main."default".orders VALUES (1, 10), (2, 20), (3, 30)');
      const dataset = { id: "out", target: "copy", strategy: "append", keys } as const;
      const send = (retryRejects: boolean) =>
        deliver(request(dataset, { direction: "out", retryRejects }), context);
      assert.equal((await send(false)).rejected, 1);
      db.exec("drop trigger odd");
      assert.equal((await send(false)).inserted, 0);
      assert.equal((await send(true)).inserted, 1);
      assert.equal((await send(true)).inserted, 0);
      const found = db.prepare("select id from copy order by id").all();
      assert.deepEqual(
        found.map(({ id }) => id),
        [1, 2, 3],
      );
      assert.equal(
        (await listRejects(warehouse, ["out"], { skip: 0, limit: 1 })).total,
        keys.length > 0 ? 0 : 1,
      );
    });
  }
});
