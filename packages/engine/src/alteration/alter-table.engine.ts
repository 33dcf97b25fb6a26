import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { TableChange } from "@lakehelm/contract/changes";
import { someOf } from "@lakehelm/testing/nightly";
import { createEngine } from "../process/engine.ts";
import { DataProblem, EngineLost } from "../protocol/problem.ts";
import { startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";
import { sqlName } from "../warehouse/names.ts";
import { declaredTextTypes, keepTextLengths } from "../warehouse/store-assignment/text-length.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import { alterTable } from "./alter-table.ts";

const scope = { environment: "test", catalog: "main", schema: "default" };
const table = { catalog: "main", schema: "default", table: "t" };

interface Shop extends TransferHarness {
  sql(...statements: string[]): Promise<void>;
  plan(...changes: TableChange[]): ReturnType<typeof alterTable>;
  apply(...changes: TableChange[]): ReturnType<typeof alterTable>;
}

async function start(t: TestContext, ...statements: string[]): Promise<Shop> {
  const harness = await startTransferHarness(t);
  await harness.warehouse.createSchema(table);
  const sql = async (...texts: string[]) => {
    const connection = await harness.warehouse.connect();
    for (const text of texts) await connection.run(text);
    connection.closeSync();
  };
  await sql(...statements);
  const request = (changes: readonly TableChange[]) => ({ scope, table: "t", changes });
  const plan = (...changes: TableChange[]) =>
    alterTable(harness.warehouse, request(changes), harness.context);
  return {
    ...harness,
    sql,
    plan,
    async apply(...changes) {
      const { before: expected } = await plan(...changes);
      return alterTable(harness.warehouse, { ...request(changes), expected }, harness.context);
    },
  };
}

const name = sqlName(table);

/** Values that each type holds, as texts. Each list has a value that most other types do not hold. */
const values: Readonly<Record<string, readonly string[]>> = {
  BOOLEAN: ["true", "false"],
  TINYINT: ["0", "1", "-128"],
  SMALLINT: ["0", "1", "-32768"],
  INT: ["0", "1", "16777217"],
  BIGINT: ["0", "1", "9007199254740993"],
  "DECIMAL(10,2)": ["0", "1", "1.25", "-99999999.99"],
  "DECIMAL(38,10)": ["1", "0.0000000001"],
  FLOAT: ["0", "1", "0.5", "1e30", "nan"],
  DOUBLE: ["0", "1", "0.1", "1e300", "nan"],
  STRING: ["0", "1", "007", "1.25", "3.7", "true", "2026-01-02", "2026-01-02 03:04:05", "x", ""],
  "VARCHAR(4)": ["0", "abcd"],
  DATE: ["2026-01-02", "1999-12-31"],
  TIMESTAMP_NTZ: ["2026-01-02 00:00:00", "2026-01-02 03:04:05.123456"],
  TIMESTAMP: ["2026-01-02 00:00:00+00", "2026-01-02 03:04:05.123456+00"],
  BINARY: ["abc"],
  "ARRAY<INT>": ["[1, 2]", "[]"],
  "ARRAY<BIGINT>": ["[1]", "[1, 9007199254740993]"],
  "STRUCT<a: INT>": ["{'a': 1}"],
  "MAP<STRING, INT>": ["{a=1}"],
};
const stored: Readonly<Record<string, string>> = {
  INT: "INTEGER",
  STRING: "VARCHAR",
  "VARCHAR(4)": "VARCHAR",
  TIMESTAMP_NTZ: "TIMESTAMP",
  TIMESTAMP: "TIMESTAMPTZ",
  BINARY: "BLOB",
  "ARRAY<INT>": "INTEGER[]",
  "ARRAY<BIGINT>": "BIGINT[]",
  "STRUCT<a: INT>": "STRUCT(a INTEGER)",
  "MAP<STRING, INT>": "MAP(VARCHAR, INTEGER)",
};
const duckdb = (type: string) => stored[type] ?? type;
const types = Object.keys(values);
const literalOf = (text: string, type: string) => `CAST('${text.replaceAll("'", "''")}' AS ${duckdb(type)})`;

test("names with NUL, and types to which values cannot be converted exactly, are refused", async (t) => {
  const shop = await start(t);
  await shop.sql(`CREATE TABLE ${name} (id INTEGER, v VARCHAR)`, `INSERT INTO ${name} VALUES (1, '1')`);
  for (const [change, problem] of [
    [{ change: "set_type", column: "v", type: "INTERVAL" }, /cannot become INTERVAL/],
    [{ change: "set_type", column: "v", type: "ARRAY<VARIANT>" }, /cannot become VARIANT/],
    [{ change: "rename", column: "v", name: "a\0b" }, /no control characters/],
    [{ change: "drop", column: "a\0b" }, /has no column/],
  ] satisfies [TableChange, RegExp][]) {
    for (const attempt of [shop.plan, shop.apply])
      await assert.rejects(
        async () => attempt(change),
        (error) => error instanceof DataProblem && problem.test(error.message),
      );
  }
});

suite("every type becomes every other type, or the table stays as it is", () => {
  for (const from of someOf(types, 2)) {
    test(`from ${from}`, async (t) => {
      const shop = await start(t);
      const outcomes = { same: 0, refused: 0, unfit: 0 };
      const texts = values[from] ?? [];
      const check = (column: string) => (from === "VARCHAR(4)" ? ` CHECK (length(${column}) <= 4)` : "");
      const columns = texts.map((_, at) => `v${at}`);
      for (const to of types.filter((type) => type !== from)) {
        await shop.sql(
          `CREATE OR REPLACE TABLE ${name} (id INTEGER, ${columns.map((one) => `${one} ${duckdb(from)}${check(one)}`).join(", ")})`,
          `INSERT INTO ${name} VALUES (1, ${texts.map((text) => literalOf(text, from)).join(", ")}), (2${", NULL".repeat(texts.length)})`,
        );
        const about = `from ${from} to ${to}`;
        const read = async () => JSON.stringify(await shop.rows(`SELECT * FROM ${name} ORDER BY id`));
        const before = await read();
        const changes = columns.map((column): TableChange => ({ change: "set_type", column, type: to }));
        const planned = await shop.plan(...changes).catch((error: Error) => error);
        if (planned instanceof Error) {
          assert.match(planned.message, /cannot become/, about);
          assert.equal(await read(), before, about);
          outcomes.refused += 1;
          continue;
        }
        const unfit = planned.columns.flatMap(({ name, unfit }) => (unfit > 0 ? [name] : []));
        for (const column of planned.columns.slice(1)) {
          assert.deepEqual([column.type, column.before.type], [to, from], about);
          assert.ok(!column.holdsAll || column.unfit === 0, `${about}: ${column.name}`);
        }
        if (unfit.length > 0) {
          await assert.rejects(shop.apply(...changes), /does not fit/, about);
          assert.equal(await read(), before, about);
          outcomes.unfit += 1;
        }
        const fitting = changes.filter(({ column }) => !unfit.includes(column));
        if (fitting.length === 0) continue;
        await shop.apply(...fitting);
        const isText = from === "STRING" || from === "VARCHAR(4)";
        // A value that fits can be cast back to the original value. A text can be cast back to the same value, which
        // may be written in another way.
        const checks = fitting.map(({ column }) => {
          const text = texts[columns.indexOf(column)] ?? "";
          const [one, other] = isText
            ? [`CAST(${column} AS VARCHAR)`, `CAST(${literalOf(text, "STRING")}::${duckdb(to)} AS VARCHAR)`]
            : [`CAST(${column} AS ${duckdb(from)})`, literalOf(text, from)];
          return `${one} = ${other}`;
        });
        const [same = []] = await shop.rows(`SELECT ${checks.join(", ")} FROM ${name} WHERE id = 1`);
        assert.deepEqual(
          same,
          fitting.map(() => true),
          `${about}: ${fitting.map(({ column }) => column)}`,
        );
        const [empty = []] = await shop.rows(`SELECT * EXCLUDE (id) FROM ${name} WHERE id = 2`);
        assert.ok(
          empty.every((cell) => cell === null),
          about,
        );
        outcomes.same += fitting.length;
      }
      assert.ok(outcomes.same > 0 || /BINARY|MAP|STRUCT/.test(from), JSON.stringify(outcomes));
      assert.ok(outcomes.refused + outcomes.unfit > 0, JSON.stringify(outcomes));
    });
  }

  test("a text is taken for a number, a date or a time only if nothing of it is lost", async (t) => {
    const shop = await start(t);
    const cases: readonly (readonly [text: string, type: string, fits: boolean])[] = [
      ["3.7", "INT", false],
      ["3.0", "INT", true],
      ["1e3", "INT", false],
      ["007", "INT", true],
      ["1.255", "DECIMAL(10,2)", false],
      ["1.250", "DECIMAL(10,2)", true],
      ["16777217", "FLOAT", false],
      ["2026-01-02 03:04:05", "DATE", false],
      ["2026-01-02", "DATE", true],
      ["2026-01-02 03:04:05.1234567", "TIMESTAMP_NTZ", false],
      ["2026-01-02 03:04:05.123456", "TIMESTAMP_NTZ", true],
      ["abcde", "VARCHAR(4)", false],
      ["abcd ", "VARCHAR(4)", false],
      ["abcd ", "CHAR(4)", true],
    ];
    for (const [text, type, fits] of cases) {
      await shop.sql(`CREATE OR REPLACE TABLE ${name} AS SELECT '${text}' AS v`);
      const { columns } = await shop.plan({ change: "set_type", column: "v", type });
      assert.equal(columns[0]?.unfit, fits ? 0 : 1, `${text} as ${type}`);
    }
  });
});

const filled = [
  `CREATE TABLE ${name} (id INTEGER NOT NULL, "select" VARCHAR, amount DOUBLE DEFAULT 1.5, "naïve ""x""=1" VARCHAR CHECK (length("naïve ""x""=1") <= 9))`,
  `INSERT INTO ${name} SELECT i, 's' || i, i / 4, 'n' || i FROM range(3000) r(i)`,
  `DELETE FROM ${name} WHERE id < 100`,
  `COMMENT ON TABLE ${name} IS 'all of it'`,
  `COMMENT ON COLUMN ${name}.amount IS 'how much'`,
];

test("columns are dropped, renamed and moved in one transaction, with all that is stored about them", async (t) => {
  const shop = await start(t, ...filled);
  const tags = `_main._lakehelm.tags`;
  await shop.sql(
    `INSERT INTO ${tags} VALUES ('default', 't', 'amount', 'unit', 'EUR'), ('default', 't', 'select', 'a', 'b')`,
  );
  const { columns, dropped, remarks } = await shop.apply(
    { change: "drop", column: "SELECT" },
    { change: "rename", column: "amount", name: "from" },
    { change: "move", column: "from", after: null },
    { change: "rename", column: 'naïve "x"=1', name: "🙂 d'été" },
  );
  assert.deepEqual(
    columns.map((one) => [one.name, one.before.name]),
    [
      ["from", "amount"],
      ["id", "id"],
      ["🙂 d'été", 'naïve "x"=1'],
    ],
  );
  assert.deepEqual(
    dropped.map((one) => one.name),
    ["select"],
  );
  assert.equal(remarks.length, 1);
  assert.deepEqual(await shop.rows(`SELECT count(*), min(id), sum("from"), max("🙂 d'été") FROM ${name}`), [
    ["2900", 100, 1123387.5, "n999"],
  ]);
  const described = `SELECT column_name, comment, is_nullable, column_default FROM duckdb_columns() WHERE table_name = 't' ORDER BY column_index`;
  assert.deepEqual(await shop.rows(described), [
    ["from", "how much", true, "1.5"],
    ["id", null, false, null],
    ["🙂 d'été", null, true, null],
  ]);
  assert.deepEqual(await shop.rows(`SELECT comment FROM duckdb_tables() WHERE table_name = 't'`), [
    ["all of it"],
  ]);
  assert.deepEqual(await shop.rows(`SELECT "column", "key" FROM ${tags} WHERE "table" = 't'`), [
    ["from", "unit"],
  ]);
  await assert.rejects(shop.sql(`INSERT INTO ${name} VALUES (1, 2, 'more than nine')`), /CHECK/);
});

test("names are exchanged, and rows keep their ids if the order of the columns stays", async (t) => {
  const shop = await start(t, ...filled);
  const ids = () => shop.rows(`SELECT min(rowid), max(rowid), count(*) FROM ${name}`);
  const before = await ids();
  await shop.apply(
    { change: "rename", column: "id", name: "x" },
    { change: "rename", column: "amount", name: "ID" },
    { change: "rename", column: "x", name: "amount" },
    { change: "set_type", column: "amount", type: "BIGINT" },
  );
  assert.deepEqual(await shop.rows(`SELECT amount, "ID" FROM ${name} WHERE amount = 200`), [["200", 50]]);
  assert.deepEqual(await ids(), before);
});

test("what cannot be done is refused, and nothing changes", async (t) => {
  const shop = await start(
    t,
    ...filled,
    `CREATE VIEW _main."default".v AS SELECT id FROM ${name}`,
    `CREATE TABLE _main."default".keyed (id INTEGER PRIMARY KEY, v INTEGER)`,
    `INSERT INTO _main._lakehelm.datasets VALUES ('default', 'owned', 'p1', 'streaming_table', '', '')`,
    `CREATE TABLE _main."default".owned (id INTEGER)`,
  );
  const refused = async (changes: TableChange[], expected: RegExp, of = "t") =>
    assert.rejects(alterTable(shop.warehouse, { scope, table: of, changes }, shop.context), expected);
  const drop = (column: string): TableChange => ({ change: "drop", column });
  await refused([drop("nothing")], /no column "nothing".*Its columns: id/);
  await refused([drop("id"), drop("select"), drop("amount"), drop('naïve "x"=1')], /no column\./);
  await refused([{ change: "rename", column: "id", name: "AMOUNT" }], /already has/);
  for (const bad of ["", " x", "rowid", "_lakehelm_place", "a\nb", "x".repeat(256)])
    await refused([{ change: "rename", column: "id", name: bad }], /cannot be the name/);
  for (const type of ["NUMBER", "DECIMAL(50,2)", "INT); DROP TABLE t; --", "ARRAY<", ""])
    await refused([{ change: "set_type", column: "id", type }], /is not a type/);
  await refused([{ change: "move", column: "id", after: "nothing" }], /no column "nothing"/);
  await refused([{ change: "move", column: "id", after: "ID" }], /"id" of .* cannot be moved after itself/);
  await refused([drop("id")], /is a view/, "v");
  await refused([drop("v")], /constraints/, "keyed");
  await refused([drop("id")], /owned by the pipeline p1/, "owned");
  await refused([drop("id")], /There is no table/, "nowhere");
  await refused([drop("id")], /There is no table/, "other.default.t");
  await refused([drop("stream")], /not a valid schema name/, "_lakehelm.marks");
  const stale = { scope, table: "t", changes: [drop("select")], expected: [{ name: "id", type: "INT" }] };
  await assert.rejects(alterTable(shop.warehouse, stale, shop.context), /have changed since the plan/);
  assert.deepEqual(await shop.rows(`SELECT count(*), sum(id) FROM ${name}`), [["2900", "4493550"]]);
});

test("the plan names views that break, and leaves everything as it is", async (t) => {
  const shop = await start(
    t,
    ...filled,
    `CREATE VIEW _main."default".one AS SELECT amount FROM ${name}`,
    `CREATE VIEW _main."default".two AS SELECT sum(amount) AS a FROM ${name}`,
    `CREATE VIEW _main."default".ids AS SELECT id FROM ${name}`,
  );
  const names = async (change: TableChange) => (await shop.plan(change)).brokenViews.map((view) => view.name);
  assert.deepEqual(await names({ change: "drop", column: "amount" }), [
    "main.default.one",
    "main.default.two",
  ]);
  assert.deepEqual(await names({ change: "rename", column: "id", name: "x" }), ["main.default.ids"]);
  assert.deepEqual(await names({ change: "move", column: "id", after: "amount" }), []);
  assert.deepEqual(await shop.rows(`SELECT a FROM _main."default".two`), [[1123387.5]]);
});

test("a crash leaves the old table", async (t) => {
  const shop = await start(t, ...filled);
  const changes: TableChange[] = [
    { change: "drop", column: "select" },
    { change: "move", column: "amount", after: null },
  ];
  const { before: expected } = await shop.plan(...changes);
  for (const step of ["altered", "recorded"]) {
    const request = { scope, table: "t", changes, expected };
    await assert.rejects(alterTable(shop.warehouse, request, shop.crashingAt(step)));
    assert.deepEqual((await shop.plan(...changes)).before, expected);
    assert.deepEqual(await shop.rows(`SELECT count(*), count("select") FROM ${name}`), [["2900", "2900"]]);
  }
});

test("a million rows are altered with 128 MB", async (t) => {
  const shop = await start(
    t,
    `CREATE TABLE ${name} AS SELECT i AS id, repeat(md5(i::VARCHAR), 8) AS text, i::VARCHAR AS number, i AS amount FROM range(1000000) r(i)`,
  );
  await shop.apply({ change: "set_type", column: "number", type: "BIGINT" });
  await shop.apply(
    { change: "move", column: "amount", after: null },
    { change: "set_type", column: "id", type: "STRING" },
  );
  assert.deepEqual(
    await shop.rows(
      `SELECT count(*), sum(number), sum(amount), count(DISTINCT id), max(length(text)) FROM ${name}`,
    ),
    [["1000000", "499999500000", "499999500000", "1000000", "256"]],
  );
});

test("a process that is killed leaves the old table, and the next one alters it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-alter-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const warehouse = await Warehouse.open({ folder: join(folder, "test"), memoryMb: 128, threads: 1 });
  await warehouse.createSchema(table);
  const connection = await warehouse.connect();
  for (const text of filled) await connection.run(text);
  connection.closeSync();
  warehouse.close();
  const engine = createEngine({
    ...{ folder, memoryMb: 128, threads: 1, lockWaitMs: 60_000 },
    onLog: () => {},
    faults: ["altered", "recorded"],
  });
  t.after(() => engine.stop());
  const changes: TableChange[] = [
    { change: "drop", column: "select" },
    { change: "move", column: "amount", after: null },
  ];
  const request = { scope, table: "t", changes };
  const { before: expected } = await engine.request("alterTable", request);
  for (const _ of ["altered", "recorded"]) {
    await assert.rejects(engine.request("alterTable", { ...request, expected }), EngineLost);
    assert.deepEqual((await engine.request("alterTable", request)).before, expected);
  }
  await engine.request("alterTable", { ...request, expected });
  const { tables } = await engine.request("catalog", { scope });
  assert.deepEqual(
    tables.map(({ rows, columns }) => [rows, columns.map((column) => column.name)]),
    [[2900, ["amount", "id", 'naïve "x"=1']]],
  );
});

test("the lengths of texts that were added follow a renamed column, and end with another type", async (t) => {
  const shop = await start(t, `CREATE TABLE ${name} (id INTEGER, Code VARCHAR, tag VARCHAR, gone VARCHAR)`);
  const connection = await shop.warehouse.connect();
  t.after(() => connection.closeSync());
  const columns = ["Code", "tag", "gone"].map((column) => ({
    name: column,
    type: "VARCHAR",
    origin: "VARCHAR(3)",
  }));
  await keepTextLengths(connection, table, columns, { areAdded: true });
  await shop.apply(
    { change: "rename", column: "code", name: "Kind" },
    { change: "set_type", column: "tag", type: "INT" },
    { change: "drop", column: "gone" },
  );
  assert.deepEqual([...(await declaredTextTypes(connection, table))], [["Kind", "VARCHAR(3)"]]);
});
