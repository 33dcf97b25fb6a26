import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { done, startRemotePlatform } from "../../../server/src/testing/remote-platform.ts";
import { startTestServer } from "../../../server/src/testing/server.ts";
import { lakehelm } from "../testing/terminal.ts";

test("a server that dies in an apply: the command says that it goes on, and how to look", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-lost-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "connectors"));
  await writeFile(join(folder, "lakehelm.yaml"), "name: shop\nenvironments:\n  away: {}\n");
  await writeFile(
    join(folder, "connectors/orders-out.yaml"),
    "target_type: csv\ntarget_config: {path: /srv/shop}\nschedule_cron: 0 * * * *\n",
  );
  const remote = await startRemotePlatform("remote", ["csv"]);
  let server = await startTestServer({ platforms: [remote.platform] });
  t.after(async () => {
    await server.close();
    await remote.close();
  });
  await server.client.createEnvironment({ body: { name: "away", platform: "remote" } });
  const held = remote.holdNext();
  const running = lakehelm(["apply", "--dir", folder, "--env", "away", "--yes"], {
    env: { LAKEHELM_URL: server.url, LAKEHELM_TOKEN: server.token },
  });
  const first = await Promise.race([held.received, running]);
  assert.ok("kind" in first, JSON.stringify(first));
  const crashed = server.crash();
  held.reply(done);
  server = await crashed;
  const { code, stderr } = await running;
  assert.notEqual(code, 0);
  assert.match(
    stderr,
    /After its restart it goes on by itself\. To see how far it is: lakehelm plans get \S+/,
  );
});
