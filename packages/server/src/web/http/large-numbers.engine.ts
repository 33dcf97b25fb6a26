import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { engines, startTestServer } from "../../testing/server.ts";

for (const engine of engines) {
  suite(`large numbers in queries on ${engine}`, () => {
    test("no number in a query is an internal error, however large it is", async (t) => {
      const server = await startTestServer({ engine });
      t.after(() => server.close());
      const statuses = new Map<string, number>();
      for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
        if (endpoint.method !== "GET" || !endpoint.query) continue;
        const path = endpoint.path.replace(/\{\w+\*?\}/g, "local");
        for (const key of Object.keys(endpoint.query)) {
          for (const value of ["9007199254740993", "9223372036854775808", "99999999999999999999"]) {
            const { status } = await server.fetch(`${path}?${key}=${value}`, {
              signal: AbortSignal.timeout(30_000),
            });
            statuses.set(`${name} ${key}=${value}`, status);
          }
        }
      }
      assert.ok([...statuses.keys()].some((at) => at.startsWith("listFiles skip")));
      assert.deepEqual(
        [...statuses].filter(([, status]) => status >= 500),
        [],
      );
    });
  });
}
