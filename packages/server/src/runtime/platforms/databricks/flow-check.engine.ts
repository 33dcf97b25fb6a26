/** Plans check the SQL of flows with the columns that Unity Catalog has, and run nothing for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { flow, startWithWorkspace } from "./testing/connected-server.ts";

const { flow_name: name, ...definition } = flow;

test("a flow that does not fit the tables of Unity Catalog refuses the plan; its warehouse is not started", async (t) => {
  const { client, unity, warehouse } = await startWithWorkspace(t);
  unity.schemas.add("shop.sales");
  unity.tables.set("shop.sales.orders", {
    columns: [
      { name: "order_id", type: "BIGINT" },
      { name: "amount", type: "DECIMAL(10,2)" },
      { name: "ordered_at", type: "TIMESTAMP" },
    ],
  });
  const plan = (change: Partial<typeof definition> = {}) =>
    until(async () => {
      const resources = [{ kind: "flow" as const, name, definition: { ...definition, ...change } }];
      const { status, findings, steps } = await client.createPlan({
        body: { environment: "lake", project: { name: "shop" }, resources },
      });
      const [unchecked = null] = steps.map((step) => step.unchecked);
      // On a busy machine the thread that reads the SQL may need longer to start than a plan waits for it.
      if (unchecked !== null && /did not answer/.test(unchecked)) return undefined;
      return { status, findings: findings.map(({ level, message }) => `${level}: ${message}`), unchecked };
    }, 50);
  assert.deepEqual(await plan(), { status: "planned", findings: [], unchecked: null });
  const wrong = definition.matched_sql.replace("amount", "amuont");
  assert.deepEqual(await plan({ matched_sql: wrong }), {
    status: "refused",
    findings: [
      "deny: matched_sql, line 1, column 52: amuont is not a column of any table here. Did you mean amount?",
    ],
    unchecked: null,
  });
  const other = { source_tables: ["shop.sales.ordres"] };
  const matched_sql = definition.matched_sql.replace("shop.sales.orders", "shop.sales.ordres");
  assert.deepEqual(await plan({ ...other, matched_sql }), {
    status: "planned",
    findings: [
      "warn: source_tables[0]: there is no table shop.sales.ordres, and nothing in the project or the environment writes it.",
    ],
    unchecked: null,
  });
  assert.deepEqual(warehouse.statements, []);
});
