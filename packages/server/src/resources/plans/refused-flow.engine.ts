/** A flow that the platform refuses while a plan is applied: the definition is live, and it was written by the plan. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { done, refusing, startRemotePlatform } from "../../testing/remote-platform.ts";
import { startTestServer } from "../../testing/server.ts";
import { appliedPlan } from "./test-plans.ts";

const revenue = (matched_sql: string) => ({
  kind: "flow" as const,
  name: "revenue",
  definition: {
    source_tables: ["orders"],
    target_name: "revenue",
    trigger_type: "manual",
    matched_sql,
    target_schema: { description: "Revenue", columns: [{ name: "id", type: "bigint", pk: true }] },
    requested_by: "ada@example.test",
  },
});

test("the next plan applies a refused flow again, and nobody else is blamed for it", async (t) => {
  const remote = await startRemotePlatform("remote", ["postgresql"]);
  const { client, close } = await startTestServer({ platforms: [remote.platform] });
  t.after(async () => {
    await close();
    await remote.close();
  });
  const configuration = { catalog: "shop", schema: "sales" };
  const far = await client.createEnvironment({ body: { name: "far", platform: "remote", configuration } });
  const plan = (...resources: ReturnType<typeof revenue>[]) =>
    client.createPlan({ body: { environment: "far", project: { name: "shop" }, resources } });
  const first = revenue("select id from orders");
  assert.equal((await appliedPlan(client, (await plan(first)).id)).status, "applied");

  remote.reply = () => refusing("The quota is used up.");
  const second = revenue("select distinct id from orders");
  const failed = await appliedPlan(client, (await plan(second)).id);
  assert.deepEqual([failed.status, failed.steps[0]?.error], ["failed", "The quota is used up."]);

  const connector = await client.createConnector({
    body: { name: "orders-out", target_type: "postgresql", target_config: null, created_by: "ada" },
    environment: "far",
  });
  const overview = await client.getOverview({ query: { environment: "far" } });
  assert.deepEqual(
    overview.refused.map(({ kind, name, environment_id, error_message }) => [
      kind,
      name,
      environment_id === far.id,
      error_message,
    ]),
    [
      ["flow", "revenue", true, "The quota is used up."],
      ["connector", "orders-out", true, "The quota is used up."],
    ],
  );
  assert.equal(overview.refused_total, 2);
  await client.createEnvironment({ body: { name: "near" } });
  assert.equal((await client.getOverview({ query: { environment: "near" } })).refused_total, 0);
  await client.deleteConnector({ params: { connector_id: connector.id } });

  const again = await plan(second);
  assert.deepEqual(
    again.steps.map(({ action, name, changes, drift }) => [action, name, changes, drift]),
    [["update", "revenue", [], []]],
  );
  assert.deepEqual(again.steps[0]?.reasons, [
    "The platform refused it, so it is applied again: The quota is used up.",
  ]);
  assert.equal((await client.checkDrift({ environment: "far" })).differences, 0);
  const repaired = await plan(revenue("select id + 1 as id from orders"));
  assert.deepEqual([repaired.summary.update, repaired.summary.drifted], [1, 0]);

  remote.reply = () => done;
  assert.equal((await appliedPlan(client, again.id)).status, "applied");
  assert.equal((await client.listFlows({ query: { status: "active" } })).total, 1);
  assert.deepEqual((await plan(second)).steps, []);

  remote.reply = () => refusing("The quota is used up.");
  await appliedPlan(client, (await plan(second, { ...first, name: "other" })).id);
  const [removed] = (await plan(second)).steps;
  assert.deepEqual([removed?.action, removed?.name], ["delete", "other"], "it belongs to the project");
});
