import assert from "node:assert/strict";
import { test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer } from "../../testing/server.ts";

for (const engine of engines) {
  test(`a page of many large documents is refused, and a smaller page works, on ${engine}`, async (t) => {
    const server = await startTestServer({ engine });
    t.after(() => server.close());
    const { client } = server;
    const note = "n".repeat(1_000_000);
    for (let n = 0; n < 17; n++) {
      const body = { name: `large ${n}`, target_type: "csv", target_config: { note }, created_by: "ada" };
      await client.createConnector({ body });
    }
    await refused(client.listConnectors({ query: { limit: 1000 } }), 413, /smaller `limit`/);
    assert.equal((await client.listConnectors({ query: { limit: 5 } })).connectors.length, 5);
  });
}
