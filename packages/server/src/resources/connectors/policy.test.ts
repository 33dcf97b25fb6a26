import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs } from "../../core/concurrency/backoff.ts";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, unique } from "../../testing/server.ts";

for (const engine of engines) {
  test(`a connector's policy is that of its job, and a change keeps what it does not name, on ${engine}`, async (t) => {
    const { client, close, deps } = await startTestServer({ engine });
    t.after(close);
    const body = { name: unique("out"), target_type: "csv", target_config: null, created_by: "ada" };
    const policy = { attempts: 8, backoff_seconds: 30, concurrency: 4 };
    const created = await client.createConnector({ body: { ...body, policy } });
    assert.deepEqual(created.policy, policy);
    const params = { connector_id: created.id };
    const definition = async () =>
      (await client.getJob({ params: { job_id: `connector-${created.id}` } })).definition;
    const { attempts, backoff_seconds, max_backoff_seconds } = await definition();
    assert.deepEqual([attempts, backoff_seconds, max_backoff_seconds], [8, 30, 300]);

    const change = (next: object | null) => client.updateConnector({ params, body: { policy: next } });
    const changed = await change({ timeout_seconds: 60, concurrency: null });
    assert.deepEqual(changed.policy, { attempts: 8, backoff_seconds: 30, timeout_seconds: 60 });
    assert.equal((await definition()).timeout_seconds, 60);
    // A change of something else keeps the policy.
    assert.deepEqual(
      (await client.updateConnector({ params, body: { schedule_cron: "0 7 * * *" } })).policy,
      changed.policy,
    );
    assert.equal((await change(null)).policy, undefined);
    assert.equal((await client.getConnector({ params })).policy, undefined);
    const { PLATFORM_RUN_TIMEOUT_SECONDS: timeout } = deps.settings;
    assert.deepEqual([(await definition()).attempts, (await definition()).timeout_seconds], [5, timeout]);
  });
}

test("a policy out of bounds is 422 in a change and 409 in #12", async (t) => {
  const { client, close } = await startTestServer();
  t.after(close);
  const body = { name: unique("out"), target_type: "csv", target_config: null, created_by: "ada" };
  const { id } = await client.createConnector({ body });
  const wrong: Record<string, unknown>[] = [
    { attempts: 0 },
    { attempts: 101 },
    { attempts: 10n ** 40n },
    { backoff_seconds: -1 },
    { max_backoff_seconds: 86_401 },
    { timeout_seconds: 604_801 },
    { concurrency: 9 },
    { concurrency: "many" },
    { retries: 3 },
  ];
  for (const policy of wrong) {
    await refused(client.updateConnector({ params: { connector_id: id }, body: { policy } }), 422);
    const creation = client.createConnector({ body: { ...body, name: unique("out"), policy } });
    await refused(creation, 409, /^policy\./);
  }
  for (const policy of [3, "fast", []]) {
    const creation = client.createConnector({
      body: { ...body, name: unique("out"), policy: policy as unknown as object },
    });
    await refused(creation, 409, /^policy: /);
  }
});

test("the default pauses outlast a restart of 40 s, however they are shortened", async (t) => {
  const { client, close } = await startTestServer();
  t.after(close);
  const { id } = await client.createConnector({
    body: { name: unique("out"), target_type: "csv", target_config: null, created_by: "ada" },
  });
  const { definition } = await client.getJob({ params: { job_id: `connector-${id}` } });
  let shortest = 0;
  for (let failures = 1; failures < definition.attempts; failures++) {
    shortest += backoffMs(
      failures,
      definition.backoff_seconds,
      definition.max_backoff_seconds,
      () => 0.999_999,
    );
  }
  assert.ok(shortest >= 40_000, `${shortest} ms`);
});
