import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import type { DatabaseRow } from "../../core/store/database.ts";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";
import { appliedPlan } from "../plans/test-plans.ts";
import { countedUsage, storedRows } from "./test-usage.ts";

const connector = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  target_type: "csv",
  target_config: null,
  created_by: "ada",
  ...more,
});

/** A client with a token of a new user. */
async function userOf({ client, url }: TestServer, username: string, role: "viewer" | "operator" | "none") {
  const user = await client.createUser({ body: { username, role } });
  const { token } = await client.createToken({ params: { user_id: user.id }, body: { comment: "test" } });
  return { user, client: createClient({ baseUrl: url, token, retries: 0 }) };
}

for (const engine of engines) {
  test(`of concurrent creates, as many succeed as the quota has room for, on ${engine}`, async (t) => {
    const server = await startTestServer({ engine, settings: { PLATFORM_RESOURCES_PER_ENVIRONMENT: "5" } });
    t.after(server.close);
    const { client } = server;
    const names = Array.from({ length: 20 }, (_, n) => `c${n}`);
    const done = await Promise.allSettled(
      names.map((name) => client.createConnector({ body: connector(name) })),
    );
    assert.equal(done.filter(({ status }) => status === "fulfilled").length, 5);
    await refused(
      client.createConnector({ body: connector("late") }),
      413,
      /may have 5 connectors, and has 5.*PLATFORM_RESOURCES_PER_ENVIRONMENT/,
    );
    // Another kind and another environment have room.
    await client.createPipeline({ body: { name: "p", libraries: [] } });
    const { id: other } = await client.createEnvironment({ body: { name: "other" } });
    await client.createConnector({ body: connector("late"), environment: other });

    const operations = [1, 2].map((n) => ({
      method: "POST" as const,
      path: "/api/v1/connectors/",
      body: connector(`batched-${n}`),
    }));
    const batch = await client.runBatch({ body: { mode: "each", operations } });
    assert.deepEqual(
      batch.results.map(({ status }) => status),
      [413, 413],
    );
    const whole = await client.runBatch({ body: { mode: "all_or_nothing", operations } });
    assert.equal(whole.results[0]?.status, 413);
    const dryRun = await server.fetch("/api/v1/connectors/?dry_run=true", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(connector("tried")),
    });
    assert.equal(dryRun.status, 413);
    const plan = {
      environment: "local",
      project: { name: "shop" },
      resources: [
        {
          kind: "connector" as const,
          name: "planned",
          definition: { target_type: "csv", target_config: null },
        },
      ],
    };
    await refused(client.createPlan({ body: plan }), 413, /may have 5 connectors/);

    const [first] = (await client.listConnectors()).connectors;
    await client.deleteConnector({ params: { connector_id: first?.id ?? "" } });
    const planned = await client.createPlan({ body: plan });
    await client.createConnector({ body: connector("faster") });
    const ended = await appliedPlan(client, planned.id);
    assert.equal(ended.status, "failed");
    assert.match(ended.status_reason ?? "", /may have 5 connectors/);
  });

  test(`what is beyond a lowered limit stays usable, and may become smaller, on ${engine}`, async (t) => {
    let server = await startTestServer({ engine });
    t.after(() => server.close());
    const description = "x".repeat(900_000);
    const ids: string[] = [];
    for (const n of [1, 2]) {
      const body = connector(`c${n}`, { target_config: { path: "out", note: description } });
      ids.push((await server.client.createConnector({ body })).id);
    }
    const [one = "", two = ""] = ids;
    server = await server.restart({
      PLATFORM_STORED_MB_PER_ENVIRONMENT: "1",
      PLATFORM_RESOURCES_PER_ENVIRONMENT: "1",
    });
    const { client } = server;
    const params = { connector_id: one };
    await refused(client.createConnector({ body: connector("c3") }), 413, /may have 1 connectors, and has 2/);
    await refused(
      client.updateConnector({ params, body: { target_config: { path: "out", note: `${description}x` } } }),
      413,
      /definitions of this environment may have 1 MB together, and have 1\.\d MB.*PLATFORM_STORED_MB_PER_ENVIRONMENT/,
    );
    assert.equal((await client.getConnector({ params })).name, "c1");
    await client.pauseConnector({ params, body: { reason: "tonight" } });
    await client.resumeConnector({ params });
    await client.updateConnector({ params, body: { target_config: { path: "out" } } });
    await client.deleteConnector({ params: { connector_id: two } });
    await client.updateConnector({ params, body: { target_config: { path: "out", note: "small" } } });
  });

  test(`what counts is what is stored, whatever was changed and deleted, on ${engine}`, async (t) => {
    const server = await startTestServer({ engine });
    t.after(server.close);
    const { client: admin } = server;
    const { client, user } = await userOf(server, "grace@example.test", "operator");
    const { id } = await client.createConnector({
      body: connector("c1", { target_config: { path: "é", password: "s3cret" } }),
    });
    await client.updateConnector({
      params: { connector_id: id },
      body: { target_config: { path: "é".repeat(300) } },
    });
    // An admin makes the connector larger: from then on, it is charged to the admin.
    const taken = await client.createConnector({ body: connector("taken") });
    const larger = { target_config: { path: "another folder" } };
    await admin.updateConnector({ params: { connector_id: taken.id }, body: larger });
    const ofGrace = ({ charged_to }: DatabaseRow) => charged_to === user.username;
    assert.equal((await server.rows()).connectors?.filter(ofGrace).length, 1);
    const gone = await client.createConnector({ body: connector("gone") });
    await admin.deleteConnector({ params: { connector_id: gone.id } });
    const definition = { tasks: [{ name: "t", kind: "sql" as const, query: "SELECT 1" }] };
    await client.createAutomation({ body: { alias: "a", definition } });
    for (const n of [1, 2, 3])
      await client.syncAutomationRelease({
        body: { automation_alias: "a", environment: "local", metadata: { version: `1.${n}` } },
      });
    for (const value of ["one", "another"])
      await admin.putSecret({ params: { scope: "s", key: "k" }, body: { value } });
    await admin.putSecret({ params: { scope: "s", key: "gone" }, body: { value: "v" } });
    await admin.deleteSecret({ params: { scope: "s", key: "gone" } });
    await admin.limitSecretScope({ params: { scope: "s" }, body: { hosts: ["crm.example.test"] } });
    const { id: prod } = await admin.createEnvironment({ body: { name: "prod" } });
    const at = { environment_id: prod, username: user.username };
    await admin.putEnvironmentRole({ params: at, body: { role: "viewer" } });
    await admin.putEnvironmentRole({ params: at, body: { role: "operator" } });
    const deployments: string[] = [];
    for (const environment of ["local", prod]) {
      const body = { deployment_name: "d", git_branch: "main", git_commit_sha: "3f9c1d2" };
      const { id: deployment } = await client.createDeployment({ body, environment });
      await client.appendDeploymentLog({
        params: { deployment_id: deployment },
        body: { log_chunk: "line é\n" },
      });
      await client.finishDeployment({
        params: { deployment_id: deployment },
        body: { status: "succeeded", log_chunk: "end" },
      });
      deployments.push(deployment);
    }
    const plan = (name: string) =>
      client.createPlan({
        body: {
          environment: "local",
          project: { name: "shop" },
          resources: [{ kind: "connector", name, definition: { target_type: "csv", target_config: null } }],
        },
      });
    const { id: applied } = await plan("planned");
    assert.equal((await appliedPlan(client, applied)).status, "applied");
    await plan("other");
    await client.createAgent({ body: { name: "helper", aliases: ["h"] } });
    assert.deepEqual(countedUsage(await server.rows()), storedRows(await server.rows()));

    await admin.deleteEnvironment({ params: { environment_id: prod }, query: { force: true } });
    for (const deployment_id of deployments) await admin.deleteDeployment({ params: { deployment_id } });
    await admin.deleteUser({ params: { user_id: user.id } });
    assert.deepEqual(countedUsage(await server.rows()), storedRows(await server.rows()));
  });
}

test("a user sees what they use and what their environments use, an admin sees all", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_RESOURCES_PER_CALLER: "2" } });
  t.after(server.close);
  const { client: admin } = server;
  const { client: grace } = await userOf(server, "grace@example.test", "operator");
  const { client: outside, user } = await userOf(server, "alan@example.test", "none");
  const { id: prod } = await admin.createEnvironment({ body: { name: "prod" } });
  await admin.putEnvironmentRole({
    params: { environment_id: prod, username: user.username },
    body: { role: "viewer" },
  });
  for (const name of ["a", "b"]) await grace.createConnector({ body: connector(name) });
  await refused(
    grace.createConnector({ body: connector("c") }),
    413,
    /grace@example\.test may have 2 resources, and has 2/,
  );
  await admin.createConnector({ body: connector("c") });
  await admin.createConnector({ body: connector("in-prod"), environment: prod });
  await admin.putFile({ params: { path: "a.sql" }, body: Buffer.from("SELECT 1") });

  const inLocal = await grace.listQuotas({ query: { environment: "local" } });
  const used = (name: string, scope: string, from = inLocal) =>
    from.quotas.find((one) => one.name === name && one.scope === scope)?.used;
  assert.equal(used("connectors", "environment"), 3);
  assert.equal(used("files", "environment"), 1);
  assert.equal(used("file_bytes", "environment"), 8);
  assert.equal(used("resources", "caller"), 2);
  assert.equal(inLocal.quotas[0]?.name, "resources");
  assert.deepEqual([...new Set(inLocal.quotas.map((one) => one.caller ?? one.scope))].sort(), [
    "environment",
    "grace@example.test",
  ]);

  const seen = await outside.listQuotas();
  assert.deepEqual(new Set(seen.quotas.map((one) => one.environment_id)), new Set([prod]));
  await refused(outside.listQuotas({ query: { environment: "local" } }), 404);
  const all = await admin.listQuotas();
  assert.equal(used("environments", "server", all), 2);
  assert.deepEqual(
    all.quotas.flatMap(({ name, caller, limit }) => (name === "resources" ? [[caller, limit]] : [])),
    [
      ["grace@example.test", 2],
      ["internal-service", null],
    ],
  );

  const metrics = await (await server.fetch("/metrics")).text();
  assert.match(metrics, /^lakehelm_quota_used\{quota="connectors_per_environment",environment="local"\} 3$/m);
  assert.match(
    metrics,
    /^lakehelm_quota_limit\{quota="resources_per_caller",caller="grace@example\.test"\} 2$/m,
  );
  assert.match(
    metrics,
    /^lakehelm_quota_refused_total\{quota="stored",setting="PLATFORM_RESOURCES_PER_CALLER"\} 1$/m,
  );
});
