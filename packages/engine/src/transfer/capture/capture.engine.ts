import assert from "node:assert/strict";
import { after, suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { typeCases } from "../../connectors/postgresql/testing/type-cases.ts";
import type { CaptureRequest, Dataset, TransferResult } from "../../protocol/transfer.ts";
import { captureRequest, startLogServer } from "../../testing/capture-harness.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { sqlName } from "../../warehouse/names.ts";
import { checkConnection } from "../connection-check.ts";
import { listRejects } from "../rejects.ts";
import { capture } from "./capture.ts";

const { connection, client } = await startLogServer({ after });
let schemas = 0;
const warehouseTable = (table: string) => sqlName({ catalog: "main", schema: "default", table });

/** A warehouse, a schema of its own, and a connector of its own. */
async function start(t: TestContext) {
  const harness = await startTransferHarness(t);
  const schema = `s${++schemas}`;
  const connector = `c${schemas}`;
  await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
  const own = { ...connection, config: { ...connection.config, schema } };
  t.after(async () => {
    await client.query(
      `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'lakehelm_${connector}'`,
    );
    await client.query(`DROP PUBLICATION IF EXISTS lakehelm_${connector}`);
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
  });
  const request = (datasets: readonly Partial<Dataset>[] = [{}], more: Partial<CaptureRequest> = {}) =>
    captureRequest(own, datasets, { connector, ...more });
  return {
    ...harness,
    schema,
    connector,
    request,
    /** The result of the first dataset; its failure is thrown. */
    async run(
      datasets?: readonly Partial<Dataset>[],
      more?: Partial<CaptureRequest>,
    ): Promise<TransferResult> {
      const { datasets: outcomes } = await capture(request(datasets, more), harness.context);
      const [first] = outcomes;
      if (first?.failure) throw new Error(first.failure.sentence);
      assert.ok(first?.result);
      return first.result;
    },
    /** Compares a table of the source with the one in the warehouse. */
    async expectSame(columns = "*", table = "orders") {
      const { rows } = await client.query({ text: `SELECT ${columns} FROM ${table}`, rowMode: "array" });
      const text = (row: unknown[]) =>
        JSON.stringify(row.map((value) => (value === null ? null : String(value))));
      const found = await harness.rows(`SELECT ${columns} FROM ${warehouseTable(table)}`);
      assert.deepEqual(found.map(text).sort(), rows.map(text).sort());
    },
  };
}

suite("capture of the log of PostgreSQL", () => {
  test("a type that widens between changes widens the column, with the rows before and after", async (t) => {
    const { run, expectSame, rows } = await start(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, n smallint); INSERT INTO orders VALUES (1, 5)",
    );
    await run();
    await client.query(
      "UPDATE orders SET n = 6 WHERE id = 1; INSERT INTO orders VALUES (2, 7); ALTER TABLE orders ALTER n TYPE bigint; INSERT INTO orders VALUES (3, 7000000000); UPDATE orders SET n = n + 1",
    );
    const { schema_changes } = await run();
    assert.deepEqual(schema_changes, [
      { change: "column_widened", column: "n", type: "BIGINT", from_type: "SMALLINT" },
    ]);
    await expectSame();
    assert.deepEqual(await rows(`SELECT DISTINCT typeof(n) FROM ${warehouseTable("orders")}`), [["BIGINT"]]);
  });

  test("the rows first, then inserts, updates, deletes, changed keys and truncation", async (t) => {
    const { run, expectSame } = await start(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, name text); INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, NULL)",
    );
    const first = await run();
    assert.deepEqual([first.read, first.inserted], [3, 3]);
    await expectSame();
    await client.query(
      "INSERT INTO orders VALUES (4, 'd'); UPDATE orders SET name = 'B' WHERE id = 2; DELETE FROM orders WHERE id = 1; UPDATE orders SET id = 30 WHERE id = 3",
    );
    const second = await run();
    assert.deepEqual([second.inserted, second.updated, second.deleted], [2, 1, 2]);
    assert.ok(second.bytes > 0, "the bytes of changes are counted");
    await expectSame();
    await client.query(
      "INSERT INTO orders VALUES (9, 'x'); TRUNCATE orders; INSERT INTO orders VALUES (4, 'new')",
    );
    await run();
    await expectSame();
    const idle = await run();
    assert.deepEqual([idle.read, idle.changed], [0, []]);
  });

  test("values that an update did not change stay, also if the key changed", async (t) => {
    const { run, expectSame } = await start(t);
    await client.query(`CREATE TABLE orders (id int PRIMARY KEY, n int, body text, more text[]);
      ALTER TABLE orders ALTER body SET STORAGE EXTERNAL; ALTER TABLE orders ALTER more SET STORAGE EXTERNAL;
      INSERT INTO orders SELECT i, 0, repeat('x' || i, 5000), ARRAY[repeat('y', 9000), NULL, i::text] FROM generate_series(1, 5) i`);
    await run();
    await client.query("UPDATE orders SET n = 1");
    await client.query("UPDATE orders SET id = id + 10 WHERE id <= 2");
    await client.query("UPDATE orders SET id = id + 10, n = 7 WHERE id = 11");
    // A new row takes the key of one that moved away, and moves too.
    await client.query("INSERT INTO orders VALUES (1, 0, repeat('z', 5000), NULL)");
    await client.query("UPDATE orders SET id = 100 WHERE id = 1; UPDATE orders SET n = 9 WHERE id = 100");
    await client.query(
      "UPDATE orders SET body = repeat('w', 6000) WHERE id = 3; UPDATE orders SET n = 5 WHERE id = 3",
    );
    await run();
    await expectSame("id, n, body, more[1], more[2], more[3]");
  });

  test("an array whose bounds would be lost is rejected, as in a snapshot", async (t) => {
    const { run, warehouse } = await start(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY, v int[], w jsonb[])");
    await run();
    await client.query(
      "INSERT INTO orders VALUES (1, '[0:1]={1,2}', '{1}'), (2, '{1}', '[2:2]={1}'), (3, '{1}', '{1}')",
    );
    await run([{ maxRejectShare: 1 }]);
    const { rejects } = await listRejects(warehouse, ["dataset-0"], { skip: 0, limit: 10 });
    assert.equal(rejects.length, 2);
  });

  test("every type has the value that a snapshot has", async (t) => {
    const { run, rows, warehouse } = await start(t);
    const further = [
      { type: "inet", values: ["'10.0.0.1'", "'::1'", "'::1/64'"] },
      { type: "inet[]", values: ["'{10.0.0.1,10.0.0.0/8}'"] },
      { type: "boolean[]", values: ["'{t,f,NULL}'"] },
      { type: "char(4)[]", values: ["'{a,bc}'"] },
      { type: "int[]", values: ["'{1,2}'"] },
      { type: "jsonb[]", values: [`ARRAY['{"a": "b,c"}'::jsonb, NULL, '"x\\"y"'::jsonb]`] },
      { type: "text[][]", values: [`'{{a,"b \\"c"},{NULL,d}}'`] },
      { type: "timestamptz[][]", values: ["'{{2026-01-01 00:00:00+00}}'"] },
      { type: "float8[][]", values: ["'{{1.5,NaN}}'"] },
      { type: "bytea[]", values: ["'{\"\\\\x00ff\"}'"] },
      {
        type: "interval",
        values: ["'-1 mons +2 days -100:00:00.5'", "'-00:00:00.5'", "'0'", "'3000 hours'", "'-1 year'"],
      },
      {
        type: "timestamptz",
        values: ["'4713-01-01 00:00:00 BC'", "'infinity'", "'2026-06-01 12:00:00.5+02'"],
      },
      { type: "date", values: ["'10000-01-01'"] },
      { type: "money", values: ["12.5"] },
      { type: "xml", values: ["'<a>1</a>'"] },
      { type: '"char"', values: ["'a'"] },
    ];
    const cases = [...typeCases, ...further].map(({ type, values }, at) => ({
      type,
      values,
      column: `v${at}`,
    }));
    const longest = Math.max(...cases.map(({ values }) => values.length));
    const insert = async (table: string) => {
      for (let n = 0; n < longest; n++) {
        const values = cases.map(({ values }) => values[n] ?? "NULL");
        await client.query(`INSERT INTO ${table} VALUES (${n}, ${values.join(", ")})`);
      }
    };
    await client.query(
      "CREATE TYPE mood AS ENUM ('sad', 'very happy'); CREATE DOMAIN amount AS numeric(8,2); CREATE DOMAIN price AS amount CHECK (value > 0)",
    );
    for (const table of ["orders", "copied"]) {
      await client.query(
        `CREATE TABLE ${table} (id int PRIMARY KEY, ${cases.map(({ column, type }) => `${column} ${type}`).join(", ")})`,
      );
    }
    await insert("copied");
    const datasets = [{ source: "orders" }, { source: "copied" }];
    await run(datasets);
    await insert("orders");
    await run(datasets);
    const { rejects } = await listRejects(warehouse, ["dataset-0"], { skip: 0, limit: 10 });
    assert.deepEqual(
      rejects.map(({ reason }) => reason),
      [],
    );
    for (const { column, type } of cases) {
      const of = (table: string) =>
        rows(`SELECT id, ${column}::VARCHAR FROM ${warehouseTable(table)} ORDER BY id`);
      assert.deepEqual(await of("orders"), await of("copied"), type);
    }
  });

  test("a table without keys and with REPLICA IDENTITY FULL keeps as many equal rows as the source has", async (t) => {
    const { run, expectSame, request, context } = await start(t);
    await client.query(
      "CREATE TABLE orders (name text, n int); INSERT INTO orders VALUES ('a', 1), ('a', 1), ('a', 1), ('b', NULL)",
    );
    await assert.rejects(capture(request(), context), /orders has no primary key.*REPLICA IDENTITY FULL/);
    await client.query("ALTER TABLE orders REPLICA IDENTITY FULL");
    await run();
    await expectSame();
    await client.query(
      "DELETE FROM orders WHERE ctid IN (SELECT ctid FROM orders WHERE name = 'a' LIMIT 1); UPDATE orders SET n = 2 WHERE name = 'b'; INSERT INTO orders VALUES ('c', 3), ('c', 3)",
    );
    await run();
    await expectSame();
  });

  for (const isQuiet of [true, false]) {
    test(`a table without keys gets a column with a default, ${isQuiet ? "a run, " : ""}then rows change`, async (t) => {
      const { run, expectSame } = await start(t);
      await client.query(
        "CREATE TABLE orders (name text, n int); ALTER TABLE orders REPLICA IDENTITY FULL; INSERT INTO orders SELECT 'n' || g % 3, g % 5 FROM generate_series(1, 30) g",
      );
      await run();
      await client.query("ALTER TABLE orders ADD COLUMN extra int DEFAULT 5");
      if (isQuiet) await run();
      await client.query(
        "UPDATE orders SET name = 'x' WHERE n = 2; DELETE FROM orders WHERE n = 3; INSERT INTO orders VALUES ('n1', 1, NULL)",
      );
      assert.deepEqual((await run()).warnings, []);
      await expectSame();
    });
  }

  test("rows without a key that something else has changed are missed, which the run says", async (t) => {
    const { run, rows } = await start(t);
    await client.query(
      "CREATE TABLE orders (name text, n int); ALTER TABLE orders REPLICA IDENTITY FULL; INSERT INTO orders VALUES ('a', 1), ('b', 2)",
    );
    await run();
    await rows(`UPDATE ${warehouseTable("orders")} SET n = 9 WHERE name = 'a'`);
    await client.query("DELETE FROM orders WHERE name = 'a'");
    const { warnings } = await run();
    assert.match(
      warnings.join(" "),
      /1 row that .*orders has deleted or changed was not found.*full_refresh=true/,
    );
  });

  test("a column that is added or dropped, and one whose type changes", async (t) => {
    const { run, rows, lines } = await start(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, name text, old text); INSERT INTO orders VALUES (1, 'a', 'kept'), (2, 'b', 'kept')",
    );
    await run();
    await client.query(
      "INSERT INTO orders VALUES (3, 'c', 'gone'); ALTER TABLE orders ADD COLUMN extra int; UPDATE orders SET extra = 5 WHERE id = 1; ALTER TABLE orders DROP COLUMN old; INSERT INTO orders VALUES (4, 'd', 7)",
    );
    const { warnings } = await run();
    assert.match(warnings.join(" "), /no longer has the column "old"/);
    assert.deepEqual(await rows(`SELECT id, name, old, extra FROM ${warehouseTable("orders")} ORDER BY id`), [
      [1, "a", "kept", 5],
      [2, "b", "kept", null],
      [3, "c", null, null],
      [4, "d", null, 7],
    ]);
    await client.query(
      "ALTER TABLE orders ALTER COLUMN extra TYPE text; INSERT INTO orders VALUES (5, 'e', 'text')",
    );
    await assert.rejects(run(), /The type of the column "extra" has changed/);
    assert.ok(lines.length > 0);
  });

  test("quotes in names, generated columns and partitions", async (t) => {
    const { run, rows, schema } = await start(t);
    const name = `o"r'd`;
    await client.query(`CREATE TABLE "o""r'd" ("i""d" int PRIMARY KEY, "it's" text, twice int GENERATED ALWAYS AS ("i""d" * 2) STORED);
      INSERT INTO "o""r'd" VALUES (1, 'a');
      CREATE TABLE parts (id int, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
      CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
      CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM ('2027-01-01') TO ('2028-01-01');
      INSERT INTO parts VALUES (1, '2026-05-05')`);
    const datasets = [
      { source: name, target: "quoted" },
      { source: `${schema}.parts`, target: "parts" },
    ];
    await run(datasets);
    await client.query(`INSERT INTO "o""r'd" VALUES (2, 'b'); UPDATE "o""r'd" SET "it's" = 'c' WHERE "i""d" = 1;
      INSERT INTO parts VALUES (2, '2027-05-05'); UPDATE parts SET at = '2027-01-01' WHERE id = 1`);
    await run(datasets);
    assert.deepEqual(await rows(`SELECT * FROM ${warehouseTable("quoted")} ORDER BY 1`), [
      [1, "c"],
      [2, "b"],
    ]);
    assert.deepEqual(
      await rows(`SELECT id, CAST("at" AS VARCHAR) FROM ${warehouseTable("parts")} ORDER BY 1`),
      [
        [1, "2027-01-01"],
        [2, "2027-05-05"],
      ],
    );
  });

  test("a lost slot, and one of another program", async (t) => {
    const { run, expectSame, connector, request, context } = await start(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)");
    const slot = `lakehelm_${connector}`;
    await client.query(`SELECT pg_create_logical_replication_slot('${slot}', 'test_decoding')`);
    await assert.rejects(run(), /has a replication slot lakehelm_c\d+ that this connector did not create/);
    assert.equal(
      (await client.query(`SELECT plugin FROM pg_replication_slots WHERE slot_name = '${slot}'`)).rows[0]
        ?.plugin,
      "test_decoding",
    );
    await client.query(`SELECT pg_drop_replication_slot('${slot}')`);
    await run();
    await client.query(
      `INSERT INTO orders VALUES (2); SELECT pg_drop_replication_slot('${slot}'); INSERT INTO orders VALUES (3)`,
    );
    await assert.rejects(run(), /Changes are lost: the replication slot .* no longer exists.*full_refresh/);
    await run(undefined, { fromStart: true });
    await expectSame();
    await client.query("INSERT INTO orders VALUES (4)");
    await run();
    await expectSame();
    // Another program has advanced the slot.
    await client.query("INSERT INTO orders VALUES (5)");
    await client.query(`SELECT pg_replication_slot_advance('${slot}', pg_current_wal_lsn())`);
    await assert.rejects(run(), /Changes are lost: the log begins after/);
    const { log } = await capture(request(undefined, { fromStart: true }), context);
    assert.equal(log?.slot, slot);
    await expectSame();
  });

  test("check says what has become of the slot, and the way out", async (t) => {
    const { run, connector, request, context, expectSame } = await start(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)");
    const slot = `lakehelm_${connector}`;
    const check = async () => {
      const { scope, connection: own, datasets } = request();
      const findings = await checkConnection(
        { scope, direction: "in", connector, connection: own, datasets },
        context,
      );
      return findings.filter(({ sentence }) => sentence.includes(slot) && !sentence.includes("publication"));
    };
    await run();
    assert.deepEqual(await check(), [
      { ok: true, sentence: `the replication slot ${slot} keeps the log for the next run` },
    ]);

    // Another program reads the slot.
    const { host, port, user, password, database } = connection.config as Record<string, string>;
    const other = new pg.Client({
      host,
      port: Number(port),
      user,
      password,
      database,
      application_name: "debezium",
      replication: "database",
    } as pg.ClientConfig);
    other.on("error", () => {});
    await other.connect();
    t.after(() => other.end().catch(() => {}));
    void other
      .query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names '${slot}')`)
      .catch(() => {});
    const isRead = () =>
      client.query(`SELECT active FROM pg_replication_slots WHERE slot_name = '${slot}' AND active`);
    await until(async () => (await isRead()).rowCount === 1);
    const [used, ...more] = await check();
    assert.deepEqual([used?.ok, more], [false, []]);
    assert.match(
      used?.sentence ?? "",
      /in use by another program \("debezium"\).*pg_terminate_backend\(\d+\)/,
    );
    const { rows } = await isRead();
    assert.equal(rows.length, 1);
    await client.query(
      `SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '${slot}'`,
    );
    await until(async () => (await isRead()).rowCount === 0);

    await client.query(`SELECT pg_drop_replication_slot('${slot}')`);
    const [gone] = await check();
    assert.equal(gone?.ok, false);
    assert.match(
      gone?.sentence ?? "",
      /no longer exists.*: lakehelm connectors run c\d+ --set parameters\.full_refresh=true$/,
    );
    await run(undefined, { fromStart: true });
    await expectSame();
    assert.equal((await check())[0]?.ok, true);
  });

  test("a slot whose log the server has removed: check and run say so, and full_refresh starts over", async (t) => {
    const { run, connector, request, context, expectSame } = await start(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)");
    await run();
    await client.query("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
    await client.query("SELECT pg_reload_conf()");
    t.after(async () => {
      await client.query("ALTER SYSTEM RESET max_slot_wal_keep_size");
      await client.query("SELECT pg_reload_conf()");
    });
    const status = async () =>
      (
        await client.query(
          `SELECT wal_status FROM pg_replication_slots WHERE slot_name = 'lakehelm_${connector}'`,
        )
      ).rows[0]?.wal_status;
    await client.query("INSERT INTO orders VALUES (2)");
    await until(async () => {
      // A segment has 16 MB; it is removed by a checkpoint.
      await client.query("SELECT pg_switch_wal(); CREATE TABLE filler (); DROP TABLE filler; CHECKPOINT");
      return (await status()) === "lost";
    });
    const { scope, connection: own, datasets } = request();
    const findings = await checkConnection(
      { scope, direction: "in", connector, connection: own, datasets },
      context,
    );
    assert.match(
      findings
        .filter(({ ok }) => !ok)
        .map(({ sentence }) => sentence)
        .join(),
      /^Changes are lost: the server has removed the log .*max_slot_wal_keep_size.*full_refresh=true$/,
    );
    await assert.rejects(run(), /Changes are lost: the server has removed the log/);
    await run(undefined, { fromStart: true });
    await client.query("INSERT INTO orders VALUES (3)");
    await run();
    await expectSame();
  });

  test("a table that was dropped and created again is read whole", async (t) => {
    const { run, expectSame } = await start(t);
    await client.query(
      "CREATE TABLE orders (id int PRIMARY KEY, name text); INSERT INTO orders VALUES (1, 'a')",
    );
    await run();
    await client.query(
      "DROP TABLE orders; CREATE TABLE orders (id int PRIMARY KEY, name text); INSERT INTO orders VALUES (2, 'b')",
    );
    await run();
    await expectSame();
  });

  test("check says what is wrong, and how to change it", async (t) => {
    const { request, context, schema } = await start(t);
    await client.query(
      `CREATE TABLE orders (id int PRIMARY KEY); CREATE TABLE bare (id int); CREATE VIEW seen AS SELECT 1 AS id`,
    );
    await client.query("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'reader'");
    await client.query(
      `GRANT USAGE ON SCHEMA ${schema} TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader`,
    );
    t.after(() => client.query("DROP OWNED BY reader; DROP ROLE reader"));
    const check = async (user: string | undefined, sources: readonly string[]) => {
      const { scope, connector, connection: own, datasets } = request(sources.map((source) => ({ source })));
      const config = { ...own.config, ...(user && { user, password: user }) };
      return checkConnection(
        { scope, direction: "in", connector, connection: { ...own, config }, datasets },
        context,
      );
    };
    const sentences = (findings: { ok: boolean; sentence: string }[]) =>
      findings
        .filter(({ ok }) => !ok)
        .map(({ sentence }) => sentence)
        .join("\n");
    const good = await check(undefined, ["orders"]);
    assert.equal(sentences(good), "");
    assert.deepEqual(
      good.map(({ sentence }) =>
        sentence.replace(/ at .*| \d+ of \d+.*|\d+ of \d+ /, "").replace(/lakehelm_c\d+/, "…"),
      ),
      [
        "can connect to postgres",
        "wal_level is logical",
        "postgres may read the log",
        "replication slots are free",
        "may read orders, and the log identifies its rows by id",
        "may add the tables to the publication …",
        "the first run creates the replication slot …",
      ],
    );
    const bad = sentences(await check("reader", ["orders", "bare", "seen"]));
    assert.match(bad, /reader may not read the log .*ALTER ROLE "reader" REPLICATION;/);
    assert.match(bad, /bare has no primary key.*REPLICA IDENTITY FULL/);
    assert.match(bad, /seen is not a table/);
    assert.match(bad, /Let the owner run: CREATE PUBLICATION "lakehelm_c\d+" FOR TABLE/);
  });

  test("rejected rows of the log are stored, and leave the list with a good value or with their row", async (t) => {
    const { run, rows, warehouse } = await start(t);
    await client.query("CREATE TABLE orders (id int PRIMARY KEY, at timestamp, body text)");
    await run();
    await client.query("INSERT INTO orders SELECT i, '2026-01-01', 'x' FROM generate_series(1, 8) i");
    await client.query("UPDATE orders SET at = '294250-01-01' WHERE id IN (1, 2)");
    assert.equal((await run()).rejected, 2);
    const rejects = async () => (await listRejects(warehouse, ["dataset-0"], { skip: 0, limit: 10 })).total;
    assert.equal(await rejects(), 2);
    await client.query("UPDATE orders SET at = '2026-02-02' WHERE id = 1; DELETE FROM orders WHERE id = 2");
    assert.equal((await run()).rejected, 0);
    assert.equal(await rejects(), 0);
    assert.deepEqual(await rows(`SELECT count(*)::INT FROM ${warehouseTable("orders")}`), [[7]]);
  });

  test("a rejected row with large values is written when it is repaired, also if its key changed or it is gone again", async (t) => {
    const { run, expectSame, warehouse } = await start(t);
    await client.query(`CREATE TABLE orders (id int, place inet, at timestamp, body text, more text[], raw bytea, PRIMARY KEY (id, place));
      ALTER TABLE orders ALTER body SET STORAGE EXTERNAL, ALTER more SET STORAGE EXTERNAL, ALTER raw SET STORAGE EXTERNAL`);
    await run();
    await client.query(
      `INSERT INTO orders SELECT i, '10.0.0.1', CASE WHEN i <= 5 THEN '294250-01-01' ELSE '2026-01-01' END::timestamp, repeat('x' || i, 5000),
         ARRAY[repeat('"', 9000), NULL], decode(repeat('00ff', 5000), 'hex') FROM generate_series(1, 15) i`,
    );
    assert.equal((await run()).rejected, 5);
    const rejects = async () => (await listRejects(warehouse, ["dataset-0"], { skip: 0, limit: 10 })).total;
    await client.query("UPDATE orders SET at = '2026-02-02' WHERE id = 1");
    await client.query("UPDATE orders SET at = '2026-02-02', body = 'small' WHERE id = 2");
    await client.query(
      "UPDATE orders SET id = 30 WHERE id = 3; UPDATE orders SET at = '2026-02-02' WHERE id = 30",
    );
    await client.query("UPDATE orders SET at = '294251-01-01' WHERE id = 4");
    await client.query("UPDATE orders SET at = '2026-02-02' WHERE id = 5; DELETE FROM orders WHERE id = 5");
    const { rejected } = await run();
    assert.deepEqual([rejected, await rejects()], [1, 1]);
    await client.query("UPDATE orders SET at = '2026-03-03' WHERE id = 4");
    assert.equal((await run()).rejected, 0);
    assert.equal(await rejects(), 0);
    await expectSame(
      "id, host(place), body, more[1], more[2]".replace("host(place)", "CAST(place AS VARCHAR)"),
    );
  });
});
