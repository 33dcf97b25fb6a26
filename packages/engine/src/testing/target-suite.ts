import assert from "node:assert/strict";
import { after, test as anyTest, before, suite, type TestContext } from "node:test";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import { edgeRows } from "./edge-values.ts";
import { SimulatedStop, TargetHarness, type TargetRun } from "./target-harness.ts";

type OpenTestTarget = (t: TestContext, writing: TargetHarness) => Promise<ConnectionConfig>;

const orders = (values: string, columns = "id, name, amount") =>
  `SELECT id::BIGINT AS id, * EXCLUDE (id) FROM (VALUES ${values}) v(${columns})`;
const first = orders("(1, 'one', 1.10), (2, '', 2.20), (3, NULL, 3.30)");

/** What every target that can be read back does, whatever it is; `only` leaves tests out by their names. */
export function targetSuite(
  title: string,
  place: OpenTestTarget,
  only: (name: string) => boolean = () => true,
): void {
  const test = (name: string, run: (t: TestContext) => Promise<void>) => {
    if (only(name)) void anyTest(name, run);
  };
  suite(title, () => {
    let shared: TargetHarness;
    const endings: (() => Promise<void>)[] = [];
    before(async () => {
      shared = await TargetHarness.start(endings);
    });
    after(async () => {
      for (const end of endings) await end();
    });
    const started = async (context: TestContext) => {
      const writing = await shared.withNewFolder();
      return { writing, there: await place(context, writing) };
    };

    test("makes the table, and keeps the mark with the rows", async (t) => {
      const { writing, there } = await started(t);
      assert.equal(await writing.checkpoint(there), undefined);
      assert.equal(await writing.targetRows(there), undefined);
      const written = await writing.write(there, { select: first, whole: true, watermark: "7" });
      assert.deepEqual([written.inserted, written.updated, written.deleted], [3, 0, 0]);
      assert.deepEqual(await writing.targetRows(there), await writing.rows(`${first} ORDER BY ALL`));
      assert.deepEqual(await writing.checkpoint(there), {
        value: "7",
        time: "2026-01-01T00:00:00Z",
        run: "run1",
      });
    });

    test("upsert: inserts, updates what differs, leaves alone what does not", async (t) => {
      const { writing, there } = await started(t);
      await writing.write(there, { select: first, whole: true });
      const select = orders("(2, NULL, 2.20), (3, NULL, 3.30), (4, 'four', 4.40)");
      const written = await writing.write(there, { select, watermark: "8" });
      assert.deepEqual([written.inserted, written.updated, written.deleted], [1, 1, 0]);
      const expected = orders("(1, 'one', 1.10), (2, NULL, 2.20), (3, NULL, 3.30), (4, 'four', 4.40)");
      assert.deepEqual(await writing.targetRows(there), await writing.rows(`${expected} ORDER BY ALL`));
      assert.equal((await writing.checkpoint(there))?.value, "8");
    });

    test("rows that are gone go, found by all of their key", async (t) => {
      const { writing, there } = await started(t);
      const keys = ["id", "part"];
      const pairs = "SELECT id, part, 'x' AS name FROM (VALUES (1, 'a'), (1, 'b'), (2, 'a')) v(id, part)";
      await writing.write(there, { select: pairs, keys, whole: true });
      const written = await writing.write(there, {
        select: `${pairs} WHERE false`,
        keys,
        deletedKeys: "SELECT 1 AS id, 'b' AS part UNION ALL SELECT 9, 'z'",
      });
      assert.deepEqual([written.inserted, written.updated, written.deleted], [0, 0, 1]);
      assert.deepEqual(await writing.targetRows(there), [
        [1, "a", "x"],
        [2, "a", "x"],
      ]);
    });

    test("append: adds rows, the same key as often as it comes", async (t) => {
      const { writing, there } = await started(t);
      const run = { select: first, strategy: "append" } as const;
      await writing.write(there, { ...run, whole: true });
      const written = await writing.write(there, { ...run, select: `${first} LIMIT 1`, watermark: "8" });
      assert.deepEqual([written.inserted, written.updated], [1, 0]);
      const all = `SELECT * FROM (${first} UNION ALL (${first} LIMIT 1)) ORDER BY ALL`;
      assert.deepEqual(await writing.targetRows(there, run), await writing.rows(all));
      assert.equal((await writing.checkpoint(there, run))?.value, "8");
    });

    test("replace: holds exactly what came last", async (t) => {
      const { writing, there } = await started(t);
      const run = { strategy: "replace", whole: true, keys: [] } as const;
      await writing.write(there, { ...run, select: first });
      const written = await writing.write(there, { ...run, select: orders("(9, 'nine', 9.90)") });
      assert.deepEqual([written.inserted, written.deleted], [1, 3]);
      assert.deepEqual(await writing.targetRows(there, run), [["9", "nine", "9.90"]]);
      await writing.write(there, { ...run, select: `${first} LIMIT 0` });
      assert.deepEqual(await writing.targetRows(there, run), []);
    });

    test("adds a column that is new, and leaves one that does not come", async (t) => {
      const { writing, there } = await started(t);
      await writing.write(there, { select: first, whole: true });
      const columns = "id, name, amount, note";
      await writing.write(there, { select: orders("(2, 'two', 2.20, 'new')", columns) });
      const expected = orders(
        "(1, 'one', 1.10, NULL), (2, 'two', 2.20, 'new'), (3, NULL, 3.30, NULL)",
        columns,
      );
      assert.deepEqual(await writing.targetRows(there), await writing.rows(`${expected} ORDER BY ALL`));
      await writing.write(there, { select: orders("(4, 'four', 4.40)") });
      assert.deepEqual((await writing.targetRows(there))?.[3], ["4", "four", "4.40", null]);
    });

    test("says which column has another type, and writes nothing", async (t) => {
      const { writing, there } = await started(t);
      await writing.write(there, { select: first, whole: true });
      const changed = "SELECT 1::BIGINT AS id, 2::DOUBLE AS name, 1.10::DECIMAL(3,2) AS amount";
      await assert.rejects(writing.write(there, { select: changed }), (error) => {
        assert.ok(error instanceof DataProblem);
        assert.match(
          error.message,
          /The column "name" of orders is .+ in the target, which cannot hold DOUBLE/,
        );
        return true;
      });
      const wider = "SELECT 1::BIGINT AS id, 'x' AS name, 1.10::DECIMAL(30,3) AS amount";
      await assert.rejects(
        writing.write(there, { select: wider }),
        /The column "amount" of orders .+ DECIMAL\(30,3\)/,
      );
      await writing.rows(`CREATE OR REPLACE TEMP TABLE outgoing AS ${first}`);
      assert.deepEqual(await writing.targetRows(there), await writing.rows(`${first} ORDER BY ALL`));
    });

    test("keeps every type without loss, NULL apart from the empty text", async (t) => {
      const { writing, there } = await started(t);
      await writing.write(there, { select: edgeRows, whole: true });
      assert.deepEqual(
        await writing.targetRows(there),
        await writing.rows(`SELECT * REPLACE (json(json) AS json) FROM (${edgeRows}) ORDER BY ALL`),
      );
      const again = await writing.write(there, { select: edgeRows });
      assert.deepEqual([again.inserted, again.updated], [0, 0]);
    });

    test("takes names as they are: quotes, blanks, reserved words, letters of all kinds", async (t) => {
      const { writing, there } = await started(t);
      const run: TargetRun = {
        name: "Größe of ' select",
        select: `SELECT 1 AS "select", 2 AS "a ""quoted"" na'me", 3 AS "ta\`ble", 4 AS "日本", 6 AS "what?"`,
        keys: ["select", 'a "quoted" na\'me'],
        whole: true,
      };
      await writing.write(there, run);
      await writing.write(there, {
        ...run,
        whole: false,
        select: `SELECT * REPLACE (5 AS "日本") FROM (${run.select})`,
      });
      assert.deepEqual(await writing.targetRows(there, run), [[1, 2, 3, 5, 6]]);
    });

    for (const strategy of ["upsert", "append", "replace"] as const) {
      test(`${strategy}: ended at any step any number of times, the next run ends in the same state`, async (t) => {
        const { writing, there } = await started(t);
        const load = { select: first, strategy, whole: true };
        for (const failAt of ["staged", "written", "written"]) {
          await assert.rejects(writing.write(there, { ...load, failAt }), SimulatedStop);
        }
        await assert.rejects(writing.write(there, { ...load, failAt: "checkpointed" }), SimulatedStop);
        assert.equal((await writing.checkpoint(there, load))?.value, "m1");
        const more = {
          select: orders("(1, 'uno', 1.10), (4, 'four', 4.40)"),
          strategy,
          whole: strategy === "replace",
          watermark: "m2",
        };
        for (const failAt of ["staged", "written"]) {
          await assert.rejects(writing.write(there, { ...more, failAt }), SimulatedStop);
          assert.equal((await writing.checkpoint(there, load))?.value, "m1");
        }
        await writing.write(there, more);
        assert.equal((await writing.checkpoint(there, load))?.value, "m2");
        const kept = {
          upsert: `SELECT * FROM (${first}) WHERE id <> 1 UNION ALL`,
          append: `${first} UNION ALL`,
          replace: "",
        };
        const expected = `SELECT * FROM (${kept[strategy]} ${more.select}) ORDER BY ALL`;
        assert.deepEqual(await writing.targetRows(there, load), await writing.rows(expected));
      });
    }

    test("a run that is called off leaves everything as it was", async (t) => {
      const { writing, there } = await started(t);
      await writing.write(there, { select: first, whole: true });
      const change = { select: orders("(1, 'uno', 1.10)"), watermark: "m2", abortAt: "staged" };
      await assert.rejects(writing.write(there, change), SimulatedStop);
      assert.equal((await writing.checkpoint(there))?.value, "m1");
      assert.deepEqual(await writing.targetRows(there), await writing.rows(`${first} ORDER BY ALL`));
    });

    test("rows without a key are rejected, the others go through", async (t) => {
      const { writing, there } = await started(t);
      const written = await writing.write(there, {
        select: orders("(1, 'one', 1.10), (NULL, 'none', 2.20)"),
        whole: true,
      });
      assert.equal(written.inserted, 1);
      assert.equal(written.rejected.length, 1);
      assert.deepEqual(written.rejected, writing.rejects);
      assert.match(written.rejected[0]?.reason ?? "", /null/i);
      assert.equal(written.rejected[0]?.row.name, "none");
      assert.deepEqual(await writing.targetRows(there), [["1", "one", "1.10"]]);
    });

    test("says what it can write, and what is there", async (t) => {
      const { writing, there } = await started(t);
      const before = await writing.with(there, (target) => target.check(["orders"]));
      assert.deepEqual(
        before.map(({ ok }) => ok),
        [true, true],
      );
      assert.match(before[1]?.sentence ?? "", /orders will be created by the first run/);
      await writing.write(there, { select: first, whole: true });
      const after = await writing.with(there, (target) => target.check(["orders"]));
      assert.match(after[1]?.sentence ?? "", /orders, which has 3 columns/);
      const offered = await writing.with(there, (target) => target.discover());
      assert.deepEqual(
        offered.map(({ name }) => name),
        ["orders"],
      );
    });
  });
}
