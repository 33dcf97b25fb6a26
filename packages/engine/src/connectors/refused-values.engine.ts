/**
 * Errors of databases quote values of rows. Only people who may read a row get the full reason; messages have names,
 * rules and counts.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, suite, type TestContext, test } from "node:test";
import { startMysql } from "@lakehelm/testing";
import mysql from "mysql2/promise";
import type { ConnectionConfig, Dataset, Reject } from "../protocol/transfer.ts";
import { withDuckdb } from "../testing/duckdb.ts";
import { openSourceHarness } from "../testing/source-harness.ts";
import { sharedTargetHarness } from "../testing/target-harness.ts";
import { addRejects, checkRejectShare, createPendingRejects } from "../transfer/rejects.ts";
import { internalTables } from "../warehouse/internal-tables.ts";
import { internalSchema } from "../warehouse/names.ts";
import { openMysqlSource } from "./mysql/source.ts";
import { openPostgresSource } from "./postgresql/source.ts";
import { freshSchema } from "./postgresql/testing/schema.ts";
import type { ConnectorSource } from "./source/source.ts";

const text = "canary-4711 is not a 5Vq8";
const number = "4711471147";
const canaries = ["canary", "4711", "5Vq8"];

/**
 * For each case, the columns of a table that refuses the row, and what a message says of it. Every cell of the row has
 * a canary.
 */
type Refusing = Readonly<Record<string, readonly [table: string, says: RegExp]>>;

const select = `SELECT ${number}::BIGINT AS id, '${text}' AS name, ${number}::BIGINT AS amount`;

function assertNoCanary(message: string): void {
  for (const canary of canaries) assert.ok(!message.includes(canary), message);
}

/** The message of a run that allows no rejects. */
const messageOf = (rejects: readonly Reject[]): Promise<string> =>
  withDuckdb(async (connection) => {
    await connection.run(`ATTACH ':memory:' AS shop; CREATE SCHEMA shop.${internalSchema}`);
    for (const table of internalTables("shop")) await connection.run(`CREATE TABLE ${table}`);
    await createPendingRejects(connection);
    await addRejects(connection, rejects, ["id"]);
    const dataset = { id: "d", maxRejectShare: 0 } satisfies Pick<Dataset, "id" | "maxRejectShare">;
    const counts = { read: rejects.length, rejected: rejects.length };
    return checkRejectShare(connection, "shop", dataset, counts).then(
      () => assert.fail("nothing was refused"),
      (error: Error) => error.message,
    );
  });

async function assertNoValues(rejects: readonly Reject[], says: RegExp): Promise<void> {
  assert.equal(rejects.length, 1);
  const message = await messageOf(rejects);
  assert.match(message, says);
  assert.match(message, /^1 of 1 row was rejected/);
  assertNoCanary(message);
  assert.equal(rejects[0]?.row.name, text, "those who may read the row get its values");
}

const raise = "BEGIN RAISE EXCEPTION 'no orders of %', NEW.name; END";

const postgres: Refusing = {
  "a unique constraint": [
    `CREATE TABLE orders (id bigint PRIMARY KEY, name text CONSTRAINT one_name UNIQUE, amount bigint);
     INSERT INTO orders VALUES (1, '${text}', 1)`,
    /it violates the unique constraint "one_name" of .*orders \(SQLSTATE 23505\)/,
  ],
  "a check": [
    "CREATE TABLE orders (id bigint PRIMARY KEY, name text CONSTRAINT short CHECK (length(name) < 4), amount bigint)",
    /it violates the check "short" of .*orders/,
  ],
  "a foreign key": [
    "CREATE TABLE names (name text PRIMARY KEY); CREATE TABLE orders (id bigint PRIMARY KEY, name text CONSTRAINT known REFERENCES names, amount bigint)",
    /it violates the foreign key "known" of .*orders/,
  ],
  "an exclusion": [
    `CREATE TABLE orders (id bigint PRIMARY KEY, name text, amount bigint, CONSTRAINT alone EXCLUDE USING btree (name WITH =));
     INSERT INTO orders VALUES (1, '${text}', 1)`,
    /it violates the exclusion constraint "alone" of .*orders/,
  ],
  "a column without NULL": [
    "CREATE TABLE orders (id bigint PRIMARY KEY, name text, amount bigint, other text NOT NULL)",
    /the column "other" of .*orders must not be NULL/,
  ],
  "a short text": [
    "CREATE TABLE orders (id bigint PRIMARY KEY, name varchar(3), amount bigint)",
    /a text is too long, for the type character varying\(3\)/,
  ],
  "an enum": [
    "CREATE TYPE mood AS ENUM ('sad'); CREATE TABLE orders (id bigint PRIMARY KEY, name mood, amount bigint)",
    /a text is not valid \(SQLSTATE 22P02\)/,
  ],
  "an inet": [
    "CREATE TABLE orders (id bigint PRIMARY KEY, name inet, amount bigint)",
    /a text is not valid, for the type inet/,
  ],
  "a domain": [
    "CREATE DOMAIN positive AS text CONSTRAINT brief CHECK (length(value) < 4); CREATE TABLE orders (id bigint PRIMARY KEY, name positive, amount bigint)",
    /it violates the check "brief".*, for the type positive/,
  ],
  "a trigger": [
    `CREATE TABLE orders (id bigint PRIMARY KEY, name text, amount bigint);
     CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ ${raise} $$;
     CREATE TRIGGER refuse BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse()`,
    /a trigger or a function of the database reports an error, whose text may quote rows \(SQLSTATE P0001\)/,
  ],
  "a cast in a trigger": [
    `CREATE TABLE orders (id bigint PRIMARY KEY, name text, amount bigint);
     CREATE FUNCTION convert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.amount := NEW.name::int; RETURN NEW; END $$;
     CREATE TRIGGER convert BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION convert()`,
    /a text is not valid, for the type integer/,
  ],
};

const mysqlTables: Refusing = {
  "a unique key": [
    `CREATE TABLE orders (id BIGINT PRIMARY KEY, name VARCHAR(80), amount BIGINT, UNIQUE KEY one_name (name));
     INSERT INTO orders VALUES (1, '${text}', 1)`,
    /a duplicate key for the key '(orders\.)?one_name' \(ER_DUP_ENTRY, 1062\)/,
  ],
  "a short text": [
    "CREATE TABLE orders (id BIGINT PRIMARY KEY, name VARCHAR(3), amount BIGINT)",
    /Data too long for column 'name'/,
  ],
  "a number in a trigger": [
    `CREATE TABLE orders (id BIGINT PRIMARY KEY, name VARCHAR(80), amount BIGINT);
     CREATE TRIGGER convert_name BEFORE INSERT ON orders FOR EACH ROW SET NEW.amount = NEW.name`,
    /a value that is not valid.* \(ER_TRUNCATED_WRONG_VALUE(_FOR_FIELD)?, (1366|1292)\)/,
  ],
  "a foreign key": [
    "CREATE TABLE names (name VARCHAR(80) PRIMARY KEY); CREATE TABLE orders (id BIGINT PRIMARY KEY, name VARCHAR(80), amount BIGINT, CONSTRAINT known FOREIGN KEY (name) REFERENCES names (name))",
    /foreign key constraint fails .*`known`/,
  ],
  "a check": [
    "CREATE TABLE orders (id BIGINT PRIMARY KEY, name VARCHAR(80), amount BIGINT, CONSTRAINT short CHECK (length(name) < 4))",
    /short/,
  ],
  "a date in a trigger": [
    `CREATE TABLE orders (id BIGINT PRIMARY KEY, name VARCHAR(80), amount BIGINT);
     CREATE TRIGGER convert_name BEFORE INSERT ON orders FOR EACH ROW SET NEW.amount = TO_DAYS(STR_TO_DATE(NEW.name, '%Y-%m-%d'))`,
    /a value that is not a date or time \(ER_WRONG_VALUE_FOR_TYPE, 1411\)/,
  ],
  "a trigger": [
    `CREATE TABLE orders (id BIGINT PRIMARY KEY, name VARCHAR(80), amount BIGINT);
     CREATE TRIGGER refuse BEFORE INSERT ON orders FOR EACH ROW BEGIN
       DECLARE words VARCHAR(120) DEFAULT CONCAT('no orders of ', NEW.name); SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = words; END`,
    /a trigger of the database refuses it \(ER_SIGNAL_EXCEPTION, 1644\)/,
  ],
};

const sqliteTables: Refusing = {
  "a unique column": [
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT UNIQUE, amount INTEGER); INSERT INTO orders VALUES (1, '${text}', 1)`,
    /UNIQUE constraint failed: orders\.name/,
  ],
  "a trigger": [
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, amount INTEGER);
     CREATE TRIGGER refuse BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'no orders of ' || NEW.name); END`,
    /a trigger of the table refuses it/,
  ],
};

const server = await startMysql({ after: (end) => after(end) });

let databases = 0;

async function emptyMysql(t: TestContext) {
  assert.ok(server);
  const { host, port, user, password } = server;
  const database = `shop${++databases}`;
  const options = { host, port, user, password, multipleStatements: true };
  const connection = await mysql.createConnection(options);
  t.after(() => connection.end());
  await connection.query(`CREATE DATABASE ${database}; USE ${database}`);
  const config = { host, port, user, password, database };
  return { connection, target: { type: "mysql", config } satisfies ConnectionConfig };
}

const noMysql = server === undefined && "neither mariadbd nor mysqld is installed";

suite("values of rows in errors of databases", () => {
  const newHarness = sharedTargetHarness();

  for (const [name, [table, says]] of Object.entries(postgres))
    test(`PostgreSQL refuses a row: ${name}`, async (t) => {
      const schema = await freshSchema();
      t.after(() => schema.drop());
      await schema.client.query(table);
      const { rejected } = await (await newHarness()).write(schema.connection, { select });
      await assertNoValues(rejected, says);
    });

  for (const [name, [table, says]] of Object.entries(mysqlTables))
    test(`MySQL refuses a row: ${name}`, { skip: noMysql }, async (t) => {
      const { connection, target } = await emptyMysql(t);
      await connection.query(table);
      const { rejected } = await (await newHarness()).write(target, { select });
      await assertNoValues(rejected, says);
    });

  for (const [name, [table, says]] of Object.entries(sqliteTables))
    test(`SQLite refuses a row: ${name}`, async () => {
      const harness = await (await newHarness()).withNewFolder();
      const path = `${harness.folder}/shop.db`;
      const database = new DatabaseSync(path);
      database.exec(table);
      database.close();
      const { rejected } = await harness.write({ type: "sqlite", config: { path } }, { select });
      await assertNoValues(rejected, says);
    });

  test("a key that a target takes for that of another row is in no message", async (t) => {
    const schema = await freshSchema();
    t.after(() => schema.drop());
    await schema.client.query(
      `CREATE TABLE orders (name bpchar(40) PRIMARY KEY, amount bigint); INSERT INTO orders VALUES ('${text}', 1)`,
    );
    const { rejected } = await (await newHarness()).write(schema.connection, {
      select: `SELECT '${text}  ' AS name, ${number}::BIGINT AS amount`,
      keys: ["name"],
    });
    for (const one of rejected) assertNoCanary(await messageOf([one]));
  });

  /** The message of the error that a view raises when it is read. */
  async function readError(open: () => Promise<ConnectorSource>, t: TestContext): Promise<string> {
    const harness = await openSourceHarness(t);
    const source = await open();
    t.after(() => source.close());
    const error: Error = await harness.read(source, "broken").then(
      () => assert.fail("the view could be read"),
      (error) => error,
    );
    assertNoCanary(error.message);
    return error.message;
  }

  test("PostgreSQL cannot read a view", async (t) => {
    const schema = await freshSchema();
    t.after(() => schema.drop());
    await schema.client.query(
      `CREATE TABLE orders (name text); INSERT INTO orders VALUES ('${text}');
       CREATE VIEW broken AS SELECT name::int AS amount FROM orders`,
    );
    const { config } = schema.connection;
    const { context } = await openSourceHarness(t);
    const message = await readError(() => openPostgresSource({ ...config }, context), t);
    assert.match(message, /Reading .*broken.*: a text is not valid, for the type integer \(SQLSTATE 22P02\)/);
  });

  test("MySQL cannot read a view", { skip: noMysql }, async (t) => {
    const { connection, target } = await emptyMysql(t);
    await connection.query(
      `CREATE TABLE orders (name VARCHAR(80), amount BIGINT UNSIGNED); INSERT INTO orders VALUES ('${text}', ${number});
       CREATE VIEW broken AS SELECT amount * amount * amount AS amount FROM orders`,
    );
    const { context } = await openSourceHarness(t);
    const message = await readError(() => openMysqlSource({ ...target.config }, context), t);
    assert.match(message, /a number that is out of range \(ER_DATA_OUT_OF_RANGE, 1690\)/);
  });
});
