import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { sqlString } from "@lakehelm/sql/names";
import { notebook, opening, parameterFunction, secretFunction } from "../src/notebook.ts";
import { emptyDatabase } from "./postgres.ts";
import { crashPoints, type SparkEngine, startSpark } from "./spark-engine.ts";

/** A notebook like a generated one; `body` is its last cell. */
const notebookOf = (body: string) =>
  notebook(
    ["A notebook of the engine's own suite."],
    [
      { title: "Session", code: opening(["import argparse", "import os", "import re"]) },
      { title: "Parameters and secrets", code: `${parameterFunction}\n\n\n${secretFunction}` },
      { title: "Work", code: body },
    ],
  );

describe("Spark with Delta", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["main", "my-catalog"] });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.gold");
  });

  it("creates, inserts, merges and reads under three-level names", async () => {
    await engine.sql("CREATE TABLE main.gold.t (id INT NOT NULL, name STRING) USING DELTA CLUSTER BY (id)");
    await engine.sql("INSERT INTO main.gold.t VALUES (1, 'one'), (2, 'two')");
    await engine.sql(
      `MERGE INTO main.gold.t AS t USING (SELECT 2 AS id, 'TWO' AS name UNION ALL SELECT 3, 'three') AS s
       ON t.id <=> s.id WHEN MATCHED THEN UPDATE SET name = s.name
       WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)`,
    );
    const expected = [
      { id: 1, name: "one" },
      { id: 2, name: "TWO" },
      { id: 3, name: "three" },
    ];
    for (const catalog of ["main", "`my-catalog`", "spark_catalog"]) {
      const rows = await engine.sql(
        `SELECT ${catalog}.gold.t.id, t.name FROM ${catalog}.gold.t ORDER BY ${catalog}.gold.t.id`,
      );
      assert.deepEqual(rows, expected);
    }
  });

  it("refuses an unknown catalog, and names the error", async () => {
    await assert.rejects(engine.sql("SELECT * FROM other.gold.t"), {
      condition: "REQUIRES_SINGLE_PART_NAMESPACE",
    });
  });

  it("returns values as JSON", async () => {
    const [row] = await engine.sql(
      `SELECT 9007199254740993 AS big, 1.50BD AS price, DATE '2026-01-31' AS day, X'00FF' AS bytes, true AS yes,
       TIMESTAMP '2026-01-31 10:00:00.000001' AS at, struct(1 AS a, array(2.5D) AS b) AS nested, NULL AS nothing`,
    );
    assert.deepEqual(row, {
      ...{ big: "9007199254740993", price: "1.50", day: "2026-01-31", bytes: "00ff", yes: true },
      ...{ at: "2026-01-31 10:00:00.000001", nested: { a: 1, b: [2.5] }, nothing: null },
    });
  });

  it("preserves hostile comments", async () => {
    const texts = [
      'it\'s "quoted" and `ticked`',
      "C:\\new\\table \\% \\_ \\u0041 ends in \\",
      "${foo} ${env:HOME} ${spark.app.name} $ $$ {{job.id}} :x ? %s",
      "-- no /* comment */ ; DROP TABLE main.gold.t; '''",
      "lines\nand\r\ntabs\tand \u0000 and \u2028 and \u2029",
      "\u202eright to left\u202c, 日本語, e\u0301, 🙂👩‍👩‍👧",
      "x".repeat(5000),
    ];
    const columns = texts.map((text, index) => `c${index} INT COMMENT ${sqlString(text)}`);
    await engine.sql(`CREATE TABLE main.gold.t (${columns.join(", ")}) USING DELTA`);
    const described = await engine.sql("DESCRIBE TABLE main.gold.t");
    assert.deepEqual(
      described.map((row) => row.comment),
      texts,
    );
    for (const text of texts.slice(0, -1)) {
      await engine.sql(`COMMENT ON TABLE main.gold.t IS ${sqlString(text)}`);
      const rows = await engine.sql("DESCRIBE TABLE EXTENDED main.gold.t");
      assert.equal(rows.find((row) => row.col_name === "Comment")?.data_type, text);
    }
  });

  it("reads PostgreSQL by JDBC, with microseconds", async (t) => {
    const database = await emptyDatabase(t);
    await database.query("create table orders (id int primary key, changed_at timestamptz)");
    await database.query("insert into orders values (1, '2026-01-31 10:00:00.123456+00')");
    const run = await engine.completes(
      notebookOf(
        [
          "reader = spark.read.format('jdbc').option('url', parameter('url', '')).option('dbtable', 'orders')",
          "rows = reader.option('user', 'postgres').option('password', secret('sales', 'db.password')).load()",
          "rows.write.format('delta').saveAsTable('main.gold.orders')",
        ].join("\n"),
      ),
      {
        parameters: { url: `jdbc:postgresql://${database.host}:${database.port}/${database.database}` },
        secrets: { "sales/db.password": database.password },
      },
    );
    assert.deepEqual(run.effects, ["write saveAsTable main.gold.orders"]);
    assert.deepEqual(await engine.sql("SELECT * FROM main.gold.orders"), [
      { id: 1, changed_at: "2026-01-31 10:00:00.123456" },
    ]);
  });

  describe("a notebook", () => {
    const reader = notebookOf(
      "print(parameter('day', 'none'), secret('scope', 'a-key'), 'dbutils' in globals())",
    );
    const given = { parameters: { day: "2026-01-31" }, secrets: { "scope/a-key": "hush" } };

    it("reads its parameters and secrets on Spark and on Databricks", async () => {
      assert.equal((await engine.completes(reader, given)).output, "2026-01-31 hush False\n");
      const onDatabricks = await engine.completes(reader, { ...given, on: "databricks" });
      assert.equal(onDatabricks.output, "2026-01-31 hush True\n");
      const { secrets } = given;
      assert.equal((await engine.completes(reader, { secrets })).output, "none hush False\n");
      assert.equal(
        (await engine.completes(reader, { secrets, on: "databricks" })).output,
        "none hush True\n",
      );
    });

    it("shares nothing with the next one", async () => {
      await engine.completes(reader, given);
      const run = await engine.runNotebook(reader);
      assert.equal(run.error?.type, "KeyError");
      await engine.completes(
        notebookOf("spark.range(1).createTempView('v')\nspark.conf.set('spark.x', '1')\nleft = 1"),
      );
      const look =
        "print(spark.catalog.tableExists('v'), spark.conf.get('spark.x', None), 'left' in globals())";
      assert.equal((await engine.completes(notebookOf(look))).output, "False None False\n");
    });

    it("that fails reports where and why", async () => {
      const { error } = await engine.runNotebook(notebookOf("spark.table('main.gold.missing').collect()"));
      assert.equal(error?.condition, "TABLE_OR_VIEW_NOT_FOUND");
      assert.match(error?.trace ?? "", /spark\.table\('main\.gold\.missing'\)/);
      await assert.rejects(
        engine.completes(notebookOf("print('hi')\nraise ValueError('bad')")),
        /bad[\s\S]*hi/,
      );
    });

    it("can exit early on Databricks, and is refused there without the header", async () => {
      const leaves = notebookOf("dbutils.notebook.exit('42 rows')\nprint('not reached')");
      const { exit, output } = await engine.completes(leaves, { on: "databricks" });
      assert.deepEqual({ exit, output }, { exit: "42 rows", output: "" });
      const { error } = await engine.runNotebook("print(1)", { on: "databricks" });
      assert.match(error?.message ?? "", /notebook header/);
    });
  });

  describe("a run that crashes", () => {
    const writes = notebookOf(
      [
        "try:",
        "    spark.sql('INSERT INTO main.gold.t VALUES (1)')",
        "    spark.range(2, 3).selectExpr('CAST(id AS INT) AS id').write.insertInto('main.gold.t')",
        "except Exception:",
        "    print('caught')",
        "finally:",
        "    spark.sql('-- a killed process does not clean up\\nDELETE FROM main.gold.t WHERE id = 1')",
      ].join("\n"),
    );
    beforeEach(() => engine.sql("CREATE TABLE main.gold.t (id INT) USING DELTA"));
    const ids = async () => (await engine.sql("SELECT id FROM main.gold.t ORDER BY id")).map((row) => row.id);

    it("stops before or after any effect, and has no further effects", async () => {
      const whole = await engine.completes(writes);
      assert.deepEqual(whole.effects, [
        "INSERT INTO main.gold.t VALUES (1)",
        "write insertInto main.gold.t",
        "DELETE FROM main.gold.t WHERE id = 1",
      ]);
      const left: unknown[] = [];
      for (const crashAt of crashPoints(whole)) {
        await engine.sql("DELETE FROM main.gold.t");
        const run = await engine.runNotebook(writes, { crashAt });
        assert.equal(run.crashed, true);
        assert.equal(run.output, "");
        left.push(await ids());
      }
      assert.deepEqual(left, [[], [1], [1], [1, 2], [1, 2], [2]]);
    });

    it("has committed in PostgreSQL or not", async (t) => {
      const database = await emptyDatabase(t);
      await database.query("create table orders (id int primary key)");
      const { host, port, user, password, database: dbname } = database;
      const content = notebookOf(
        [
          "import psycopg",
          `with psycopg.connect(host='${host}', port=${port}, user='${user}', password='${password}', dbname='${dbname}') as connection:`,
          "    connection.execute('insert into orders values (1)')",
          "    connection.commit()",
          "    with connection.transaction():",
          "        connection.execute('insert into orders values (2)')",
          "    connection.execute('insert into orders values (3)')",
        ].join("\n"),
      );
      const left: unknown[] = [];
      for (let effect = 1; effect <= 3; effect++) {
        for (const when of ["before", "after"] as const) {
          await database.query("delete from orders");
          assert.equal((await engine.runNotebook(content, { crashAt: { effect, when } })).crashed, true);
          left.push((await database.query("select id from orders order by id")).map(({ id }) => id));
        }
      }
      assert.deepEqual(left, [[], [1], [1], [1, 2], [1, 2], [1, 2, 3]]);
    });

    it("has sent a request or not", async (t) => {
      let received = 0;
      const server = createServer((request, response) => {
        received += Number(request.method === "POST");
        response.end("ok");
      }).listen(0, "127.0.0.1");
      t.after(() => server.close());
      await new Promise((done) => server.once("listening", done));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const content = notebookOf(
        `import urllib.request\nurllib.request.urlopen('${url}').read()\nurllib.request.urlopen('${url}', b'{}').read()`,
      );
      assert.deepEqual((await engine.completes(content)).effects, ["POST /"]);
      await engine.runNotebook(content, { crashAt: { effect: 1, when: "before" } });
      assert.equal(received, 1);
      await engine.runNotebook(content, { crashAt: { effect: 1, when: "after" } });
      assert.equal(received, 2);
    });

    it("crashes inside a stream's batch, and the stream continues where it was", async () => {
      await engine.sql("CREATE TABLE main.gold.source (id INT) USING DELTA");
      await engine.sql("INSERT INTO main.gold.source VALUES (1)");
      const content = notebookOf(
        [
          "def write(batch, number):",
          "    once = batch.write.format('delta').option('txnAppId', 'copy').option('txnVersion', number)",
          "    once.mode('append').saveAsTable('main.gold.t')",
          "",
          "stream = spark.readStream.table('main.gold.source').writeStream.foreachBatch(write)",
          `stream = stream.option('checkpointLocation', '${engine.folder}/checkpoint').trigger(availableNow=True)`,
          "stream.start().awaitTermination()",
        ].join("\n"),
      );
      const run = await engine.runNotebook(content, { crashAt: { effect: 2, when: "after" } });
      assert.deepEqual([run.crashed, run.effects], [true, ["stream", "write saveAsTable main.gold.t"]]);
      await engine.completes(content);
      assert.deepEqual(await ids(), [1]);
    });
  });
});

describe("Spark with a catalog on disk", () => {
  it("is killed by a signal and continues in a new process", async () => {
    const engine = await startSpark({ catalogs: ["main"], durable: true });
    try {
      await engine.sql("CREATE SCHEMA main.gold");
      await engine.sql("CREATE TABLE main.gold.t (id INT) USING DELTA");
      const inserts = (id: number) => `spark.sql('INSERT INTO main.gold.t VALUES (${id})')`;
      const content = notebookOf([inserts(1), inserts(2), inserts(3)].join("\n"));
      const run = await engine.runNotebook(content, { crashAt: { effect: 2, when: "after", signal: true } });
      assert.deepEqual([run.crashed, run.effects.length], [true, 2]);
      assert.deepEqual(await engine.sql("SELECT id FROM main.gold.t ORDER BY id"), [{ id: 1 }, { id: 2 }]);
    } finally {
      await engine.stop();
    }
  });

  it("is required for a crash by a signal", async () => {
    const engine = await startSpark({ timeZone: "Asia/Tokyo" });
    try {
      const crashAt = { effect: 1, when: "before", signal: true } as const;
      await assert.rejects(engine.runNotebook("", { crashAt }), /durable/);
      const [row] = await engine.sql(
        "SELECT TIMESTAMP '2026-01-31 10:00:00Z' AS at, CAST(at AS STRING) AS text",
      );
      assert.deepEqual(row, { at: "2026-01-31 19:00:00", text: "2026-01-31 19:00:00" });
    } finally {
      await engine.stop();
    }
  });
});
