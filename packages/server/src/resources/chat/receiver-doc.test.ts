import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { type TestContext } from "node:test";
import { createOutbound } from "../../runtime/outbound/outbound.ts";
import type { ChannelMessage, Post } from "./message.ts";
import { webhookPost } from "./webhook.ts";

const page = join(import.meta.dirname, "../../../../../docs/how-to/notify-people.md");
const secret = "a secret of this test";

/** Starts the receiver that docs/how-to/notify-people.md shows. */
async function startDocumented(t: TestContext): Promise<{ url: string; lines: string[] }> {
  const [, code] =
    /<!-- runs: receiver -->\s*```js\n([\s\S]*?)\n```/.exec(await readFile(page, "utf8")) ?? [];
  assert.ok(code);
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-receiver-"));
  await writeFile(join(folder, "receiver.mjs"), code);
  const child = spawn(process.execPath, [join(folder, "receiver.mjs")], {
    env: { PORT: "0", SIGNING_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => {
    child.kill("SIGKILL");
    return rm(folder, { recursive: true });
  });
  const lines: string[] = [];
  const output = createInterface(child.stdout);
  const url = await new Promise<string>((first) => output.once("line", first));
  output.on("line", (line) => void lines.push(line));
  return { url, lines };
}

test("the documented receiver accepts a signed message once, and nothing else", async (t) => {
  const { url, lines } = await startDocumented(t);
  const outbound = createOutbound({ allowsPrivate: false, privateAddresses: ["127.0.0.1"] });
  const send = async (post: Post) =>
    (await outbound.send({ url, method: "POST", timeoutMs: 5000, ...post })).status;
  const message = (id: string): ChannelMessage => ({
    id,
    kind: "run.failed",
    time: "2026-03-01T12:00:00.000Z",
    environment: "prod",
    automation: "orders-daily",
    text: `${id}: orders-daily failed in prod. äöü`,
    data: {},
    channel_id: "C0123",
  });
  const now = new Date();
  const minutesAgo = (n: number) => new Date(now.getTime() - n * 60_000);
  assert.equal(await send(webhookPost(message("one"), secret, now)), 204);
  assert.equal(await send(webhookPost(message("one"), secret, now)), 204);
  assert.equal(await send(webhookPost(message("late"), secret, minutesAgo(4))), 204);
  assert.equal(await send(webhookPost(message("old"), secret, minutesAgo(6))), 401);
  assert.equal(await send(webhookPost(message("forged"), "another secret", now)), 401);
  assert.equal(await send(webhookPost(message("unsigned"), undefined, now)), 401);
  const { headers, body } = webhookPost(message("changed"), secret, now);
  assert.equal(await send({ headers, body: body.replace("prod", "test") }), 401);
  const later = String(Math.floor(now.getTime() / 1000) + 1);
  assert.equal(await send({ headers: { ...headers, "lakehelm-timestamp": later }, body }), 401);
  assert.deepEqual(lines, [message("one").text, message("late").text]);
});
