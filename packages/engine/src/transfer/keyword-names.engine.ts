/** Tables and columns named like the keywords of a system: its own list, and that of the warehouse. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { openMysql, startMysql } from "@lakehelm/testing";
import { someOf } from "@lakehelm/testing/nightly";
import { freshSchema } from "../connectors/postgresql/testing/schema.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import { startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";
import { quote } from "../warehouse/names.ts";
import { deliver } from "./delivery.ts";
import { ingest } from "./ingest.ts";
import { preview } from "./preview.ts";

/** Functions that need no parentheses are in no list of keywords. */
const functions =
  "current_date current_time current_timestamp current_user session_user current_catalog current_schema localtimestamp localtime user current_role curdate getdate now pi rowid oid _rowid_ ctid xmin tableoid".split(
    " ",
  );

interface System {
  readonly connection: ConnectionConfig;
  /** All words that the system itself lists. */
  readonly words: readonly string[];
  /** Words that no column of this system can have. */
  readonly impossible?: readonly string[];
  quoted(name: string): string;
  run(sql: string): Promise<unknown>;
  /** The values of the first row of a query. */
  row(sql: string): Promise<readonly unknown[]>;
}

const unique = (words: readonly string[]) => [...new Set(words.map((word) => word.toLowerCase()))].sort();

async function warehouseWords(harness: TransferHarness): Promise<string[]> {
  const rows = await harness.rows("SELECT keyword_name FROM duckdb_keywords()");
  return rows.map(([word]) => String(word));
}

async function tryWords(harness: TransferHarness, system: System) {
  const { impossible = [] } = system;
  const words = unique([...system.words, ...(await warehouseWords(harness)), ...functions]).filter(
    (word) => !impossible.includes(word),
  );
  assert.ok(words.length > 400, `${words.length} words`);
  for (let at = 0; at < words.length; at += 200)
    await sendColumns(
      harness,
      system,
      words.slice(at, at + 200).filter((word) => word !== "order" && word !== "group"),
      `t${at}`,
    );
  // A table takes two runs, and table names are quoted like column names, so only some are tried.
  const names = words.filter((_, at) => at % 8 === 0);
  for (const word of someOf(names, 3)) await sendTable(harness, system, word);
}

/** Reads a table whose columns have these names, twice, by a key and a watermark that are keywords, and sends it back. */
async function sendColumns(
  harness: TransferHarness,
  { connection, quoted, run, row }: System,
  rest: readonly string[],
  table: string,
) {
  const columns = ["order", "group", ...rest];
  await run(`CREATE TABLE ${table} (${columns.map((word) => `${quoted(word)} INT`).join(", ")})`);
  const insert = (key: number, mark: number, value: number) =>
    run(`INSERT INTO ${table} VALUES (${[key, mark, ...rest.map(() => value)].join(", ")})`);
  await insert(1, 1, 7);
  const dataset = { id: table, source: table, target: table, keys: ["order"], watermark: "group" };
  const load = () => ingest(harness.request(dataset, { connection }), harness.context);
  const shown = await preview(harness.request(dataset, { connection }), harness.context);
  assert.equal(Object.keys(shown.samples[0]?.row ?? {}).length, columns.length);
  assert.equal((await load()).inserted, 1);
  await insert(2, 2, 7);
  await run(
    `UPDATE ${table} SET ${rest.map((word) => `${quoted(word)} = 8`).join(", ")}, ${quoted("group")} = 3 WHERE ${quoted("order")} = 1`,
  );
  const again = await load();
  assert.deepEqual([again.inserted, again.updated], [1, 1]);
  const here = `_main."default".${table}`;
  const [loaded = []] = await harness.rows(`SELECT * FROM ${here} WHERE "order" = 1`);
  assert.deepEqual(loaded.map(Number), [1, 3, ...rest.map(() => 8)], "columns, not the results of functions");

  const out = {
    ...dataset,
    id: `${table}-out`,
    target: `${table}_out`,
    watermark: null,
    deletes: true,
    maxDeleteShare: 1,
  };
  const send = () => deliver(harness.request(out, { connection, direction: "out" }), harness.context);
  assert.equal((await send()).inserted, 2);
  await harness.rows(
    `UPDATE ${here} SET ${rest.map((word) => `${quote(word)} = 9`).join(", ")}, "group" = 4 WHERE "order" = 2`,
  );
  await harness.rows(`DELETE FROM ${here} WHERE "order" = 1`);
  const { updated, deleted } = await send();
  assert.deepEqual([updated, deleted], [1, 1]);
  const sent = await row(
    `SELECT ${columns.map(quoted).join(", ")} FROM ${table}_out WHERE ${quoted("order")} = 2`,
  );
  assert.deepEqual(sent.map(Number), [2, 4, ...rest.map(() => 9)]);
}

async function sendTable(harness: TransferHarness, { connection, quoted, run, row }: System, word: string) {
  await run(`CREATE TABLE ${quoted(word)} (${quoted(word)} INT, v INT)`);
  await run(`INSERT INTO ${quoted(word)} VALUES (1, 5)`);
  const dataset = { id: word, source: word, target: word, keys: [word], watermark: "v" };
  assert.equal((await ingest(harness.request(dataset, { connection }), harness.context)).inserted, 1, word);
  await run(`DROP TABLE ${quoted(word)}`);
  const back = harness.request(dataset, { connection, direction: "out" });
  assert.equal((await deliver(back, harness.context)).inserted, 1, word);
  assert.deepEqual((await row(`SELECT ${quoted(word)}, v FROM ${quoted(word)}`)).map(Number), [1, 5], word);
}

suite("names that are keywords", () => {
  test("PostgreSQL", async (t) => {
    const { client, connection, drop } = await freshSchema();
    t.after(drop);
    const { rows } = await client.query("SELECT word FROM pg_get_keywords()");
    await tryWords(await startTransferHarness(t), {
      connection,
      words: rows.map(({ word }) => word),
      // Every table has these columns already.
      impossible: ["ctid", "xmin", "cmin", "xmax", "cmax", "tableoid"],
      quoted: quote,
      run: (sql) => client.query(sql),
      row: async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows[0] ?? [],
    });
  });

  test("MySQL", async (t) => {
    const server = await startMysql(t);
    if (!server) return t.skip("neither mariadbd nor mysqld is installed");
    const client = await openMysql(server);
    t.after(() => client.end());
    await client.query("USE shop");
    const [rows] = await client.query({
      sql: "SELECT word FROM information_schema.keywords",
      rowsAsArray: true,
    });
    const words = (rows as unknown as string[][])
      .map(([word]) => String(word))
      .filter((word) => /^\w+$/.test(word));
    await tryWords(await startTransferHarness(t), {
      connection: { type: "mysql", config: { ...server } },
      words,
      quoted: (name) => `\`${name}\``,
      run: (sql) => client.query(sql),
      row: async (sql) => {
        const [found] = await client.query({ sql, rowsAsArray: true });
        return (found as unknown as unknown[][])[0] ?? [];
      },
    });
  });

  test("SQLite", async (t) => {
    const harness = await startTransferHarness(t);
    const path = join(harness.folder, "words.db");
    const database = new DatabaseSync(path);
    t.after(() => database.close());
    await tryWords(harness, {
      connection: { type: "sqlite", config: { path } },
      // SQLite does not list its keywords in SQL. The keywords of the warehouse and of PostgreSQL include them.
      words: await postgresWords(t),
      quoted: quote,
      run: async (sql) => database.exec(sql),
      row: async (sql) => Object.values(database.prepare(sql).get() ?? {}),
    });
  });

  test("a column rowid is not taken for the numbers that DuckDB gives to rows", async (t) => {
    const harness = await startTransferHarness(t);
    await harness.warehouse.createSchema({ catalog: "main", schema: "default", table: "" });
    const table = '_main."default".t';
    await harness.rows(`CREATE TABLE ${table} (id INTEGER, rowid INTEGER)`);
    const path = join(harness.folder, "copy.db");
    const dataset = { id: "t", source: "t", target: "t", watermark: "id" };
    const connection = { type: "sqlite", config: { path } };
    const send = () => deliver(harness.request(dataset, { connection, direction: "out" }), harness.context);
    await harness.rows(`INSERT INTO ${table} VALUES (1, NULL), (2, -7), (3, 900)`);
    assert.equal((await send()).inserted, 3);
    await harness.rows(`INSERT INTO ${table} VALUES (4, NULL), (5, 1)`);
    assert.equal((await send()).inserted, 2);
  });

  test("columns with names that statements of a run use themselves are refused, in and out", async (t) => {
    const harness = await startTransferHarness(t);
    const path = join(harness.folder, "reserved.db");
    const database = new DatabaseSync(path);
    t.after(() => database.close());
    database.exec("CREATE TABLE t (id INT, __lakehelm_gone INT)");
    const connection = { type: "sqlite", config: { path } };
    const dataset = { id: "t", source: "t", target: "t", keys: ["id"], watermark: null };
    const refused = /"__lakehelm_gone": names of columns that begin with "_lakehelm_" are reserved/;
    await assert.rejects(ingest(harness.request(dataset, { connection }), harness.context), refused);
    await harness.warehouse.createSchema({ catalog: "main", schema: "default", table: "" });
    await harness.rows('CREATE TABLE _main."default".t (id INTEGER, __lakehelm_gone INTEGER)');
    const out = harness.request(dataset, { connection, direction: "out" });
    await assert.rejects(deliver(out, harness.context), refused);
    const leftOut = { ...dataset, leftOut: ["__lakehelm_gone"] };
    assert.equal((await ingest(harness.request(leftOut, { connection }), harness.context)).inserted, 0);
  });

  for (const type of ["duckdb", "csv"] as const) {
    test(`a column rowid of rows that are refused, to ${type}`, async (t) => {
      const harness = await startTransferHarness(t);
      await harness.warehouse.createSchema({ catalog: "main", schema: "default", table: "" });
      const table = '_main."default".t';
      await harness.rows(`CREATE TABLE ${table} (id INTEGER, rowid INTEGER)`);
      await harness.rows(
        `INSERT INTO ${table} VALUES (1, NULL), (NULL, 0), (2, 0), (3, 1), (4, 3), (5, 900)`,
      );
      const folder = join(harness.folder, "copies");
      await mkdir(folder);
      const path = type === "csv" ? folder : join(folder, "copy.duckdb");
      const dataset = { id: "t", source: "t", target: "t", keys: ["id"] };
      const connection = { type, config: { path } };
      const send = () =>
        deliver(
          harness.request(
            { ...dataset, watermark: null, maxRejectShare: 1 },
            { connection, direction: "out" },
          ),
          harness.context,
        );
      const first = await send();
      assert.deepEqual([first.inserted, first.rejected], [5, 1]);
      await harness.rows(`UPDATE ${table} SET rowid = 2 WHERE id IN (1, 3)`);
      const second = await send();
      assert.deepEqual([second.inserted, second.updated], [0, 2]);
    });
  }

  test("files", async (t) => {
    const harness = await startTransferHarness(t, { memoryMb: 512 });
    const words = unique([...(await warehouseWords(harness)), ...functions]);
    const rest = words.filter((word) => word !== "order");
    const names = ["order", ...rest];
    const line = [1, ...rest.map(() => 7)].join(",");
    const folder = join(harness.folder, "files");
    await mkdir(folder);
    await writeFile(join(folder, "first.csv"), `${names.join(",")}\n${line}\n`);
    let file = "first.csv";
    // Each format is read, and written for the next one.
    for (const [read, write, extension] of [
      ["csv", "parquet", "parquet"],
      ["parquet", "jsonl", "jsonl"],
      ["json", "csv", "csv"],
      ["csv", "csv", "csv"],
    ] as const) {
      const table = `from_${read}_${write}`;
      const dataset = { id: table, source: file, target: table, keys: ["order"], watermark: null };
      const connection = { type: "files", config: { path: folder, format: read } };
      assert.equal((await ingest(harness.request(dataset, { connection }), harness.context)).inserted, 1);
      const [row = []] = await harness.rows(
        `SELECT ${names.map(quote).join(", ")} FROM _main."default".${table}`,
      );
      assert.deepEqual(row.map(Number), [1, ...rest.map(() => 7)], read);
      file = `${table}.${extension}`;
      const sent = harness.request(
        { ...dataset, id: file, source: table, target: table, strategy: "replace", keys: [] },
        { direction: "out", connection: { type: write, config: { path: folder } } },
      );
      assert.equal((await deliver(sent, harness.context)).inserted, 1, write);
    }
  });
});

async function postgresWords(t: TestContext): Promise<string[]> {
  const { client, drop } = await freshSchema();
  t.after(drop);
  return (await client.query("SELECT word FROM pg_get_keywords()")).rows.map(({ word }) => word);
}
