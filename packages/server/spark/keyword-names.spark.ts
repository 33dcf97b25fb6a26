/**
 * Columns, tables and aliases with the names of Spark's keywords, of its functions without parentheses, or of
 * Lakehelm's own columns.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { someOf } from "@lakehelm/testing/nightly";
import { sparkKeywords } from "../../codegen/src/testing/spark-keywords.ts";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";
import { runStatements } from "./run-statements.ts";

/** Columns that Spark and Delta add to rows. */
const hidden = "_metadata _change_type _commit_version _commit_timestamp _row_id _row_commit_version".split(
  " ",
);

/**
 * The names that the code for Spark gives to its own columns and views: every name in the code that begins with an
 * underscore.
 */
function ownNames(): string[] {
  const packages = join(import.meta.dirname, "../..");
  const files = ["server/src/runtime/platforms/spark", "engine/src/transfer/cluster", "flows/src"].flatMap(
    (folder) => globSync(join(packages, folder, "**/*.ts")),
  );
  const found = files.flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(/(?<![\w$.])_+[a-z]\w*/gi), ([name]) => name),
  );
  assert.ok(found.length > 10, found.join());
  return [...new Set(found)].sort();
}

/** Spark has no list of the functions that need no parentheses: these are the names that work without them. */
async function niladicFunctions(spark: ConnectServer): Promise<string[]> {
  const names = (await runStatements(spark, ["SHOW SYSTEM FUNCTIONS"])).map(([name]) => String(name));
  const found = [];
  for (const name of names.filter((one) => /^(?:current|local|session|user|now|pi|e|curdate)/.test(one))) {
    const isCalled = await runStatements(spark, [`SELECT ${name}`]).then(
      () => true,
      () => false,
    );
    if (isCalled) found.push(name);
  }
  assert.ok(found.includes("current_timestamp"), found.join());
  return found;
}

const quoted = (name: string) => `\`${name}\``;
const listed = (names: readonly string[], of = "") => names.map((name) => of + quoted(name)).join(", ");
/** Names that are refused wherever Lakehelm's statements could confuse them with its own. */
const isReserved = (name: string) => /^_+lakehelm_/.test(name);
/** `key` is the key, and `order` the sequence of changes. */
const fixed = ["key", "order"];

suite("names that are keywords, on Spark", () => {
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  let words: string[];
  let reserved: string[];
  let all: string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-words-"));
    await mkdir(join(folder, "staging"));
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token, staging: join(folder, "staging") };
    const body = { name: "words", platform: "spark", configuration };
    environment = (await server.client.createEnvironment({ body })).id;
    const keywords = await runStatements(spark, ["SELECT keyword FROM SQL_KEYWORDS()"]);
    assert.ok(keywords.length > 300, `${keywords.length} words`);
    const distinct = (names: readonly unknown[]) => [
      ...new Set(names.map((name) => String(name).toLowerCase())),
    ];
    const unknown = distinct(keywords.flat()).filter((word) => !sparkKeywords.includes(word));
    assert.deepEqual(unknown, [], "packages/codegen/src/testing/spark-keywords.ts has all of them");
    const own = distinct(ownNames());
    reserved = own.filter(isReserved);
    assert.ok(reserved.length > 0);
    // Planning statements with all names would take many minutes.
    const found = [
      ...someOf(distinct(keywords.flat()), 6),
      ...someOf(await niladicFunctions(spark), 6),
      ...someOf(
        own.filter((name) => !isReserved(name)),
        4,
      ),
      ...hidden,
    ];
    words = distinct(found)
      .filter((word) => !fixed.includes(word))
      .sort();
    all = [...fixed, ...words];
  });
  after(async () => {
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const rows = (sql: string) => queryRows(server.client, environment, sql);
  const rowOf = (key: number, order: number, value: number) => [key, order, ...words.map(() => value)];
  const valuesOf = (key: number, order: number, value: number) => `(${rowOf(key, order, value).join(", ")})`;
  const runJob = async (job_id: string): Promise<Run> => {
    const { id } = await server.client.runJob({ params: { job_id } });
    const run = await endedRun(server.client, id);
    assert.deepEqual([run.status, run.error], ["succeeded", null]);
    return run;
  };
  const counts = ({ metrics }: Run) => [metrics.rows_inserted, metrics.rows_updated, metrics.rows_deleted];

  test("columns of connectors, in and out", async () => {
    const path = join(folder, "words.db");
    const source = new DatabaseSync(path);
    const sqlite = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
    source.exec(`CREATE TABLE t (${all.map((name) => `"${name}" INT`).join(", ")})`);
    const put = (...row: Parameters<typeof valuesOf>) =>
      source.exec(`INSERT INTO t VALUES ${valuesOf(...row)}`);
    const connector = async (dataset: object, more: object) => {
      const { workflow_id, error_message } = await server.client.createConnector({
        body: {
          ...{ name: unique("words"), execution_mode: "manual", created_by: "ada" },
          target_type: "warehouse",
          target_config: { connection: { name: "words", type: "sqlite", config: { path } } },
          datasets: [{ source_dataset: "t", target_name: "t", primary_keys: ["key"], ...dataset }],
          ...more,
        },
        environment,
      });
      assert.equal(error_message, null);
      return () => runJob(workflow_id ?? "");
    };
    const load = await connector({ custom_config: { watermark_column: "order", deletes: true } }, {});
    put(1, 1, 7);
    put(2, 1, 7);
    assert.deepEqual(counts(await load()), [2, 0, 0]);
    source.exec(
      `UPDATE t SET ${words.map((word) => `"${word}" = 8`).join(", ")}, "order" = 2 WHERE "key" = 1`,
    );
    source.exec(`DELETE FROM t WHERE "key" = 2`);
    put(3, 2, 7);
    assert.deepEqual(counts(await load()), [1, 1, 1]);
    assert.deepEqual(await rows("SELECT * FROM main.shop.t WHERE `key` = 1"), [rowOf(1, 2, 8)]);

    const append = await connector(
      {
        target_name: "appended",
        write_strategy: "append",
        primary_keys: [],
        custom_config: { watermark_column: "order" },
      },
      {},
    );
    assert.deepEqual(counts(await append()), [2, 0, 0]);
    put(4, 2, 7);
    assert.deepEqual(counts(await append()), [1, 0, 0]);

    const send = await connector(
      {
        target_name: "sent",
        custom_config: { watermark_column: "order", deletes: true, max_delete_share: 1 },
      },
      { target_type: "sqlite", target_config: { path } },
    );
    assert.deepEqual(counts(await send()), [2, 0, 0]);
    await runStatements(spark, [
      `UPDATE main.shop.t SET ${words.map((word) => `${quoted(word)} = 9`).join(", ")}, \`order\` = 3 WHERE \`key\` = 3`,
      "DELETE FROM main.shop.t WHERE `key` = 1",
    ]);
    assert.deepEqual(counts(await send()), [0, 1, 1]);
    assert.deepEqual(
      Object.values(source.prepare(`SELECT ${sqlite(all)} FROM sent`).get() ?? {}),
      rowOf(3, 3, 9),
    );
    source.close();
  });

  test("columns of flows", async () => {
    await runStatements(spark, [
      "CREATE SCHEMA IF NOT EXISTS main.shop",
      `CREATE TABLE main.shop.facts (${all.map((name) => `${quoted(name)} INT`).join(", ")})`,
    ]);
    const fill = (...rows: readonly string[]) =>
      runStatements(spark, [`INSERT OVERWRITE main.shop.facts VALUES ${rows.join(", ")}`]);
    const now = [
      [1, 2, 8],
      [3, 2, 8],
    ];
    const versions = [
      [1, 1, 7],
      [1, 2, 8],
      [2, 1, 7],
      [3, 2, 8],
    ];
    const ofRun = "is_current AND valid_from > '2020-01-01'";
    // The version must begin at the time of the run, not at the value of a column named like the function.
    const strategies = [
      { more: { scd_type: 2, close_missing_keys: true, max_delete_share: 1 }, expected: now, where: ofRun },
      { more: { write_strategy: "merge_and_delete" as const, max_delete_share: 1 }, expected: now },
      { more: { write_strategy: "replace" as const }, expected: now },
      { more: { scd_type: 2, sequence_by: "order" }, expected: versions },
    ];
    // Statements with all names would take minutes, so each strategy tests a share of them.
    const size = Math.max(40, Math.ceil(words.length / strategies.length));
    for (const [at, { more, expected, where = "true" }] of strategies.entries()) {
      const some = words.slice(at * size, (at + 1) * size);
      if (some.length === 0) break;
      const columns = [...fixed, ...some];
      const target = `marts.words_${at}`;
      const { error_message, workflow_id } = await server.client.createFlow({
        body: {
          flow_name: unique("words"),
          source_tables: ["facts"],
          target_name: target,
          trigger_type: "manual",
          matched_sql: `SELECT ${columns.map((name) => `\`table\`.${quoted(name)} AS ${quoted(name)}`).join(", ")} FROM facts AS \`table\``,
          unmatched_sql: `SELECT ${listed(columns)} FROM facts WHERE \`key\` > 100`,
          target_schema: {
            description: "Words",
            columns: columns.map((name) => ({ name, type: "INT", pk: name === "key" })),
          },
          requested_by: "ada@example.test",
          ...more,
        },
        environment,
      });
      assert.equal(error_message, null);
      const found = () =>
        rows(`SELECT ${listed(columns)} FROM main.${target} WHERE ${where} ORDER BY \`key\`, \`order\``);
      const row = ([key = 0, order = 0, value = 0]: readonly number[]) => [
        key,
        order,
        ...some.map(() => value),
      ];
      await fill(valuesOf(1, 1, 7), valuesOf(2, 1, 7));
      await runJob(workflow_id ?? "");
      assert.deepEqual(await found(), [row([1, 1, 7]), row([2, 1, 7])], target);
      await fill(valuesOf(1, 2, 8), valuesOf(3, 2, 8));
      await runJob(workflow_id ?? "");
      assert.deepEqual(await found(), expected.map(row), target);
    }
  });

  async function runTask(query: string): Promise<void> {
    const { client } = server;
    const params = { automation_alias: unique("words") };
    const definition = { tasks: [{ name: "write", kind: "sql" as const, query }] };
    await client.createAutomation({ body: { alias: params.automation_alias, definition } });
    await client.syncAutomationRelease({ body: { ...params, environment } });
    const { id } = await client.runAutomation({ params, environment, body: {} });
    assert.equal((await endedRun(client, id)).error, null);
  }

  async function pipelineOf(text: string) {
    const { client } = server;
    const path = `${unique("words")}.sql`;
    await client.putFile({ params: { path }, body: Buffer.from(text), environment });
    const body = { name: unique("words"), libraries: [{ file: { path } }] };
    const { pipeline_id, error_message } = await client.createPipeline({ body, environment });
    assert.equal(error_message, null);
    return async () => {
      const { update_id } = await client.startPipelineUpdate({ params: { pipeline_id }, body: {} });
      await endedRun(client, update_id);
      return (await client.getPipelineUpdate({ params: { pipeline_id, update_id } })).error;
    };
  }

  test("columns of SQL tasks", async () => {
    const set = words.map((word) => `${quoted(word)} = s.${quoted(word)}`).join(", ");
    await runTask(
      `CREATE OR REPLACE TABLE source (${all.map((word) => `${quoted(word)} INT`).join(", ")});
       INSERT INTO source (${listed(all)}) VALUES ${valuesOf(1, 1, 7)}, ${valuesOf(1, 2, 8)};
       CREATE OR REPLACE TABLE written AS SELECT ${listed(all)} FROM source WHERE \`order\` = 1;
       MERGE INTO written USING (SELECT * FROM source WHERE \`order\` = 2) AS s ON written.\`key\` = s.\`key\`
         WHEN MATCHED THEN UPDATE SET ${set}, \`order\` = s.\`order\`
         WHEN NOT MATCHED THEN INSERT (${listed(all)}) VALUES (${listed(all, "s.")});
       UPDATE written SET ${words.map((word) => `${quoted(word)} = ${quoted(word)} + 1`).join(", ")} WHERE ${words.map((word) => `${quoted(word)} = 8`).join(" AND ")};
       INSERT INTO written BY NAME SELECT ${listed(all)} FROM source WHERE \`order\` = 1;
       DELETE FROM written WHERE ${words.map((word) => `${quoted(word)} = 7`).join(" AND ")};`,
    );
    assert.deepEqual(await rows(`SELECT ${listed(all)} FROM written`), [rowOf(1, 2, 9)]);
    assert.deepEqual(
      await rows(
        `SELECT ${words.map((word) => `sum(${quoted(word)}) AS ${quoted(word)}`).join(", ")} FROM written GROUP BY \`key\` ORDER BY \`key\``,
      ),
      [words.map(() => 9)],
    );
  });

  test("columns of pipelines", async () => {
    await runTask(
      `CREATE OR REPLACE TABLE events (${all.map((word) => `${quoted(word)} INT`).join(", ")});
       INSERT INTO events (${listed(all)}) VALUES ${valuesOf(1, 1, 7)};`,
    );
    // The columns that a history itself has.
    const taken: readonly string[] = words.filter((word) => word === "__start_at" || word === "__end_at");
    const expected = words
      .filter((_, at) => at % 20 === 0)
      .map(
        (word, at) =>
          `CONSTRAINT ${quoted(word)} EXPECT (${quoted(word)} > 0)${at % 2 ? " ON VIOLATION DROP ROW" : ""}`,
      );
    const update = await pipelineOf(`
      CREATE OR REFRESH MATERIALIZED VIEW a AS SELECT ${listed(all)} FROM events;
      CREATE TEMPORARY VIEW b AS SELECT ${words.map((word) => `${quoted(word)} AS ${quoted(word)}`).join(", ")}, \`key\`, \`order\` FROM a AS \`table\`;
      CREATE OR REFRESH MATERIALIZED VIEW c (${expected.join(", ")}) AS SELECT * FROM b;
      CREATE OR REFRESH STREAMING TABLE d AS SELECT ${listed(all)} FROM STREAM(events);
      CREATE OR REFRESH STREAMING TABLE e;
      CREATE FLOW \`select\` AS AUTO CDC INTO e FROM STREAM(events) KEYS (\`key\`) SEQUENCE BY \`order\`;
      CREATE OR REFRESH STREAMING TABLE f;
      CREATE FLOW \`from\` AS AUTO CDC INTO f FROM STREAM(events) KEYS (\`key\`) SEQUENCE BY \`order\`
      ${taken.length > 0 ? `COLUMNS * EXCEPT (${listed(taken)})` : ""} STORED AS SCD TYPE 2;`);
    assert.equal(await update(), null);
    for (const table of ["a", "c", "d", "e"])
      assert.deepEqual(await rows(`SELECT ${listed(all)} FROM ${table}`), [rowOf(1, 1, 7)], table);
    await runTask(`INSERT INTO events (${listed(all)}) VALUES ${valuesOf(1, 2, 8)}`);
    assert.equal(await update(), null);
    assert.deepEqual(await rows(`SELECT ${listed(all)} FROM d ORDER BY \`order\``), [
      rowOf(1, 1, 7),
      rowOf(1, 2, 8),
    ]);
    assert.deepEqual(await rows(`SELECT ${listed(all)} FROM e`), [rowOf(1, 2, 8)]);
    const ofHistory = all.filter((name) => !taken.includes(name));
    assert.deepEqual(await rows(`SELECT ${listed(ofHistory)} FROM f WHERE __END_AT IS NULL`), [
      rowOf(1, 2, 8).slice(0, ofHistory.length),
    ]);
  });

  test("a stream over columns that have the names of ours is refused", async () => {
    await runTask(
      `CREATE OR REPLACE TABLE ours AS SELECT ${reserved.map((word) => `1 AS ${word}`).join(", ")}`,
    );
    const update = await pipelineOf("CREATE OR REFRESH STREAMING TABLE g AS SELECT * FROM STREAM(ours)");
    assert.match((await update()) ?? "", /"__lakehelm_\w+": names of columns .* are reserved for Lakehelm/);
  });

  test("tables, views, aliases and CTEs", async () => {
    const some = someOf(words, 1);
    const tasks = some.map((word) => {
      const name = quoted(word);
      return `CREATE OR REPLACE TABLE ${name} AS SELECT 1 AS ${name}; INSERT INTO ${name} VALUES (2);`;
    });
    await runTask(tasks.join("\n"));
    const datasets = some.map((word) => {
      const name = quoted(word);
      return `
        CREATE OR REFRESH MATERIALIZED VIEW out_${word} AS WITH ${name} AS (SELECT ${name} FROM shop.${name}) SELECT ${name}.${name} FROM ${name};
        CREATE PRIVATE MATERIALIZED VIEW p_${word} AS SELECT ${name}.${name} FROM ${name};
        CREATE TEMPORARY VIEW v_${word} AS SELECT ${name}.${name} FROM p_${word} AS ${name} WHERE ${name}.${name} > 0;
        CREATE OR REFRESH MATERIALIZED VIEW o_${word} AS SELECT v_${word}.${name} FROM v_${word} JOIN p_${word} ON p_${word}.${name} = v_${word}.${name};
        CREATE OR REFRESH STREAMING TABLE s_${word} AS SELECT ${name}.* FROM STREAM(${name}) AS ${name};`;
    });
    const update = await pipelineOf(datasets.join("\n"));
    assert.equal(await update(), null);
    for (const word of some) {
      const name = quoted(word);
      for (const from of [`out_${word}`, `o_${word}`, `s_${word}`, name])
        assert.deepEqual(
          await rows(`SELECT ${name}.${name} FROM ${from} AS ${name} ORDER BY 1`),
          [[1], [2]],
          word,
        );
    }
  });
});
