import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { SimulatedStop, sharedTargetHarness, type TargetRun } from "../../testing/target-harness.ts";
import { freshSchema, type PostgresSchema } from "./testing/schema.ts";

/** Every tenth row is bad, for one of seven reasons in turn. */
const rows = 10_150;
const bad = rows / 10;
const isBad = (kind: number) => `i % 10 = 0 AND i / 10 % 7 = ${kind}`;
const badRows = `SELECT i::BIGINT AS id,
  CASE WHEN ${isBad(0)} THEN NULL WHEN ${isBad(1)} THEN 'a name that is too long' ELSE 'name ' || i END AS name,
  CASE WHEN ${isBad(2)} THEN -1 ELSE i % 100 END::DECIMAL(12,2) AS amount,
  CASE WHEN ${isBad(3)} THEN 'n1@example.test' ELSE 'n' || i || '@example.test' END AS email,
  CASE WHEN ${isBad(4)} THEN 1000 ELSE i % 100 END::INTEGER AS customer,
  CASE WHEN ${isBad(5)} THEN 'angry' ELSE 'happy' END AS mood,
  CASE WHEN ${isBad(6)} THEN 'abc' ELSE '10.0.0.1' END AS host
  FROM range(1, ${rows + 1}) r(i)`;
const goodRows = badRows.replaceAll("i % 10 = 0", "false");

/**
 * A table with a trigger that counts the attempts to write rows, and the most locks of an attempt. It counts with
 * sequences, because they are not rolled back.
 */
const table = (schema: string) => `
  CREATE TYPE mood AS ENUM ('sad', 'happy');
  CREATE TABLE customers (id int PRIMARY KEY);
  INSERT INTO customers SELECT generate_series(0, 99);
  CREATE TABLE orders (id bigint PRIMARY KEY, name varchar(12) NOT NULL, amount numeric(12,2) CHECK (amount >= 0),
    email text UNIQUE, customer int REFERENCES customers, mood mood, host inet);
  CREATE SEQUENCE attempts; CREATE SEQUENCE locks;
  CREATE FUNCTION count_attempts() RETURNS trigger LANGUAGE plpgsql SET search_path = ${schema} AS $$ BEGIN
    PERFORM nextval('attempts'), setval('locks', greatest((SELECT last_value FROM locks),
      (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid())));
    RETURN NULL; END $$;
  CREATE TRIGGER attempts BEFORE INSERT ON orders FOR EACH STATEMENT EXECUTE FUNCTION count_attempts()`;

suite("Rows that PostgreSQL refuses", () => {
  const newHarness = sharedTargetHarness();

  async function start(t: TestContext) {
    const schema = await freshSchema();
    t.after(() => schema.drop());
    await schema.client.query(table(schema.name));
    return { harness: await newHarness(), schema };
  }

  const rowsOf = async ({ client }: PostgresSchema, sql: string) =>
    (await client.query({ text: sql, rowMode: "array" })).rows;

  for (const [path, run] of [
    ["a first load", { whole: true }],
    ["an upsert", {}],
    ["an append", { strategy: "append" }],
  ] as [string, Partial<TargetRun>][]) {
    test(`${path} with 10 % bad rows takes few attempts and locks`, async (t) => {
      const { harness, schema } = await start(t);
      const { inserted, rejected } = await harness.write(schema.connection, { ...run, select: badRows });
      assert.deepEqual([inserted, rejected.length], [rows - bad, bad]);
      const reasons = new Map(
        [...Map.groupBy(rejected, (one) => one.reason.replace(/ \(.*/, ""))].map(([reason, all]) => [
          reason,
          all.length,
        ]),
      );
      assert.deepEqual(
        [...reasons].sort(([one], [other]) => (one < other ? -1 : 1)),
        [
          ['duplicate key value violates unique constraint "orders_email_key"', bad / 7],
          [
            'insert or update on table "orders" violates foreign key constraint "orders_customer_fkey"',
            bad / 7,
          ],
          [`invalid input syntax for type inet: "abc"`, bad / 7],
          [`invalid input value for enum ${schema.name}.mood: "angry"`, bad / 7],
          ['new row for relation "orders" violates check constraint "orders_amount_check"', bad / 7],
          ['null value in column "name" of relation "orders" violates not-null constraint', bad / 7],
          ["value too long for type character varying(12)", bad / 7],
        ],
      );
      const [[attempts, locks] = []] = await rowsOf(
        schema,
        "SELECT (SELECT last_value FROM attempts)::int, (SELECT last_value FROM locks)::int",
      );
      // One attempt for all rows, one for the good rows, and two for each bad row: in a range, and alone.
      assert.ok(attempts <= 2 * bad + 5, `${attempts} attempts for ${bad} bad rows`);
      assert.ok(locks < 100, `${locks} locks`);
    });
  }

  test("a trigger may refuse rows that no constraint describes, and repair others", async (t) => {
    const { harness, schema } = await start(t);
    await schema.client.query(`
      CREATE FUNCTION decide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.id % 500 = 2 THEN RAISE EXCEPTION 'order % is locked', NEW.id; END IF;
        NEW.name := coalesce(NEW.name, 'unknown');
        RETURN NEW; END $$;
      CREATE TRIGGER decide BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION decide()`);
    const written = await harness.write(schema.connection, { select: badRows });
    const refused = written.rejected.filter(({ reason }) => /^order \d+ is locked$/.test(reason));
    assert.equal(refused.length, Math.ceil(rows / 500));
    assert.equal(written.inserted, rows - (bad * 6) / 7 - refused.length);
    assert.deepEqual(await rowsOf(schema, "SELECT count(*)::int FROM orders WHERE name = 'unknown'"), [
      [bad / 7],
    ]);
    const [[, locks] = []] = await rowsOf(schema, "SELECT 1, (SELECT last_value FROM locks)::int");
    assert.ok(locks < 100, `${locks} locks`);
  });

  test("of rows with the same key the last valid one is written", async (t) => {
    const { harness, schema } = await start(t);
    const select = `SELECT id::BIGINT AS id, name, amount::DECIMAL(12,2) AS amount FROM (VALUES
      (1, 'first', 1), (1, 'last', -1), (2, 'first', -1), (2, 'last', 1), (3, 'first', 1), (3, 'last', 1)) v(id, name, amount)`;
    const written = await harness.write(schema.connection, { select });
    assert.deepEqual([written.inserted, written.rejected.length], [3, 1]);
    assert.deepEqual(await rowsOf(schema, "SELECT id::int, name FROM orders ORDER BY id"), [
      [1, "first"],
      [2, "last"],
      [3, "last"],
    ]);
  });

  test("a row may take over a unique value that another row of the run gives up", async (t) => {
    const { harness, schema } = await start(t);
    const orders = (emails: string) =>
      `SELECT id::BIGINT AS id, 'n' AS name, email FROM (VALUES ${emails}) v(id, email)`;
    await harness.write(schema.connection, { select: orders("(1, 'a'), (2, 'b')") });
    const select = `${orders("(1, 'c'), (2, 'a')")} UNION ALL SELECT 3, NULL, 'd'`;
    const written = await harness.write(schema.connection, { select });
    assert.deepEqual([written.updated, written.rejected.length], [2, 1]);
    assert.deepEqual(await rowsOf(schema, "SELECT id::int, email FROM orders ORDER BY id"), [
      [1, "c"],
      [2, "a"],
    ]);
  });

  test("the user need not be able to read the table that a foreign key refers to", async (t) => {
    const { harness, schema } = await start(t);
    const { name, client, connection } = schema;
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'w'; GRANT USAGE, CREATE ON SCHEMA ${name} TO ${name};
      GRANT SELECT, INSERT, UPDATE, DELETE ON orders TO ${name}; DROP TRIGGER attempts ON orders`);
    const writer = { ...connection, config: { ...connection.config, user: name, password: "w" } };
    try {
      const { inserted, rejected } = await harness.write(writer, { select: badRows });
      assert.deepEqual([inserted, rejected.length], [rows - bad, bad]);
    } finally {
      await client.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
    }
  });

  test("a column is added before the load, which then does not block readers", async (t) => {
    const { harness, schema } = await start(t);
    const select = goodRows.replace("AS host", "AS host, 'new' AS note");
    harness.stop = () => {
      throw new SimulatedStop("staged");
    };
    await assert.rejects(harness.write(schema.connection, { select, failAt: "staged" }), SimulatedStop);
    assert.deepEqual(await rowsOf(schema, "SELECT count(*)::int, count(note)::int FROM orders"), [[0, 0]]);
    const written = await harness.write(schema.connection, { select });
    assert.equal(written.inserted, rows);
  });
});
