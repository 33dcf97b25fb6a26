import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { lakehelm } from "../testing/terminal.ts";

const isAnswered = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

test("init leaves a project that has run; dev applies changes of its files, and says what is wrong with them", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "lakehelm-init-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const env = { LAKEHELM_CWD: root };
  // An interrupted first start does not block the folder.
  const given = new AbortController();
  const halted = await lakehelm(["init", "orders"], {
    env,
    signal: given.signal,
    onOutput: () => given.abort(),
  });
  assert.deepEqual([halted.code, /again: lakehelm init orders$/m.test(halted.stderr)], [130, true]);
  const folder = join(root, "orders");
  const ignored = join(folder, ".gitignore");
  await appendFile(ignored, "notes.md\n");
  const made = await lakehelm(["init", "orders"], { env });
  assert.equal(made.code, 0, made.stderr);
  assert.match(await readFile(ignored, "utf8"), /^notes\.md$/m, "what somebody has changed stays");
  // The rows come from the first run, or from a run that the connector's trigger started before.
  assert.match(made.stdout, /^orders-in succeeded(?:: 4 rows inserted)?$/m);
  assert.match(made.stdout, /^2026-03-01 +2 +24\.90$/m);
  const again = await lakehelm(["init", "orders"], { env });
  assert.deepEqual([again.code, /orders is not empty/.test(again.stderr)], [2, true]);
  assert.equal((await lakehelm(["validate", "--dir", folder])).code, 0);
  assert.equal((await lakehelm(["policy", "test", "--dir", folder])).code, 0);

  const file = join(folder, "flows/revenue.yaml");
  const text = await readFile(file, "utf8");
  const changed = text.replace("Revenue by day", "Revenue of each day");
  const interrupted = new AbortController();
  let seen = "";
  const dev = await lakehelm(["dev", "--dir", folder], {
    env,
    signal: interrupted.signal,
    onOutput(piece) {
      seen += piece;
      // The files are as `init` applied them, so nothing changes; each later step of the test starts the next one.
      if (/^Nothing to change in local, 2 unchanged\.$/m.test(piece)) void writeFile(file, changed);
      if (/^flow revenue updated$/m.test(piece)) interrupted.abort();
    },
  });
  assert.equal(dev.code, 130, dev.stderr);
  assert.match(seen, /^~ flow revenue[\s\S]*"Revenue by day" → "Revenue of each day"/m);

  const program = fileURLToPath(new URL("../main.ts", import.meta.url));
  const child = spawn(process.execPath, [program, "dev", "--no-apply", "--dir", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let planned = "";
  for await (const piece of child.stdout) {
    planned += piece;
    if (/^Nothing to change in local/m.test(String(piece))) await writeFile(file, text);
    if (planned.includes("Not applied.")) child.kill("SIGTERM");
  }
  assert.match(planned, /^~ flow revenue[\s\S]*1 to update[\s\S]*^Not applied\. To apply it, in another/m);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(planned)?.[0];
  assert.ok(url);
  // The server ends with the command, so requests fail.
  while (await isAnswered(url)) await setTimeout(50);
});
