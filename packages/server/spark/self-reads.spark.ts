/**
 * Statements that read the table which they write, with Delta, in SQL tasks and in pipeline files: the result must be
 * the same as on the embedded platform.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  rowsBefore,
  rowTexts,
  type SelfReadingStatement,
  selfReadingStatements,
  type WayOfReading,
  waysOfReading,
} from "@lakehelm/engine/testing";
import { isNightly, onlyNightly, someOf } from "@lakehelm/testing/nightly";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";
import { runStatements } from "./run-statements.ts";

interface Case {
  readonly statement: SelfReadingStatement;
  readonly way: WayOfReading;
  /** The schema with the table `t` of this case. */
  readonly schema: string;
}

/**
 * In nightly runs, every statement with every way of reading; otherwise each statement with one of the typical ways.
 */
const ways = waysOfReading.filter(({ isTypical }) => isNightly || isTypical);
const cases = selfReadingStatements
  // Spark refuses a list of column names here; Databricks and the embedded platform do not.
  .filter(({ name }) => name !== "CREATE OR REPLACE TABLE with columns and a description")
  .flatMap((statement, at) => {
    const chosen = isNightly ? ways : [ways[at % ways.length] as WayOfReading];
    return chosen.map((way) => ({ statement, way }));
  })
  .map((one, at): Case => ({ ...one, schema: `self_${at}` }));

const twice = waysOfReading.find(({ name }) => name.startsWith("twice")) as WayOfReading;
const expectedRows = ({ statement, way }: Case) => statement.after(rowsBefore, way.rows(rowsBefore));

const table = `t AS SELECT * FROM VALUES ${rowsBefore.map((row) => `(${row.join(", ")})`).join(", ")} AS r (id, n)`;

/** Only Spark's own catalog supports views. */
const catalog = "spark_catalog";

function textOf({ statement, way, schema }: Case): string {
  const query = way.query
    .replace("SHOP.`Sales`.T", `${catalog.toUpperCase()}.\`${schema.toUpperCase()}\`.T`)
    .replace("sales.t", `${schema}.t`);
  return `USE SCHEMA ${schema};\nCREATE OR REPLACE TABLE ${table};\n${statement.sql(query)};\n`;
}

suite("statements that read what they write, on Spark", () => {
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  before(async () => {
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token, catalog, catalogs: [catalog] };
    const body = { name: "self-reads", platform: "spark", configuration };
    environment = (await server.client.createEnvironment({ body })).id;
  });
  after(async () => {
    await server?.close();
    const schemas = cases.map(({ schema }) => schema);
    await runStatements(
      spark,
      schemas.map((schema) => `DROP SCHEMA IF EXISTS ${catalog}.${schema} CASCADE`),
    );
    await spark?.stop();
  });

  /** Creates what the statements of a case read in addition to their table. */
  async function prepare(some: readonly Case[]): Promise<void> {
    const statements = some.flatMap(({ way: { query, throughView }, schema }) => {
      const name = (short: string) => `${catalog}.${schema}.${short}`;
      return [
        `CREATE SCHEMA ${catalog}.${schema}`,
        ...(/\bother\b/.test(query)
          ? [`CREATE TABLE ${name("other")} AS SELECT * FROM VALUES (2), (7) AS o (id)`]
          : []),
        ...(throughView
          ? [
              `CREATE TABLE ${name(table)}`,
              `CREATE VIEW ${name("v")} AS SELECT id, n FROM ${name("t")}`,
              `CREATE VIEW ${name("w")} AS SELECT * FROM ${name("v")}`,
            ]
          : []),
      ];
    });
    await runStatements(spark, statements);
  }

  async function runTask(query: string): Promise<string | null> {
    const { client } = server;
    const params = { automation_alias: unique("self-reads") };
    const definition = { tasks: [{ name: "write", kind: "sql" as const, query }] };
    await client.createAutomation({ body: { alias: params.automation_alias, definition } });
    await client.syncAutomationRelease({ body: { ...params, environment } });
    const { id } = await client.runAutomation({ params, environment, body: {} });
    return (await endedRun(client, id)).error;
  }

  async function runPipeline(text: string) {
    const { client } = server;
    const path = `${unique("self-reads")}.sql`;
    await client.putFile({ params: { path }, body: Buffer.from(text), environment });
    const body = { name: unique("self-reads"), libraries: [{ file: { path } }] };
    const { pipeline_id, error_message } = await client.createPipeline({ body, environment });
    assert.equal(error_message, null);
    const { update_id } = await client.startPipelineUpdate({ params: { pipeline_id }, body: {} });
    await endedRun(client, update_id);
    return client.getPipelineUpdate({ params: { pipeline_id, update_id } });
  }

  async function verify(some: readonly Case[], rowsAfter = expectedRows): Promise<void> {
    const selects = some.map(
      ({ schema }) =>
        `SELECT '${schema}' AS of, coalesce(string(id), 'NULL'), coalesce(string(n), 'NULL') FROM ${schema}.t`,
    );
    const found = Map.groupBy(
      await queryRows(server.client, environment, selects.join(" UNION ALL ")),
      ([schema]) => schema,
    );
    for (const one of some) {
      const rows = (found.get(one.schema) ?? []).map(([, ...row]) => row.join(" ")).sort();
      const expected = rowTexts(rowsAfter(one) ?? []);
      assert.deepEqual(rows, expected, `${one.statement.name}, ${one.way.name}: ${textOf(one)}`);
    }
  }

  /** Delta refuses subqueries in UPDATE and DELETE; Databricks and the embedded platform do not. */
  const isRefused = ({ statement }: Case) => /^(?:UPDATE|DELETE)/.test(statement.name);
  const succeeding = someOf(
    cases.filter((one) => expectedRows(one) !== undefined && !isRefused(one)),
    5,
  );
  /** Several cases share a run, because a run takes a moment to start. */
  const atOnce = 20;
  for (const [kind, run] of Object.entries({
    "SQL tasks": runTask,
    "pipeline files": async (text: string) => (await runPipeline(text)).error,
  })) {
    test(`${kind} give the rows of the embedded platform`, async () => {
      const own = succeeding.filter((_, at) => at % 2 === (kind === "SQL tasks" ? 0 : 1));
      for (let at = 0; at < own.length; at += atOnce) {
        const some = own.slice(at, at + atOnce);
        await prepare(some);
        assert.equal(await run(some.map(textOf).join("")), null);
        await verify(some);
      }
    });
  }

  test(
    "an UPDATE or DELETE with a subquery is refused by Delta and changes nothing",
    onlyNightly,
    async () => {
      const some = cases.filter(isRefused);
      await prepare(some);
      const { tables } = await runPipeline(some.map(textOf).join(""));
      const errors = tables.flatMap(({ error }) => error ?? []);
      assert.equal(errors.length, some.length, errors.join("\n"));
      for (const error of errors) assert.match(error, /UNSUPPORTED_SUBQUERY/);
      await verify(some, () => rowsBefore);
    },
  );

  test("a MERGE with several matches of a row fails and changes nothing", async () => {
    const merges = selfReadingStatements.filter(
      (statement) => statement.after(rowsBefore, twice.rows(rowsBefore)) === undefined,
    );
    for (const statement of isNightly ? merges : merges.slice(0, 1)) {
      const one = { statement, way: twice, schema: `self_${merges.indexOf(statement)}_twice` };
      await prepare([one]);
      assert.match((await runTask(textOf(one))) ?? "it ran", /DELTA_MULTIPLE_SOURCE_ROW_MATCHING/);
      const rows = await queryRows(server.client, environment, `SELECT id, n FROM ${one.schema}.t`);
      assert.deepEqual(rows.map((row) => row.join(" ")).sort(), rowTexts(rowsBefore));
      await runStatements(spark, [`DROP SCHEMA ${catalog}.${one.schema} CASCADE`]);
    }
  });
});
