import assert from "node:assert/strict";
import { test } from "node:test";
import { engines, startTestServer } from "../../testing/server.ts";
import { run } from "../../testing/store.ts";

for (const engine of engines) {
  test(`the start fills the lineage of what an earlier version has stored, on ${engine}`, async (t) => {
    let server = await startTestServer({ engine });
    t.after(() => server.close());
    const { client } = server;
    const orders = { source_dataset: "orders.csv", target_name: "orders" };
    const { workflow_id } = await client.createConnector({
      body: {
        name: "orders-in",
        target_type: "warehouse",
        target_config: { connection: { type: "files", config: { path: "/nowhere", format: "csv" } } },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [orders],
      },
    });
    await client.createConnector({
      body: {
        name: "orders-out",
        target_type: "csv",
        target_config: { path: "/nowhere" },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [{ source_dataset: "orders", target_name: "orders.csv" }],
      },
    });
    const tasks = [{ name: "t", kind: "connector" as const, reference: "orders-in" }];
    await client.createAutomation({ body: { alias: "nightly", definition: { tasks } } });
    await client.syncAutomationRelease({
      body: { automation_alias: "nightly", environment: "local", metadata: {} },
    });
    const downstream = async (from: typeof server) => {
      const { items } = await from.client.getJobDownstream({ params: { job_id: workflow_id ?? "" } });
      return items.map(({ kind, name }) => `${kind} ${name}`);
    };
    const before = await downstream(server);
    assert.deepEqual(before, ["automation nightly", "table main.default.orders", "connector orders-out"]);

    await run(server.deps.store, "delete from lineage");
    assert.deepEqual(await downstream(server), []);
    server = await server.restart();

    assert.deepEqual(await downstream(server), before);
  });
}
