/**
 * Servers that share a PostgreSQL give the same answers, whether they hold the data folder or not. The contract
 * declares which endpoints need the folder; these tests find an endpoint that needs it without declaring it.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { acceptsDryRun, type Endpoint, endpoints, type Plan } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { furnished, type Params, requestOf } from "./test-furnished.ts";

/** Endpoints about one server: itself, its settings, its folder, or an endless stream. */
const ofOneServer: readonly (keyof typeof endpoints)[] = [
  "getHealth",
  "getInfo",
  "getMetrics",
  "listSettings",
  "getOverview",
  "readEvents",
  "verifyEvents",
];

const refusal = "which this server does not hold";

const volatile = [
  [/"(?:[a-z]+-)?[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '"<id>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z/g, "<time>"],
  [/("(?:seconds|[a-z_]+_seconds|[a-z_]*ms)":)[\d.]+/g, "$1<duration>"],
  [/\blh\w_[\w-]{20,}/g, "<token>"],
] as const;
const stable = (text: string) =>
  volatile.reduce((known, [pattern, by]) => known.replaceAll(pattern, by), text);

const flow = (name: string, source: string, column: string) => ({
  kind: "flow" as const,
  name,
  definition: {
    source_tables: [source],
    target_name: name,
    trigger_type: "manual",
    matched_sql: `select ${column} as id from ${source}`,
    target_schema: { description: "Ids", columns: [{ name: "id", type: "BIGINT", pk: true }] },
    requested_by: "ada@example.test",
  },
});

suite("several servers on one PostgreSQL", () => {
  let holder: TestServer;
  let other: TestServer;
  let params: Params;

  before(async () => {
    holder = await startTestServer({ engine: "postgres" });
    other = await holder.another();
    await holder.client.putFile({
      params: { path: "pipelines/orders.sql" },
      environment: "local",
      body: "CREATE OR REFRESH MATERIALIZED VIEW totals AS SELECT id, id + 1 AS next FROM raw_ids;",
    });
    await holder.client.putFile({
      params: { path: "pipelines/raw.sql" },
      environment: "local",
      body: "CREATE OR REFRESH MATERIALIZED VIEW raw_ids AS SELECT CAST(id AS BIGINT) AS id FROM VALUES (1), (2) AS t(id);",
    });
    ({ params } = await furnished(holder, "dev"));
    await holder.client.runQuery({ body: { sql: "SELECT 1 AS one" } });
  });
  after(async () => {
    await other.close();
    await holder.close();
  });

  /** The log of the other server shows an endpoint that needs the data folder without declaring it. */
  const requireNoRefusals = () =>
    assert.deepEqual(
      other.logged.filter((line) => line.includes(refusal)),
      [],
    );

  async function send(server: TestServer, endpoint: Endpoint, query = "") {
    const { path, init } = requestOf(endpoint, "dev", params);
    const response = await server.fetch(path + query, init);
    return { status: response.status, text: stable(await response.text()) };
  }

  test("every read has the same answer", async () => {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      if (endpoint.method !== "GET" || ofOneServer.some((one) => one === name)) continue;
      assert.deepEqual(await send(other, endpoint), await send(holder, endpoint), name);
    }
    requireNoRefusals();
  });

  test("every change that can be tried has the same answer", async () => {
    const different: string[] = [];
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      if (!acceptsDryRun(endpoint) || endpoint.access === "public") continue;
      const there = await send(other, endpoint, "?dry_run=true");
      const here = await send(holder, endpoint, "?dry_run=true");
      if (JSON.stringify(there) !== JSON.stringify(here))
        different.push(
          `${name}: ${there.status} ${there.text.slice(0, 300)} | ${here.status} ${here.text.slice(0, 300)}`,
        );
    }
    assert.deepEqual(different, []);
    requireNoRefusals();
  });

  test("a plan, its policies and its checks are those of the holder", async () => {
    const { client } = holder;
    const libraries = (file: string) => ({ libraries: [{ file: { path: `pipelines/${file}.sql` } }] });
    const raw = await client.createPipeline({ body: { name: "raw", ...libraries("raw") } });
    const { pipeline_id } = await client.createPipeline({ body: { name: "totals", ...libraries("orders") } });
    assert.ok(pipeline_id);
    const update = await client.startPipelineUpdate({
      params: { pipeline_id: String(raw.pipeline_id) },
      body: {},
    });
    await until(async () => {
      const { state } = await client.getPipelineUpdate({
        params: { pipeline_id: String(raw.pipeline_id), update_id: update.update_id },
      });
      return state === "COMPLETED" || undefined;
    });
    const resources = [flow("wrong", "raw_ids", "idd")];
    const policies = [
      {
        name: "readers",
        level: "deny" as const,
        rule: "action == 'delete' && size(downstream) > 0",
        message: "{name} is read.",
      },
    ];
    const body = { environment: "local", project: { name: "shop" }, resources, policies, prune: true };
    const plan = (server: TestServer) => server.client.createPlan({ body });
    const said = ({ status, findings, steps }: Plan) => ({
      status,
      findings,
      steps: steps.map(({ unchecked, impact, name }) => ({
        name,
        unchecked,
        downstream: impact?.downstream,
      })),
    });
    const mine = await until(async () => {
      const made = await plan(holder);
      return made.steps.some(({ unchecked }) => unchecked !== undefined) ? undefined : made;
    }, 50);
    assert.equal(mine.status, "refused");
    assert.ok(mine.findings.some(({ policy, name }) => policy === "readers" && name === "raw"));
    assert.deepEqual(said(await plan(other)), said(mine));
  });
});
