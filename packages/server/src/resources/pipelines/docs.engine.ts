/** Runs every request of docs/how-to/build-a-pipeline.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { readPage, sendCommand } from "../../testing/docs-blocks.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";

test("every request of docs/how-to/build-a-pipeline.md returns what the page shows", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const files = new Map<string, string>();
  /** The values of `$ID` and `$UPDATE`, each from the last response that had it. */
  const variables = new Map<string, string>();
  let last: Record<string, unknown> = {};
  for (const block of await readPage("how-to/build-a-pipeline.md")) {
    if (block.kind === "file") files.set(block.name, block.text);
    if (block.kind === "answer") assert.partialDeepStrictEqual(last, block.json);
    if (block.kind === "error") assert.equal(last.error ?? last.detail, block.text);
    if (block.kind !== "command") continue;
    const { status, json } = await sendCommand(server, block, files, variables);
    last = json;
    assert.ok(status < 500 && status !== 404, `${block.method} ${block.path}: ${JSON.stringify(last)}`);
    if (typeof last.pipeline_id === "string") variables.set("$ID", last.pipeline_id);
    if (typeof last.update_id !== "string") continue;
    variables.set("$UPDATE", last.update_id);
    if (last.state === "QUEUED") await ended(server, last.pipeline_id, last.update_id);
  }
  assert.ok(variables.has("$UPDATE"));
});

async function ended({ client }: TestServer, pipelineId: unknown, update_id: string): Promise<void> {
  const params = { pipeline_id: String(pipelineId), update_id };
  const state = async () => (await client.getPipelineUpdate({ params })).state;
  await until(async () => !["QUEUED", "RUNNING"].includes(await state()), 50);
}
