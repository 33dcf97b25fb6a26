import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startMysql, type TestMysql } from "@lakehelm/testing";
import { until } from "@lakehelm/testing/until";
import mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import { openSourceHarness, type SourceHarness } from "../../testing/source-harness.ts";
import type { ConnectorSource } from "../source/source.ts";
import { openMysqlSource } from "./source.ts";

const cleanups: (() => unknown)[] = [];
const server = await startMysql({ after: (cleanup) => cleanups.push(cleanup as () => unknown) });

describe("a MySQL source", {
  skip: server === undefined && "neither mariadbd nor mysqld is installed",
}, () => {
  let connection: mysql.Connection;
  let harness: SourceHarness;
  let source: ConnectorSource;
  const at = server as TestMysql;

  before(async () => {
    connection = await mysql.createConnection({ ...at, multipleStatements: true });
    harness = await openSourceHarness({ after: (cleanup) => cleanups.push(cleanup as () => unknown) });
    source = await openMysqlSource({ ...at }, harness.context);
  });
  after(async () => {
    await source.close();
    await connection.end();
    for (const cleanUp of cleanups.reverse()) await cleanUp();
  });

  it("reads every value without loss, and NULL differs from an empty text", async () => {
    await connection.query(`CREATE TABLE kinds (
      id BIGINT UNSIGNED PRIMARY KEY, tiny TINYINT, is_open TINYINT(1), small SMALLINT UNSIGNED, medium MEDIUMINT, n INT UNSIGNED,
      big BIGINT, price DECIMAL(38,10), huge DECIMAL(65,0), f FLOAT, d DOUBLE, note VARCHAR(50), long_note LONGTEXT, size ENUM('S', 'M'),
      day DATE, at DATETIME(6), seen TIMESTAMP(6) NULL, hour TIME(3), y YEAR, doc JSON, raw VARBINARY(10), bits BIT(8), flag BIT(1),
      spot POINT, uid UUID)`);
    await connection.query("SET time_zone = '+05:00'");
    await connection.query(
      `INSERT INTO kinds VALUES
       (18446744073709551615, -128, 1, 65535, -8388608, 4294967295, -9223372036854775808, 1234567890123456789012345678.0000000001,
        ?, 0.1, 1.7976931348623157e308, '', 'Ünïcode 🚀', 'M', '2026-02-28', '9999-12-31 23:59:59.999999', '2026-02-28 12:30:00.25',
        '23:59:59.999', 2026, '{"a": [1]}', x'00ff', b'10000001', b'1', ST_GeomFromText('POINT(1 2)'), '00000000-0000-0000-0000-000000000001'),
       (1, ${Array.from({ length: 24 }, () => "NULL").join(", ")})`,
      ["9".repeat(65)],
    );
    await connection.query("SET time_zone = '+00:00'");
    const { rows, types, rejects } = await harness.read(source, "kinds");
    assert.deepEqual(rejects, []);
    const expected = {
      "DECIMAL(20,0)": "18446744073709551615",
      TINYINT: -128,
      BOOLEAN: true,
      INTEGER: 65535,
      "INTEGER ": -8388608,
      BIGINT: "4294967295",
      "BIGINT ": "-9223372036854775808",
      "DECIMAL(38,10)": "1234567890123456789012345678.0000000001",
      VARCHAR: "9".repeat(65),
      FLOAT: Math.fround(0.1),
      DOUBLE: Number.MAX_VALUE,
      "VARCHAR ": "",
      "VARCHAR  ": "Ünïcode 🚀",
      "VARCHAR   ": "M",
      DATE: "2026-02-28",
      TIMESTAMP: "9999-12-31 23:59:59.999999",
      "TIMESTAMP WITH TIME ZONE": "2026-02-28 07:30:00.25+00",
      TIME: "23:59:59.999",
      SMALLINT: 2026,
      JSON: '{"a": [1]}',
      BLOB: "\\x00\\xFF",
      "BIGINT  ": "129",
      "BOOLEAN ": true,
      "VARCHAR    ": "POINT(1 2)",
      UUID: "00000000-0000-0000-0000-000000000001",
    };
    assert.deepEqual(
      types,
      Object.keys(expected).map((type) => type.trim()),
    );
    assert.deepEqual(rows[1], Object.values(expected));
    assert.deepEqual(rows[0], ["1", ...Array.from({ length: 24 }, () => null)]);
  });

  it("rejects dates that do not exist, and numbers other than 0 and 1 in a BOOLEAN", async () => {
    await connection.query("SET sql_mode = ''");
    await connection.query(
      `CREATE TABLE odd (id INT PRIMARY KEY, day DATE, at DATETIME, hour TIME, ok BOOLEAN);
       INSERT INTO odd VALUES (1, '0000-00-00', NULL, NULL, 1), (2, '2026-02-00', NULL, NULL, 0), (3, NULL, '0000-00-00 00:00:00', NULL, 1),
         (4, NULL, NULL, '838:59:59', 1), (5, NULL, NULL, NULL, 2), (6, '2026-01-01', '2026-01-01', '00:00:00', 0)`,
    );
    const { rows, rejects } = await harness.read(source, "odd");
    assert.deepEqual(rows, [[6, "2026-01-01", "2026-01-01 00:00:00", "00:00:00", false]]);
    assert.deepEqual(rejects.map(({ reason, row }) => `${row.id}: ${reason}`).sort(), [
      '1: the column "day": 0000-00-00 is not a DATE',
      '2: the column "day": 2026-02-00 is not a DATE',
      '3: the column "at": 0000-00-00 00:00:00 is not a TIMESTAMP',
      '4: the column "hour": 838:59:59 is not a TIME',
      '5: the column "ok": 2 is not a BOOLEAN',
    ]);
    const asNumbers = await openMysqlSource({ ...at, options: { tinyInt1isBit: false } }, harness.context);
    const { columns } = await asNumbers.describe("odd");
    assert.equal(columns.find(({ name }) => name === "ok")?.type, "TINYINT");
    await asNumbers.close();
  });

  it("lists tables and views with any name, and reads rows from the watermark on", async () => {
    await connection.query(
      `CREATE DATABASE shop_other; USE shop_other;
       CREATE TABLE \`a.b "c" \`\`d\`\`\` (\`select\` INT, \`it's\` TIMESTAMP(6) NULL, PRIMARY KEY (\`select\`));
       INSERT INTO \`a.b "c" \`\`d\`\`\` VALUES (1, '2026-01-01 10:00:00.000001'), (2, '2026-01-01 10:00:00.000002'), (3, NULL);
       CREATE VIEW orders AS SELECT \`select\` AS id FROM \`a.b "c" \`\`d\`\`\`; CREATE TABLE _lakehelm_marks (n INT); USE shop`,
    );
    const other = await openMysqlSource({ ...at, schema: "shop_other" }, harness.context);
    assert.deepEqual(
      (await other.discover()).map(({ name, primary_keys, watermark_candidates }) => [
        name,
        primary_keys,
        watermark_candidates,
      ]),
      [
        ['`a.b "c" ``d```', ["select"], ["it's", "select"]],
        ["orders", [], []],
      ],
    );
    const since = { column: "it's", value: "2026-01-01 10:00:00.000002+00" };
    for (const [from, name] of [
      [other, '`a.b "c" ``d```'],
      [source, 'shop_other.`a.b "c" ``d```'],
    ] as const) {
      assert.deepEqual((await harness.read(from, name, { since })).rows, [
        [2, "2026-01-01 10:00:00.000002+00"],
        [3, null],
      ]);
      const window = { ...since, before: "2026-01-01 10:00:00.000003+00" };
      assert.deepEqual((await harness.read(from, name, { since: window })).rows, [
        [2, "2026-01-01 10:00:00.000002+00"],
      ]);
    }
    assert.deepEqual(await other.check(["orders", "ordres"]), [
      { ok: true, sentence: `can connect to shop at 127.0.0.1:${at.port} as loader` },
      { ok: true, sentence: "can read orders in shop_other" },
      {
        ok: false,
        sentence: `There is no dataset "ordres" in shop_other at 127.0.0.1:${at.port}. Did you mean orders?`,
      },
    ]);
    await other.close();
  });

  it("compares numbers and texts with the watermark in the warehouse's order", async () => {
    await connection.query(
      `CREATE TABLE marks (n BIGINT PRIMARY KEY, note VARCHAR(20));
       INSERT INTO marks VALUES (9007199254740992, 'B'), (9007199254740993, 'a'), (9007199254740994, NULL)`,
    );
    const from = async (column: string, value: string) =>
      (await harness.read(source, "marks", { since: { column, value } })).rows.map(([n]) => n);
    assert.deepEqual(await from("n", "9007199254740993"), ["9007199254740993", "9007199254740994"]);
    // Byte by byte, B is below a. In the collation of the column, B is above a.
    assert.deepEqual(await from("note", "a"), ["9007199254740992", "9007199254740993", "9007199254740994"]);
    await connection.query("ALTER TABLE marks MODIFY note VARCHAR(20) COLLATE utf8mb4_nopad_bin");
    assert.deepEqual(await from("note", "a"), ["9007199254740993", "9007199254740994"]);
  });

  it("connection errors name the user or the server, and never the password", async () => {
    const failedFinding = async (config: object) => {
      const wrong = await openMysqlSource({ ...at, ...config }, harness.context);
      const [finding] = await wrong.check(["kinds"]);
      await wrong.close();
      assert.equal(finding?.ok, false);
      return finding?.sentence;
    };
    assert.equal(
      await failedFinding({ password: "not it" }),
      `127.0.0.1:${at.port} rejects the user loader: wrong user name or password.`,
    );
    assert.equal(
      await failedFinding({ database: "mysql" }),
      "The user loader may not use the database mysql.",
    );
    assert.match(
      (await failedFinding({ port: 1 })) ?? "",
      /^127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
    );
    await assert.rejects(
      openMysqlSource({ host: "h", options: { sslMode: "x", foo: 1 } }, harness.context),
      (error: DataProblem) => {
        assert.match(error.message, /database: it is required.*"foo" is unknown.*sslMode: expected one of/);
        return true;
      },
    );
  });

  describe("reading a view that stops half way", () => {
    // The view sleeps after a thousand rows, so a read cannot end by itself.
    before(() =>
      connection.query(
        "CREATE VIEW half_way AS SELECT seq AS n, repeat('x', 500) AS note, IF(seq = 1000, sleep(300), 0) AS wait FROM seq_1_to_3000",
      ),
    );

    /** Waits until the view sleeps, and returns the id of the server's thread. */
    const sleepingThread = () =>
      until(async () => {
        const [threads] = await connection.query<mysql.RowDataPacket[]>(
          "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT `n`%' AND state = 'User sleep'",
        );
        return threads[0]?.id as number | undefined;
      });

    it("a killed connection is a retryable problem", async () => {
      const killed = assert.rejects(
        harness.read(source, "half_way"),
        (error) => error instanceof DataProblem && error.retryable,
      );
      await connection.query(`KILL ${await sleepingThread()}`);
      await killed;
    });

    it("an aborted read stops, and the source can be read again", async () => {
      const controller = new AbortController();
      const aborted = assert.rejects(
        harness.read(source, "half_way", { signal: controller.signal }),
        /cancelled by the test/,
      );
      await sleepingThread();
      controller.abort(new Error("cancelled by the test"));
      await aborted;
      const { rows } = await harness.read(source, "half_way", { columns: ["n"] });
      assert.equal(rows.length, 3000);
    });
  });
});
