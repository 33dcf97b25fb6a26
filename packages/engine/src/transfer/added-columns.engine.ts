import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, suite, type TestContext, test } from "node:test";
import type { Dataset, TransferRequest, TransferResult } from "../protocol/transfer.ts";
import { captureRequest, startLogServer } from "../testing/capture-harness.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { capture } from "./capture/capture.ts";
import { ingest } from "./ingest.ts";

const server = await startLogServer({ after });
const table = '_main."default".orders';
const command =
  "lakehelm connectors run shop --set 'parameters.datasets=[\"orders\"]' --set parameters.reset_watermark=true";

async function start(t: TestContext) {
  const shop = await startTransferHarness(t);
  const source = new DatabaseSync(join(shop.folder, "shop.db"));
  t.after(() => source.close());
  source.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, updated_at INTEGER)");
  for (let id = 1; id <= 20; id += 1) source.exec(`INSERT INTO orders VALUES (${id}, 'n${id}', ${id})`);
  const filled = () =>
    shop.rows(`SELECT count(*)::INTEGER, count(state)::INTEGER FROM ${table}`).then(([row]) => row);
  const run = (dataset: Partial<Dataset> = {}) => ingest(shop.request(dataset), shop.context);
  return { ...shop, source, filled, run };
}

const fill = ({ schema_changes = [] }: TransferResult) =>
  schema_changes.map(({ change, column, existing_rows }) => [change, column, existing_rows]);
const addColumn = "ALTER TABLE orders ADD COLUMN state TEXT DEFAULT 'open'";

suite("a column that is added with a default", () => {
  test("with a watermark, rows have NULL until they change, and the run says so with the command", async (t) => {
    const shop = await start(t);
    await shop.run();
    shop.source.exec(`${addColumn}; INSERT INTO orders VALUES (21, 'x', 21, 'new')`);
    assert.deepEqual(fill(await shop.run()), [["column_added", "state", "null"]]);
    assert.deepEqual(await shop.filled(), [21, 2], "the row at the watermark is read again");
    assert.ok(
      shop.lines.some((line) => line.includes(command)),
      shop.lines.join("\n"),
    );
    await ingest(shop.request({}, { fromStart: true }), shop.context);
    assert.deepEqual(await shop.filled(), [21, 21]);
  });

  test("with backfill, the run that adds it reads all rows, and the next one reads from the watermark", async (t) => {
    const shop = await start(t);
    const backfill = { onAddedColumn: "backfill" } as const;
    await shop.run(backfill);
    shop.source.exec(`${addColumn}; INSERT INTO orders VALUES (21, 'x', 21, 'new')`);
    const second = await shop.run(backfill);
    assert.deepEqual(
      [fill(second), second.read, second.updated],
      [[["column_added", "state", "backfilled"]], 21, 20],
    );
    assert.deepEqual(await shop.filled(), [21, 21]);
    assert.equal((await shop.run(backfill)).read, 1);
  });

  test("with backfill, a column that a window sees first is new to the next run, too", async (t) => {
    const shop = await start(t);
    const dataset = { onAddedColumn: "backfill" } as const;
    const ofWindow = () => ingest(shop.request(dataset, { window: { from: "5", to: "8" } }), shop.context);
    await shop.run(dataset);
    shop.source.exec(addColumn);
    assert.deepEqual(fill(await ofWindow()), [["column_added", "state", "null"]]);
    assert.deepEqual([fill(await ofWindow()), await shop.filled()], [[], [20, 3]]);
    const next = await shop.run(dataset);
    assert.deepEqual([fill(next), next.read], [[["column_added", "state", "backfilled"]], 20]);
    assert.deepEqual(await shop.filled(), [20, 20]);
    const last = await shop.run(dataset);
    assert.deepEqual([fill(last), last.read], [[], 1]);
  });

  for (const [how, dataset] of [
    ["compares all rows", { watermark: null }],
    ["replaces all rows", { watermark: null, strategy: "replace" }],
  ] as const) {
    test(`a run that ${how} has the values`, async (t) => {
      const shop = await start(t);
      await shop.run(dataset);
      shop.source.exec(addColumn);
      assert.deepEqual(fill(await shop.run(dataset)), [["column_added", "state", "backfilled"]]);
      assert.deepEqual(await shop.filled(), [20, 20]);
    });
  }

  test("appended rows without a watermark are not added again", async (t) => {
    const shop = await start(t);
    const dataset = { watermark: null, strategy: "append", keys: [] } as const;
    await shop.run(dataset);
    shop.source.exec(`${addColumn}; INSERT INTO orders VALUES (21, 'x', 21, 'new')`);
    const second = await shop.run(dataset);
    assert.deepEqual([second.inserted, fill(second)], [1, [["column_added", "state", "null"]]]);
    assert.deepEqual(await shop.filled(), [21, 1]);
  });

  test("files: with backfill all files are read again", async (t) => {
    const shop = await startTransferHarness(t);
    const dataset = { source: "*.csv", watermark: "_file_modified", onAddedColumn: "backfill" } as const;
    const connection = { type: "files", config: { path: join(shop.folder, "in"), format: "csv" } };
    const run = () => ingest(shop.request(dataset, { connection }), shop.context);
    await mkdir(join(shop.folder, "in"));
    await writeFile(join(shop.folder, "in", "a.csv"), "id,name\n1,a\n2,b\n");
    await run();
    await writeFile(join(shop.folder, "in", "b.csv"), "id,name,state\n3,c,new\n");
    const { read } = await run();
    assert.equal(read, 3);
    assert.deepEqual(await shop.rows(`SELECT count(*)::INTEGER, count(state)::INTEGER FROM ${table}`), [
      [3, 1],
    ]);
  });

  for (const onAddedColumn of [undefined, "backfill"] as const) {
    test(`the log of PostgreSQL, ${onAddedColumn ?? "null"}`, async (t) => {
      const shop = await startTransferHarness(t);
      const { client, connection } = server;
      const schema = `added_${onAddedColumn ?? "null"}`;
      await client.query(
        `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.orders (id int PRIMARY KEY); INSERT INTO ${schema}.orders SELECT generate_series(1, 20)`,
      );
      const own = { ...connection, config: { ...connection.config, schema } };
      const run = async () => {
        const request = captureRequest(own, [{ ...(onAddedColumn && { onAddedColumn }) }], {
          connector: schema,
        });
        const { datasets } = await capture(request, shop.context);
        const [{ result } = {}] = datasets;
        assert.ok(result, JSON.stringify(datasets));
        return result;
      };
      await run();
      await client.query(
        `ALTER TABLE ${schema}.orders ADD COLUMN state text DEFAULT 'open'; INSERT INTO ${schema}.orders VALUES (21, 'new')`,
      );
      const expected = onAddedColumn ? "backfilled" : "null";
      assert.deepEqual(fill(await run()), [["column_added", "state", expected]]);
      assert.deepEqual(await shop.rows(`SELECT count(*)::INTEGER, count(state)::INTEGER FROM ${table}`), [
        [21, onAddedColumn ? 21 : 1],
      ]);
      await client.query(
        `UPDATE ${schema}.orders SET state = 'x' WHERE id = 3; DELETE FROM ${schema}.orders WHERE id = 4`,
      );
      assert.deepEqual([(await run()).updated, fill(await run())], [1, []]);
    });
  }
});

suite("a column that leaves the source and comes back with a default", () => {
  for (const setting of [{}, { onAddedColumn: "backfill" }] as const) {
    const named = "onAddedColumn" in setting ? setting.onAddedColumn : "null";
    for (const isChanged of [true, false]) {
      const between = isChanged ? "changed rows" : "nothing changed";
      test(`with a watermark, ${named}, ${between} meanwhile`, async (t) => {
        const shop = await start(t);
        const run = () => shop.run(setting);
        await run();
        shop.source.exec("ALTER TABLE orders DROP COLUMN name");
        if (isChanged) shop.source.exec("UPDATE orders SET updated_at = 30 WHERE id = 1");
        await run();
        shop.source.exec("ALTER TABLE orders ADD COLUMN name TEXT DEFAULT 'back'");
        const { schema_changes } = await run();
        assert.deepEqual(schema_changes, [
          { change: "column_added", column: "name", type: "STRING", existing_rows: "backfilled" },
        ]);
        assert.deepEqual(await shop.rows(`SELECT DISTINCT name FROM ${table}`), [["back"]]);
        assert.equal((await run()).read, 1, "the next run reads from the watermark");
      });

      test(`the log of PostgreSQL, ${named}, ${between} meanwhile`, async (t) => {
        const shop = await startTransferHarness(t);
        const { client, connection } = server;
        const schema = `returned_${named}_${isChanged}`;
        await client.query(
          `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.orders (id int PRIMARY KEY, name text, qty int); INSERT INTO ${schema}.orders SELECT g, 'n' || g, g FROM generate_series(1, 20) g`,
        );
        const own = { ...connection, config: { ...connection.config, schema } };
        const run = async (more = {}) => {
          const request = captureRequest(own, [setting], { connector: schema, ...more });
          const [{ result } = {}] = (await capture(request, shop.context)).datasets;
          return result ?? assert.fail();
        };
        await run();
        await client.query(`ALTER TABLE ${schema}.orders DROP COLUMN name`);
        if (isChanged) await client.query(`UPDATE ${schema}.orders SET qty = 0 WHERE id = 1`);
        await run();
        // All rows are read again, and keep the values of the column that was dropped.
        await run({ fromStart: true });
        await client.query(`ALTER TABLE ${schema}.orders ADD COLUMN name text DEFAULT 'back'`);
        const { read, warnings } = await run();
        assert.deepEqual([read, warnings.length], [20, 1]);
        assert.match(warnings[0] ?? "", /the column "name" was renamed, or dropped and added again/);
        assert.deepEqual(await shop.rows(`SELECT DISTINCT name FROM ${table}`), [["back"]]);
        assert.equal((await run()).read, 0, "the next run reads the log");
      });
    }
  }

  test("a window that sees it first leaves it to the next run", async (t) => {
    const shop = await startTransferHarness(t);
    const folder = join(shop.folder, "in");
    await mkdir(folder);
    // A database has a definition of the table, which would be another reason to read all rows.
    const connection = { type: "files", config: { path: folder, format: "csv" } };
    const run = (window?: TransferRequest["window"]) =>
      ingest(shop.request({ source: "*.csv" }, { connection, ...(window && { window }) }), shop.context);
    const put = (name?: string) =>
      writeFile(
        join(folder, "a.csv"),
        name === undefined ? "id,updated_at\n1,1\n2,2\n" : `id,updated_at,name\n1,1,${name}\n2,2,${name}\n`,
      );
    await put("before");
    await run();
    await put();
    await run({ from: "2", to: "3" });
    await put("back");
    for (let again = 0; again < 2; again += 1) await run({ from: "2", to: "3" });
    const names = () => shop.rows(`SELECT name FROM ${table} ORDER BY id`);
    assert.deepEqual(await names(), [["before"], ["back"]]);
    await run();
    assert.deepEqual(await names(), [["back"], ["back"]]);
    assert.deepEqual((await run()).schema_changes, []);
  });

  test("appended rows keep the values that they were appended with, and the run says so", async (t) => {
    const shop = await start(t);
    const run = () => shop.run({ strategy: "append", keys: [] });
    await run();
    shop.source.exec("ALTER TABLE orders DROP COLUMN name");
    // The definition of the file has changed as well, so the rows must be read from the start.
    await ingest(shop.request({ strategy: "append", keys: [] }, { fromStart: true }), shop.context);
    shop.source.exec("ALTER TABLE orders ADD COLUMN name TEXT DEFAULT 'back'");
    const { warnings, schema_changes } = await run();
    assert.ok(
      warnings.some((text) => text.includes('"name" is again in orders. Rows that were loaded before')),
      warnings.join("\n"),
    );
    assert.deepEqual(schema_changes, [{ change: "column_added", column: "name", type: "STRING" }]);
  });
});
