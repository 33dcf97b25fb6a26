import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { someOf } from "@lakehelm/testing/nightly";
import { type Home, startProcess, testHome } from "../../testing/process.ts";
import { enginesOfSlowSuites } from "../../testing/server.ts";

/** Milliseconds after a finish was sent: from before it is written to after the response. */
const killDelaysMs = someOf([0, 1, 2, 3, 5, 8, 13, 30], 4);

for (const engine of enginesOfSlowSuites) {
  suite(`finished deployments of a killed server on ${engine}`, () => {
    test("a stored finish is in the summary of its environment, at every moment of the kill", async (t) => {
      const home: Home = await testHome(t, engine);
      let kept = 0;
      let answered = 0;
      for (const ms of killDelaysMs) {
        const server = await startProcess(t, home);
        const { client } = server;
        const { id } = await client.createDeployment({
          body: { git_branch: "main", git_commit_sha: "3f9c1d2" },
        });
        const params = { deployment_id: id };
        const pendingFinish = client.finishDeployment({ params, body: { status: "succeeded" } }).then(
          () => true,
          () => false,
        );
        await pause(ms);
        server.child.kill("SIGKILL");
        const acknowledged = await pendingFinish;
        await server.ended;

        const next = await startProcess(t, home);
        const { status, environment_id } = await next.client.getDeployment({ params });
        if (acknowledged)
          assert.equal(status, "succeeded", `an acknowledged finish was lost, ${ms} ms after it was sent`);
        kept += status === "succeeded" ? 1 : 0;
        answered += acknowledged ? 1 : 0;
        const summary = await next.client.getEnvironmentSummary({ params: { environment_id } });
        assert.equal(summary.deployment_counts.succeeded ?? 0, kept, `${ms} ms after it was sent`);
        next.child.kill("SIGTERM");
        await next.ended;
      }
      t.diagnostic(`${kept} of ${killDelaysMs.length} finishes were kept, ${answered} answered`);
    });
  });
}
