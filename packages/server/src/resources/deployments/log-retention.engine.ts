import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { eventKey } from "../../core/events/chain.ts";
import { verifyArchive } from "../../core/retention/archive-verification.ts";
import { archivedLines } from "../../testing/archive.ts";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";

const dayMs = 86_400_000;

/** A deployment with a log; it has ended if a status is given. */
async function deploy({ client }: TestServer, chunks: readonly string[], status?: "succeeded") {
  const { id } = await client.createDeployment({ body: {} });
  const params = { deployment_id: id };
  await client.startDeployment({ params });
  for (const log_chunk of chunks) await client.appendDeploymentLog({ params, body: { log_chunk } });
  if (status) await client.finishDeployment({ params, body: { status } });
  return params;
}

for (const engine of engines) {
  suite(`retention of deployments' logs on ${engine}`, () => {
    test("the log of a deployment that ended long ago moves to the archive, and says where it is", async (t) => {
      const clock = { ms: Date.parse("2026-03-01T12:00:00.000Z") };
      let server = await startTestServer({
        engine,
        now: () => new Date(clock.ms),
        settings: { PLATFORM_DEPLOYMENT_LOGS_KEPT_DAYS: "10" },
      });
      t.after(() => server.close());
      const old = await deploy(server, ["uploading\n", "NUL \0, \u2028\n"], "succeeded");
      const open = await deploy(server, ["still running\n"]);
      server = await server.restart({}, () => {
        clock.ms += 11 * dayMs;
      });
      const recent = await deploy(server, ["recent\n"], "succeeded");
      const before = await server.client.getDeployment({ params: old });

      for (const _ of [1, 2]) await server.server.retain();

      const logOf = async (params: typeof old) => (await server.client.getDeploymentLog({ params })).log;
      const [recorded, ...more] = await server.events("retention.archived");
      assert.deepEqual([recorded?.data.records, recorded?.data.count, more], ["deployment_logs", 1, []]);
      const file = String(recorded?.data.file);
      assert.equal(await logOf(old), `The log of this deployment is in the archive: ${file}.\n`);
      assert.equal(await logOf(open), "still running\n");
      assert.equal(await logOf(recent), "recent\n");
      assert.deepEqual(await server.client.getDeployment({ params: old }), before);
      const archive = join(server.dataDir, "archive");
      const [line = ""] = await archivedLines(join(archive, "deployment_logs"));
      assert.deepEqual(JSON.parse(line), {
        deployment_id: old.deployment_id,
        environment_id: before.environment_id,
        deployment_name: null,
        completed_at: before.completed_at,
        chunks: ["uploading\n", "NUL \0, \u2028\n"],
      });
      const key = eventKey(server.deps.vault.deriveKey("event log"));
      const [verdict] = await verifyArchive(archive, key);
      assert.deepEqual([verdict?.kind, verdict?.problems, verdict?.records], ["deployment_logs", [], 1]);
    });
  });
}
