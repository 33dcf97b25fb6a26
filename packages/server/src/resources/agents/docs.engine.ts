/** Runs every request of docs/how-to/run-agents-and-apps.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPage, sendCommand } from "../../testing/docs-blocks.ts";
import { startTestServer } from "../../testing/server.ts";
import { cookieOf } from "../../web/gateway/test-gateway.ts";
import { send } from "../../web/http/test-requests.ts";

test("every command of the page works, in order", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const files = new Map<string, string>();
  const pages: string[] = [];
  let id = "";
  let last: Record<string, unknown> = {};
  for (const block of await readPage("how-to/run-agents-and-apps.md")) {
    if (block.kind === "file") files.set(block.name, block.text);
    if (block.kind === "answer") assert.partialDeepStrictEqual(last, block.json);
    if (block.kind === "error") assert.equal(last.detail, block.text);
    if (block.kind !== "command") continue;
    const { status, json } = await sendCommand(server, block, files, new Map([["$ID", id]]));
    last = json;
    assert.ok(status < 500 && status !== 404, `${block.method} ${block.path}: ${JSON.stringify(last)}`);
    if (block.path === "/api/apps") id = String(last.id);
    if (block.path.endsWith("/tickets")) pages.push(await visit(String(last.url)));
  }
  assert.deepEqual(pages, ["Hello, internal-service."]);
});

/** Like a browser: first with the ticket, then with the cookie from the response. */
async function visit(url: string): Promise<string> {
  const { origin, pathname, search } = new URL(url);
  const entered = await send(origin, { path: pathname + search });
  const path = entered.headers.location ?? "";
  return (await send(origin, { path, headers: { cookie: cookieOf(entered) } })).text;
}
