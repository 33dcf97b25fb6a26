/** Tables that nothing writes any more when a plan is done: they stay with their rows, so the plan names them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { leftTablesRule } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { startTestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shopConfiguration } from "../../testing/warehouse.ts";
import { appliedPlan } from "./test-plans.ts";

type PlanBody = Parameters<Client["createPlan"]>[0]["body"];
type Resource = NonNullable<PlanBody["resources"]>[number];

const flow = (name: string, target: string): Resource => ({
  kind: "flow",
  name,
  definition: {
    source_tables: ["raw"],
    target_name: target,
    trigger_type: "manual",
    matched_sql: "select id from raw",
    target_schema: { description: "Ids", columns: [{ name: "id", type: "BIGINT", pk: true }] },
    requested_by: "ada@example.test",
  },
});

const connector = (...targets: string[]): Resource => ({
  kind: "connector",
  name: "loads",
  definition: {
    target_type: "warehouse",
    target_config: { connection: { type: "files", config: { path: "/nowhere", format: "csv" } } },
    execution_mode: "manual",
    datasets: targets.map((target_name) => ({
      source_dataset: `${target_name}.csv`,
      target_name,
      primary_keys: ["id"],
    })),
  },
});

const pipeline = (...tables: string[]) => {
  const text = tables
    .map((table) => `CREATE OR REFRESH MATERIALIZED VIEW ${table} AS SELECT id FROM raw;`)
    .join("\n");
  const definition = {
    libraries: [{ file: { path: "p.sql" } }],
    configuration: { "lakehelm.code": tables.join() },
  };
  return {
    resource: { kind: "pipeline", name: "views", definition } as Resource,
    file: { path: "p.sql", text },
  };
};

test("a plan names the tables that its changes leave behind, with the statement that removes them", async (t) => {
  const server = await startTestServer();
  t.after(server.close);
  const { client } = server;
  const environment = unique("env");
  const { id } = await client.createEnvironment({
    body: { name: environment, configuration: shopConfiguration },
  });
  const there = ["raw", "moved", "taken", "deleted", "removed", "kept"];
  await fillWarehouse(
    server,
    id,
    ...there.map((name) => `CREATE TABLE shop.sales.${name} AS SELECT 1::BIGINT AS id`),
  );

  const plan = (views: ReturnType<typeof pipeline>, ...resources: Resource[]) =>
    client.createPlan({
      body: {
        environment,
        project: { name: "shop" },
        resources: [...resources, views.resource],
        files: [views.file],
      },
    });
  const before = pipeline("seen", "unseen");
  await client.putFile({ params: { path: "p.sql" }, environment, body: before.file.text });
  const first = await plan(
    before,
    flow("mover", "moved"),
    flow("giver", "taken"),
    flow("goner", "deleted"),
    flow("idle", "never_made"),
    connector("removed", "kept"),
  );
  assert.equal((await appliedPlan(client, first.id)).status, "applied");

  const { findings } = await plan(
    pipeline("seen"),
    flow("mover", "elsewhere"),
    flow("giver", "given"),
    flow("taker", "taken"),
    connector("kept"),
  );
  const left = findings.filter(({ policy }) => policy === leftTablesRule);
  const text = (table: string) =>
    `Nothing writes shop.sales.${table} any more when the plan is done. This table stays with its rows. To remove it, add DROP TABLE shop.sales.${table} to an SQL task of an automation.`;
  assert.deepEqual(left.map(({ level, kind, name, message }) => [level, kind, name, message]).sort(), [
    ["warn", "connector", "loads", text("removed")],
    ["warn", "flow", "goner", text("deleted")],
    ["warn", "flow", "mover", text("moved")],
  ]);
});
