import assert from "node:assert/strict";
import { test as anyTest, suite, type TestContext } from "node:test";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig, TransferRequest } from "../protocol/transfer.ts";
import { deliver } from "../transfer/delivery.ts";
import { edgeRows } from "./edge-values.ts";
import { SimulatedStop, sharedTargetHarness, type TargetHarness, type TargetRun } from "./target-harness.ts";
import { startTransferHarness } from "./transfer-harness.ts";

type OpenTestTarget = (t: TestContext, harness: TargetHarness) => Promise<ConnectionConfig>;

const orders = (values: string, columns = "id, name, amount") =>
  `SELECT id::BIGINT AS id, * EXCLUDE (id) FROM (VALUES ${values}) v(${columns})`;
const first = orders("(1, 'one', 1.10), (2, '', 2.20), (3, NULL, 3.30)");

/** Tests for every target whose rows can be read back. `only` selects tests by title. */
export function targetSuite(
  title: string,
  open: OpenTestTarget,
  only: (name: string) => boolean = () => true,
): void {
  const test = (name: string, run: (t: TestContext) => Promise<void>) => {
    if (only(name)) void anyTest(name, run);
  };
  suite(title, () => {
    const newHarness = sharedTargetHarness();
    const setUp = async (context: TestContext) => {
      const harness = await newHarness();
      return { harness, target: await open(context, harness) };
    };

    test("the first run creates the table and writes the checkpoint with the rows", async (t) => {
      const { harness, target } = await setUp(t);
      assert.equal(await harness.checkpoint(target), undefined);
      assert.equal(await harness.targetRows(target), undefined);
      const written = await harness.write(target, { select: first, whole: true, watermark: "7" });
      assert.deepEqual([written.inserted, written.updated, written.deleted], [3, 0, 0]);
      assert.deepEqual(await harness.targetRows(target), await harness.rows(`${first} ORDER BY ALL`));
      assert.deepEqual(await harness.checkpoint(target), {
        value: "7",
        time: "2026-01-01T00:00:00Z",
        run: "run1",
      });
    });

    test("upsert inserts new rows and updates only rows that differ", async (t) => {
      const { harness, target } = await setUp(t);
      await harness.write(target, { select: first, whole: true });
      const select = orders("(2, NULL, 2.20), (3, NULL, 3.30), (4, 'four', 4.40)");
      const written = await harness.write(target, { select, watermark: "8" });
      assert.deepEqual([written.inserted, written.updated, written.deleted], [1, 1, 0]);
      const expected = orders("(1, 'one', 1.10), (2, NULL, 2.20), (3, NULL, 3.30), (4, 'four', 4.40)");
      assert.deepEqual(await harness.targetRows(target), await harness.rows(`${expected} ORDER BY ALL`));
      assert.equal((await harness.checkpoint(target))?.value, "8");
    });

    test("deleted rows are found by all columns of their key", async (t) => {
      const { harness, target } = await setUp(t);
      const keys = ["id", "part"];
      const pairs = "SELECT id, part, 'x' AS name FROM (VALUES (1, 'a'), (1, 'b'), (2, 'a')) v(id, part)";
      await harness.write(target, { select: pairs, keys, whole: true });
      const written = await harness.write(target, {
        select: `${pairs} WHERE false`,
        keys,
        deletedKeys: "SELECT 1 AS id, 'b' AS part UNION ALL SELECT 9, 'z'",
      });
      assert.deepEqual([written.inserted, written.updated, written.deleted], [0, 0, 1]);
      assert.deepEqual(await harness.targetRows(target), [
        [1, "a", "x"],
        [2, "a", "x"],
      ]);
    });

    test("append adds every row, even if its key exists", async (t) => {
      const { harness, target } = await setUp(t);
      const run = { select: first, strategy: "append" } as const;
      await harness.write(target, { ...run, whole: true });
      const written = await harness.write(target, { ...run, select: `${first} LIMIT 1`, watermark: "8" });
      assert.deepEqual([written.inserted, written.updated], [1, 0]);
      const all = `SELECT * FROM (${first} UNION ALL (${first} LIMIT 1)) ORDER BY ALL`;
      assert.deepEqual(await harness.targetRows(target, run), await harness.rows(all));
      assert.equal((await harness.checkpoint(target, run))?.value, "8");
    });

    test("replace leaves exactly the rows of the last run", async (t) => {
      const { harness, target } = await setUp(t);
      const run = { strategy: "replace", whole: true, keys: [] } as const;
      await harness.write(target, { ...run, select: first });
      const written = await harness.write(target, { ...run, select: orders("(9, 'nine', 9.90)") });
      assert.deepEqual([written.inserted, written.deleted], [1, 3]);
      assert.deepEqual(await harness.targetRows(target, run), [["9", "nine", "9.90"]]);
      await harness.write(target, { ...run, select: `${first} LIMIT 0` });
      assert.deepEqual(await harness.targetRows(target, run), []);
    });

    test("a new column is added, and a missing column stays in the target", async (t) => {
      const { harness, target } = await setUp(t);
      await harness.write(target, { select: first, whole: true });
      const columns = "id, name, amount, note";
      await harness.write(target, { select: orders("(2, 'two', 2.20, 'new')", columns) });
      const expected = orders(
        "(1, 'one', 1.10, NULL), (2, 'two', 2.20, 'new'), (3, NULL, 3.30, NULL)",
        columns,
      );
      assert.deepEqual(await harness.targetRows(target), await harness.rows(`${expected} ORDER BY ALL`));
      await harness.write(target, { select: orders("(4, 'four', 4.40)") });
      assert.deepEqual((await harness.targetRows(target))?.[3], ["4", "four", "4.40", null]);
    });

    test("a column whose type does not fit is an error that names it, and nothing is written", async (t) => {
      const { harness, target } = await setUp(t);
      await harness.write(target, { select: first, whole: true });
      const changed = "SELECT 1::BIGINT AS id, 2::DOUBLE AS name, 1.10::DECIMAL(3,2) AS amount";
      await assert.rejects(harness.write(target, { select: changed }), (error) => {
        assert.ok(error instanceof DataProblem);
        assert.match(
          error.message,
          /The column "name" of orders is .+ in the target, which cannot hold DOUBLE\. .+/,
        );
        return true;
      });
      const wider = "SELECT 1::BIGINT AS id, 'x' AS name, 1.10::DECIMAL(30,3) AS amount";
      await assert.rejects(
        harness.write(target, { select: wider }),
        /The column "amount" of orders .+ DECIMAL\(30,3\)/,
      );
      await harness.rows(`CREATE OR REPLACE TEMP TABLE outgoing AS ${first}`);
      assert.deepEqual(await harness.targetRows(target), await harness.rows(`${first} ORDER BY ALL`));
    });

    test("values of every type are stored without loss, and NULL differs from an empty text", async (t) => {
      const { harness, target } = await setUp(t);
      await harness.write(target, { select: edgeRows, whole: true });
      assert.deepEqual(
        await harness.targetRows(target),
        await harness.rows(`SELECT * REPLACE (json(json) AS json) FROM (${edgeRows}) ORDER BY ALL`),
      );
      const again = await harness.write(target, { select: edgeRows });
      assert.deepEqual([again.inserted, again.updated], [0, 0]);
    });

    test("names may contain quotes, spaces, reserved words and any letters", async (t) => {
      const { harness, target } = await setUp(t);
      const run: TargetRun = {
        name: "Größe of ' select",
        select: `SELECT 1 AS "select", 2 AS "a ""quoted"" na'me", 3 AS "ta\`ble", 4 AS "日本", 6 AS "what?"`,
        keys: ["select", 'a "quoted" na\'me'],
        whole: true,
      };
      await harness.write(target, run);
      await harness.write(target, {
        ...run,
        whole: false,
        select: `SELECT * REPLACE (5 AS "日本") FROM (${run.select})`,
      });
      assert.deepEqual(await harness.targetRows(target, run), [[1, 2, 3, 5, 6]]);
    });

    for (const strategy of ["upsert", "append", "replace"] as const) {
      test(`${strategy}: after failures at any crash point, the next run completes with the same rows`, async (t) => {
        const { harness, target } = await setUp(t);
        const load = { select: first, strategy, whole: true };
        for (const failAt of ["staged", "written", "written"]) {
          await assert.rejects(harness.write(target, { ...load, failAt }), SimulatedStop);
        }
        await assert.rejects(harness.write(target, { ...load, failAt: "checkpointed" }), SimulatedStop);
        assert.equal((await harness.checkpoint(target, load))?.value, "m1");
        const more = {
          select: orders("(1, 'uno', 1.10), (4, 'four', 4.40)"),
          strategy,
          whole: strategy === "replace",
          watermark: "m2",
        };
        for (const failAt of ["staged", "written"]) {
          await assert.rejects(harness.write(target, { ...more, failAt }), SimulatedStop);
          assert.equal((await harness.checkpoint(target, load))?.value, "m1");
        }
        await harness.write(target, more);
        assert.equal((await harness.checkpoint(target, load))?.value, "m2");
        const kept = {
          upsert: `SELECT * FROM (${first}) WHERE id <> 1 UNION ALL`,
          append: `${first} UNION ALL`,
          replace: "",
        };
        const expected = `SELECT * FROM (${kept[strategy]} ${more.select}) ORDER BY ALL`;
        assert.deepEqual(await harness.targetRows(target, load), await harness.rows(expected));
      });
    }

    test("an aborted run changes nothing", async (t) => {
      const { harness, target } = await setUp(t);
      await harness.write(target, { select: first, whole: true });
      const change = { select: orders("(1, 'uno', 1.10)"), watermark: "m2", abortAt: "staged" };
      await assert.rejects(harness.write(target, change), SimulatedStop);
      assert.equal((await harness.checkpoint(target))?.value, "m1");
      assert.deepEqual(await harness.targetRows(target), await harness.rows(`${first} ORDER BY ALL`));
    });

    test("a table that was emptied fails an export of any kind until the command of its error has run", async (t) => {
      const { harness, target } = await setUp(t);
      const shop = await startTransferHarness(t);
      await shop.warehouse.createSchema({ catalog: "main", schema: "default", table: "sent" });
      await shop.rows(`CREATE TABLE _main."default".sent AS ${first}`);
      const folders = { granted: [harness.folder], dataFolder: shop.warehouse.folder };
      const send = (more: Partial<TransferRequest> = {}) =>
        deliver(
          shop.request(
            { source: "main.default.sent", watermark: "id" },
            { direction: "out", connection: target, ...more },
          ),
          { ...shop.context, folders },
        );
      assert.equal((await send()).inserted, 3);
      await send();
      await harness.write(target, { select: `${first} LIMIT 0`, strategy: "replace", keys: [], whole: true });
      assert.deepEqual(await harness.targetRows(target), []);
      for (const more of [{}, { window: { from: "1", to: "3" } }, { retryRejects: true }, {}]) {
        await assert.rejects(send(more), /orders has no rows in the target.*reset_watermark=true/s);
      }
      assert.equal((await send({ fromStart: true })).inserted, 3);
      assert.equal((await send()).inserted, 0);
    });

    test("rows without a key are rejected, and the others are written", async (t) => {
      const { harness, target } = await setUp(t);
      const written = await harness.write(target, {
        select: orders("(1, 'one', 1.10), (NULL, 'none', 2.20)"),
        whole: true,
      });
      assert.equal(written.inserted, 1);
      assert.equal(written.rejected.length, 1);
      assert.deepEqual(written.rejected, harness.rejects);
      assert.match(written.rejected[0]?.reason ?? "", /null/i);
      assert.equal(written.rejected[0]?.row.name, "none");
      assert.deepEqual(await harness.targetRows(target), [["1", "one", "1.10"]]);
    });

    test("check reports whether a table can be written, and discover lists existing tables", async (t) => {
      const { harness, target } = await setUp(t);
      const before = await harness.with(target, (target) => target.check(["orders"]));
      assert.deepEqual(
        before.map(({ ok }) => ok),
        [true, true],
      );
      assert.match(before[1]?.sentence ?? "", /orders will be created by the first run/);
      await harness.write(target, { select: first, whole: true });
      const after = await harness.with(target, (target) => target.check(["orders"]));
      assert.match(after[1]?.sentence ?? "", /orders, which has 3 columns/);
      const datasets = await harness.with(target, (target) => target.discover());
      assert.deepEqual(
        datasets.map(({ name }) => name),
        ["orders"],
      );
    });
  });
}
