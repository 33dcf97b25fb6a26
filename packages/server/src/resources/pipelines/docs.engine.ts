/** Runs every request of docs/pipelines.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { type Command, readPage } from "../../testing/docs-blocks.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";

test("the page about pipelines holds, from its first command to its last", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const files = new Map<string, string>();
  /** The values of `$ID` and `$UPDATE`: from the last response that had one. */
  const known = new Map<string, string>();
  let last: Record<string, unknown> = {};
  for (const said of await readPage("pipelines.md")) {
    if (said.kind === "file") files.set(said.name, said.text);
    if (said.kind === "answer") assert.partialDeepStrictEqual(last, said.json);
    if (said.kind === "error") assert.equal(last.error ?? last.detail, said.text);
    if (said.kind !== "command") continue;
    last = await ask(server, said, files, known);
    if (typeof last.pipeline_id === "string") known.set("$ID", last.pipeline_id);
    if (typeof last.update_id !== "string") continue;
    known.set("$UPDATE", last.update_id);
    if (last.state === "QUEUED") await ended(server, last.pipeline_id, last.update_id);
  }
  assert.ok(known.has("$UPDATE"));
});

async function ask(
  server: TestServer,
  { method, path, sent }: Command,
  files: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
): Promise<Record<string, unknown>> {
  const filled = path.replace(
    /\$[A-Z]+/g,
    (name) => known.get(name) ?? assert.fail(`${name} is not known yet`),
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
