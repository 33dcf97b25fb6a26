import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@lakehelm/contract/client";
import { engines, startTestServer } from "../../testing/server.ts";
import { appliedPlan } from "./test-plans.ts";

for (const engine of engines) {
  test(`what somebody changed since it was applied is drift, and is reverted, on ${engine}`, async (t) => {
    const { client, close } = await startTestServer({ engine });
    t.after(close);
    const resources = ["orders-out", "stays"].map((name) => ({
      kind: "connector" as const,
      name,
      definition: { target_type: "csv", target_config: { path: "/srv" }, execution_mode: "manual" },
    }));
    const definition = { tasks: [{ name: "load", kind: "connector" as const, reference: "orders-out" }] };
    const automations = ["daily", "weekly"].map((name) => ({
      kind: "automation" as const,
      name,
      definition: { definition },
    }));
    const body = {
      environment: "local",
      project: { name: "shop" },
      resources: [...resources, ...automations],
    };
    const made = await client.createPlan({ body });
    assert.equal((await appliedPlan(client, made.id)).status, "applied");
    assert.equal((await client.checkDrift({ environment: "local" })).differences, 0);

    const [changed, deleted] = (await client.listConnectors({})).connectors;
    await client.updateConnector({
      params: { connector_id: changed?.id ?? "" },
      body: { execution_mode: "batch", schedule_cron: "0 6 * * *" },
    });
    await client.deleteConnector({ params: { connector_id: deleted?.id ?? "" } });
    const release = { environment: "local", automation_alias: "daily" };
    await client.setDefinition({
      params: { automation_alias: "daily" },
      body: { ...definition, max_concurrent_tasks: 1 },
    });
    await client.syncAutomationRelease({ body: { ...release, action: "activate" } });
    await client.syncAutomationRelease({
      body: { ...release, automation_alias: "weekly", action: "delete" },
    });
    // The events of these changes are committed, and may not be sealed yet.
    assert.equal((await client.checkDrift({ environment: "local" })).differences, 5);
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
        ["project", "daily", "changed", "definition.max_concurrent_tasks", null, 1, "internal-service"],
        ["project", "weekly", "gone", null, null, null, "internal-service"],
      ],
    );

    const [first, , ...others] = drift;
    await assert.rejects(
      client.adoptDrift({ params: { drift_id: first?.id ?? "" } }),
      (error) => error instanceof ApiError && error.status === 409 && /project/.test(error.message),
    );
    await client.revertDrift({ params: { drift_id: first?.id ?? "" } });
    for (const { id } of others) await client.revertDrift({ params: { drift_id: id } });
    assert.equal((await client.listDrift({})).total, 0);
    assert.equal((await client.checkDrift({ environment: "local" })).differences, 0);
    assert.deepEqual((await client.createPlan({ body })).steps, []);
  });
}
