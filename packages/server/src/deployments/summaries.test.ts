import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { engines } from "../testing/server.ts";
import { type House, openHouse, refusal } from "./test-house.ts";

const summaryOf = (house: House, environment_id = "local") =>
  house.client.getEnvironmentSummary({ params: { environment_id } });

async function deploy(house: House, deployment_name: string, status: "succeeded" | "failed" | "cancelled") {
  const { id } = await house.client.createDeployment({ body: { deployment_name } });
  await house.client.finishDeployment({ params: { deployment_id: id }, body: { status } });
  return id;
}
const pause = () => new Promise((next) => setTimeout(next, 3));

for (const engine of engines) {
  suite(`on ${engine}`, () => {
    test("before any finish the summary is empty", async (t) => {
      const house = await openHouse(t, { engine });
      await house.client.createDeployment({ body: {} });
      const { environment_id, ...rest } = await summaryOf(house);
      assert.match(environment_id, /-/);
      assert.deepEqual(rest, {
        latest_success: null,
        current_releases: [],
        deployment_counts: {},
        failure_streak: 0,
        reconciled_at: null,
      });
      assert.equal((await refusal(summaryOf(house, "nowhere"))).status, 404);
    });

    test("#16 reconciles: latest success, current releases, counts, failure streak", async (t) => {
      const releases = [
        { artifact: "automation/orders", version: "1.4.0", activated_at: "2026-03-01T12:00:00.000Z" },
      ];
      const house = await openHouse(t, { engine, releases });
      await house.client.createDeployment({ body: {} });
      const success = await deploy(house, "orders 1", "succeeded");
      await pause();
      await deploy(house, "orders 2", "failed");
      await pause();
      await deploy(house, "orders 3", "cancelled");
      await pause();
      await deploy(house, "orders 4", "failed");
      const summary = await summaryOf(house);
      assert.equal(summary.latest_success?.id, success);
      assert.equal(summary.latest_success?.deployment_name, "orders 1");
      assert.deepEqual(summary.current_releases, releases);
      assert.deepEqual(summary.deployment_counts, { cancelled: 1, failed: 2, pending: 1, succeeded: 1 });
      assert.equal(summary.failure_streak, 2);
      assert.ok(summary.reconciled_at);

      await pause();
      await deploy(house, "orders 5", "succeeded");
      const after = await summaryOf(house);
      assert.deepEqual([after.failure_streak, after.latest_success?.deployment_name], [0, "orders 5"]);
      assert.equal((await house.kinds()).filter((kind) => kind === "environment.reconciled").length, 5);
    });

    test("the latest success is the one that ended last, not the one that was announced last", async (t) => {
      const house = await openHouse(t, { engine });
      const first = await house.client.createDeployment({ body: { deployment_name: "first" } });
      await deploy(house, "second", "succeeded");
      await pause();
      const params = { deployment_id: first.id };
      await house.client.finishDeployment({ params, body: { status: "succeeded" } });
      assert.equal((await summaryOf(house)).latest_success?.deployment_name, "first");
    });

    test("each environment has a summary of its own", async (t) => {
      const house = await openHouse(t, { engine });
      await house.client.createEnvironment({ body: { name: "staging" } });
      await deploy(house, "here", "failed");
      assert.equal((await summaryOf(house)).failure_streak, 1);
      assert.equal((await summaryOf(house, "staging")).reconciled_at, null);
    });

    test("finishes at once in one environment are all counted", async (t) => {
      const house = await openHouse(t, { engine });
      const ids = await Promise.all(
        Array.from({ length: 60 }, async () => (await house.client.createDeployment({ body: {} })).id),
      );
      await Promise.all(
        ids.map((deployment_id, n) =>
          house.client.finishDeployment({
            params: { deployment_id },
            body: { status: n % 3 ? "failed" : "succeeded" },
          }),
        ),
      );
      const summary = await summaryOf(house);
      assert.deepEqual(summary.deployment_counts, { failed: 40, succeeded: 20 });
      assert.deepEqual(await house.intents(), []);
    });

    test("a finish whose reconciliation a crash prevented is reconciled at the next start", async (t) => {
      const crashed = await openHouse(t, { engine });
      const environment = (await crashed.environments.read("local")).doc;
      const recorded = crashed.deployments.recordDeployment(
        { git_commit_sha: "abc" },
        environment,
        crashed.by(),
      );
      await crashed.store.apply({ by: crashed.by(), steps: recorded.steps, events: recorded.events });
      assert.equal((await summaryOf(crashed)).reconciled_at, null);
      await crashed.close();

      const house = await openHouse(t, { again: crashed });
      await house.deployments.resume(house.by());
      const summary = await summaryOf(house);
      assert.equal(summary.latest_success?.git_commit_sha, "abc");
      assert.deepEqual(await house.intents(), []);
    });

    test("a repeated #16 makes up for a reconciliation that failed", async (t) => {
      const house = await openHouse(t, { engine });
      const deployment_id = await deploy(house, "a", "succeeded");
      const { id } = await house.environments.read("local");
      const left = house.deployments.outdateSummary(id);
      await house.store.apply({ by: house.by(), steps: left.steps, events: [] });
      const body = { status: "succeeded" as const };
      await house.client.finishDeployment({ params: { deployment_id }, body });
      assert.deepEqual(await house.intents(), []);
    });

    test("a hook records a deployment that has succeeded, as part of its own change", async (t) => {
      const house = await openHouse(t, { engine });
      await house.client.updateEnvironment({
        params: { environment_id: "local" },
        body: { targetGitBranch: "main" },
      });
      const environment = (await house.environments.read("local")).doc;
      const body = { deployment_name: "orders 1.4.0", git_commit_sha: "abc", job_run_id: "r-1" };
      const by = house.by();
      const recorded = house.deployments.recordDeployment(body, environment, by);
      await house.store.apply({ by, steps: recorded.steps, events: recorded.events });
      await recorded.reconcile(by);
      const stored = await house.client.getDeployment({ params: { deployment_id: recorded.doc.id } });
      assert.deepEqual(stored, recorded.doc);
      assert.deepEqual(
        [stored.status, stored.git_branch, stored.completed_at],
        ["succeeded", "main", by.time],
      );
      assert.equal((await summaryOf(house)).latest_success?.id, stored.id);
    });

    test("a mark for an environment that was deleted since is cleared away", async (t) => {
      const house = await openHouse(t, { engine });
      const { id } = await house.client.createEnvironment({ body: { name: "gone" } });
      const left = house.deployments.outdateSummary(id);
      await house.store.apply({ by: house.by(), steps: left.steps, events: [] });
      await house.client.deleteEnvironment({ params: { environment_id: id } });
      await house.deployments.resume(house.by());
      assert.deepEqual(await house.intents(), []);
    });
  });
}

test("finishes at once on two servers of one PostgreSQL are all counted", async (t) => {
  const one = await openHouse(t, { engine: "postgres" });
  const other = await openHouse(t, { again: one });
  const finishes = Array.from({ length: 40 }, (_, n) =>
    deploy(n % 2 ? one : other, `${n}`, n % 4 ? "failed" : "succeeded"),
  );
  await Promise.all(finishes);
  assert.deepEqual((await summaryOf(one)).deployment_counts, { failed: 30, succeeded: 10 });
  assert.deepEqual(await one.intents(), []);
  await one.close();
});
