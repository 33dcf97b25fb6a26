import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { startMysql, type TestMysql } from "@lakehelm/testing";
import mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import { sharedTargetHarness } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";

const cleanups: (() => Promise<void>)[] = [];
const server = await startMysql({
  after: (cleanUp) => void cleanups.push(async () => void (await (cleanUp as () => unknown)())),
});

/** Every test begins with an empty database. */
async function emptyDatabase({ host, port, user, password, database }: TestMysql) {
  const connection = await mysql.createConnection({
    host,
    port,
    user,
    password,
    database,
    multipleStatements: true,
  });
  const [tables] = await connection.query<mysql.RowDataPacket[]>("SHOW TABLES");
  for (const table of tables) await connection.query("DROP TABLE ??", [Object.values(table)[0]]);
  return { connection, target: { type: "mysql", config: { host, port, user, password, database } } };
}

if (!server) {
  test("MySQL as a target", { skip: "neither mariadbd nor mysqld is installed" }, () => {});
} else {
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp();
  });
  targetSuite("MySQL as a target", async (t) => {
    const { connection, target } = await emptyDatabase(server);
    t.after(() => connection.end());
    return target;
  });

  suite("existing MySQL tables", () => {
    const newHarness = sharedTargetHarness();

    test("refused rows are rejected with the server's reason, and the others are written", async (t) => {
      const { connection, target } = await emptyDatabase(server);
      t.after(() => connection.end());
      await connection.query(
        "CREATE TABLE orders (ID BIGINT PRIMARY KEY, name VARCHAR(4) NOT NULL, part BIGINT UNIQUE, own VARCHAR(10) DEFAULT 'x')",
      );
      const harness = await newHarness();
      const select = `SELECT i AS id, CASE WHEN i = 7 THEN 'too long' WHEN i = 9 THEN NULL ELSE 'n' || i END AS name,
        CASE WHEN i = 11 THEN 1 ELSE i END AS part FROM range(1, 501) r(i)`;
      const written = await harness.write(target, { select });
      assert.deepEqual([written.inserted, written.updated], [497, 0]);
      assert.deepEqual(
        written.rejected.map(({ row }) => row.id),
        [7, 9, 11],
      );
      assert.match(written.rejected[0]?.reason ?? "", /Data too long for column 'name'/);
      assert.match(written.rejected[2]?.reason ?? "", /Duplicate entry '1' for key/);
      await connection.query("UPDATE orders SET own = 'kept'");
      const again = await harness.write(target, {
        select: "SELECT 1::BIGINT AS id, 'uno' AS name, 1::BIGINT AS part",
      });
      assert.deepEqual([again.inserted, again.updated], [0, 1]);
      const [[row]] = await connection.query<mysql.RowDataPacket[]>("SELECT * FROM orders WHERE id = 1");
      assert.deepEqual({ ...row }, { ID: 1, name: "uno", part: 1, own: "kept" });
    });

    test("blanks that do not fit are refused, run after run", async (t) => {
      const { connection, target } = await emptyDatabase(server);
      t.after(() => connection.end());
      await connection.query("CREATE TABLE orders (id VARCHAR(4) PRIMARY KEY, name TINYTEXT)");
      const harness = await newHarness();
      const select =
        "SELECT i::VARCHAR AS id, 'x' AS name FROM range(1000) r(i) UNION ALL SELECT 'abcd', 'x' UNION ALL SELECT 'abcd ', 'x' UNION ALL SELECT 'long', repeat(' ', 300)";
      for (const inserted of [1001, 0]) {
        const written = await harness.write(target, { select });
        assert.equal(written.inserted, inserted);
        assert.deepEqual(
          written.rejected.map(({ row, reason }) => [row.id, reason.replace(/ at row \d+/, "")]),
          [
            ["abcd ", "Data truncated for column 'id': it would be stored without its end"],
            ["long", "Data truncated for column 'name': it would be stored without its end"],
          ],
        );
      }
    });

    test("a first load holds no lock for each of its rows", async (t) => {
      const { connection, target } = await emptyDatabase(server);
      t.after(() => connection.end());
      const harness = await newHarness();
      let locks = -1;
      harness.stop = async () => {
        const [[trx]] = await connection.query<mysql.RowDataPacket[]>(
          "SELECT max(trx_lock_structs) AS locks FROM information_schema.innodb_trx",
        );
        locks = Number(trx?.locks);
      };
      const select = "SELECT i AS id, repeat('x', 100) AS name FROM range(20000) r(i)";
      const written = await harness.write(target, { select, whole: true, failAt: "written" });
      assert.deepEqual([written.inserted, written.bytes], [20_000, 20_000 * 108]);
      assert.ok(locks >= 0 && locks < 20, `The transaction held ${locks} locks.`);
      const again = await harness.write(target, { select: `${select} WHERE i % 2 = 0`, whole: true });
      assert.deepEqual([again.inserted, again.deleted], [10_000, 20_000]);
    });

    test("values that MySQL cannot store and rows that are too large are rejected", async (t) => {
      const { connection, target } = await emptyDatabase(server);
      t.after(() => connection.end());
      const harness = await newHarness();
      const written = await harness.write(target, {
        select: `SELECT 1 AS id, 'nan'::DOUBLE AS number, DATE '2024-01-01' AS day, '' AS text UNION ALL SELECT 2, 1, DATE 'infinity', ''
          UNION ALL SELECT 3, 1, DATE '2024-01-01', repeat('x', 20000000) UNION ALL SELECT 4, 1, DATE '2024-01-01', repeat('x', 3000000)`,
        whole: true,
      });
      assert.equal(written.inserted, 1);
      const reasons = new Map(written.rejected.map(({ reason, row }) => [row.id, reason]));
      assert.match(reasons.get(1) ?? "", /the column "number": MySQL cannot store NaN/);
      assert.match(reasons.get(2) ?? "", /Incorrect date value/);
      assert.match(reasons.get(3) ?? "", /larger than max_allowed_packet/);
    });

    test("keys that differ in case or in trailing spaces are different keys", async (t) => {
      const { connection, target } = await emptyDatabase(server);
      t.after(() => connection.end());
      const harness = await newHarness();
      const select = "SELECT * FROM (VALUES ('a'), ('A'), ('a '), ('ä')) v(id)";
      assert.equal((await harness.write(target, { select, whole: true })).inserted, 4);
      assert.deepEqual((await harness.write(target, { select })).inserted, 0);
    });

    test("an upsert without a unique index and a table without transactions are errors", async (t) => {
      const { connection, target } = await emptyDatabase(server);
      t.after(() => connection.end());
      const harness = await newHarness();
      await connection.query(
        "CREATE TABLE orders (id INT, name LONGTEXT); CREATE TABLE old (id INT PRIMARY KEY) ENGINE = MyISAM",
      );
      await assert.rejects(
        harness.write(target, { select: "SELECT 1 AS id" }),
        /no unique index on id, .+ ADD UNIQUE \(`id`\)/,
      );
      await assert.rejects(
        harness.write(target, { name: "old", select: "SELECT 1 AS id" }),
        /MyISAM, which has no transactions/,
      );
    });

    test("connection errors are reported without the password", async () => {
      const harness = await newHarness();
      const writeWith = (config: Partial<TestMysql>) =>
        harness.write({ type: "mysql", config: { ...server, ...config } }, { select: "SELECT 1 AS id" });
      const problem = (retryable: boolean, pattern: RegExp) => (error: unknown) =>
        error instanceof DataProblem &&
        error.retryable === retryable &&
        pattern.test(error.message) &&
        !error.message.includes("s3cret");
      await assert.rejects(writeWith({ password: "s3cret" }), problem(false, /wrong user name or password/));
      await assert.rejects(writeWith({ database: "nowhere" }), problem(false, /nowhere/));
      await assert.rejects(writeWith({ port: 1 }), problem(true, /cannot be reached/));
    });
  });
}
