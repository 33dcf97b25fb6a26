/** A connector widens a column of its table: the tables of pipelines downstream widen theirs and keep their rows. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { someOf } from "@lakehelm/testing/nightly";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { ingest } from "../transfer/ingest.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";
import { runUpdate } from "./update.ts";

const scope = { environment: "test", catalog: "main", schema: "default" };

/** A DuckDB file, the connector that appends its rows to `orders`, and a pipeline that reads them. */
async function start(t: TestContext, code: string) {
  const shop = await startTransferHarness(t);
  const path = join(shop.folder, "source.duckdb");
  let updates = 0;
  return {
    ...shop,
    async source(...statements: string[]) {
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      for (const sql of statements) await connection.run(sql);
      connection.closeSync();
      instance.closeSync();
    },
    load: () =>
      ingest(
        shop.request(
          { strategy: "append", keys: [], watermark: "loaded" },
          { connection: { type: "duckdb", config: { path } } },
        ),
        shop.context,
      ),
    async update(text = code) {
      shop.lines.length = 0;
      const { tables } = await runUpdate(
        shop.warehouse,
        {
          ...{ scope, pipeline: "p1", configuration: {}, update: `u${++updates}` },
          ...{ sources: [{ path: "p.sql", text }], refresh: "all", fullRefresh: [] },
        },
        shop.context,
      );
      return tables.map(({ name, rows_added, rows_updated }) => [
        name.split(".").at(-1),
        rows_added,
        rows_updated,
      ]);
    },
    types: (table: string) =>
      shop.rows(
        `SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = '${table}' ORDER BY column_index`,
      ),
  };
}

const typePairs = [
  ["TINYINT", "INTEGER", "7", "40000"],
  ["INTEGER", "BIGINT", "7", "3000000000"],
  ["BIGINT", "HUGEINT", "7", "99999999999999999999"],
  ["INTEGER", "DOUBLE", "7", "0.5"],
  ["DECIMAL(4,2)", "DECIMAL(12,4)", "12.34", "12345678.1234"],
  ["DECIMAL(4,2)", "DECIMAL(38,2)", "12.34", "123456789012345678901234567890123456.78"],
  ["FLOAT", "DOUBLE", "0.5", "0.1"],
  ["DATE", "TIMESTAMP", "2026-01-02", "2026-01-02 03:04:05"],
  ["INTEGER[]", "BIGINT[]", "[7]", "[3000000000]"],
  ["STRUCT(a INTEGER)", "STRUCT(a BIGINT)", "{'a': 7}", "{'a': 3000000000}"],
] as const;

suite("a connector widens columns of a table that is read as a stream", () => {
  test("each streaming table widens its columns in its next update, and keeps its rows", async (t) => {
    const shop = await start(
      t,
      `CREATE STREAMING TABLE clean (CONSTRAINT known EXPECT (id > 0) ON VIOLATION DROP ROW) AS SELECT * FROM STREAM(orders);
       CREATE STREAMING TABLE twice AS SELECT * FROM STREAM(clean);
       CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n, max(c1) AS greatest FROM twice;`,
    );
    const columns = typePairs.map(([type], at) => `c${at} ${type}`);
    const values = (at: 2 | 3) => typePairs.map((pair) => `'${pair[at].replaceAll("'", "''")}'`).join(", ");
    await shop.source(
      `CREATE TABLE orders (id INTEGER, loaded INTEGER, ${columns.join(", ")})`,
      `INSERT INTO orders VALUES (1, 1, ${values(2)})`,
    );
    await shop.load();
    await shop.update();
    await shop.source(
      ...typePairs.map(([, type], at) => `ALTER TABLE orders ALTER COLUMN c${at} SET DATA TYPE ${type}`),
      `INSERT INTO orders VALUES (2, 2, ${values(3)})`,
      // The table of the connector still has the first row.
      "DELETE FROM orders WHERE id = 1",
    );
    await shop.load();

    assert.deepEqual(await shop.update(), [
      ["clean", 1, 0],
      ["twice", 1, 0],
      ["counted", 1, 0],
    ]);

    for (const table of ["clean", "twice"]) {
      assert.deepEqual(await shop.types(table), await shop.types("orders"));
      const rows = (name: string) => shop.rows(`SELECT * FROM _main."default".${name} ORDER BY id`);
      assert.deepEqual(await rows(table), await rows("orders"));
      for (const [at, [from, to]] of typePairs.entries()) {
        const line = `change the column c${at} of main.default.${table} from ${from} to ${to}, because the source now has ${to}.`;
        assert.ok(shop.lines.includes(line), `${line}\n${shop.lines.join("\n")}`);
      }
    }
    assert.deepEqual(await shop.rows('SELECT * FROM _main."default".counted'), [["2", "3000000000"]]);
    assert.deepEqual(await shop.update(), [
      ["clean", 0, 0],
      ["twice", 0, 0],
      ["counted", 0, 0],
    ]);
  });

  const kinds = [
    [1, ""],
    [1, "IGNORE NULL UPDATES"],
    [2, "IGNORE NULL UPDATES"],
    [2, ""],
  ] as const;
  for (const [type, clauses] of someOf(kinds, 2)) {
    test(`AUTO CDC goes on with wider keys, values and sequences: type ${type} ${clauses}`, async (t) => {
      const truncate = type === 1 ? "APPLY AS TRUNCATE WHEN op = 't'" : "";
      const shop = await start(
        t,
        `CREATE STREAMING TABLE people; CREATE FLOW f AS AUTO CDC INTO people FROM STREAM(orders) KEYS (id) ${clauses} APPLY AS DELETE WHEN op = 'd' ${truncate}
         SEQUENCE BY seq COLUMNS * EXCEPT (op, loaded) STORED AS SCD TYPE ${type}`,
      );
      const [first, second] = [
        "(1, 5, 'u', 1.5, 1), (2, 6, 'u', 2.5, 1)",
        "(1, 5000000000, 'u', 1000.125, 2), (3000000000, 7, 'u', 3, 2)",
      ];
      await shop.source(
        "CREATE TABLE orders (id INTEGER, seq INTEGER, op VARCHAR, v DECIMAL(4,2), loaded INTEGER)",
        `INSERT INTO orders VALUES ${first}, (9, 1, 't', NULL, 1)`,
      );
      await shop.load();
      await shop.update();
      await shop.source(
        ...["id SET DATA TYPE BIGINT", "seq SET DATA TYPE BIGINT", "v SET DATA TYPE DECIMAL(12,4)"].map(
          (change) => `ALTER TABLE orders ALTER COLUMN ${change}`,
        ),
        `INSERT INTO orders VALUES ${second}`,
      );
      await shop.load();

      await shop.update();

      const now = type === 1 ? "" : " WHERE __END_AT IS NULL AND id <> 9";
      assert.deepEqual(await shop.rows(`SELECT id, v, seq FROM _main."default".people${now} ORDER BY id`), [
        ["1", "1000.1250", "5000000000"],
        ["2", "2.5000", "6"],
        ["3000000000", "3.0000", "7"],
      ]);
      if (type === 2)
        assert.deepEqual(
          await shop.rows(
            'SELECT v, __START_AT, __END_AT FROM _main."default".people WHERE id = 1 ORDER BY 2',
          ),
          [
            ["1.5000", "5", "5000000000"],
            ["1000.1250", "5000000000", null],
          ],
        );
      // A late event still gets its place in the history.
      await shop.source(
        "INSERT INTO orders VALUES (2, 4000000000, 'd', NULL, 3), (2, 3000000000, 'u', 7, 3)",
      );
      await shop.load();
      await shop.update();
      assert.deepEqual(await shop.rows(`SELECT id FROM _main."default".people${now} ORDER BY id`), [
        ["1"],
        ["3000000000"],
      ]);
    });
  }
});

test("a type that does not hold the rows is an error with the command that starts over, and nothing is written", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run("CREATE TABLE o (id BIGINT, day DATE); INSERT INTO o VALUES (1, DATE '2026-01-02')");
  const code = (columns: string) => `CREATE STREAMING TABLE s AS SELECT ${columns} FROM STREAM(o)`;
  await harness.update(code("id, day"));
  const ends =
    /To empty shop\.sales\.s and read its streams from the beginning, .*: lakehelm pipelines run p1 --full-refresh-selection shop\.sales\.s$/;
  for (const [columns, begins] of [
    [
      "CAST(id AS STRING) AS id, day",
      "The type of the column id of shop.sales.s would change from BIGINT to STRING.",
    ],
    ["id, id AS day", "The type of the column day of shop.sales.s would change from DATE to BIGINT."],
    ["id", "No flow provides the column day of shop.sales.s."],
  ] as const) {
    const { problems } = await harness.plan(code(columns));
    const error = await harness.errorMessage(harness.update(code(columns)));
    for (const text of [problems[0]?.message ?? "", error.replace("shop.sales.s: ", "")]) {
      assert.ok(text.startsWith(begins), text);
      assert.match(text, ends);
    }
  }
  assert.deepEqual(await harness.rows("SELECT * FROM s"), ["1 2026-01-02"]);
  // A narrower type fits: the column keeps its wider type.
  await harness.run("INSERT INTO o VALUES (2, DATE '2026-01-03')");
  await harness.update(code("CAST(id AS INT) AS id, day"));
  assert.deepEqual(await harness.rows("SELECT id FROM s"), ["1", "2"]);
});
