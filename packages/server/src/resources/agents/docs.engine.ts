/** Runs every request of docs/agents-and-apps.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, readPage } from "../../testing/docs-blocks.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { cookieOf } from "../../web/gateway/test-gateway.ts";
import { send } from "../../web/http/test-requests.ts";

test("every command of the page works, in order", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const files = new Map<string, string>();
  const pages: string[] = [];
  let id = "";
  let last: Record<string, unknown> = {};
  for (const block of await readPage("agents-and-apps.md")) {
    if (block.kind === "file") files.set(block.name, block.text);
    if (block.kind === "answer") assert.partialDeepStrictEqual(last, block.json);
    if (block.kind === "error") assert.equal(last.detail, block.text);
    if (block.kind !== "command") continue;
    last = await ask(server, block, files, id);
    if (block.path === "/api/apps") id = String(last.id);
    if (block.path.endsWith("/tickets")) pages.push(await visit(String(last.url)));
  }
  assert.deepEqual(pages, ["Hello, internal-service."]);
});

async function ask(
  server: TestServer,
  { method, path, sent }: Command,
  files: ReadonlyMap<string, string>,
  id: string,
): Promise<Record<string, unknown>> {
  const body = sent?.startsWith("@") ? files.get(sent.slice(1)) : sent;
  const headers = { "Content-Type": sent?.startsWith("@") ? "application/octet-stream" : "application/json" };
  const answer = await server.fetch(path.replaceAll("$ID", id), {
    method,
    ...(body !== undefined && { body, headers }),
  });
  const read = (await answer.json()) as Record<string, unknown>;
  assert.ok(answer.status < 500 && answer.status !== 404, `${method} ${path}: ${JSON.stringify(read)}`);
  return read;
}

/** Like a browser: first with the ticket, then with the cookie from the response. */
async function visit(url: string): Promise<string> {
  const { origin, pathname, search } = new URL(url);
  const entered = await send(origin, { path: pathname + search });
  const path = entered.headers.location ?? "";
  return (await send(origin, { path, headers: { cookie: cookieOf(entered) } })).text;
}
