import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { testOutbox } from "../../testing/outbox.ts";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { context } from "../../testing/store.ts";
import { createDeployments } from "./deployments.ts";

type Final = "succeeded" | "failed" | "cancelled";

async function deploy({ client }: TestServer, environment: string, deployment_name: string, status: Final) {
  const { id } = await client.createDeployment({ body: { deployment_name }, environment });
  await client.finishDeployment({ params: { deployment_id: id }, body: { status } });
  return id;
}
const summaryOf = ({ client }: TestServer, environment_id: string) =>
  client.getEnvironmentSummary({ params: { environment_id } });

for (const engine of engines) {
  suite(`summaries on ${engine}`, () => {
    // Each reading of the clock is a millisecond later: no two deployments end at the same time.
    let time = Date.UTC(2026, 2, 1, 12);
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine, now: () => new Date(time++) });
    });
    after(() => server.close());

    async function given(body: { targetGitBranch?: string } = {}) {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({ body: { name: unique("here"), ...body } });
      return {
        client,
        environment,
        deploy: (name: string, status: Final) => deploy(server, environment, name, status),
        summary: () => summaryOf(server, environment),
        reconciled: async () =>
          (await server.events("environment.reconciled", `environment/${environment}`)).length,
      };
    }
    const pending = async () => (await server.rows()).outbox;
    /** The rules, for hooks and for a simulated crash in the middle of one. */
    const rules = () =>
      createDeployments(
        server.deps,
        testOutbox(server.deps),
        async () => [],
        async () => undefined,
      );

    test("before a deployment has finished the summary is empty; an unknown environment is 404", async () => {
      const { client, environment, summary } = await given();
      await client.createDeployment({ body: {}, environment });
      assert.deepEqual(await summary(), {
        environment_id: environment,
        latest_success: null,
        current_releases: [],
        deployment_counts: {},
        failure_streak: 0,
        reconciled_at: null,
      });
      await refused(summaryOf(server, "nowhere"), 404);
    });

    test("#16 updates the latest success, current releases, counts and failure streak", async () => {
      const { client, environment, deploy, summary, reconciled } = await given();
      const [automation_alias, agent_name] = [unique("orders"), unique("desk")];
      const released = { environment, metadata: { version: "1.4.0" } };
      const { release } = await client.syncAutomationRelease({ body: { ...released, automation_alias } });
      const { agent } = await client.syncAgentRelease({
        body: { agent_name, version: "2", environment, action: "activate" },
      });
      await client.createDeployment({ body: {}, environment });
      const success = await deploy("orders 1", "succeeded");
      await deploy("orders 2", "failed");
      await deploy("orders 3", "cancelled");
      await deploy("orders 4", "failed");
      const { current_releases, ...rest } = await summary();
      const { completed_at } = await client.getDeployment({ params: { deployment_id: success } });
      assert.deepEqual(rest, {
        environment_id: environment,
        latest_success: {
          id: success,
          deployment_name: "orders 1",
          git_branch: "",
          git_commit_sha: "",
          completed_at,
        },
        // The second success is the one that #9 recorded.
        deployment_counts: { cancelled: 1, failed: 2, pending: 1, succeeded: 2 },
        failure_streak: 2,
        reconciled_at: rest.reconciled_at,
      });
      assert.ok(rest.reconciled_at);
      assert.deepEqual(current_releases, [
        {
          artifact: `automation/${automation_alias}`,
          version: "1.4.0",
          activated_at: release?.activated_at,
        },
        {
          artifact: `agent/${agent_name}`,
          version: "2",
          activated_at: agent.releases[0]?.activated_at,
        },
      ]);

      await deploy("orders 5", "succeeded");
      const after = await summary();
      assert.deepEqual([after.failure_streak, after.latest_success?.deployment_name], [0, "orders 5"]);
      // Five deployments that finished, and the releases of #9 and #4.
      assert.equal(await reconciled(), 7);
    });

    test("the failure streak follows failures and deletions, and a statement counts a limited number", async () => {
      const { client, environment, deploy, summary } = await given();
      const early = await deploy("early", "failed");
      await deploy("success", "succeeded");
      const streak = async () => (await summary()).failure_streak;
      const failed = [await deploy("1", "failed"), await deploy("2", "failed")];
      assert.equal(await streak(), 2);
      await client.deleteDeployment({ params: { deployment_id: early } });
      assert.equal(await streak(), 2);
      await client.deleteDeployment({ params: { deployment_id: failed[0] ?? "" } });
      assert.equal(await streak(), 1);
      await deploy("3", "failed");
      assert.equal(await streak(), 2);

      // Written directly, because 12,000 requests would take minutes.
      const { write } = server.deps.store.engine;
      const statement = (sql: string) => ({
        sql,
        parameters: Array.from(
          { length: engine === "sqlite" ? sql.split("?").length - 1 : 1 },
          () => environment,
        ),
      });
      const place = engine === "sqlite" ? "?" : "$1";
      const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 12000)`;
      const refusal = await write([
        statement(
          `insert into deployments
          (id, key, version, environment_id, state, doc, name, status, created_at, updated_at, created_by, search_text, position)
          ${numbers} select 'bulk' || n || ${place}, '["2999-' || n || '"]' || ${place}, 1, ${place}, 'failed', '{}',
            '', 'failed', '', '', '', '', 1000000 + n from numbers`.replaceAll("$1", "cast($1 as text)"),
        ),
        statement(
          `update deployment_counts set n = n + 12000 where environment_id = ${place} and status = 'failed'`,
        ),
      ]);
      assert.equal(refusal, undefined);
      await deploy("4", "failed");
      assert.equal(await streak(), 12_003);
      await deploy("5", "failed");
      assert.equal(await streak(), 12_004);
    });

    test("a release of #4 is in the summary at once, and removed with the release", async () => {
      const { client, environment, summary } = await given();
      const agent_name = unique("desk");
      const sync = (action: "activate" | "delete") =>
        client.syncAgentRelease({ body: { agent_name, version: "1", environment, action } });
      await sync("activate");
      const { current_releases } = await summary();
      assert.deepEqual(
        current_releases.map(({ artifact, version }) => [artifact, version]),
        [[`agent/${agent_name}`, "1"]],
      );
      await sync("delete");
      assert.deepEqual((await summary()).current_releases, []);
    });

    test("the latest success is the deployment that ended last, not the one created last", async () => {
      const { client, environment, deploy, summary } = await given();
      const first = await client.createDeployment({ body: { deployment_name: "first" }, environment });
      await deploy("second", "succeeded");
      const params = { deployment_id: first.id };
      await client.finishDeployment({ params, body: { status: "succeeded" } });
      assert.equal((await summary()).latest_success?.deployment_name, "first");
    });

    test("the counts follow the status of each deployment", async () => {
      const { client, environment, deploy, summary } = await given();
      const [first, second] = [
        await client.createDeployment({ body: {}, environment }),
        await client.createDeployment({ body: {}, environment }),
      ];
      await client.startDeployment({ params: { deployment_id: first.id } });
      await deploy("third", "failed");
      assert.deepEqual((await summary()).deployment_counts, { failed: 1, pending: 1, running: 1 });
      for (const { id } of [first, second]) {
        await client.finishDeployment({ params: { deployment_id: id }, body: { status: "cancelled" } });
      }
      assert.deepEqual((await summary()).deployment_counts, { cancelled: 2, failed: 1 });
    });

    test("each environment has a summary of its own", async () => {
      const [here, there] = [await given(), await given()];
      await here.deploy("here", "failed");
      assert.equal((await here.summary()).failure_streak, 1);
      assert.equal((await there.summary()).reconciled_at, null);
    });

    test("concurrent finishes in one environment are all counted", async () => {
      const { client, environment, summary } = await given();
      const ids = await Promise.all(
        Array.from({ length: 60 }, async () => (await client.createDeployment({ body: {}, environment })).id),
      );
      await Promise.all(
        ids.map((deployment_id, n) =>
          client.finishDeployment({
            params: { deployment_id },
            body: { status: n % 3 ? "failed" : "succeeded" },
          }),
        ),
      );
      assert.deepEqual((await summary()).deployment_counts, { failed: 40, succeeded: 20 });
      assert.deepEqual(await pending(), []);
    });

    test("a reconciliation that a crash prevented is done at the next start", async () => {
      const { client, environment, summary } = await given();
      const doc = await client.getEnvironment({ params: { environment_id: environment } });
      const { steps, events } = rules().recordDeployment({ git_commit_sha: "abc" }, doc, context);
      const dueAt = (next_at: string) => ({
        sql: `update outbox set next_at = '${next_at}'`,
        parameters: [],
      });
      // Due far in the future, so that the dispatcher does not begin the entry before the crash.
      await server.deps.store.apply({
        context,
        steps: [...steps, dueAt("9999-01-01T00:00:00.000Z")],
        events,
      });
      assert.equal((await summary()).reconciled_at, null);

      await server.deps.store.apply({ context, steps: [dueAt(context.time)], events: [] });
      server = await server.crash();
      assert.equal((await summary()).latest_success?.git_commit_sha, "abc");
      assert.deepEqual(await pending(), []);
    });

    test("a repeated #16 repeats a failed reconciliation", async () => {
      const { client, environment, deploy } = await given();
      const deployment_id = await deploy("a", "succeeded");
      const { steps } = rules().invalidateSummary(environment);
      // Due far in the future, so that the dispatcher leaves the entry to the repeated request.
      const later = { sql: "update outbox set next_at = '9999-01-01T00:00:00.000Z'", parameters: [] };
      await server.deps.store.apply({ context, steps: [...steps, later], events: [] });
      assert.equal((await pending())?.length, 1);
      await client.finishDeployment({ params: { deployment_id }, body: { status: "succeeded" } });
      assert.deepEqual(await pending(), []);
    });

    test("an outbox entry for a deleted environment is removed", async () => {
      const { client, environment } = await given();
      const { steps } = rules().invalidateSummary(environment);
      await server.deps.store.apply({ context, steps, events: [] });
      await client.deleteEnvironment({ params: { environment_id: environment } });
      server = await server.restart();
      assert.deepEqual(await pending(), []);
    });
  });
}

test("concurrent finishes on two servers of one PostgreSQL are all counted", async (t) => {
  const one = await startTestServer({ engine: "postgres" });
  t.after(() => one.close());
  const other = await one.another();
  t.after(() => other.close());
  const finishes = Array.from({ length: 40 }, (_, n) =>
    deploy(n % 2 ? one : other, "local", `${n}`, n % 4 ? "failed" : "succeeded"),
  );
  await Promise.all(finishes);
  const { deployment_counts } = await summaryOf(one, "local");
  assert.deepEqual(deployment_counts, { failed: 30, succeeded: 10 });
  assert.deepEqual((await one.rows()).outbox, []);
});
