import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startWithWorkspace, tickets } from "../testing/connected-server.ts";

suite("requests to a workspace", () => {
  test("a hundred active runs in several environments of one workspace are followed by lists of pages", async (t) => {
    const { client, create, jobs, workspace, configuration } = await startWithWorkspace(t);
    await create(tickets);
    for (const name of ["pond", "sea", "ocean"]) {
      await client.createEnvironment({ body: { name, platform: "databricks", configuration } });
      const params = { scope: "shop", key: "api" };
      await client.putSecret({ params, body: { value: "Bearer s3cr3t-9920" }, environment: name });
      await client.createConnector({ body: tickets, environment: name });
    }
    assert.equal(jobs.jobs.size, 4);
    for (let n = 0; n < 25; n++) for (const job of jobs.jobs.values()) jobs.begin(job, "PERIODIC");
    const query = { limit: 200, status: "running" as const };
    await until(async () => (await client.listRuns({ query })).runs.length === 100);
    // Each run is read once when it is taken over.
    await until(() => workspace.lines().filter((line) => line.endsWith("/runs/get")).length === 100);
    const pages = () => workspace.requests.filter(({ query }) => query.active_only).length;
    // From the end of one poll to the end of the second one after it: two pauses, and two polls of four pages.
    const first = pages();
    await until(() => pages() >= first + 4);
    const before = workspace.requests.length;
    const started = performance.now();
    const from = pages();
    await until(() => pages() >= from + 8);
    const perSecond = (workspace.requests.length - before) / ((performance.now() - started) / 1000);
    assert.ok(perSecond < 2, `${perSecond} requests a second`);
  });
});
