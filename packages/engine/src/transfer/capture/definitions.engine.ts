/**
 * A publication and its tables are changed between two runs and during one, each statement alone and in random order,
 * while rows change. Afterwards the warehouse equals the source, or the run has failed with a statement in its message,
 * and the warehouse equals the source after this statement has run.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, suite, type TestContext, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import type { CaptureOutcome, Dataset } from "../../protocol/transfer.ts";
import { captureRequest, startLogServer } from "../../testing/capture-harness.ts";
import { type SeededRandom, seededRandom } from "../../testing/seeded-random.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { checkpointsTable } from "../../warehouse/internal-tables.ts";
import { quote, sqlName } from "../../warehouse/names.ts";
import { checkConnection } from "../connection-check.ts";
import { capture } from "./capture.ts";

const seed = Number(process.env.DEFINITIONS_SEED ?? 1);
const { connection, client, server } = await startLogServer({ after });
const version = Number.parseInt(server.version, 10);
await client.query(
  "CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE TYPE place AS (street text, number int)",
);

/** `t` is the table, `p` the publication, `ops` are changes of rows of the table with the name that follows. */
type Change = readonly string[];
const publishAgain: Change = ["ALTER PUBLICATION p DROP TABLE t", "ops t", "ALTER PUBLICATION p ADD TABLE t"];
const sinceFifteen = (...changes: readonly Change[]): readonly Change[] => (version >= 15 ? changes : []);

const ofTable: readonly Change[] = [
  publishAgain,
  ...sinceFifteen(
    ["ALTER PUBLICATION p DROP TABLE t", "ALTER PUBLICATION p ADD TABLE t (id, code, n)"],
    ["ALTER PUBLICATION p DROP TABLE t", "ALTER PUBLICATION p ADD TABLE t (id, n)", "ops t", ...publishAgain],
    ["ALTER PUBLICATION p DROP TABLE t", "ALTER PUBLICATION p ADD TABLE t WHERE (id > 5)"],
    [
      "ALTER PUBLICATION p DROP TABLE t",
      "ALTER PUBLICATION p ADD TABLE t WHERE (id < 5)",
      "ops t",
      ...publishAgain,
    ],
  ),
  ["ALTER TABLE t RENAME TO t_away", "ops t_away", "ALTER TABLE t_away RENAME TO t"],
  ["ALTER TABLE t SET SCHEMA elsewhere", "ops elsewhere.t", "ALTER TABLE elsewhere.t SET SCHEMA public"],
  [
    "ALTER TABLE t RENAME TO t_old",
    "CREATE TABLE t (LIKE t_old INCLUDING ALL)",
    "INSERT INTO t (id, code, n) VALUES (500, 500, 1)",
    "DROP TABLE t_old",
  ],
  ["ALTER TABLE t REPLICA IDENTITY FULL", "ops t", "ALTER TABLE t REPLICA IDENTITY DEFAULT"],
  [
    "ALTER TABLE t REPLICA IDENTITY USING INDEX t_code_key",
    "ops t",
    "ALTER TABLE t REPLICA IDENTITY DEFAULT",
  ],
  ["ALTER TABLE t REPLICA IDENTITY USING INDEX t_code_key"],
  ["ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (code)"],
  ["ALTER TABLE t RENAME COLUMN n TO n_away", "ops t", "ALTER TABLE t RENAME COLUMN n_away TO n"],
  ["ALTER TABLE t RENAME COLUMN n TO renamed"],
  [
    "ALTER TABLE t RENAME COLUMN n TO x",
    "ALTER TABLE t RENAME COLUMN m TO n",
    "ALTER TABLE t RENAME COLUMN x TO m",
  ],
  ["ALTER TABLE t DROP COLUMN m", "ALTER TABLE t ADD COLUMN m int"],
  ["ALTER TABLE t ALTER COLUMN n TYPE int USING n * 100"],
  ["TRUNCATE t", "INSERT INTO t (id, code, n) VALUES (600, 600, 1)"],
  ["VACUUM FULL t"],
  ["ALTER TABLE t ALTER COLUMN twice DROP EXPRESSION"],
  ["ALTER TABLE t ALTER COLUMN n SET DEFAULT 7", "ANALYZE t"],
  [
    "CREATE TABLE t_child (extra int) INHERITS (t)",
    "ALTER TABLE t_child ADD PRIMARY KEY (id)",
    "ops t_child",
  ],
];

/** These change all tables with columns of the types. */
const ofTypes: readonly Change[] = [
  ["ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'"],
  ["ALTER TYPE place ADD ATTRIBUTE city text"],
];

const partition = (n: number) => `FOR VALUES FROM (${n}) TO (${n + 100})`;
const ofPartitions: readonly Change[] = [
  [`CREATE TABLE t_new PARTITION OF t ${partition(1000)}`, "INSERT INTO t (id, code) VALUES (1001, 1)"],
  ["ALTER TABLE t DETACH PARTITION t_1"],
  ["DROP TABLE t_1"],
  ["TRUNCATE t_1"],
  ["TRUNCATE t"],
  ["ALTER TABLE t DETACH PARTITION t_1", "ops t_1", `ALTER TABLE t ATTACH PARTITION t_1 ${partition(0)}`],
  [
    "CREATE TABLE t_new (LIKE t INCLUDING ALL)",
    "INSERT INTO t_new (id, code) VALUES (1001, 1)",
    `ALTER TABLE t ATTACH PARTITION t_new ${partition(1000)}`,
  ],
  [
    `BEGIN; CREATE TABLE t_new (LIKE t INCLUDING ALL); INSERT INTO t_new (id, code) VALUES (1001, 1);
     ALTER TABLE t ATTACH PARTITION t_new ${partition(1000)}; COMMIT`,
  ],
  [
    "ALTER TABLE t_1 REPLICA IDENTITY USING INDEX t_1_code_key",
    "ops t",
    "ALTER TABLE t_1 REPLICA IDENTITY DEFAULT",
  ],
];

const ofPublication: readonly Change[] = [
  ["ALTER PUBLICATION p SET (publish = 'insert')"],
  [
    "ALTER PUBLICATION p SET (publish = 'insert')",
    "ops t",
    "ALTER PUBLICATION p SET (publish = 'insert, update, delete, truncate')",
  ],
  ["ALTER PUBLICATION p SET (publish = 'insert, update, delete')", "TRUNCATE t"],
  [
    "DROP PUBLICATION p",
    "ops t",
    "CREATE PUBLICATION p FOR TABLE t, parts WITH (publish_via_partition_root = true)",
  ],
  ["ALTER PUBLICATION p SET TABLE parts", "ops t", "ALTER PUBLICATION p SET TABLE t, parts"],
  ["DROP PUBLICATION p"],
  ["ALTER PUBLICATION p SET (publish_via_partition_root = false)", "ops parts"],
  [
    "ALTER PUBLICATION p RENAME TO p_away",
    "ops t",
    "ALTER PUBLICATION p_away RENAME TO p",
    "ALTER PUBLICATION p OWNER TO CURRENT_USER",
  ],
];

let rowId = 100;
const changesOfRows = (table: string, random: SeededRandom): string[] => {
  const some = () => 1 + random.below(10);
  const id = ++rowId;
  return random.shuffled([
    `INSERT INTO ${table} (id, code, n, m, mood, place, body) VALUES (${id % 100 || 1}, ${id}, 1, 2, 'glad', '(a,1)', repeat('x', 5000))`,
    `UPDATE ${table} SET n = n + 1 WHERE id = ${some()}`,
    `UPDATE ${table} SET m = m + 1, place = '(b,2)' WHERE id = ${some()}`,
    `UPDATE ${table} SET id = id + 20 WHERE id = ${some()}`,
    `UPDATE ${table} SET code = code + 1000 WHERE id = ${some()}`,
    `DELETE FROM ${table} WHERE id = ${some()}`,
  ]);
};

const columnsOfTable = `id int, code int NOT NULL, n int, m int, mood mood, place place, body text`;
const createTable = (name: string): string =>
  `CREATE TABLE ${name} (${columnsOfTable}, twice int GENERATED ALWAYS AS (id * 2) STORED, PRIMARY KEY (id), CONSTRAINT ${name}_code_key UNIQUE (code));
   ALTER TABLE ${name} ALTER body SET STORAGE EXTERNAL;
   INSERT INTO ${name} SELECT i, i, 0, 0, 'sad', ROW('a', i)::place, repeat('y' || i, 4000) FROM generate_series(1, 12) i`;
const createPartitioned = (name: string): string =>
  `CREATE TABLE ${name} (${columnsOfTable}, PRIMARY KEY (id)) PARTITION BY RANGE (id);
   CREATE TABLE ${name}_1 PARTITION OF ${name} ${partition(0)}; ALTER TABLE ${name}_1 ADD CONSTRAINT ${name}_1_code_key UNIQUE (code);
   CREATE TABLE ${name}_2 PARTITION OF ${name} ${partition(100)};
   INSERT INTO ${name} SELECT i, i, 0, 0, 'sad', ROW('a', i)::place, repeat('y' || i, 4000) FROM generate_series(1, 12) i`;

const viaRoot = "WITH (publish_via_partition_root = true)";
const ofAll = `CREATE PUBLICATION p FOR ALL TABLES ${viaRoot}`;
const ofSchema = `CREATE PUBLICATION p FOR TABLES IN SCHEMA public ${viaRoot}`;
const byName = `CREATE PUBLICATION p FOR TABLE t, parts ${viaRoot}`;
const away: Change = [
  "ALTER TABLE t SET SCHEMA elsewhere",
  "ops elsewhere.t",
  "ALTER TABLE elsewhere.t SET SCHEMA public",
];

/** How a publication was created, and a change of it. */
const ofWholePublications: readonly (readonly [kind: string, created: string, change: Change])[] = [
  ["all tables", ofAll, ["CREATE TABLE other (id int)", "INSERT INTO other VALUES (1)", "DROP TABLE other"]],
  ["all tables", ofAll, away],
  ["all tables", ofAll, ["DROP PUBLICATION p", "ops t", ofAll]],
  ["all tables", ofAll, ["DROP PUBLICATION p", byName]],
  ["all tables", ofAll, ["ALTER PUBLICATION p SET (publish = 'insert')"]],
  [
    "all tables",
    ofAll,
    [
      "ALTER TABLE t RENAME TO t_old",
      "CREATE TABLE t (LIKE t_old INCLUDING ALL)",
      "INSERT INTO t (id, code, n) VALUES (500, 500, 1)",
      "DROP TABLE t_old",
    ],
  ],
  ...(version >= 15
    ? ([
        ["a schema", ofSchema, away],
        [
          "a schema",
          ofSchema,
          [
            "ALTER PUBLICATION p DROP TABLES IN SCHEMA public",
            "ops t",
            "ALTER PUBLICATION p ADD TABLES IN SCHEMA public",
          ],
        ],
        ["a schema", ofSchema, ["ALTER PUBLICATION p SET TABLE t, parts"]],
        ["a schema", ofSchema, ["ALTER PUBLICATION p ADD TABLE t WHERE (id > 5)"]],
        ["a schema", ofSchema, ["DROP PUBLICATION p", ofAll]],
      ] as const)
    : []),
];

/** False if the statement failed and changed nothing: in random orders it may not fit the state that others have left. */
const attemptSql = (sql: string) =>
  client.query(sql).then(
    () => true,
    async () => {
      await client.query("ROLLBACK");
      return false;
    },
  );

async function make(change: Change, table: string, publication: string, random: SeededRandom) {
  for (const statement of change) {
    const named = statement.replace(/\bt(?=\b|_)/g, table).replace(/\bp(?=\b|_away)/g, publication);
    const operations = /^ops (\S+)$/.exec(named)?.[1];
    for (const sql of operations === undefined ? [named] : changesOfRows(operations, random))
      await attemptSql(sql);
  }
}

let connectors = 0;

async function start(t: TestContext, tables: readonly string[], own: Readonly<Record<string, unknown>> = {}) {
  const harness = await startTransferHarness(t);
  const connector = `d${++connectors}`;
  const slot = `lakehelm_${connector}`;
  t.after(async () => {
    await client.query(
      "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1",
      [slot],
    );
    await client.query(
      `DROP PUBLICATION IF EXISTS ${slot}; DROP SCHEMA public CASCADE; CREATE SCHEMA public`,
    );
    await client.query("DROP SCHEMA IF EXISTS elsewhere CASCADE; CREATE SCHEMA elsewhere");
    await client.query("DROP TYPE IF EXISTS mood, place CASCADE");
    await client.query(
      "CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE TYPE place AS (street text, number int)",
    );
  });
  await client.query("CREATE SCHEMA IF NOT EXISTS elsewhere");
  const datasets: Partial<Dataset>[] = tables.map((source) => ({ source, maxDeleteShare: 1 }));
  const request = () =>
    captureRequest({ ...connection, config: { ...connection.config, ...own } }, datasets, { connector });
  /** The first problem of each table that the run has not moved. */
  const run = async (context = harness.context): Promise<Map<string, string>> => {
    const { datasets: outcomes } = await capture(request(), context);
    const failed = outcomes.filter((one): one is CaptureOutcome & { failure: object } => "failure" in one);
    return new Map(
      failed.map(({ id, failure }) => [tables[Number(id.split("-")[1])] ?? "", failure?.sentence ?? ""]),
    );
  };
  const expectSame = async (table: string, message = table) => {
    const found = await client.query(
      "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
      [table],
    );
    const columns = found.rows.map(({ name }) => quote(String(name)));
    const { rows } = await client.query({
      text: `SELECT ${columns.map((name) => `${name}::text`).join(", ")} FROM ${table}`,
      rowMode: "array",
    });
    const name = sqlName({ catalog: "main", schema: "default", table });
    const stored = await harness.rows(
      `SELECT ${columns.map((one) => `${one}::VARCHAR`).join(", ")} FROM ${name}`,
    );
    const texts = (all: unknown[][]) => all.map((row) => JSON.stringify(row)).sort();
    assert.deepEqual(texts(stored), texts(rows), message);
  };
  const check = async () => {
    const { scope, connection: used, datasets: all } = request();
    return checkConnection(
      { scope, direction: "in", connector, connection: used, datasets: all },
      harness.context,
    );
  };
  return {
    ...harness,
    publication: slot,
    run,
    expectSame,
    /**
     * The warehouse equals the source, if necessary after the statements that the failures name. `check` has reported
     * the same failures before.
     */
    async expectRepaired(titles: ReadonlyMap<string, string>) {
      const findings = (await check()).filter(({ ok }) => !ok).map(({ sentence }) => sentence);
      const failed = await run();
      for (const [table, sentence] of failed) {
        const title = titles.get(table) ?? table;
        assert.ok(findings.includes(sentence), `check does not say: ${sentence} (${title})`);
        const statements = /\b[Rr]un:? (ALTER .*?;)(?= Or | as an |$)/.exec(sentence)?.[1];
        assert.ok(statements, `${sentence} (${title})`);
        await client.query(statements);
      }
      const again = failed.size > 0 ? await run() : failed;
      assert.deepEqual([...again], []);
      for (const [table, title] of titles) await expectSame(table, title);
      return failed;
    },
  };
}

/** A third of the cases; in the nightly tests all of them. */
const third = <Case>(all: readonly Case[]) => someOf(all, Math.ceil(all.length / 3));

suite(`definitions that a capture relies on (PostgreSQL ${version}, DEFINITIONS_SEED=${seed})`, () => {
  test("each change of a table, and random sequences of them", async (t) => {
    const random = seededRandom(seed);
    const sequences = Array.from({ length: isNightly ? 40 : 1 }, () =>
      random
        .shuffled(ofTable)
        .slice(0, 2 + random.below(3))
        .flatMap((change) => [...change, "ops t"]),
    );
    const plain = [...third(ofTable), ...sequences].map((change, at) => ({ change, table: `t${at}x` }));
    const partitioned = third(ofPartitions).map((change, at) => ({ change, table: `q${at}x` }));
    for (const { table } of plain) await client.query(createTable(table));
    for (const { table } of partitioned) await client.query(createPartitioned(table));
    const all = [...plain, ...partitioned];
    const { run, publication, expectSame, expectRepaired } = await start(
      t,
      all.map(({ table }) => table),
    );
    assert.deepEqual([...(await run())], []);
    for (const { table } of all) await expectSame(table);
    for (const { change, table } of all)
      await make(["ops t", ...change, "ops t"], table, publication, random);
    const titles = new Map(all.map(({ change, table }) => [table, change.join("; ")]));
    const failed = await expectRepaired(titles);
    assert.ok(failed.size >= (isNightly && version >= 15 ? 3 : 1), [...failed.values()].join("\n"));
    // Nothing is copied without a cause.
    for (const { table } of all) await make(["ops t"], table, publication, random);
    for (const change of ofTypes) await make(change, "", publication, random);
    await expectRepaired(titles);
  });

  test("each change of a publication", async (t) => {
    for (const change of third(ofPublication)) {
      await t.test(change.join("; "), async (one) => {
        const random = seededRandom(seed);
        await client.query(`${createTable("t")}; ${createPartitioned("parts")}`);
        const { run, publication, expectRepaired } = await start(one, ["t", "parts"]);
        assert.deepEqual([...(await run())], []);
        await make(["ops t", "ops parts", ...change, "ops t", "ops parts"], "t", publication, random);
        await expectRepaired(new Map(["t", "parts"].map((table) => [table, change.join("; ")])));
      });
    }
  });

  test("each change of a publication of all tables, or of a schema", async (t) => {
    for (const [kind, created, change] of third(ofWholePublications)) {
      await t.test(`${kind}: ${change.join("; ")}`, async (one) => {
        const random = seededRandom(seed);
        await client.query(`${createTable("t")}; ${createPartitioned("parts")}`);
        const { run, publication, expectRepaired } = await start(one, ["t", "parts"]);
        await make([created], "t", publication, random);
        assert.deepEqual([...(await run())], []);
        await make(["ops t", "ops parts", ...change, "ops t", "ops parts"], "t", publication, random);
        await expectRepaired(new Map(["t", "parts"].map((table) => [table, change.join("; ")])));
      });
    }
  });

  test("a change while a run reads", async (t) => {
    for (const [at, change] of [
      ["begun", publishAgain],
      ["read", publishAgain],
      ["read", ["ALTER PUBLICATION p SET (publish = 'insert')"]],
      ["read", ["DROP PUBLICATION p"]],
    ] as const) {
      await t.test(`${at}: ${change.join("; ")}`, async (one) => {
        const random = seededRandom(seed);
        await client.query(createTable("t"));
        const { run, publication, expectRepaired, context } = await start(one, ["t"]);
        await run();
        await make(["ops t"], "t", publication, random);
        let isDone = false;
        const crashPoint = (step: string) => {
          if (step !== at || isDone) return;
          isDone = true;
          const sql = change
            .flatMap((statement) => (statement === "ops t" ? changesOfRows("t", random) : statement))
            .map((statement) => statement.replace("PUBLICATION p", `PUBLICATION ${publication}`));
          runNow(sql);
        };
        await run({ ...context, crashPoint });
        assert.ok(isDone);
        await expectRepaired(new Map([["t", change.join("; ")]]));
      });
    }
  });

  test("rows that a policy hides from the role are not left out of a copy", async (t) => {
    await client.query(createTable("t"));
    await client.query(`DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN REPLICATION PASSWORD 'reader';
      GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON t TO reader`);
    t.after(() => client.query("DROP OWNED BY reader; DROP ROLE reader"));
    const { run, publication, expectRepaired } = await start(t, ["t"], {
      user: "reader",
      password: "reader",
    });
    await client.query(`CREATE PUBLICATION ${publication} FOR TABLE t`);
    await run();
    await client.query(
      "ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON t USING (id < 3); UPDATE t SET n = 5",
    );
    const failed = await expectRepaired(new Map([["t", "row-level security"]]));
    assert.match(failed.get("t") ?? "", /ALTER ROLE "reader" BYPASSRLS;/);
  });

  test("a record of an earlier version is used if the publication is older than the unread log", async (t) => {
    await client.query(createTable("t"));
    const { run, warehouse, publication, expectSame, lines } = await start(t, ["t"]);
    const random = seededRandom(seed);
    await run();
    const forget = async () => {
      const duck = await warehouse.connect();
      await duck.run(
        `UPDATE ${checkpointsTable("main")} SET value = json_extract_string(value, '$.table') WHERE stream LIKE 'table of %'`,
      );
      duck.closeSync();
    };
    const isCopied = () => lines.splice(0).some((line) => line.includes("read again"));
    await forget();
    // The slot was made right after the publication.
    await make(["ops t"], "t", publication, random);
    await run();
    await expectSame("t");
    isCopied();
    // The server keeps the catalog only for what is not read yet.
    for (let round = 0; round < 3; round++) {
      await make(["ops t"], "t", publication, random);
      await client.query("SELECT pg_log_standby_snapshot()").catch(() => client.query("CHECKPOINT"));
      await run();
    }
    assert.equal(isCopied(), false);
    await forget();
    await make(["ops t"], "t", publication, random);
    await run();
    assert.equal(isCopied(), false);
    await expectSame("t");
    await forget();
    await make(publishAgain, "t", publication, random);
    await run();
    assert.equal(isCopied(), true);
    await expectSame("t");
  });
});

/** Runs statements while this process waits, so that they run at a known step of a run. */
function runNow(sql: readonly string[]): void {
  const program = `import pg from "pg"; const client = new pg.Client(process.env.URL); await client.connect();
    for (const one of JSON.parse(process.env.SQL)) await client.query(one).catch(() => {}); await client.end();`;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    env: { ...process.env, URL: server.url, SQL: JSON.stringify(sql) },
  });
}
