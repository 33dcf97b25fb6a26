/**
 * An incremental run relies on the definition of the source. After any change of the definition, the target is right,
 * or the run says that it may not be.
 */
import assert from "node:assert/strict";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, suite, type TestContext, test } from "node:test";
import { openMysql, startMysql } from "@lakehelm/testing";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { startLogServer } from "../testing/capture-harness.ts";
import {
  changeDefinitions,
  type DefinableSource,
  definitionModes,
  type Said,
} from "../testing/definition-suite.ts";
import { seededRandom } from "../testing/seeded-random.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { checkConnection } from "./connection-check.ts";
import { ingest } from "./ingest.ts";

const { connection: superuser, client } = await startLogServer({ after }, []);
const loader = {
  type: "postgresql",
  config: { ...superuser.config, user: "loader", password: "loader", capture: "query" },
};
await client.query("CREATE ROLE loader LOGIN PASSWORD 'loader'");
await client.query("CREATE ROLE reader; GRANT reader TO loader");
await client.query("GRANT CREATE, USAGE ON SCHEMA public TO public");

const values = "SELECT n, 'n' || n, n * 10 FROM generate_series(1, 6) n";
const grant = "GRANT SELECT ON ALL TABLES IN SCHEMA public TO loader";

/** A dataset of PostgreSQL, made by these statements. */
const postgres = (create: readonly string[]): DefinableSource => ({
  connection: loader,
  async reset() {
    await client.query(
      "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO public",
    );
    for (const statement of [...create, grant]) await client.query(statement);
  },
  async execute(statement) {
    await client.query(statement);
  },
  async rows() {
    const found = await client.query({ text: "SELECT id, name, updated_at FROM orders", rowMode: "array" });
    return found.rows.map((row: unknown[]) => row.map(String));
  },
});

const table = "CREATE TABLE orders (id int PRIMARY KEY, name text, updated_at int)";
const recreated = [
  "DROP TABLE orders",
  table,
  "INSERT INTO orders VALUES (1, 'other', 5), (9, 'new', 7), (6, 'n6', 60)",
  grant,
];

type Change = readonly [statements: readonly string[], withWatermark: Said];

const ofTable: Readonly<Record<string, Change>> = {
  "created again, with lower watermarks": [recreated, "reread"],
  "renamed, and another one took its name": [
    [
      "ALTER TABLE orders RENAME TO formerly",
      table,
      "INSERT INTO orders SELECT id, 'other', updated_at FROM formerly",
      grant,
    ],
    "reread",
  ],
  "replaced by a view": [
    [
      "ALTER TABLE orders RENAME TO base",
      "CREATE VIEW orders AS SELECT id, upper(name) AS name, updated_at FROM base",
      grant,
    ],
    "reread",
  ],
  "row level security without a policy": [["ALTER TABLE orders ENABLE ROW LEVEL SECURITY"], "refused"],
  "a policy that hides rows": [
    ["CREATE POLICY part ON orders TO reader USING (id > 2)", "ALTER TABLE orders ENABLE ROW LEVEL SECURITY"],
    "refused",
  ],
  "a column that may no longer be read": [
    ["REVOKE SELECT ON orders FROM loader", "GRANT SELECT (id, updated_at) ON orders TO loader"],
    "refused",
  ],
  "a column with another type": [
    ["ALTER TABLE orders ALTER name TYPE varchar(9) USING upper(name)"],
    "reread",
  ],
  "a column with other values of the same type": [
    ["ALTER TABLE orders ALTER name TYPE text USING upper(name)"],
    "reread",
  ],
  "lower watermarks by another type": [
    ["ALTER TABLE orders ALTER updated_at TYPE bigint USING updated_at / 7"],
    "reread",
  ],
  "columns that change their names": [
    // In one transaction: after another change, orders may be a view, whose columns can be renamed but not added.
    [
      "ALTER TABLE orders ADD b text DEFAULT 'b'; ALTER TABLE orders RENAME name TO a; ALTER TABLE orders RENAME b TO name",
    ],
    "reread",
  ],
  "a column that was dropped and added": [
    ["ALTER TABLE orders DROP name", "ALTER TABLE orders ADD name text DEFAULT 'x'"],
    "reread",
  ],
  "a child table with old rows": [
    [
      "CREATE TABLE child (LIKE orders)",
      "INSERT INTO child VALUES (11, 'old', 1)",
      "ALTER TABLE child INHERIT orders",
      grant,
    ],
    "reread",
  ],
  "emptied, and filled with lower watermarks": [
    ["TRUNCATE orders", "INSERT INTO orders VALUES (20, 'low', 1)"],
    "warned",
  ],
  // None of these statements changes rows.
  "vacuumed, indexed and analyzed": [
    ["VACUUM FULL orders", "CREATE INDEX ON orders (name)", "ANALYZE orders"],
    "nothing",
  ],
};

const ofViews: Readonly<Record<string, Change>> = {
  "replaced by another definition": [
    ["CREATE OR REPLACE VIEW orders AS SELECT id, name || '!' AS name, updated_at FROM inner_orders"],
    "reread",
  ],
  "a view below it that hides nothing anymore": [
    ["CREATE OR REPLACE VIEW inner_orders AS SELECT id, shown(name) AS name, updated_at FROM base"],
    "reread",
  ],
  "a function with another body": [
    ["CREATE OR REPLACE FUNCTION shown(text) RETURNS text LANGUAGE sql AS 'SELECT upper($1)'"],
    "reread",
  ],
  "a policy for its owner": [
    [
      "CREATE ROLE if_owner",
      "GRANT SELECT ON base, inner_orders TO if_owner",
      "ALTER VIEW orders OWNER TO if_owner",
      "ALTER VIEW inner_orders OWNER TO if_owner",
      "ALTER TABLE base ENABLE ROW LEVEL SECURITY",
    ],
    "refused",
  ],
  "values of its table that were written anew": [
    [
      "DROP VIEW orders, inner_orders",
      "ALTER TABLE base ALTER name TYPE text USING name || '?'",
      "CREATE VIEW inner_orders AS SELECT id, shown(name) AS name, updated_at FROM base WHERE id < 100",
      "CREATE VIEW orders AS SELECT id, name, updated_at FROM inner_orders",
      grant,
    ],
    "reread",
  ],
  "another user's settings": [["ALTER ROLE loader SET app.tenant = 'b'"], "reread"],
  "created again as it was": [
    ["DROP VIEW orders", "CREATE VIEW orders AS SELECT id, name, updated_at FROM inner_orders", grant],
    "nothing",
  ],
};

const ofPartitions: Readonly<Record<string, Change>> = {
  "attached, with old rows": [
    [
      "CREATE TABLE more (LIKE orders)",
      "INSERT INTO more VALUES (150, 'old', 3)",
      "ALTER TABLE orders ATTACH PARTITION more FOR VALUES FROM (100) TO (200)",
    ],
    "reread",
  ],
  "detached, changed and attached again": [
    [
      "ALTER TABLE orders DETACH PARTITION low",
      "UPDATE low SET name = 'changed'",
      "ALTER TABLE orders ATTACH PARTITION low FOR VALUES FROM (0) TO (100)",
    ],
    "reread",
  ],
  "created, with new rows": [
    [
      "CREATE TABLE next PARTITION OF orders FOR VALUES FROM (200) TO (300)",
      "INSERT INTO orders VALUES (201, 'new', 70)",
    ],
    "nothing",
  ],
};

const ofTypes: Readonly<Record<string, Change>> = {
  "a label that was renamed": [["ALTER TYPE mood RENAME VALUE 'n1' TO 'first'"], "reread"],
  "a label that was added": [["ALTER TYPE mood ADD VALUE 'late'"], "nothing"],
};

const ofGenerated: Readonly<Record<string, Change>> = {
  "another expression": [["ALTER TABLE orders ALTER name SET EXPRESSION AS ('m' || id::text)"], "reread"],
};

const ofCollations: Readonly<Record<string, Change>> = {
  "the watermark has another collation": [
    ['ALTER TABLE orders ALTER updated_at TYPE text COLLATE "C"'],
    "reread",
  ],
};

const partitioned = [
  "CREATE TABLE orders (id int, name text, updated_at int) PARTITION BY RANGE (id)",
  "CREATE TABLE low PARTITION OF orders FOR VALUES FROM (0) TO (100)",
  `INSERT INTO orders ${values}`,
];
const viewed = [
  table.replace("orders", "base"),
  `INSERT INTO base ${values}`,
  "CREATE FUNCTION shown(text) RETURNS text LANGUAGE sql AS 'SELECT $1'",
  "CREATE VIEW inner_orders AS SELECT id, shown(name) AS name, updated_at FROM base WHERE id < 100",
  "CREATE VIEW orders AS SELECT id, name, updated_at FROM inner_orders",
];

const kinds = {
  table: [postgres([table, `INSERT INTO orders ${values}`]), ofTable],
  view: [postgres(viewed), ofViews],
  "partitioned table": [postgres(partitioned), ofPartitions],
  "table with an enum": [
    postgres([
      "CREATE TYPE mood AS ENUM ('n1', 'n2', 'n3', 'n4', 'n5', 'n6')",
      "CREATE TABLE orders (id int PRIMARY KEY, name mood, updated_at int)",
      "INSERT INTO orders SELECT n, ('n' || n)::mood, n * 10 FROM generate_series(1, 6) n",
    ]),
    ofTypes,
  ],
  "table with a generated column": [
    postgres([
      "CREATE TABLE orders (id int PRIMARY KEY, name text GENERATED ALWAYS AS ('n' || id::text) STORED, updated_at int)",
      "INSERT INTO orders SELECT n, DEFAULT, n * 10 FROM generate_series(1, 6) n".replace(
        "SELECT n, DEFAULT, n * 10",
        "(id, updated_at) SELECT n, n * 10",
      ),
    ]),
    ofGenerated,
  ],
  "table with a text as its watermark": [
    postgres([
      "CREATE TABLE orders (id int PRIMARY KEY, name text, updated_at text)",
      "INSERT INTO orders SELECT n, 'n' || n, n * 10 FROM generate_series(1, 6) n",
    ]),
    ofCollations,
  ],
} as const;

const modes = Object.keys(definitionModes) as (keyof typeof definitionModes)[];

interface Case {
  readonly kind: string;
  readonly source: DefinableSource;
  readonly name: string;
  readonly change: Change;
  readonly mode: (typeof modes)[number];
}

const cases: Case[] = Object.entries(kinds).flatMap(([kind, [source, changes]]) =>
  Object.entries<Change>(changes).flatMap(([name, change]) =>
    modes.map((mode) => ({ kind, source, name, change, mode })),
  ),
);

/** Without a watermark all rows are read anyway, so only a change that hides rows is refused. */
const expectedOf = ({ mode, change: [, withWatermark] }: Pick<Case, "mode" | "change">): Said =>
  mode.startsWith("watermark")
    ? withWatermark
    : mode === "append"
      ? withWatermark === "reread"
        ? "refused"
        : withWatermark
      : withWatermark === "refused"
        ? "refused"
        : "nothing";

suite("a source that is defined differently", { concurrency: false }, () => {
  test("PostgreSQL", async (t) => {
    const harness = await startTransferHarness(t);
    const failures: string[] = [];
    for (const one of someOf(cases, 5)) {
      const { kind, name, mode, source, change } = one;
      try {
        const [said] = await changeDefinitions(harness, source, mode, [change[0]]);
        assert.equal(said, expectedOf(one));
      } catch (error) {
        failures.push(`${kind}, ${name}, ${mode}: ${error}`);
      }
      await client.query("ALTER ROLE loader RESET ALL");
      await client.query("DROP OWNED BY if_owner CASCADE; DROP ROLE if_owner").catch(() => {});
    }
    assert.deepEqual(failures, []);
  });

  test("PostgreSQL: changes in any order", async (t) => {
    const harness = await startTransferHarness(t);
    const random = seededRandom(Number(process.env.DEFINITIONS_SEED ?? 1));
    for (let turn = 0; turn < (isNightly ? 20 : 1); turn += 1) {
      const [source, changes] = random.pick([kinds.table, kinds.view, kinds["partitioned table"]]);
      const order = random.shuffled(Object.values<Change>(changes)).filter(([, said]) => said !== "warned");
      // A statement that an earlier change has made impossible is left out; the other changes are still tested.
      const lenient = {
        ...source,
        execute: (statement: string) => source.execute(statement).catch(() => {}),
      };
      await changeDefinitions(
        harness,
        lenient,
        random.pick(modes),
        order.map(([statements]) => statements),
      );
      await client.query("ALTER ROLE loader RESET ALL");
      await client.query("DROP OWNED BY if_owner CASCADE; DROP ROLE if_owner").catch(() => {});
    }
  });

  test("rows that a policy hides stay, and the command of the error goes on with the others; check says it", async (t) => {
    const harness = await startTransferHarness(t);
    await kinds.table[0].reset();
    const request = (fromStart = false) =>
      harness.request({ deletes: true, maxDeleteShare: 1 }, { connection: loader, fromStart });
    const count = async () => (await harness.rows('SELECT count(*) FROM _main."default".orders'))[0]?.[0];
    const findings = async () =>
      (await checkConnection({ ...request(), datasets: [request().dataset] }, harness.context)).filter(
        ({ sentence }) => sentence.includes("is not what the last run read"),
      );
    await ingest(request(), harness.context);
    assert.deepEqual(await findings(), []);
    await client.query(
      "ALTER TABLE orders ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON orders USING (id > 2)",
    );
    assert.deepEqual(
      (await findings()).map(({ ok }) => ok),
      [false],
    );
    await assert.rejects(
      ingest(request(), harness.context),
      /ALTER ROLE loader BYPASSRLS.*reset_watermark=true/,
    );
    assert.equal(await count(), "6");
    await ingest(request(true), harness.context);
    assert.equal(await count(), "4");
    assert.deepEqual((await ingest(request(), harness.context)).warnings, []);
    await client.query("ALTER ROLE loader BYPASSRLS");
    assert.deepEqual(
      (await findings()).map(({ ok }) => ok),
      [true],
    );
    const { inserted, warnings } = await ingest(request(), harness.context);
    assert.equal(inserted, 2);
    assert.match(warnings.join(), /no longer hides rows/);
    await client.query("ALTER ROLE loader NOBYPASSRLS");
  });

  test("a window leaves the comparison to the next run", async (t) => {
    const harness = await startTransferHarness(t);
    await kinds.table[0].reset();
    const request = (window?: { from: string; to: string }) =>
      harness.request({}, { connection: loader, ...(window && { window }) });
    await ingest(request(), harness.context);
    for (const statement of recreated) await client.query(statement);
    assert.deepEqual((await ingest(request({ from: "0", to: "6" }), harness.context)).warnings, []);
    assert.match((await ingest(request(), harness.context)).warnings.join(), /another table than before/);
  });

  test("MySQL", async (t) => {
    const server = await startMysql(t);
    if (server === undefined) return t.skip("neither mariadbd nor mysqld is installed");
    const mysql = await openMysql(server);
    t.after(() => mysql.end());
    await mysql.query("USE shop");
    const rows = Array.from({ length: 6 }, (_, at) => `(${at + 1}, 'n${at + 1}', ${(at + 1) * 10})`).join();
    const mysqlTable = "CREATE TABLE base (id int PRIMARY KEY, name varchar(20), updated_at int)";
    const source = (create: readonly string[]): DefinableSource => ({
      connection: { type: "mysql", config: { ...server } },
      async reset() {
        await mysql.query("DROP VIEW IF EXISTS orders, below");
        await mysql.query("DROP TABLE IF EXISTS orders, base, formerly");
        for (const statement of create) await mysql.query(statement);
      },
      async execute(statement) {
        await mysql.query(statement);
      },
      async rows() {
        const [found] = await mysql.query({
          sql: "SELECT id, name, updated_at FROM orders",
          rowsAsArray: true,
        });
        return (found as unknown[][]).map((row) => row.map(String));
      },
    });
    const plain = source([mysqlTable.replace("base", "orders"), `INSERT INTO orders VALUES ${rows}`]);
    const view = source([
      mysqlTable,
      `INSERT INTO base VALUES ${rows}`,
      "CREATE VIEW below AS SELECT * FROM base",
      "CREATE VIEW orders AS SELECT id, name, updated_at FROM below",
    ]);
    // The server records seconds.
    const nextSecond = "DO sleep(1.1)";
    const changes: readonly (readonly [DefinableSource, Change])[] = [
      [
        plain,
        [
          [
            nextSecond,
            "DROP TABLE orders",
            mysqlTable.replace("base", "orders"),
            "INSERT INTO orders VALUES (1, 'other', 5), (6, 'n6', 60)",
          ],
          "reread",
        ],
      ],
      [
        plain,
        [
          [
            "RENAME TABLE orders TO formerly",
            nextSecond,
            "CREATE TABLE orders AS SELECT id, 'x' AS name, updated_at FROM formerly",
          ],
          "reread",
        ],
      ],
      [plain, [["CREATE TABLE base (id int)", "ANALYZE TABLE orders"], "nothing"]],
      [plain, [["DELETE FROM orders", "INSERT INTO orders VALUES (7, 'low', 1)"], "warned"]],
      [
        view,
        [
          ["CREATE OR REPLACE VIEW orders AS SELECT id, upper(name) AS name, updated_at FROM below"],
          "reread",
        ],
      ],
      [
        view,
        [["CREATE OR REPLACE VIEW below AS SELECT id, upper(name) AS name, updated_at FROM base"], "reread"],
      ],
      [
        view,
        [
          [nextSecond, "DROP TABLE base", mysqlTable, "INSERT INTO base VALUES (3, 'x', 4), (6, 'n6', 60)"],
          "reread",
        ],
      ],
    ];
    const harness = await startTransferHarness(t);
    const all = changes.flatMap(([one, change]) => modes.map((mode) => ({ one, change, mode })));
    for (const { one, change, mode } of someOf(all, 3)) {
      const [said] = await changeDefinitions(harness, one, mode, [change[0]]);
      assert.equal(said, expectedOf({ mode, change }), `${mode}: ${change[0].join("; ")}`);
    }
  });

  test("SQLite", async (t) => {
    const harness = await startTransferHarness(t);
    const rows = Array.from({ length: 6 }, (_, at) => `(${at + 1}, 'n${at + 1}', ${(at + 1) * 10})`).join();
    const sqliteTable = "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, updated_at INTEGER)";
    const plain = sqliteSource(t, join(harness.folder, "plain.db"), [
      sqliteTable,
      `INSERT INTO orders VALUES ${rows}`,
    ]);
    const view = sqliteSource(t, join(harness.folder, "view.db"), [
      sqliteTable.replace("orders", "base"),
      `INSERT INTO base VALUES ${rows}`,
      "CREATE VIEW below AS SELECT * FROM base",
      "CREATE VIEW orders AS SELECT id, name, updated_at FROM below",
    ]);
    const changes: readonly (readonly [DefinableSource, Change])[] = [
      [
        plain,
        [
          ["DROP TABLE orders", sqliteTable, "INSERT INTO orders VALUES (1, 'other', 5), (6, 'n6', 60)"],
          "reread",
        ],
      ],
      [
        plain,
        [
          [
            "ALTER TABLE orders RENAME TO formerly",
            "CREATE TABLE orders AS SELECT id, 'x' AS name, updated_at FROM formerly",
          ],
          "reread",
        ],
      ],
      [plain, [["REPLACE"], "reread"]],
      [plain, [["INSERT INTO orders VALUES (8, 'new', 80)"], "nothing"]],
      [plain, [["DELETE FROM orders", "INSERT INTO orders VALUES (7, 'low', 1)"], "warned"]],
      [
        view,
        [
          ["DROP VIEW orders", "CREATE VIEW orders AS SELECT id, upper(name) AS name, updated_at FROM below"],
          "reread",
        ],
      ],
      [
        view,
        [
          ["DROP VIEW below", "CREATE VIEW below AS SELECT id, upper(name) AS name, updated_at FROM base"],
          "reread",
        ],
      ],
    ];
    const all = changes.flatMap(([one, change]) => modes.map((mode) => ({ one, change, mode })));
    for (const { one, change, mode } of someOf(all, 3)) {
      const [said] = await changeDefinitions(harness, one, mode, [change[0]]);
      assert.equal(said, expectedOf({ mode, change }), `${mode}: ${change[0].join("; ")}`);
    }
  });
});

/** The statement `REPLACE` replaces the file by another one, as a nightly copy does. */
function sqliteSource(t: TestContext, path: string, create: readonly string[]): DefinableSource {
  const within = <Result>(work: (database: DatabaseSync) => Result, file = path): Result => {
    using database = new DatabaseSync(file);
    return work(database);
  };
  t.after(() => rm(path, { force: true }));
  return {
    connection: { type: "sqlite", config: { path } },
    async reset() {
      await rm(path, { force: true });
      within((database) => database.exec(create.join(";")));
    },
    async execute(statement) {
      if (statement !== "REPLACE") return within((database) => database.exec(statement));
      within(
        (database) => database.exec([...create, "UPDATE orders SET name = 'copy'"].join(";")),
        `${path}.new`,
      );
      await rename(`${path}.new`, path);
    },
    rows: async () =>
      within((database) => database.prepare("SELECT id, name, updated_at FROM orders").all()).map((row) =>
        Object.values(row).map(String),
      ),
  };
}
