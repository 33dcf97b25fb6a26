/** A plan warns of an export that waits for deletes which its flow never makes, wherever the two are declared. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { flowDeletesRule } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { startTestServer } from "../../testing/server.ts";
import { appliedPlan } from "./test-plans.ts";

type Resource = NonNullable<Parameters<Client["createPlan"]>[0]["body"]["resources"]>[number];

const flow = (more: object = {}): Resource => ({
  kind: "flow",
  name: "mart",
  definition: {
    flow_name: "mart",
    source_tables: ["orders"],
    target_name: "sales.mart",
    trigger_type: "manual",
    matched_sql: "select id from orders",
    target_schema: { description: "Orders", columns: [{ name: "id", type: "BIGINT", pk: true }] },
    requested_by: "ada@example.test",
    ...more,
  },
});

const exported = (deletes: boolean): Resource => ({
  kind: "connector",
  name: "mart-out",
  definition: {
    name: "mart-out",
    target_type: "csv",
    target_config: { path: "/exports" },
    created_by: "ada@example.test",
    execution_mode: "manual",
    datasets: [
      // The same table, but with another spelling of its name.
      {
        source_dataset: "`SALES`.Mart",
        target_name: "mart.csv",
        primary_keys: ["id"],
        custom_config: { deletes },
      },
    ],
  },
});

suite("exports that wait for deletes", () => {
  const cases: readonly (readonly [string, readonly Resource[], readonly Resource[], string[]])[] = [
    ["both in the plan", [], [flow(), exported(true)], ["connector mart-out"]],
    ["the flow is there already", [flow()], [exported(true)], ["connector mart-out"]],
    ["the export is there already", [exported(true)], [flow()], ["flow mart"]],
    ["a flow that deletes", [exported(true)], [flow({ write_strategy: "merge_and_delete" })], []],
    ["an export without deletes", [flow()], [exported(false)], []],
  ];
  for (const [name, before, planned, warned] of cases) {
    test(name, async (t) => {
      const { client, close } = await startTestServer();
      t.after(close);
      const plan = (project: string, resources: readonly Resource[]) =>
        client.createPlan({
          body: { environment: "local", project: { name: project }, resources: [...resources] },
        });
      if (before.length > 0) {
        const { status, steps } = await appliedPlan(client, (await plan("other", before)).id);
        assert.equal(status, "applied", JSON.stringify(steps));
      }
      const { findings } = await plan("ours", planned);
      const found = findings.filter(({ policy }) => policy === flowDeletesRule);
      assert.deepEqual(
        found.map(({ kind, name, level }) => [`${kind} ${name}`, level]),
        warned.map((who) => [who, "warn"]),
      );
    });
  }

  test("what the plan deletes is no reason to warn", async (t) => {
    const { client, close } = await startTestServer();
    t.after(close);
    const plan = (resources: Resource[]) =>
      client.createPlan({ body: { environment: "local", project: { name: "ours" }, resources } });
    await appliedPlan(client, (await plan([flow()])).id);
    const { findings } = await plan([exported(true)]);
    assert.deepEqual(
      findings.filter(({ policy }) => policy === flowDeletesRule),
      [],
    );
  });
});
