import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { openMysql, startMysql } from "@lakehelm/testing";
import { freshSchema } from "../connectors/postgresql/testing/schema.ts";
import { runScript } from "../pipelines/script.ts";
import type { ConnectionConfig, Dataset, TransferRequest } from "../protocol/transfer.ts";
import { withDuckdb } from "../testing/duckdb.ts";
import { seededRandom } from "../testing/seeded-random.ts";
import { startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";
import { literal } from "../warehouse/names.ts";
import { deliver } from "./delivery.ts";
import { preview } from "./preview.ts";
import { listRejects } from "./rejects.ts";

const table = `_main."default".orders`;

interface DeliveryHarness extends TransferHarness {
  /** A delivery of `orders`, by default with its key and its watermark. */
  out(
    connection: ConnectionConfig,
    dataset?: Partial<Dataset>,
    more?: Partial<TransferRequest>,
  ): TransferRequest;
  run(sql: string): Promise<void>;
}

async function openDeliveryHarness(t: TestContext): Promise<DeliveryHarness> {
  const harness = await startTransferHarness(t);
  const run = async (sql: string) => {
    const connection = await harness.warehouse.connect();
    await connection.run(sql);
    connection.closeSync();
  };
  await harness.warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
  await run(`CREATE TABLE ${table} (id BIGINT, name VARCHAR, amount DECIMAL(10,2), updated_at TIMESTAMP)`);
  await run(
    `INSERT INTO ${table} SELECT i, 'n' || i, i + 0.5, TIMESTAMP '2026-01-01' + INTERVAL (i) SECOND FROM range(1, 11) r(i)`,
  );
  return {
    ...harness,
    run,
    out: (connection, dataset, more) => harness.request(dataset, { direction: "out", connection, ...more }),
  };
}

const change = (id: number, name: string, second: number) =>
  `UPDATE ${table} SET name = '${name}', updated_at = TIMESTAMP '2026-01-02' + INTERVAL ${second} SECOND WHERE id = ${id}`;

interface ReadableTarget {
  readonly connection: ConnectionConfig;
  /** `id` and `name` of all rows. */
  names(): Promise<readonly (readonly unknown[])[]>;
}

const inFiles =
  (type: string) =>
  async (_: TestContext, harness: TransferHarness): Promise<ReadableTarget> => {
    const path = await targetPathFor(type, harness);
    const from =
      type === "sqlite" || type === "duckdb" ? "out.orders" : literal(join(path, `orders.${type}`));
    const attached = `ATTACH ${literal(path)} AS out (READ_ONLY)`;
    return {
      connection: { type, config: { path } },
      async names() {
        if (type === "sqlite") {
          using database = new DatabaseSync(path, { readOnly: true });
          return database
            .prepare("SELECT id, name FROM orders")
            .all()
            .map(({ id, name }) => [id, name]);
        }
        return withDuckdb(async (duck) => {
          if (type === "duckdb") await duck.run(attached);
          return (await duck.runAndReadAll(`SELECT id, name FROM ${from}`)).getRowsJson();
        });
      },
    };
  };

/** Every kind of target whose rows can be read back; undefined if its server is not installed. */
const readableTargets: Readonly<
  Record<string, (t: TestContext, harness: TransferHarness) => Promise<ReadableTarget | undefined>>
> = {
  ...Object.fromEntries(
    ["sqlite", "duckdb", "csv", "jsonl", "parquet"].map((type) => [type, inFiles(type)] as const),
  ),
  async postgresql(t) {
    const { client, connection, drop } = await freshSchema();
    t.after(drop);
    return {
      connection,
      names: async () =>
        (await client.query("SELECT id, name FROM orders")).rows.map(({ id, name }) => [id, name]),
    };
  },
  async mysql(t) {
    const server = await startMysql(t);
    if (!server) return undefined;
    const client = await openMysql(server);
    t.after(() => client.end());
    await client.query(`USE ${server.database}`);
    return {
      connection: { type: "mysql", config: { ...server } },
      async names() {
        const [rows] = await client.query({ sql: "SELECT id, name FROM orders", rowsAsArray: true });
        return rows as unknown[][];
      },
    };
  },
};

/** A file for a database, an existing folder for files. */
async function targetPathFor(type: string, { folder }: TransferHarness): Promise<string> {
  const path = join(folder, `out.${type}`);
  if (type !== "sqlite" && type !== "duckdb") await mkdir(path);
  return path;
}

suite("delivery", () => {
  test("SQLite: the first run writes all rows, the next run only changed rows, and the target stores the watermark", async (t) => {
    const harness = await openDeliveryHarness(t);
    const path = join(harness.folder, "crm.db");
    const connection = { type: "sqlite", config: { path } };
    const first = await deliver(harness.out(connection), harness.context);
    assert.deepEqual([first.read, first.inserted, first.watermark_after], [10, 10, "2026-01-01 00:00:10"]);
    const again = await deliver(harness.out(connection), harness.context);
    assert.deepEqual([again.inserted, again.updated], [0, 0]);
    await harness.run(change(3, "three", 0));
    await harness.run(`INSERT INTO ${table} VALUES (11, NULL, NULL, '2026-01-02 00:00:00')`);
    const third = await deliver(harness.out(connection), harness.context);
    assert.deepEqual([third.inserted, third.updated], [1, 1]);
    const db = new DatabaseSync(path, { readOnly: true });
    t.after(() => db.close());
    const rows = db.prepare("select id, name, amount from orders order by id").all();
    assert.equal(rows.length, 11);
    assert.deepEqual({ ...rows[2] }, { id: 3, name: "three", amount: "3.50" });
    assert.deepEqual({ ...rows[10] }, { id: 11, name: null, amount: null });
  });

  test("a preview counts the rows that the run rejects; their share is of all rows that the run considers", async (t) => {
    const harness = await openDeliveryHarness(t);
    const path = join(harness.folder, "crm.db");
    const target = new DatabaseSync(path);
    t.after(() => target.close());
    target.exec(
      "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount TEXT, updated_at TEXT)",
    );
    const stored = () =>
      ({
        ...target.prepare("SELECT count(*) AS n, count(DISTINCT name) AS names FROM orders").get(),
      }) as unknown;
    const connection = { type: "sqlite", config: { path } };
    const out = () => harness.out(connection, { watermark: null, maxRejectShare: 0.05 });
    await harness.run(
      `INSERT INTO ${table} SELECT i, 'n' || i, 1, TIMESTAMP '2026-01-01' FROM range(11, 181) r(i)`,
    );
    const first = await preview(out(), harness.context);
    assert.deepEqual([first.insert, first.rejected, stored()], [180, 0, { n: 0, names: 0 }]);
    await deliver(out(), harness.context);
    await harness.run(`UPDATE ${table} SET name = NULL WHERE id IN (3, 4)`);
    const shown = await preview(out(), harness.context);
    assert.deepEqual([shown.rejected, shown.update], [2, 2]);
    assert.deepEqual(shown.rejects.map(({ row }) => String(row.id)).sort(), ["3", "4"]);
    assert.match(shown.rejects[0]?.reason ?? "", /NOT NULL/);
    assert.deepEqual(stored(), { n: 180, names: 180 });
    // Both rows that differ are rejected, of 180 rows that were compared.
    assert.equal((await deliver(out(), harness.context)).rejected, 2);
    await harness.run(`UPDATE ${table} SET name = NULL WHERE id < 21`);
    assert.equal((await preview(out(), harness.context)).rejected, 20);
    await assert.rejects(deliver(out(), harness.context), /^Error: 18 of 180 rows were rejected/);
  });

  test("PostgreSQL: a preview counts what the run rejects, and leaves nothing behind", async (t) => {
    const harness = await openDeliveryHarness(t);
    const schema = await freshSchema();
    t.after(() => schema.drop());
    const { client, connection } = schema;
    await client.query(
      "CREATE TABLE orders (id bigint PRIMARY KEY, name varchar(5) NOT NULL, amount numeric CHECK (amount > 2), updated_at timestamp)",
    );
    const relations = async () =>
      (
        await client.query("SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace", [
          schema.name,
        ])
      ).rows.length;
    const before = await relations();
    await harness.run(`UPDATE ${table} SET name = 'too long' WHERE id = 7`);
    const out = () => harness.out(connection, { maxRejectShare: 1 });
    const { rejected, rejects, warnings } = await preview(out(), harness.context);
    assert.deepEqual([rejected, warnings], [2, []]);
    assert.deepEqual(rejects.map(({ row }) => String(row.id)).sort(), ["1", "7"]);
    assert.equal(await relations(), before);
    assert.equal((await client.query("SELECT 1 FROM orders")).rowCount, 0);
    assert.equal((await deliver(out(), harness.context)).rejected, 2);
    await client.query("ALTER TABLE orders DROP COLUMN amount");
    await harness.run(`UPDATE ${table} SET updated_at = TIMESTAMP '2026-03-01' WHERE id = 7`);
    const waiting = await preview(out(), harness.context);
    assert.match(waiting.warnings.join("\n"), /not counted, because the run changes/);
  });

  test("a preview of files counts rows without a key, and one for an endpoint says that it cannot know", async (t) => {
    const harness = await openDeliveryHarness(t);
    await harness.run(`INSERT INTO ${table} VALUES (NULL, 'no key', 1, TIMESTAMP '2026-01-01')`);
    const files = { type: "csv", config: { path: await targetPathFor("csv", harness) } };
    const shown = await preview(harness.out(files, { watermark: null }), harness.context);
    assert.deepEqual([shown.rejected, shown.warnings], [1, []]);
    assert.match(shown.rejects[0]?.reason ?? "", /primary key "id" is NULL/);
    const http = { type: "http", config: { url: "http://127.0.0.1:9/orders" } };
    const sent = await preview(harness.out(http, { watermark: null }), harness.context);
    assert.match(sent.warnings.join("\n"), /would refuse are not counted, because rows that were sent/);
  });

  for (const type of ["sqlite", "csv"]) {
    test(`${type}: without a watermark, rows are compared with the target`, async (t) => {
      const harness = await openDeliveryHarness(t);
      const connection = { type, config: { path: await targetPathFor(type, harness) } };
      const out = (deletes = false) => harness.out(connection, { watermark: null, deletes });
      await deliver(out(), harness.context);
      const again = await deliver(out(), harness.context);
      assert.deepEqual([again.inserted, again.updated, again.deleted], [0, 0, 0]);
      await harness.run(change(1, "one", 1));
      await harness.run(`DELETE FROM ${table} WHERE id = 2`);
      const changed = await preview(out(true), harness.context);
      assert.deepEqual([changed.insert, changed.update, changed.delete, changed.unchanged], [0, 1, 1, 8]);
      await deliver(out(true), harness.context);
      const unchanged = await preview(out(true), harness.context);
      assert.deepEqual(
        [unchanged.insert, unchanged.update, unchanged.delete, unchanged.unchanged],
        [0, 0, 0, 9],
      );
    });

    test(`${type}: with a watermark, deleted rows are found by their keys; too many of them stop the run`, async (t) => {
      const harness = await openDeliveryHarness(t);
      const connection = { type, config: { path: await targetPathFor(type, harness) } };
      const out = (more = {}) => harness.out(connection, { deletes: true, ...more });
      for (const id of [11, 12])
        await harness.run(`INSERT INTO ${table} VALUES (${id}, 'more', 1, '2026-01-01 00:00:01')`);
      await deliver(out(), harness.context);
      await harness.run(`DELETE FROM ${table} WHERE id IN (2, 3)`);
      await harness.run(change(4, "four", 2));
      await deliver(out(), harness.context);
      const same = await preview(out({ watermark: null }), harness.context);
      assert.deepEqual([same.insert, same.update, same.delete, same.unchanged], [0, 0, 0, 10]);
      await harness.run(`DELETE FROM ${table} WHERE id > 5`);
      for (const watermark of ["updated_at", null]) {
        const shown = await preview(out({ watermark }), harness.context);
        assert.deepEqual([shown.delete, shown.warnings.length], [7, 1]);
        assert.match(
          shown.warnings[0] ?? "",
          /^The run would delete 7 of 10 rows of .*orders, .* so it would fail\./,
        );
      }
      await assert.rejects(deliver(out(), harness.context), {
        message: /^The run would delete 7 of 10 rows of .*orders/,
      });
      await deliver(out({ maxDeleteShare: 1 }), harness.context);
      const after = await preview(out({ watermark: null }), harness.context);
      assert.deepEqual([after.delete, after.unchanged], [0, 3]);
    });

    test(`${type}: append writes each row once, including later rows with the same watermark`, async (t) => {
      const harness = await openDeliveryHarness(t);
      const connection = { type, config: { path: await targetPathFor(type, harness) } };
      const out = () => harness.out(connection, { strategy: "append", keys: [] });
      assert.equal((await deliver(out(), harness.context)).inserted, 10);
      await harness.run(`INSERT INTO ${table} VALUES (11, 'late', 1, '2026-01-01 00:00:10')`);
      await deliver(out(), harness.context);
      assert.equal((await deliver(out(), harness.context)).inserted, 0);
      const whole = await preview(
        harness.out(connection, { id: "other", strategy: "append", keys: [], watermark: null }),
        harness.context,
      );
      assert.deepEqual([whole.insert, whole.unchanged], [0, 11]);
    });
  }

  test("HTTP: a row that is appended has the same key whenever it is sent, and equal rows have different keys", async (t) => {
    const harness = await openDeliveryHarness(t);
    const sent: { key: string; record: Record<string, unknown> }[] = [];
    let isDown = false;
    const endpoint = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const { records, record_keys } = JSON.parse(Buffer.concat(chunks).toString());
        assert.equal(records.length, record_keys.length);
        if (!isDown) {
          for (const [at, record] of records.entries()) sent.push({ key: record_keys[at], record });
        }
        // The rows before arrived, but the run fails and sends all of them again.
        isDown = sent.length === 6;
        response.writeHead(isDown ? 403 : 200).end();
      });
    });
    await new Promise<void>((ready) => endpoint.listen(0, "127.0.0.1", ready));
    t.after(() => endpoint.close());
    const { port } = endpoint.address() as AddressInfo;
    const connection = {
      type: "http",
      config: { url: `http://127.0.0.1:${port}/orders`, batch_size: 3 },
    };
    const out = () => harness.out(connection, { strategy: "append", keys: [] });
    await harness.run(`INSERT INTO ${table} SELECT * FROM ${table} WHERE id = 1`);
    await assert.rejects(deliver(out(), harness.context), /403/);
    // What is sent changes between the attempts, and so do the batches.
    await harness.run(`INSERT INTO ${table} VALUES (0, 'first', 1, '2026-01-01 00:00:00')`);
    isDown = false;
    sent.push({ key: "mark", record: {} });
    await deliver(out(), harness.context);
    const again = sent.splice(sent.findIndex(({ key }) => key === "mark")).slice(1);
    assert.equal(again.length, 12);
    assert.equal(new Set(again.map(({ key }) => key)).size, 12);
    for (const { key, record } of sent) {
      assert.deepEqual(again.find((one) => one.key === key)?.record, record);
    }
    assert.equal(again.filter(({ record }) => record.id === 1).length, 2);
  });

  test("HTTP: each row is sent once, and a refused row is a reject", async (t) => {
    const harness = await openDeliveryHarness(t);
    const sent: Record<string, unknown>[] = [];
    const endpoint = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const { records: rows } = JSON.parse(Buffer.concat(chunks).toString());
        const bad = rows.some((row: Record<string, unknown>) => row.name === "bad");
        response.writeHead(bad ? 422 : 200).end(bad ? "no bad names" : "{}");
        if (!bad) sent.push(...rows);
      });
    });
    await new Promise<void>((ready) => endpoint.listen(0, "127.0.0.1", ready));
    t.after(() => endpoint.close());
    const { port } = endpoint.address() as AddressInfo;
    const connection = { type: "http", config: { url: `http://127.0.0.1:${port}/orders` } };
    for (const watermark of ["updated_at", null]) {
      sent.length = 0;
      const out = (more?: Partial<TransferRequest>) =>
        harness.out(connection, { id: `http-${watermark}`, watermark }, more);
      await deliver(out(), harness.context);
      assert.equal(sent.length, 10);
      await deliver(out(), harness.context);
      assert.equal(sent.length, 10);
      await harness.run(change(4, "bad", watermark ? 10 : 20));
      const refused = await deliver(out(), harness.context);
      assert.deepEqual([refused.rejected, sent.length], [1, 10]);
      const { rejects } = await listRejects(harness.warehouse, [`http-${watermark}`], { skip: 0, limit: 9 });
      assert.match(rejects[0]?.reason ?? "", /422.*no bad names/);
      await deliver(out(), harness.context);
      assert.equal(sent.length, 10);
      await harness.run(change(4, "good", watermark ? 11 : 21));
      await deliver(out(), harness.context);
      assert.deepEqual([sent.length, sent.at(-1)?.name], [11, "good"]);
      assert.equal(
        (await listRejects(harness.warehouse, [`http-${watermark}`], { skip: 0, limit: 9 })).total,
        0,
      );
    }
  });

  for (const watermark of ["updated_at", null]) {
    test(`the row of a key that is written depends on neither the order of the rows nor the target (${watermark})`, async (t) => {
      const harness = await openDeliveryHarness(t);
      const random = seededRandom(11);
      const rows = Array.from({ length: 200 }, (_, n) => ({
        id: random.below(20),
        second: random.below(3),
        n,
      }));
      const arrived: string[][] = [];
      for (const [kind, open] of Object.entries(readableTargets)) {
        const target = await open(t, harness);
        if (!target) continue;
        const some = arrived.length === 0 ? rows : random.shuffled(rows);
        const values = some.map(
          ({ id, second, n }) => `(${id}, 'n${n}', ${n % 7}, TIMESTAMP '2026-01-01 00:00:0${second}')`,
        );
        await harness.run(`DELETE FROM ${table}; INSERT INTO ${table} VALUES ${values.join()}`);
        const delivery = { id: `out-${kind}`, watermark };
        const { superseded } = await deliver(harness.out(target.connection, delivery), harness.context);
        const found = (await target.names()).map(([id, name]) => `${id} ${name}`).sort();
        assert.equal(superseded, rows.length - found.length, kind);
        arrived.push(found);
        assert.deepEqual(found, arrived[0], kind);
      }
      const [first = []] = arrived;
      assert.ok(arrived.length > 5, `${arrived.length} targets`);
      if (watermark === null) return;
      for (const written of first) {
        const own = rows.filter(({ id, n }) => written === `${id} n${n}`);
        const latest = Math.max(...rows.filter(({ id }) => id === own[0]?.id).map(({ second }) => second));
        assert.equal(own[0]?.second, latest, written);
      }
    });
  }

  test("of rows with the same key, the newest is written", async (t) => {
    const harness = await openDeliveryHarness(t);
    const connection = { type: "csv", config: { path: await targetPathFor("csv", harness) } };
    await harness.run(
      `INSERT INTO ${table} VALUES (3, 'newest', 1, '2026-01-03 00:00:00'), (3, 'older', 1, '2026-01-02')`,
    );
    assert.equal((await deliver(harness.out(connection), harness.context)).inserted, 10);
    const text = await readFile(join(connection.config.path, "orders.csv"), "utf8");
    assert.deepEqual(
      text
        .split("\n")
        .filter((line) => line.startsWith("3,"))
        .map((line) => line.split(",")[1]),
      ["newest"],
    );
  });

  for (const [type, strategy] of [
    ["sqlite", "upsert"],
    ["duckdb", "upsert"],
    ["csv", "upsert"],
    ["csv", "append"],
  ] as const) {
    test(`${type}, ${strategy}: a column that the table got is said, once, with the command that fills it`, async (t) => {
      const harness = await openDeliveryHarness(t);
      const connection = { type, config: { path: await targetPathFor(type, harness) } };
      const keys = strategy === "upsert" ? ["id"] : [];
      const run = (more = {}) => deliver(harness.out(connection, { strategy, keys }, more), harness.context);
      await run();
      await harness.run(`ALTER TABLE ${table} ADD COLUMN state VARCHAR DEFAULT 'open'`);
      const { warnings } = await run();
      assert.equal(warnings.length, 1, warnings.join("\n"));
      assert.match(
        warnings[0] ?? "",
        /^"state" is new in main\.default\.orders\. Rows that were written before/,
      );
      assert.equal(/parameters\.reset_watermark=true$/.test(warnings[0] ?? ""), strategy === "upsert");
      assert.deepEqual((await run()).warnings, []);
      if (strategy !== "upsert") return;
      await run({ fromStart: true });
      const same = await preview(harness.out(connection, { watermark: null }), harness.context);
      assert.deepEqual([same.insert, same.update, same.unchanged], [0, 0, 10]);
    });
  }

  for (const [type, strategy] of [
    ["sqlite", "upsert"],
    ["csv", "append"],
  ] as const) {
    test(`${type}, ${strategy}: a table whose rows were replaced is said, once, with the command that sends them again`, async (t) => {
      const harness = await openDeliveryHarness(t);
      const connection = { type, config: { path: await targetPathFor(type, harness) } };
      const keys = strategy === "upsert" ? ["id"] : [];
      const run = (more = {}) => deliver(harness.out(connection, { strategy, keys }, more), harness.context);
      let scripts = 0;
      const task = (sql: string) =>
        runScript(
          harness.warehouse,
          {
            ...{ scope: { environment: "test", catalog: "main", schema: "default" }, sql, parameters: {} },
            idempotencyKey: `task-${++scripts}`,
          },
          harness.context,
        );
      await run();
      for (const sql of [
        "INSERT INTO orders VALUES (11, 'n11', 1, TIMESTAMP'2026-01-01 00:01:00')",
        "UPDATE orders SET name = 'x', updated_at = TIMESTAMP'2026-01-01 00:02:00' WHERE id = 3",
        "DELETE FROM orders WHERE id = 9",
      ]) {
        await task(sql);
        assert.deepEqual((await run()).warnings, [], sql);
      }
      for (const sql of [
        "CREATE OR REPLACE TABLE orders AS SELECT id, upper(name) AS name, amount, updated_at FROM orders",
        "INSERT OVERWRITE orders SELECT id, concat(name, '!'), amount, updated_at FROM orders",
      ]) {
        await task(sql);
        const window = { from: "2026-01-01 00:00:00", to: "2026-01-01 00:00:02" };
        assert.deepEqual((await run({ window })).warnings, [], "it selects what it was asked for");
        const { warnings } = await run();
        assert.equal(warnings.length, 1, warnings.join("\n"));
        assert.match(
          warnings[0] ?? "",
          /^All rows of main\.default\.orders were replaced since the last run\./,
        );
        assert.equal(/parameters\.reset_watermark=true$/.test(warnings[0] ?? ""), strategy === "upsert");
        assert.deepEqual((await run()).warnings, []);
      }
      if (strategy !== "upsert") return;
      await run({ fromStart: true });
      const same = await preview(harness.out(connection, { watermark: null }), harness.context);
      assert.deepEqual([same.insert, same.update], [0, 0]);
    });
  }

  test("an unknown table is an error that suggests a similar name", async (t) => {
    const harness = await openDeliveryHarness(t);
    const connection = { type: "csv", config: { path: harness.folder } };
    await assert.rejects(deliver(harness.out(connection, { source: "ordrs" }), harness.context), {
      message: "There is no table main.default.ordrs. Did you mean main.default.orders?",
    });
  });
});
