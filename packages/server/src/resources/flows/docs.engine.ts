/** Runs every request of docs/how-to/publish-a-table.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { readPage, sendCommand } from "../../testing/docs-blocks.ts";
import { startTestServer } from "../../testing/server.ts";

test("every request of docs/how-to/publish-a-table.md returns what the page shows", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const { client } = server;
  const files = new Map<string, string>();
  /** The value of each variable, from the last response that had one. */
  const variables = new Map<string, string>();
  let last: Record<string, unknown> = {};
  for (const block of await readPage("how-to/publish-a-table.md")) {
    if (block.kind === "file") files.set(block.name, block.text);
    if (block.kind === "answer") assert.partialDeepStrictEqual(last, block.json);
    if (block.kind !== "command") continue;
    const { method, path } = block;
    const { status, json } = await sendCommand(server, block, files, variables);
    last = json;
    assert.ok(status < 300, `${method} ${path}: ${JSON.stringify(last)}`);
    if (path === "/api/v1/pipelines/") variables.set("$PIPELINE", String(last.pipeline_id));
    if (path.endsWith("/updates")) {
      const params = { pipeline_id: String(last.pipeline_id), update_id: String(last.update_id) };
      await until(async () => (await client.getPipelineUpdate({ params })).state === "COMPLETED", 50);
    }
    if (path === "/api/v1/flows") variables.set("$ID", String(last.id));
    if (path.endsWith("/runs") && method === "POST") {
      const run_id = String(last.id);
      variables.set("$RUN", run_id);
      await until(async () => (await client.getRun({ params: { run_id } })).status === "succeeded", 50);
    }
  }
  assert.ok(variables.has("$RUN"));
});
