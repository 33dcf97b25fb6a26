/** Runs every request of docs/how-to/plan-over-the-api.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPage, sendCommand } from "../../testing/docs-blocks.ts";
import { startTestServer } from "../../testing/server.ts";
import { endedPlan } from "./test-plans.ts";

test("every command of the page works, in order", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const files = new Map<string, string>();
  let id = "";
  /** `$CONNECTOR` and `$DRIFT` are the first items of the last lists. */
  const listed = new Map<string, string>();
  let last: Record<string, unknown> = {};
  let answers = 0;
  for (const block of await readPage("how-to/plan-over-the-api.md")) {
    if (block.kind === "file") files.set(block.name, block.text);
    if (block.kind === "answer") {
      assert.partialDeepStrictEqual(last, block.json);
      answers += 1;
    }
    if (block.kind !== "command") continue;
    const { status, json } = await sendCommand(server, block, files, new Map([...listed, ["$ID", id]]));
    last = json;
    assert.equal(status, 200, `${block.method} ${block.path}: ${JSON.stringify(last)}`);
    id = String(last.id);
    for (const [name, key] of [
      ["$CONNECTOR", "connectors"],
      ["$DRIFT", "drift"],
    ] as const) {
      const [first] = (last[key] ?? []) as { id: string }[];
      if (first) listed.set(name, first.id);
    }
    if (block.path.endsWith("/apply")) await endedPlan(server.client, id);
  }
  assert.equal(answers, 6);
});
