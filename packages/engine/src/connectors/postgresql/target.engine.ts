import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { DataProblem } from "../../protocol/problem.ts";
import { sharedTargetHarness, type TargetHarness, type TargetRun } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";
import { openTarget } from "../target-registry.ts";
import { freshSchema, type PostgresSchema } from "./testing/schema.ts";

targetSuite("PostgreSQL as a target", async (t) => {
  const schema = await freshSchema();
  t.after(() => schema.drop());
  return schema.connection;
});

suite("PostgreSQL as a target: its own rules", () => {
  const newHarness = sharedTargetHarness();

  async function start(t: TestContext): Promise<{ harness: TargetHarness; schema: PostgresSchema }> {
    const schema = await freshSchema();
    t.after(() => schema.drop());
    return { harness: await newHarness(), schema };
  }

  const rowsOf = async ({ client }: PostgresSchema, sql: string) =>
    (await client.query({ text: sql, rowMode: "array" })).rows;

  const numbers = "SELECT i::INTEGER AS id, 'n' || i AS name FROM range(1, 3001) r(i)";

  test("a column that is too narrow is named with the statement that changes it", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query('CREATE TABLE orders (id int PRIMARY KEY, "Small" smallint)');
    const run = { select: "SELECT 1 AS id, 7000000000::BIGINT AS small", whole: true };
    const refused = await harness.write(schema.connection, run).catch((error: unknown) => error);
    assert.ok(refused instanceof DataProblem);
    const [statement = ""] = /ALTER TABLE .*;$/.exec(refused.message) ?? [];
    await schema.client.query(statement);
    await harness.write(schema.connection, run);
    assert.deepEqual(await rowsOf(schema, 'SELECT id, "Small" FROM orders'), [[1, "7000000000"]]);
  });

  for (const [path, run] of [
    ["direct copy", { whole: true }],
    ["through the stage", {}],
  ] as [string, Partial<TargetRun>][]) {
    test(`${path}: refused rows are found, and the others are written`, async (t) => {
      const { harness, schema } = await start(t);
      await schema.client.query(
        "CREATE TABLE orders (id int PRIMARY KEY CHECK (id <> 1500), name varchar(6), CHECK (name <> 'n7'))",
      );
      const select = `${numbers} UNION ALL SELECT 4000, 'too long a name' UNION ALL SELECT 4001, 'nul' || chr(0) UNION ALL SELECT 4002, 'blank   '`;
      const written = await harness.write(schema.connection, { ...run, select });
      assert.deepEqual([written.inserted, written.updated], [2998, 0]);
      const reasons = written.rejected.map(({ row, reason }) => [Number(row.id), reason] as const);
      reasons.sort(([one], [other]) => one - other);
      assert.deepEqual(
        reasons.map(([id]) => id),
        [7, 1500, 4000, 4001, 4002],
      );
      const [seven, middle, long, nul, blank] = reasons.map(([, reason]) => reason);
      assert.match(seven ?? "", /violates check constraint/);
      assert.match(middle ?? "", /violates check constraint/);
      assert.match(long ?? "", /too long for type character varying\(6\)/);
      assert.match(nul ?? "", /the column "name": the text contains the character U\+0000/);
      assert.match(blank ?? "", /too long for type character varying\(6\)/);
      assert.equal(written.rejected.find(({ row }) => Number(row.id) === 4002)?.row.name, "blank   ");
      assert.deepEqual(harness.rejects, written.rejected);
      assert.deepEqual(await rowsOf(schema, "SELECT count(*)::int, max(id) FROM orders"), [[2998, 3000]]);
    });
  }

  test("values outside PostgreSQL's range are rejected before they are sent", async (t) => {
    const { harness, schema } = await start(t);
    const select = `SELECT 1 AS id, DATE '4800-01-01 (BC)' AS day, NULL::TIMESTAMP AS moment, NULL::JSON AS doc
      UNION ALL SELECT 2, NULL, TIMESTAMP '10000-01-01 (BC) 00:00:00', NULL
      UNION ALL SELECT 3, DATE '4714-11-24 (BC)', TIMESTAMP '4714-11-24 (BC) 00:00:00', '{"a": 1}'
      UNION ALL SELECT 4, DATE 'infinity', TIMESTAMP '-infinity', NULL
      UNION ALL SELECT 5, NULL, NULL, '"\\u0000"'`;
    const written = await harness.write(schema.connection, { select, whole: true });
    assert.deepEqual(written.rejected.map(({ row }) => Number(row.id)).sort(), [1, 2, 5]);
    assert.deepEqual(
      await rowsOf(schema, "SELECT id, day::text, moment::text, doc::text FROM orders ORDER BY id"),
      [
        [3, "4714-11-24 BC", "4714-11-24 00:00:00 BC", '{"a": 1}'],
        [4, "infinity", "-infinity", null],
      ],
    );
  });

  test("writes columns of PostgreSQL's own types: arrays, enums, addresses, domains, json", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query(`
      CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN price AS numeric(8,2);
      CREATE TABLE orders (id bigint PRIMARY KEY, tags text[], sums numeric(12,2)[], mood mood, host inet, doc json, price price, big numeric)`);
    const select = `SELECT 1 AS id, ['a,"b', NULL, ''] AS tags, [1.10, 2.20]::DECIMAL(12,2)[] AS sums, 'happy' AS mood,
      '10.0.0.1/8' AS host, '{"b":  1}'::JSON AS doc, 1.5::DECIMAL(3,2) AS price, repeat('9', 50) AS big
      UNION ALL SELECT 2, NULL, [], 'angry', NULL, NULL, NULL, NULL`;
    const run: TargetRun = { select, strategy: "upsert" };
    const written = await harness.write(schema.connection, run);
    assert.equal(written.inserted, 1);
    assert.match(written.rejected[0]?.reason ?? "", /invalid input value for enum .*mood: "angry"/);
    assert.deepEqual(
      await rowsOf(schema, "SELECT tags, sums::text, mood, host::text, doc::text, price, big FROM orders"),
      [[['a,"b', null, ""], "{1.10,2.20}", "happy", "10.0.0.1/8", '{"b":  1}', "1.50", "9".repeat(50)]],
    );
    const again = await harness.write(schema.connection, run);
    assert.deepEqual([again.inserted, again.updated], [0, 0]);
  });

  test("texts of an array that are too long are refused", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query("CREATE TABLE orders (id int PRIMARY KEY, tags varchar(3)[])");
    const select = "SELECT 1 AS id, ['abc', NULL] AS tags UNION ALL SELECT 2, ['abcd']";
    const { rejected } = await harness.write(schema.connection, { select });
    assert.deepEqual(
      rejected.map(({ row, reason }) => [row.id, reason]),
      [[2, "value too long for type character varying(3)"]],
    );
    assert.deepEqual(await rowsOf(schema, "SELECT tags FROM orders"), [[["abc", null]]]);
  });

  test("a key that the type writes in another way is refused, also if each run has only one spelling", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query("CREATE TABLE orders (id cidr, nets cidr[], sum int, PRIMARY KEY (id, nets))");
    const keys = ["id", "nets"];
    const write = async (id: string, net: string, sum: number) =>
      (
        await harness.write(schema.connection, {
          select: `SELECT '${id}' AS id, ['${net}'] AS nets, ${sum} AS sum`,
          keys,
        })
      ).rejected.map(({ reason }) => reason);
    assert.deepEqual(await write("10.1.0.0/16", "10.2.0.0/16", 1), []);
    assert.deepEqual(await write("10.1/16", "10.2.0.0/16", 2), [
      'the target writes its key in another way: "id", "nets" = "10.1/16", "[\\"10.2.0.0/16\\"]" as "10.1.0.0/16", "[\\"10.2.0.0/16\\"]". Write it so in the warehouse, or make the column of the target a text',
    ]);
    assert.equal((await write("10.1.0.0/16", "10.2/16", 3)).length, 1);
    assert.deepEqual(await rowsOf(schema, "SELECT sum FROM orders"), [[1]]);
    await schema.client.query("CREATE TABLE hosts (id inet PRIMARY KEY)");
    for (const host of ["10.0.0.1", "10.0.0.1/32"])
      assert.deepEqual(
        (await harness.write(schema.connection, { name: "hosts", select: `SELECT '${host}' AS id` }))
          .rejected,
        [],
      );
    assert.deepEqual(await rowsOf(schema, "SELECT count(*)::int FROM hosts"), [[1]]);
  });

  test("of rows with the same key, the last one is written", async (t) => {
    const { harness, schema } = await start(t);
    const select = "SELECT * FROM (VALUES (1, 'first'), (2, 'two'), (1, 'last')) v(id, name)";
    const written = await harness.write(schema.connection, { select, whole: true });
    assert.equal(written.inserted, 2);
    assert.deepEqual(await rowsOf(schema, "SELECT * FROM orders ORDER BY id"), [
      [1, "last"],
      [2, "two"],
    ]);
  });

  test("replace keeps views and foreign keys that refer to the table", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query(`
      CREATE TABLE orders (id int PRIMARY KEY, name text); CREATE VIEW names AS SELECT name FROM orders;
      CREATE TABLE lines (order_id int REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO orders VALUES (1, 'old'), (2, 'old'); INSERT INTO lines VALUES (1)`);
    const run = { select: "SELECT 1 AS id, 'new' AS name", strategy: "replace", whole: true } as const;
    const written = await harness.write(schema.connection, run);
    assert.deepEqual([written.inserted, written.deleted], [1, 2]);
    assert.deepEqual(await rowsOf(schema, "SELECT name FROM names"), [["new"]]);
  });

  test("an upsert without a unique index is an error that shows how to create one", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query("CREATE TABLE orders (id int, name text)");
    await assert.rejects(
      harness.write(schema.connection, { select: numbers }),
      (error) => error instanceof DataProblem && /CREATE UNIQUE INDEX ON .+ \("id"\)/.test(error.message),
    );
  });

  test("a run writes nothing if another run has changed the checkpoint", async (t) => {
    const { harness, schema } = await start(t);
    await harness.write(schema.connection, { select: numbers, whole: true, watermark: "1" });
    const target = await openTarget(schema.connection, harness.context);
    t.after(() => target.close());
    const table = await target.table({
      stream: "stream",
      name: "orders",
      columns: [],
      keys: ["id"],
      strategy: "upsert",
    });
    assert.equal((await table.readCheckpoint())?.value, "1");
    await harness.write(schema.connection, { select: numbers, watermark: "2" });
    const late = table.write(
      { rows: 0, whole: false } as Parameters<typeof table.write>[0],
      { value: "3", time: "2026-01-01T00:00:00Z", run: "late" },
      () => {},
      harness.context.signal,
    );
    await assert.rejects(
      late,
      (error) =>
        error instanceof DataProblem && error.retryable && /since this run started/.test(error.message),
    );
    assert.equal((await harness.checkpoint(schema.connection))?.value, "2");
  });

  test("a connection that is lost during a write is a retryable problem, and nothing is written", async (t) => {
    const { harness, schema } = await start(t);
    // A trigger stops the copy half way, so that it cannot end before the connection is closed.
    await schema.client.query(`CREATE TABLE orders (id bigint PRIMARY KEY, name text);
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(300); RETURN NEW; END';
      CREATE TRIGGER half_way BEFORE INSERT ON orders FOR EACH ROW WHEN (NEW.id = 5000) EXECUTE FUNCTION wait()`);
    const select = "SELECT i AS id, repeat('x', 1000) AS name FROM range(10000) r(i)";
    const outcome = harness.write(schema.connection, { select, whole: true }).then(
      () => "written",
      (error: unknown) => error,
    );
    const terminate =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND wait_event = 'PgSleep'";
    await until(
      async () => (await schema.client.query(terminate, [`COPY "${schema.name}"%`])).rowCount === 1,
    );
    const error = await outcome;
    assert.ok(error instanceof DataProblem && error.retryable, String(error));
    assert.match(error.message, /^Writing .+: (the connection was lost|terminating connection)/);
    assert.deepEqual(await rowsOf(schema, "SELECT count(*)::int FROM orders"), [[0]]);
    assert.equal(await harness.checkpoint(schema.connection), undefined);
  });

  test("an aborted run writes nothing, even if it waits for a lock", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query("CREATE TABLE orders (id int PRIMARY KEY, name text)");
    const other = await schema.connect();
    t.after(() => other.end());
    await other.query("BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
    const controller = new AbortController();
    const target = await openTarget(schema.connection, { ...harness.context, signal: controller.signal });
    t.after(() => target.close());
    const outcome = harness.writeTo(target, { select: numbers }).then(
      () => "written",
      (error: unknown) => String(error),
    );
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'lakehelm %' AND wait_event_type = 'Lock' AND query LIKE $1";
    await until(async () => (await schema.client.query(waiting, [`%${schema.name}%`])).rowCount !== 0);
    controller.abort(new Error("cancelled by the test"));
    assert.equal(await outcome, "Error: cancelled by the test");
    await other.query("ROLLBACK");
    assert.deepEqual(await rowsOf(schema, "SELECT count(*)::int FROM orders"), [[0]]);
    assert.equal(await harness.checkpoint(schema.connection), undefined);
  });
});
