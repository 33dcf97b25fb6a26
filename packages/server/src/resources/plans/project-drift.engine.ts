import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@lakehelm/contract/client";
import { engines, startTestServer } from "../../testing/server.ts";
import { appliedPlan } from "./test-plans.ts";

for (const engine of engines) {
  test(`what somebody changed since it was applied is drift, and is reverted, on ${engine}`, async (t) => {
    const { client, events, close } = await startTestServer({ engine });
    t.after(close);
    const resources = ["orders-out", "stays"].map((name) => ({
      kind: "connector" as const,
      name,
      definition: { target_type: "csv", target_config: { path: "/srv" }, execution_mode: "manual" },
    }));
    const body = { environment: "local", project: { name: "shop" }, resources };
    const made = await client.createPlan({ body });
    assert.equal((await appliedPlan(client, made.id)).status, "applied");
    assert.equal((await client.checkDrift({ environment: "local" })).differences, 0);

    const [changed, deleted] = (await client.listConnectors({})).connectors;
    await client.updateConnector({
      params: { connector_id: changed?.id ?? "" },
      body: { execution_mode: "batch", schedule_cron: "0 6 * * *" },
    });
    await client.deleteConnector({ params: { connector_id: deleted?.id ?? "" } });
    await events();
    assert.equal((await client.checkDrift({ environment: "local" })).differences, 3);
    const { drift } = await client.listDrift({});
    assert.deepEqual(
      drift.map(({ seen_in, name, change, field, declared, live, changed_by }) => [
        seen_in,
        name,
        change,
        field,
        declared,
        live,
        changed_by,
      ]),
      [
        ["project", "orders-out", "changed", "execution_mode", "manual", "batch", "internal-service"],
        ["project", "orders-out", "changed", "schedule_cron", null, "0 6 * * *", "internal-service"],
        ["project", "stays", "gone", null, null, null, "internal-service"],
      ],
    );

    const [first, , gone] = drift;
    await assert.rejects(
      client.adoptDrift({ params: { drift_id: first?.id ?? "" } }),
      (error) => error instanceof ApiError && error.status === 409 && /project/.test(error.message),
    );
    await client.revertDrift({ params: { drift_id: first?.id ?? "" } });
    await client.revertDrift({ params: { drift_id: gone?.id ?? "" } });
    assert.equal((await client.listDrift({})).total, 0);
    assert.equal((await client.checkDrift({ environment: "local" })).differences, 0);
    assert.deepEqual((await client.createPlan({ body })).steps, []);
  });
}
