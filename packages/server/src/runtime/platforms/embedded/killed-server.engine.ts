import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { freeze } from "@lakehelm/testing/freeze";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../../testing/process.ts";
import { enginesOfSlowSuites } from "../../../testing/server.ts";
import { processAt } from "../../processes/operating-system.ts";
import { embedded } from "../conformance/embedded.ts";
import { openConnector, rows } from "../conformance/test-connector.ts";

const settings = { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1", PLATFORM_LEASE_SECONDS: "3" };

for (const engine of enginesOfSlowSuites) {
  test(`${engine}: the next server ends an engine that a killed server left running, and its runs succeed`, async (t) => {
    const home = await testHome(t, engine);
    const killed = await startProcess(t, home, settings);
    let { client } = killed;
    const shop = await openConnector(t, embedded, () => client);
    shop.put(rows("Ada"));
    assert.equal((await shop.runToEnd()).status, "succeeded");
    const [line, began] = (await readFile(join(home.dataDir, "engine-process"), "utf8")).split("\n");
    const pid = Number(line);
    // No thread of a stopped process can notice that its server has ended.
    await freeze(pid);
    killed.child.kill("SIGKILL");
    await killed.ended;
    assert.equal((await processAt(pid))?.began, began);

    const next = await startProcess(t, home, settings);
    ({ client } = next);
    await until(async () => (await processAt(pid))?.began !== began);
    shop.put(rows("Ada", "Bob"));
    assert.equal((await shop.runToEnd()).status, "succeeded");
    assert.deepEqual(await shop.read(client), rows("Ada", "Bob"));
  });
}

test("a process that has the pid of a former engine, but another start time, is left alone", async (t) => {
  const home = await testHome(t, "sqlite");
  const first = await startProcess(t, home, settings);
  const { client } = first;
  await client.runQuery({ body: { sql: "SELECT 1" } });
  const file = join(home.dataDir, "engine-process");
  const [, , boot] = (await readFile(file, "utf8")).split("\n");
  first.child.kill("SIGKILL");
  await first.ended;
  const own = await processAt(process.pid);
  await writeFile(file, [process.pid, `${own?.began}0`, boot].join("\n"));
  const next = await startProcess(t, home, settings);
  await next.client.runQuery({ body: { sql: "SELECT 1" } });
  next.child.kill("SIGKILL");
  await next.ended;
  await writeFile(file, "x");
  await startProcess(t, home, settings);
});
