/**
 * Kills a real server while it applies a plan: every step is carried out once, and the next server completes the plan.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../testing/process.ts";
import { enginesOfSlowSuites } from "../../testing/server.ts";
import { endedPlan } from "./test-plans.ts";

const settings = { PLATFORM_LEASE_SECONDS: "3", PLATFORM_SECRET_KEY: "one key for all servers of this test" };
const names = Array.from({ length: 120 }, (_, n) => `orders-${n}`);
const resources = names.map((name) => ({
  kind: "connector" as const,
  name,
  definition: { target_type: "csv", target_config: null, execution_mode: "manual" },
}));

for (const engine of enginesOfSlowSuites) {
  test(`a killed server goes on with the plan that it applied, on ${engine}`, async (t) => {
    const home = await testHome(t, engine);
    let server = await startProcess(t, home, settings);
    const body = { environment: "local", project: { name: "shop", commit: "3f9c1d2" }, resources };
    const plan = await server.client.createPlan({ body });
    const rival = await server.client.createPlan({
      body: { ...body, project: { name: "other" }, resources: resources.slice(0, 1) },
    });
    const params = { plan_id: plan.id };
    assert.equal((await server.client.applyPlan({ params })).status, "applying");

    await assert.rejects(
      server.client.applyPlan({ params: { plan_id: rival.id } }),
      (error) =>
        error instanceof ApiError &&
        error.status === 409 &&
        error.message.includes(`internal-service has been applying the plan ${plan.id}`),
    );

    for (const least of [1, 40]) {
      await until(async () => (await server.client.getPlan({ params })).summary.done >= least, 2);
      server.child.kill("SIGKILL");
      await server.ended;
      server = await startProcess(t, home, settings);
    }
    const ended = await endedPlan(server.client, plan.id);
    assert.equal(ended.status, "applied", ended.status_reason ?? "");
    assert.equal(ended.summary.done, names.length);
    const { total } = await server.client.listConnectors({ query: { limit: 1 } });
    assert.equal(total, names.length);
    const created = await server.client.readEvents({ query: { kind: "connector.created", limit: 1000 } });
    assert.deepEqual(created.events.map(({ data }) => String(data.name)).sort(), [...names].sort());
    assert.ok(created.events.every(({ data }) => data.plan_id === plan.id && data.commit === "3f9c1d2"));
    const again = await server.client.createPlan({ body });
    assert.deepEqual(again.steps, []);
  });
}
