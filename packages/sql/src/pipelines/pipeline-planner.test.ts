import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { planPipeline } from "./pipeline-planner.ts";
import type { PipelinePlan } from "./plan.ts";
import { explained, shop } from "./testing/shop.ts";

const sql = await loadSqlParser();
const plan = (...texts: readonly string[]): PipelinePlan =>
  planPipeline(
    sql,
    texts.map((text, index) => ({ path: `${index + 1}.sql`, text })),
    shop,
  );
const datasetOf = (text: string) => {
  const found = plan(text);
  assert.deepEqual(found.problems, undefined);
  const dataset = found.steps?.find((step) => step.dataset)?.dataset;
  assert.ok(dataset);
  return dataset;
};

/** Each text and its plan. */
const read: readonly (readonly [string, readonly string[]])[] = [
  [
    "CREATE OR REFRESH MATERIALIZED VIEW names AS SELECT id, upper(name) AS name FROM customers",
    ["materialized_view names (id name) <- customers"],
  ],
  // the older syntax
  [
    "CREATE LIVE TABLE a AS SELECT id FROM customers; CREATE TEMPORARY LIVE VIEW v AS SELECT * FROM LIVE.a",
    ["materialized_view a (id) <- customers", "view v (id) <- a"],
  ],
  [
    "CREATE OR REFRESH STREAMING LIVE TABLE s AS SELECT s.id, live.s.op FROM stream(LIVE.t) s; create streaming live table t as select * from stream(shop.raw.orders)",
    [
      "streaming_table t (id customer_id amount op ts) <- ~shop.raw.orders",
      "streaming_table s (id op) <- ~t",
    ],
  ],
  // columns of the head: by name if the query has the same names, otherwise by position
  ["CREATE VIEW v (a, b COMMENT 'x') AS SELECT * FROM customers", ["view v (id>a name>b) <- customers"]],
  ["CREATE VIEW v (name, id) AS SELECT * FROM customers", ["view v (name id) <- customers"]],
  // streams
  [
    "CREATE STREAMING TABLE s AS SELECT o.id, c.name FROM STREAM raw.orders AS o, customers c WHERE c.id = o.customer_id",
    ["streaming_table s (id name) <- ~shop.raw.orders customers"],
  ],
  [
    "CREATE STREAMING TABLE s AS WITH orders AS (SELECT * FROM STREAM(raw.orders)) SELECT id FROM orders",
    ["streaming_table s (id) <- ~shop.raw.orders"],
  ],
  [
    "CREATE STREAMING TABLE s AS WITH customers AS (SELECT * FROM STREAM customers) SELECT id FROM customers",
    ["streaming_table s (id) <- ~customers"],
  ],
  [
    "CREATE TEMPORARY VIEW v AS SELECT id, ts FROM STREAM(raw.orders); CREATE STREAMING TABLE s AS SELECT * FROM STREAM(v)",
    ["view v (id ts) <- ~shop.raw.orders", "streaming_table s (id ts) <- ~v"],
  ],
  // flows
  [
    "CREATE FLOW b AS INSERT INTO s BY NAME SELECT id, reason FROM STREAM raw.returns; CREATE STREAMING TABLE s; CREATE FLOW a COMMENT 'x' AS INSERT INTO ONCE s BY NAME SELECT id, amount FROM raw.orders",
    ["streaming_table s (id reason amount) <- ~shop.raw.returns shop.raw.orders"],
  ],
  [
    "CREATE STREAMING TABLE s (amount INT, id INT, note STRING); CREATE FLOW a AS INSERT INTO s BY NAME SELECT id, amount FROM STREAM raw.orders",
    ["streaming_table s (amount id note) <- ~shop.raw.orders"],
  ],
  ["CREATE STREAMING TABLE s (id INT)", ["streaming_table s (id) <-"]],
  [
    "CREATE STREAMING TABLE s; APPLY CHANGES INTO LIVE.s FROM STREAM(raw.orders) KEYS (id) SEQUENCE BY ts COLUMNS (id, AMOUNT)",
    ["streaming_table s (id amount) <- ~shop.raw.orders"],
  ],
  [
    "CREATE STREAMING TABLE s; CREATE FLOW f AS AUTO CDC INTO s FROM stream(raw.returns) KEYS (id) SEQUENCE BY reason STORED AS SCD TYPE 2",
    ["streaming_table s (id reason __START_AT __END_AT) <- ~shop.raw.returns"],
  ],
  // a CTE hides a dataset of the same name
  [
    "CREATE MATERIALIZED VIEW m AS WITH m AS (SELECT id FROM customers) SELECT * FROM m",
    ["materialized_view m (id) <- customers"],
  ],
  // readers come after writers; otherwise in the order of the text
  [
    "CREATE MATERIALIZED VIEW c AS SELECT * FROM b; CREATE MATERIALIZED VIEW x AS SELECT 1 AS one; CREATE MATERIALIZED VIEW b AS SELECT * FROM a; CREATE MATERIALIZED VIEW a AS SELECT id FROM customers",
    [
      "materialized_view x (one) <-",
      "materialized_view a (id) <- customers",
      "materialized_view b (id) <- a",
      "materialized_view c (id) <- b",
    ],
  ],
  // plain statements
  [
    "CREATE MATERIALIZED VIEW m AS SELECT * FROM t; CREATE TABLE t (a INT, b STRING NOT NULL); INSERT INTO t VALUES (1, 'x')",
    ["create_table t <-", "insert t <-", "materialized_view m (a b) <- t"],
  ],
  [
    "CREATE MATERIALIZED VIEW m AS SELECT * FROM customers; DELETE FROM customers WHERE id IN (SELECT id FROM raw.returns); CREATE TABLE t AS SELECT id FROM m; ALTER TABLE t ADD COLUMN note STRING; UPDATE t SET note = 'x'; MERGE INTO t USING m AS n ON t.id = n.id WHEN NOT MATCHED THEN INSERT (id, note) VALUES (id, name); COMMENT ON TABLE m IS 'x'; TRUNCATE TABLE t; DROP TABLE t",
    [
      "delete customers <- shop.raw.returns",
      "materialized_view m (id name) <- customers",
      "create_table t <- m",
      "add_columns t <-",
      "update t <-",
      "merge t <- m",
      "describe  <- m",
      "truncate t <-",
      "drop_table t <-",
    ],
  ],
  [
    "INSERT INTO customers (id) SELECT 1; INSERT OVERWRITE TABLE customers BY NAME SELECT name, id FROM m; CREATE MATERIALIZED VIEW m AS SELECT 2 AS id, 'x' AS name; CREATE SCHEMA IF NOT EXISTS other.new",
    ["insert customers <-", "materialized_view m (id name) <-", "insert customers <- m", "create_schema  <-"],
  ],
  // USE, SET and values
  [
    "USE CATALOG other; USE SCHEMA crm; CREATE MATERIALIZED VIEW m AS SELECT * FROM people; USE shop.sales; CREATE VIEW v AS SELECT * FROM customers, other.crm.m AS m2 (a, b)",
    [
      "materialized_view other.crm.m (id mail) <- other.crm.people",
      "view v (id name a b) <- customers other.crm.m",
    ],
  ],
  [
    "SET start = '2024-01-01'; CREATE VIEW v AS SELECT id FROM ${raw}.orders WHERE ts > ${start} OR ts < '${day}' OR id = ${my.key}",
    ["view v (id) <- shop.raw.orders"],
  ],
  ["", []],
  ["; -- nothing\n;", []],
];

for (const [text, expected] of read) {
  test(`plan: ${text.slice(0, 100)}`, () => assert.deepEqual(explained(plan(text)), expected));
}

test("several sources are one pipeline; USE and SET apply to their file only", () => {
  const first = "USE other.crm; SET name = mail; CREATE VIEW shop.sales.v AS SELECT ${name} FROM people";
  assert.deepEqual(explained(plan(first, "CREATE VIEW w AS SELECT * FROM v, customers")), [
    "view v (mail) <- other.crm.people",
    "view w (mail id name) <- v customers",
  ]);
  assert.deepEqual(explained(plan(first, "CREATE VIEW w AS SELECT ${name} FROM v")), [
    '2.sql:1:25 ${name} has no value: the configuration has no key "name".',
  ]);
});

test("a dataset has all parts of its head", () => {
  const dataset = datasetOf(
    `CREATE OR REFRESH PRIVATE STREAMING TABLE big (
  id BIGINT NOT NULL COMMENT 'the order''s\\' key',
  amount DECIMAL(10, 2),
  CONSTRAINT has_id EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT positive EXPECT (amount > 0 AND amount IN (1, 2)),
  CONSTRAINT sure EXPECT (id > 0) ON VIOLATION FAIL UPDATE,
  CONSTRAINT k PRIMARY KEY (id)
)
USING DELTA
PARTITIONED BY (id) CLUSTER BY (id, amount)
COMMENT "big ones" TBLPROPERTIES ('quality' = 'gold', pipelines.reset.allowed = false)
AS SELECT amount, id FROM STREAM(raw.orders)`.replace("''s", ""),
  );
  const { flows, columns, table, ...rest } = dataset;
  assert.deepEqual(table, { catalog: "shop", schema: "sales", table: "big" });
  assert.deepEqual(
    columns.map(({ name, selected, from }) => ({ name, selected, from })),
    [
      { name: "id", selected: "id", from: [{ table: "shop.raw.orders", column: "id" }] },
      { name: "amount", selected: "amount", from: [{ table: "shop.raw.orders", column: "amount" }] },
    ],
  );
  assert.deepEqual(flows, [
    {
      kind: "select",
      name: "big",
      select: "SELECT amount, id FROM        raw.orders ",
      segments: [{ path: "1.sql", line: 12, column: 4, from: 0, isCopy: true }],
      reads: ["shop.raw.orders"],
      streams: ["shop.raw.orders"],
      once: false,
      defaults: { catalog: "shop", schema: "sales" },
      location: { path: "1.sql", line: 12, column: 4 },
    },
  ]);
  const at = (line: number, column: number) => ({ path: "1.sql", line, column });
  assert.deepEqual(rest, {
    name: "shop.sales.big",
    kind: "streaming_table",
    isPrivate: true,
    comment: "big ones",
    properties: { quality: "gold", "pipelines.reset.allowed": "false" },
    clusterBy: ["id", "amount"],
    declared: [
      { name: "id", type: "BIGINT", comment: "the order' key", notNull: true },
      { name: "amount", type: "DECIMAL(10, 2)", comment: null, notNull: false },
    ],
    expectations: [
      { name: "has_id", condition: "id IS NOT NULL", action: "drop", location: at(4, 29) },
      { name: "positive", condition: "amount > 0 AND amount IN (1, 2)", action: "keep", location: at(5, 31) },
      { name: "sure", condition: "id > 0", action: "fail", location: at(6, 27) },
    ],
    location: at(1, 43),
  });
});

test("AUTO CDC has all its clauses", () => {
  const { flows, columns } = datasetOf(`CREATE STREAMING TABLE s;
CREATE FLOW f AS AUTO CDC ONCE INTO s FROM raw.orders KEYS (id, customer_id) IGNORE NULL UPDATES
APPLY AS DELETE WHEN op = 'D' AND coalesce(amount, 0) = 0
SEQUENCE BY struct(ts, id) COLUMNS * EXCEPT (op) STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (ts)`);
  assert.deepEqual(flows, [
    {
      kind: "auto_cdc",
      name: "f",
      source: "shop.raw.orders",
      reads: ["shop.raw.orders"],
      streams: [],
      once: true,
      keys: ["id", "customer_id"],
      sequenceBy: "struct(ts, id)",
      deleteWhen: "op = 'D' AND coalesce(amount, 0) = 0",
      truncateWhen: null,
      ignoreNullUpdates: true,
      columns: { only: null, except: ["op"] },
      scdType: 2,
      trackHistory: { only: null, except: ["ts"] },
      location: { path: "1.sql", line: 2, column: 1 },
    },
  ]);
  assert.deepEqual(columns.at(-1), {
    name: "__END_AT",
    selected: "__END_AT",
    from: [
      { table: "shop.raw.orders", column: "ts" },
      { table: "shop.raw.orders", column: "id" },
    ],
  });
});

test("lineage has the direct sources of each dataset", () => {
  const found = plan(
    "CREATE VIEW b AS SELECT total * 2 AS twice FROM a",
    "CREATE VIEW a AS SELECT sum(o.amount) AS total, c.name FROM raw.orders o JOIN customers c ON c.id = o.customer_id GROUP BY ALL",
  );
  assert.deepEqual(
    found.steps?.map(({ dataset }) => dataset?.columns.map(({ from }) => from)),
    [
      [[{ table: "shop.raw.orders", column: "amount" }], [{ table: "shop.sales.customers", column: "name" }]],
      [[{ table: "shop.sales.a", column: "total" }]],
    ],
  );
});

test("a plain statement has its meaning", () => {
  const { steps } = plan(
    "CREATE TABLE IF NOT EXISTS t (id BIGINT NOT NULL, note STRING COMMENT 'n') COMMENT 'x';\nINSERT INTO t (id) SELECT id FROM LIVE.m; CREATE VIEW m AS SELECT 1 AS id",
  );
  const table = { catalog: "shop", schema: "sales", table: "t" };
  assert.deepEqual(steps?.[0]?.statement?.meaning, {
    verb: "create_table",
    table,
    orReplace: false,
    ifNotExists: true,
    columns: [
      { name: "id", type: "BIGINT", comment: null, notNull: true },
      { name: "note", type: "STRING", comment: "n", notNull: false },
    ],
    comment: "x",
    clusterBy: [],
    select: null,
  });
  const insert = steps?.[2]?.statement;
  assert.equal(insert?.sql, "INSERT INTO t (id) SELECT id FROM      m");
  assert.deepEqual(insert?.location, { path: "1.sql", line: 2, column: 1 });
  assert.deepEqual(insert?.meaning, {
    verb: "insert",
    table,
    overwrite: false,
    byName: false,
    columns: ["id"],
    select: "SELECT id FROM      m",
  });
});

test("statements that write a table come before the datasets that read it", () => {
  const rows = ["CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1)", "DELETE FROM t WHERE a = 2"];
  const all = [
    "create_table t <-",
    "insert t <-",
    "delete t <-",
    "view v (a) <- t",
    "materialized_view m (n) <- v",
  ];
  const planned = (...texts: readonly string[]) => explained(plan(...texts));
  const [view, count] = [
    "CREATE VIEW v AS SELECT a FROM t",
    "CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM v",
  ];
  for (const texts of [
    [...rows, view, count],
    [count, view, ...rows],
    [rows[0], view, rows[1], count, rows[2]],
  ]) {
    assert.deepEqual(planned(texts.join("; ")), all);
    assert.deepEqual(planned(...texts.map(String)), all);
    // A temporary table is dropped after its last reader.
    assert.deepEqual(planned([...texts, "DROP TABLE t"].join("; ")), [...all, "drop_table t <-"]);
  }
});
