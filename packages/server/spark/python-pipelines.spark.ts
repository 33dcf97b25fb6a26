/** Pipelines in Python, run by Spark's declarative pipelines on a real Spark Connect server, through the API. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { startTestServer, type TestServer } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";

suite("pipelines in Python on Spark", () => {
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  /** A second Python that the operator allows. */
  let second: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-python-"));
    spark = await startConnectServer();
    const { TEST_SPARK_CLIENT = "" } = process.env;
    second = join(folder, "python");
    await writeFile(second, `#!/bin/sh\nexec ${TEST_SPARK_CLIENT} "$@"\n`, { mode: 0o755 });
    const PLATFORM_SPARK_PYTHON = `${TEST_SPARK_CLIENT}:${second}`;
    server = await startTestServer({ settings: { ...patient, PLATFORM_SPARK_PYTHON } });
    environment = await createEnvironment("cluster", {});
  });
  after(async () => {
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function createEnvironment(name: string, more: object): Promise<string> {
    const configuration = { ...spark.configuration, token: spark.token, staging: folder, ...more };
    const { id } = await server.client.createEnvironment({
      body: { name, platform: "spark", configuration },
    });
    return id;
  }
  const put = (path: string, text: string) =>
    server.client.putFile({ params: { path }, body: Buffer.from(text), environment });
  const code = (rows: string) => `from pyspark import pipelines as dp
from pyspark.sql import SparkSession

spark = SparkSession.active()


@dp.materialized_view
def numbers():
    return spark.range(${rows})
`;
  const create = (name: string, ...paths: string[]) =>
    server.client.createPipeline({
      body: { name, libraries: paths.map((path) => ({ file: { path } })) },
      environment,
    });
  async function update(pipeline_id: string) {
    const { update_id } = await server.client.startPipelineUpdate({ params: { pipeline_id }, body: {} });
    const { status, error } = await endedRun(server.client, update_id);
    const { lines } = await server.client.readRunLog({ params: { run_id: update_id } });
    return { status, error: error ?? "", log: lines.map(({ line }) => line).join("\n") };
  }

  test("an update fills tables, with its log in the run; an error names file and line", async () => {
    await put("numbers.py", code("5"));
    const { pipeline_id, error_message } = await create("numbers", "numbers.py");
    assert.equal(error_message, null);
    const done = await update(pipeline_id);
    assert.equal(done.status, "succeeded", done.error);
    assert.match(done.log, /main\.shop\.numbers has COMPLETED/);
    assert.ok(!done.log.includes(spark.token));
    const count = () => queryRows(server.client, environment, "SELECT count(*) FROM main.shop.numbers");
    assert.deepEqual(await count(), [[5]]);
    await put("numbers.py", code("1 / 0"));
    const failed = await update(pipeline_id);
    assert.equal(failed.status, "failed");
    assert.match(failed.error, /numbers\.py", line 9[\s\S]*ZeroDivisionError: division by zero/);
    assert.deepEqual(await count(), [[5]]);
  });

  async function pythonFinding(environment_id: string) {
    const { findings } = await server.client.checkEnvironment({ params: { environment_id } });
    const { status, message = "" } = findings.find(({ name }) => name === "python") ?? {};
    return { status, message };
  }

  test("the check says which client this server has", async () => {
    const { status, message } = await pythonFinding(environment);
    assert.equal(status, "ok", message);
    assert.match(message, /has the client of Spark 4\.\d/);
  });

  test("an environment chooses a Python that the operator allows, and no other program", async () => {
    const chosen = await pythonFinding(await createEnvironment("second", { python: second }));
    assert.equal(chosen.status, "ok", chosen.message);
    assert.ok(chosen.message.startsWith(`${second} has the client of Spark`), chosen.message);

    const foreign = await createEnvironment("foreign", { python: "/usr/bin/env" });
    const problem = `configuration.python of the environment must be one of those that the operator of this server allows (PLATFORM_SPARK_PYTHON): ${process.env.TEST_SPARK_CLIENT}, ${second}.`;
    assert.deepEqual(await pythonFinding(foreign), { status: "failed", message: problem });
    const file = { params: { path: "numbers.py" }, body: Buffer.from(code("5")), environment: foreign };
    await server.client.putFile(file);
    const body = { name: "numbers", libraries: [{ file: { path: "numbers.py" } }] };
    const { pipeline_id } = await server.client.createPipeline({ body, environment: foreign });
    const { status, error } = await update(pipeline_id);
    assert.deepEqual([status, error], ["failed", problem]);
    // Only pipelines in Python need this setting.
    assert.deepEqual(await queryRows(server.client, foreign, "SELECT 1"), [[1]]);
  });

  test("SQL beside Python is refused", async () => {
    await put("more.sql", "CREATE OR REFRESH MATERIALIZED VIEW more AS SELECT 1 AS n");
    const { pipeline_id } = await create("mixed", "numbers.py", "more.sql");
    const { status, error } = await update(pipeline_id);
    assert.deepEqual(
      [status, error],
      [
        "failed",
        "more.sql:1:1: A pipeline with Python libraries has no SQL ones on Spark. Make it a pipeline of its own.",
      ],
    );
  });
});
