/** Who learns of connectors and flows that a platform refused. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { refusing, startRemotePlatform } from "../../testing/remote-platform.ts";
import { engines, startTestServer } from "../../testing/server.ts";

const flow = {
  source_tables: ["orders"],
  flow_name: "revenue",
  target_name: "revenue",
  trigger_type: "manual" as const,
  matched_sql: "select id from orders",
  target_schema: { description: "Revenue", columns: [{ name: "id", type: "bigint", pk: true }] },
  requested_by: "ada@example.test",
};

for (const engine of engines) {
  suite(`refused resources on ${engine}`, () => {
    test("a user sees and counts those of the own environments only", async (t) => {
      const remote = await startRemotePlatform("remote", ["postgresql"]);
      const { client, url, close } = await startTestServer({ engine, platforms: [remote.platform] });
      t.after(async () => {
        await close();
        await remote.close();
      });
      remote.reply = () => refusing("The quota is used up.");
      const ids: string[] = [];
      for (const name of ["sales", "payroll"]) {
        const configuration = { catalog: "shop", schema: name };
        const { id } = await client.createEnvironment({ body: { name, platform: "remote", configuration } });
        ids.push(id);
        await client.createFlow({ body: flow, environment: name });
        await client.createConnector({
          body: { name: `${name}-out`, target_type: "postgresql", target_config: null, created_by: "ada" },
          environment: name,
        });
      }
      const ada = await client.createUser({ body: { username: "ada", role: "none" } });
      const { token } = await client.createToken({ params: { user_id: ada.id }, body: {} });
      const params = { environment_id: "sales", username: "ada" };
      await client.putEnvironmentRole({ params, body: { role: "viewer" } });
      const viewer = createClient({ baseUrl: url, token });

      const all = await client.getOverview();
      assert.deepEqual([all.refused.length, all.refused_total], [4, 4]);
      for (const query of [{}, { environment: "sales" }]) {
        const own = await viewer.getOverview({ query });
        assert.deepEqual(
          own.refused.map(({ kind, name, environment_id }) => [kind, name, environment_id]),
          [
            ["flow", "revenue", ids[0]],
            ["connector", "sales-out", ids[0]],
          ],
        );
        assert.equal(own.refused_total, 2);
        assert.doesNotMatch(JSON.stringify(own), /payroll/);
      }
      await refused(viewer.getOverview({ query: { environment: "payroll" } }), 404);
      await refused(viewer.getOverview({ environment: "payroll" }), 404);
    });
  });
}
