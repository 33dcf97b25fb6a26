import assert from "node:assert/strict";
import { test } from "node:test";
import { enginesOfSlowSuites, startTestServer } from "./testing/server.ts";

const create = (name: string) => ({
  method: "POST" as const,
  path: "/api/v1/connectors/",
  body: { name, target_type: "csv", target_config: null, created_by: "ada" },
});

for (const engine of enginesOfSlowSuites) {
  test(`a thousand creates are one transaction, and a failure of the last leaves nothing, on ${engine}`, async (t) => {
    const { client, rows, close } = await startTestServer({ engine });
    t.after(close);
    const operations = Array.from({ length: 1000 }, (_, n) => create(`crm-${n}`));
    const before = await rows();
    const failing = [...operations.slice(1), create("crm-1")];
    const refused = await client.runBatch({
      body: { mode: "all_or_nothing", operations: failing },
      timeoutMs: 120_000,
    });
    assert.deepEqual([refused.committed, refused.failed], [false, 999]);
    assert.equal(refused.results.filter(({ status }) => status === null).length, 999);
    assert.deepEqual(await rows(), before);

    const started = performance.now();
    const answer = await client.runBatch({
      body: { mode: "all_or_nothing", operations },
      timeoutMs: 120_000,
    });
    t.diagnostic(`${Math.round(performance.now() - started)} ms`);
    assert.deepEqual([answer.committed, answer.failed], [true, null]);
    assert.equal((await client.listConnectors({ query: { limit: 1 } })).total, 1000);
    const { total } = await client.listJobs({ query: { limit: 1 } });
    assert.equal(total, 1000);
  });
}
