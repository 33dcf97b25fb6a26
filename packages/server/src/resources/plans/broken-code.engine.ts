/** If code can no longer be read, lineage shows what its last good version read and wrote. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shopConfiguration } from "../../testing/warehouse.ts";

const good = `CREATE OR REFRESH MATERIALIZED VIEW clean AS SELECT id FROM raw;
CREATE OR REFRESH MATERIALIZED VIEW top AS SELECT max(id) AS id FROM clean;`;
const broken = "CREATE OR REFRESH MATERIALIZED VIEW clean AS SELECT FROM WHERE;";

const flow = (name: string, source: string) => ({
  kind: "flow" as const,
  name,
  definition: {
    flow_name: name,
    source_tables: [source],
    target_name: name,
    trigger_type: "manual",
    matched_sql: `select id from ${source}`,
    target_schema: { description: "Ids", columns: [{ name: "id", type: "BIGINT", pk: true }] },
    requested_by: "ada@example.test",
  },
});

suite("the lineage of a pipeline that cannot be read any more", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /**
   * A pipeline between a flow that writes `raw` and a flow that reads `top`. `see` reads the pipeline's code while it
   * is good.
   */
  async function given(
    see: (
      environment: string,
      pipelineId: string,
      affected: () => Promise<readonly string[]>,
    ) => Promise<unknown>,
  ) {
    const { client } = server;
    const environment = unique("env");
    const { id } = await client.createEnvironment({
      body: { name: environment, configuration: shopConfiguration },
    });
    await fillWarehouse(server, id, "CREATE TABLE shop.sales.raw AS SELECT 1::BIGINT AS id");
    const put = (body: string) => client.putFile({ params: { path: "clean.sql" }, body, environment });
    await put(good);
    const source = flow("raw", "shop.sales.source");
    const { id: flowId } = await client.createFlow({ body: source.definition, environment });
    await client.createFlow({ body: flow("last", "top").definition, environment });
    const { pipeline_id } = await client.createPipeline({
      body: { name: "middle", libraries: [{ file: { path: "clean.sql" } }] },
      environment,
    });
    const affected = async () => {
      const { steps } = await client.createPlan({
        body: {
          environment,
          project: { name: unique("project") },
          resources: [
            {
              ...source,
              definition: { ...source.definition, matched_sql: "select id + 1 as id from source" },
            },
          ],
        },
      });
      return steps[0]?.impact?.downstream.map(({ kind, name }) => `${kind} ${name}`).sort() ?? [];
    };
    const edges = async () =>
      (await client.getTableLineage({ query: { table: "raw" }, environment })).edges.length;
    const jobId = (await client.getFlow({ params: { flow_id: flowId } })).workflow_id ?? "";
    const downstream = async () =>
      (await client.getJobDownstream({ params: { job_id: jobId } })).items
        .map(({ kind, name }) => `${kind} ${name}`)
        .sort();
    await see(environment, pipeline_id, affected);
    return { environment, put, affected, edges, downstream };
  }

  const all = [
    "flow last",
    "pipeline middle",
    "table shop.sales.clean",
    "table shop.sales.last",
    "table shop.sales.raw",
    "table shop.sales.top",
  ];
  const seen = {
    "an update": async (_: string, id: string) => {
      const { client } = server;
      const { update_id } = await client.startPipelineUpdate({
        params: { pipeline_id: id },
        body: {},
      });
      await until(async () => {
        const run = await client.getRun({ params: { run_id: update_id } });
        assert.notEqual(run.status, "failed", run.error ?? "");
        return run.status === "succeeded";
      }, 100);
    },
    "a plan": (_: string, __: string, affected: () => Promise<readonly string[]>) =>
      until(async () => (await affected()).length > 1, 100),
    "the catalog": (environment: string) =>
      until(async () => {
        const read = await server.client.getTableLineage({ query: { table: "raw" }, environment });
        return read.unknown.length === 0;
      }, 100),
  };
  for (const [how, see] of Object.entries(seen)) {
    test(`is that of its last good version, which ${how} has read`, async () => {
      const { environment, put, affected, edges, downstream } = await given(see);
      await put(broken);
      assert.deepEqual(await affected(), all);
      assert.deepEqual(await downstream(), all);
      assert.ok((await edges()) >= 5, String(await edges()));
      await server.client.deleteFile({ params: { path: "clean.sql" }, environment });
      assert.deepEqual(await affected(), all);
      assert.deepEqual(await downstream(), all);
      await put(good.replace("FROM raw", "FROM other"));
      const expected = ["table shop.sales.raw"];
      await until(async () => (await downstream()).length === expected.length, 100);
      assert.deepEqual(await affected(), expected);
    });
  }
});
