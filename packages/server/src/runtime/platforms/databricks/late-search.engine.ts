import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { enginesOfSlowSuites } from "../../../testing/server.ts";
import { startWithWorkspace, tickets } from "./testing/connected-server.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`what a workspace makes late, ${engine}`, () => {
    test("a job that a lost create makes after the search for its mark is removed, also after restarts", async (t) => {
      let ahead = 0;
      const now = () => new Date(Date.now() + ahead);
      const fixture = await startWithWorkspace(t, engine, { now });
      const { workspace, jobs } = fixture;
      // This create is carried out later than the create that follows it.
      workspace.fail({ match: "POST /api/2.2/jobs/create", kind: "silence" });
      const unanswered = fixture.create(tickets).catch((error) => error);
      await until(() => workspace.lines().includes("POST /api/2.2/jobs/create"));
      await fixture.crash();
      await unanswered;
      await until(async () => (await fixture.pending()) === 0);
      const { job_id, settings } = fixture.only();
      assert.equal(await fixture.searches(), 2);

      const late = { job_id: "9", settings };
      const stranger = { job_id: "11", settings: { ...settings, tags: { team: "other" } } };
      jobs.jobs.set("9", late).set("11", stranger);
      await fixture.crash();
      ahead = 61_000;
      await fixture.server.server.tick();
      await until(() => !jobs.jobs.has("9"));
      jobs.jobs.set("9", late);
      await fixture.crash();
      ahead = 601_000;
      await fixture.server.server.tick();
      await until(async () => (await fixture.searches()) === 0);
      assert.deepEqual([...jobs.jobs.keys()].sort(), ["11", job_id].sort());
    });
  });
}

suite("what a workspace makes late", () => {
  test("an endpoint that is created after its stop is removed, and one that was started again stays", async (t) => {
    let ahead = 0;
    const fixture = await startWithWorkspace(t, "sqlite", { now: () => new Date(Date.now() + ahead) });
    const { client, serving } = fixture;
    const { id: agent_id } = await client.createAgent({ body: { name: "desk" } });
    const metadata = { model: "desk", model_version: "1" };
    await client.createAgentVersion({ params: { agent_id }, body: { version: "1", metadata } });
    const start = () =>
      client.retryComponent({ body: { agent_id, component: "agent_endpoint" }, environment: "lake" });
    const stop = () => client.stopAgent({ body: { agent_id }, environment: "lake" });
    await start();
    const [endpoint] = serving.endpoints.values();
    assert.ok(endpoint);
    await stop();
    serving.endpoints.set(endpoint.name, endpoint);
    ahead = 61_000;
    await fixture.server.server.tick();
    await until(() => serving.endpoints.size === 0);
    await start();
    ahead = 700_000;
    await fixture.server.server.tick();
    await until(async () => (await fixture.searches()) === 0);
    assert.equal(serving.endpoints.size, 1);
  });
});
