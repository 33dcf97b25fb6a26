/** Runs every request of docs/pipelines.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { type Command, readPage } from "../../testing/docs-blocks.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";

test("every request of docs/pipelines.md returns what the page shows", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const files = new Map<string, string>();
  /** The values of `$ID` and `$UPDATE`: from the last response that had one. */
  const variables = new Map<string, string>();
  let last: Record<string, unknown> = {};
  for (const block of await readPage("pipelines.md")) {
    if (block.kind === "file") files.set(block.name, block.text);
    if (block.kind === "answer") assert.partialDeepStrictEqual(last, block.json);
    if (block.kind === "error") assert.equal(last.error ?? last.detail, block.text);
    if (block.kind !== "command") continue;
    last = await send(server, block, files, variables);
    if (typeof last.pipeline_id === "string") variables.set("$ID", last.pipeline_id);
    if (typeof last.update_id !== "string") continue;
    variables.set("$UPDATE", last.update_id);
    if (last.state === "QUEUED") await ended(server, last.pipeline_id, last.update_id);
  }
  assert.ok(variables.has("$UPDATE"));
});

async function send(
  server: TestServer,
  { method, path, sent }: Command,
  files: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, string>,
): Promise<Record<string, unknown>> {
  const filled = path.replace(
    /\$[A-Z]+/g,
    (name) => variables.get(name) ?? assert.fail(`${name} has no value yet`),
  );
  const body = sent?.startsWith("@") ? files.get(sent.slice(1)) : sent;
  const type = sent?.startsWith("@") ? "application/octet-stream" : "application/json";
  const headers = { "Content-Type": type };
  const answer = await server.fetch(filled, { method, ...(body !== undefined && { body, headers }) });
  const read = (await answer.json()) as Record<string, unknown>;
  assert.ok(answer.status < 500 && answer.status !== 404, `${method} ${path}: ${JSON.stringify(read)}`);
  return read;
}

async function ended({ client }: TestServer, pipelineId: unknown, update_id: string): Promise<void> {
  const params = { pipeline_id: String(pipelineId), update_id };
  const state = async () => (await client.getPipelineUpdate({ params })).state;
  await until(async () => !["QUEUED", "RUNNING"].includes(await state()), 50);
}
