/** Runs every request of docs/plan.md, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPage } from "../../testing/docs-blocks.ts";
import { startTestServer } from "../../testing/server.ts";
import { endedPlan } from "./test-plans.ts";

test("every command of the page works, in order", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const files = new Map<string, string>();
  let id = "";
  /** `$CONNECTOR` and `$DRIFT` are the first ones of the last lists. */
  const listed = new Map<string, string>();
  let last: Record<string, unknown> = {};
  let answers = 0;
  for (const block of await readPage("plan.md")) {
    if (block.kind === "file") files.set(block.name, block.text);
    if (block.kind === "answer") {
      assert.partialDeepStrictEqual(last, block.json);
      answers += 1;
    }
    if (block.kind !== "command") continue;
    const body = block.sent?.startsWith("@") ? files.get(block.sent.slice(1)) : block.sent;
    const path = block.path
      .replaceAll("$ID", id)
      .replaceAll(/\$(CONNECTOR|DRIFT)/g, (name) => listed.get(name) ?? name);
    const answer = await server.fetch(path, {
      method: block.method,
      ...(body !== undefined && { body, headers: { "Content-Type": "application/json" } }),
    });
    last = (await answer.json()) as Record<string, unknown>;
    assert.equal(answer.status, 200, `${block.method} ${block.path}: ${JSON.stringify(last)}`);
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
