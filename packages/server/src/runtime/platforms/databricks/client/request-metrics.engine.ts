import assert from "node:assert/strict";
import { test } from "node:test";
import { startWithWorkspace, tickets } from "../testing/connected-server.ts";

test("requests to a workspace are counted by outcome, with their time, and so are waits after a 429", async (t) => {
  const { create, workspace, server } = await startWithWorkspace(t);
  workspace.fail({ match: "POST /api/2.0/workspace/mkdirs", kind: { status: 429, retryAfter: 1 } });
  workspace.fail({ match: "GET /api/2.2/jobs/list", kind: { status: 503 } });
  const before = workspace.requests.length;
  await create(tickets);
  const text = await (await server.fetch("/metrics")).text();
  const host = new URL(workspace.url).host;
  const sampleOf = (series: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.split(" ")[1],
    );
  const requests = (outcome: string) =>
    sampleOf(`lakehelm_workspace_requests_total{workspace="${host}",outcome="${outcome}"}`);
  assert.deepEqual([requests("busy"), requests("open")], [1, 1]);
  const all = sampleOf(`lakehelm_workspace_request_seconds_count{workspace="${host}"}`);
  assert.ok(requests("ok") > 4 && all >= requests("ok") + 2);
  assert.ok(all <= workspace.requests.length - before + 1, "runs are listed meanwhile");
  assert.ok(sampleOf(`lakehelm_workspace_rate_limit_waits_total{workspace="${host}"}`) >= 1);
  assert.ok(sampleOf(`lakehelm_workspace_rate_limit_wait_seconds_total{workspace="${host}"}`) >= 1);
});
