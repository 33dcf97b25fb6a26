import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import type { ConnectorBody } from "../src/runtime/platforms/conformance/harness.ts";
import { unique } from "../src/testing/server.ts";
import type { ConnectServer } from "./connect-server.ts";
import { endedRun, queryRows } from "./on-cluster.ts";
import { runStatements } from "./run-statements.ts";

/** An import, an export, a pipeline and a script that run at the same time on one cluster, while new rows arrive. */
export interface Workload {
  /** Adds rows to the source. */
  put(count: number): void;
  /** Adds rows and starts the four runs. Resolves when each is in the middle of its work. */
  start(client: Client): Promise<void>;
  /** Waits for the started runs, and starts runs for later rows. Then every row must be everywhere, exactly once. */
  finish(client: Client): Promise<void>;
  close(): void;
}

/** An expression that takes seconds for one row. */
const slow = `aggregate(sequence(1, 3000), 0L, (sum, x) -> sum +
  aggregate(sequence(1, if(id = 2, 4000, 1)), 0L, (inner_sum, y) -> inner_sum + y % 3))`;

const waitMs = 400_000;

export async function openWorkload(
  client: Client,
  { spark, folder }: { readonly spark: ConnectServer; readonly folder: string },
): Promise<Workload> {
  const schema = unique("work").replace("-", "_");
  await mkdir(join(folder, "staging"), { recursive: true });
  const path = join(folder, `${schema}.db`);
  const source = new DatabaseSync(path);
  source.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, updated_at TIMESTAMP)");
  await client.putSecret({ params: { scope: "lakehelm", key: "spark" }, body: { value: spark.token } });
  const { id: environment } = await client.createEnvironment({
    body: {
      name: schema,
      platform: "spark",
      configuration: {
        ...spark.configuration,
        schema,
        token: "{{secrets/lakehelm/spark}}",
        staging: join(folder, "staging"),
      },
    },
  });
  await client.putSecret({
    params: { scope: "lakehelm", key: "spark" },
    body: { value: spark.token },
    environment,
  });
  await runStatements(spark, [
    `CREATE SCHEMA main.${schema}`,
    `CREATE TABLE main.${schema}.steps (step INT)`,
  ]);

  async function connector(
    body: Pick<ConnectorBody, "target_type" | "target_config" | "datasets">,
  ): Promise<string> {
    const { workflow_id, error_message } = await client.createConnector({
      body: { name: unique("connector"), execution_mode: "manual", created_by: "ada", ...body },
      environment,
    });
    assert.equal(error_message, null);
    return workflow_id ?? "";
  }
  const watermark = { custom_config: { watermark_column: "updated_at" } };
  const importing = await connector({
    target_type: "warehouse",
    target_config: { connection: { name: "shop", type: "sqlite", config: { path } } },
    datasets: [{ source_dataset: "orders", target_name: "incoming", write_strategy: "append", ...watermark }],
  });
  const exporting = await connector({
    target_type: "sqlite",
    target_config: { path },
    datasets: [
      {
        ...{ source_dataset: `main.${schema}.incoming`, target_name: "delivered", primary_keys: ["id"] },
        ...{ write_strategy: "upsert", ...watermark },
      },
    ],
  });
  const file = `${schema}.sql`;
  const write = (at: Client, more = "") => {
    const code = `CREATE OR REFRESH STREAMING TABLE numbers AS SELECT id FROM STREAM incoming;
CREATE OR REFRESH STREAMING TABLE copied AS SELECT id, name, ${slow} AS n${more} FROM STREAM incoming;`;
    return at.putFile({ params: { path: file }, body: Buffer.from(code), environment });
  };
  await write(client);
  const { pipeline_id } = await client.createPipeline({
    body: { name: unique("pipeline"), libraries: [{ file: { path: file } }] },
    environment,
  });
  const automation_alias = unique("steps");
  const inserts = [1, 2, 3, 4].map((step) => `insert into steps values (${step})`);
  const tasks = [{ name: "steps", kind: "sql" as const, query: inserts.join("; ") }];
  await client.createAutomation({ body: { alias: automation_alias, definition: { tasks } } });
  await client.syncAutomationRelease({ body: { automation_alias, environment } });

  let last = 0;
  const put = (count: number) => {
    const insert = source.prepare("INSERT INTO orders VALUES (?, ?, ?)");
    for (let nth = 0; nth < count; nth++) {
      last += 1;
      const at = new Date(Date.UTC(2026, 0, 1, 0, 0, last)).toISOString();
      insert.run(last, `row ${last}`, at.slice(0, 19).replace("T", " "));
    }
  };
  const run = (job_id: string) => client.runJob({ params: { job_id } });
  const started: string[] = [];

  /** Whether a statement is writing to a table: there are files that no commit contains. */
  async function isWriting(table: string): Promise<boolean> {
    const at = join(spark.warehouse, `main__${schema}.db`, table);
    const files = await readdir(at).catch(() => []);
    const logs = await readdir(join(at, "_delta_log")).catch(() => []);
    const committed = await Promise.all(
      logs
        .filter((name) => name.endsWith(".json"))
        .map((name) => readFile(join(at, "_delta_log", name), "utf8")),
    );
    const isNew = (name: string) => !committed.some((text) => text.includes(name));
    return committed.length > 0 && files.some((name) => name.endsWith(".parquet") && isNew(name));
  }

  async function succeeded(at: Client, id: string): Promise<Run> {
    const ended = await endedRun(at, id);
    assert.deepEqual([ended.status, ended.error], ["succeeded", null]);
    return ended;
  }

  put(3);
  await succeeded(client, (await run(importing)).id);

  return {
    put,
    async start(at) {
      put(5);
      const { update_id } = await at.startPipelineUpdate({ params: { pipeline_id }, body: {} });
      started.push(update_id);
      await until(() => isWriting("copied"), 50, waitMs);
      const { id } = await at.runAutomation({ params: { automation_alias }, environment, body: {} });
      const [into, out] = [await run(importing), await run(exporting)];
      started.push(id, into.id, out.id);
      const log = async (run_id: string) => (await at.readRunLog({ params: { run_id } })).lines;
      await until(
        async () => (await log(into.id)).some(({ line }) => /writing \d+ rows/.test(line)),
        20,
        waitMs,
      );
    },
    async finish(at) {
      for (const id of started.splice(0)) await succeeded(at, id);
      const again = async (job_id: string) => succeeded(at, (await at.runJob({ params: { job_id } })).id);
      await again(importing);
      // A new column is a separate commit between those with rows.
      await write(at, ", upper(name) AS loud");
      const { update_id } = await at.startPipelineUpdate({ params: { pipeline_id }, body: {} });
      await Promise.all([succeeded(at, update_id), again(exporting)]);
      const rows = (sql: string) => queryRows(at, environment, sql);
      const expected = source
        .prepare("SELECT id, name FROM orders ORDER BY id")
        .all()
        .map(({ id, name }) => [id, name]);
      const ids = expected.map(([id]) => [id]);
      assert.deepEqual(await rows(`SELECT id FROM ${schema}.numbers ORDER BY id`), ids, "numbers");
      for (const table of ["incoming", "copied"])
        assert.deepEqual(await rows(`SELECT id, name FROM ${schema}.${table} ORDER BY id`), expected, table);
      const delivered = source.prepare("SELECT id, name FROM delivered ORDER BY id").all();
      assert.deepEqual(
        delivered.map(({ id, name }) => [id, name]),
        expected,
        "delivered",
      );
      assert.deepEqual(await rows(`SELECT step FROM ${schema}.steps ORDER BY step`), [[1], [2], [3], [4]]);
    },
    close: () => source.close(),
  };
}
