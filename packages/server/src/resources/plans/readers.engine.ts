/** The policy about readers that Lakehelm ships judges the environment as it is when the plan is done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { PlanPolicy } from "@lakehelm/contract";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { readServerPolicies } from "./server-policies.ts";
import { appliedPlan } from "./test-plans.ts";

const library = fileURLToPath(new URL("../../../../policy/library", import.meta.url));

const flow = (name: string, source: string) => ({
  kind: "flow" as const,
  name,
  definition: {
    source_tables: [source],
    target_name: name,
    trigger_type: "manual",
    matched_sql: `select id from ${source}`,
    target_schema: { description: "Ids", columns: [{ name: "id", type: "BIGINT", pk: true }] },
    requested_by: "ada@example.test",
  },
});

const policies = readServerPolicies(library)
  .filter(({ name }) => name.endsWith("no-delete-with-readers"))
  .map((policy) => ({ ...policy, name: "readers" }));

const planOf = ({ client }: Pick<TestServer, "client">, resources: ReturnType<typeof flow>[]) =>
  client.createPlan({
    body: { environment: "local", project: { name: "shop" }, resources, policies },
  });

test("a pipeline whose code is not known counts as a reader", async (t) => {
  const server = await startTestServer({});
  t.after(server.close);
  const { client } = server;
  const { id } = await planOf(server, [flow("raw", "source")]);
  assert.equal((await appliedPlan(client, id)).status, "applied");
  const body = { name: "sales", libraries: [{ file: { path: "sales.sql" } }] };
  await client.createPipeline({ body });
  const denied = await planOf(server, []);
  assert.equal(denied.status, "refused");
  assert.match(
    denied.findings[0]?.message ?? "",
    /It is not known which tables these read, so they count as readers: pipeline sales\.$/,
  );
  const text = "CREATE OR REFRESH MATERIALIZED VIEW totals AS SELECT id FROM other;";
  await client.putFile({ params: { path: "sales.sql" }, body: text });
  assert.deepEqual((await planOf(server, [])).findings, []);
});

test("a table may go when the same plan stops reading it, and only then", async (t) => {
  const { client, close } = await startTestServer({});
  t.after(close);
  assert.equal(policies.length, 1);
  const plan = (project: string, resources: ReturnType<typeof flow>[], rules: PlanPolicy[] = []) =>
    client.createPlan({
      body: { environment: "local", project: { name: project }, resources, policies: rules },
    });
  const denied = async (...resources: ReturnType<typeof flow>[]) =>
    (await plan("shop", resources, policies)).findings.flatMap(({ policy, name }) =>
      policy === "readers" ? [name] : [],
    );
  const apply = async (project: string, ...resources: ReturnType<typeof flow>[]) =>
    assert.equal((await appliedPlan(client, (await plan(project, resources)).id)).status, "applied");

  const raw = flow("raw", "source");
  const clean = flow("clean", "raw");
  const report = flow("report", "clean");
  await apply("shop", raw, clean, report);

  // `clean` is deleted too, but `report` still reads what `clean` writes.
  assert.deepEqual(await denied(report), ["clean"]);
  // `clean` reads something else, and `report` only begins to read it with this plan.
  assert.deepEqual(await denied(flow("clean", "source"), flow("report", "raw")), ["raw"]);
  // One reader is deleted, the other one reads something else.
  assert.deepEqual(await denied(flow("report", "source")), []);
  // A reader of another project is not changed by this plan.
  await apply("other", flow("elsewhere", "raw"));
  assert.deepEqual(await denied(flow("clean", "source"), report), ["raw"]);
});
