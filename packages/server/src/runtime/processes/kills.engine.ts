/** Kills real servers with kill -9: their processes are found, adopted or ended, and never duplicated. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { App } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { processesOf, type ServerProcess, startProcess, testHome } from "../../testing/process.ts";
import { type DatabaseEngine, enginesOfSlowSuites } from "../../testing/server.ts";
import { putTinyApp } from "../../testing/tiny-app.ts";
import { freePort } from "./port.ts";
import { programsAmong } from "./test-processes.ts";

/** The processes of a data folder, with their environments. */
async function environmentsOf(dataDir: string) {
  return Promise.all(
    (await programsAmong(await processesOf(dataDir))).map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return { pid, env: Object.fromEntries(text.split("\0").map((entry) => entry.split(/=(.*)/s, 2))) };
    }),
  );
}

/** A home whose servers always listen on the same port, as in production; its processes end with the test. */
async function given(t: TestContext, engine: DatabaseEngine) {
  const home = await testHome(t, engine);
  const settings = {
    PORT: String(await freePort(() => false)),
    APPS_PORT: "0",
    PLATFORM_LEASE_SECONDS: "3",
    PLATFORM_SECRET_KEY: "a secret key for no process",
    AWS_SECRET_ACCESS_KEY: "another secret for no process",
  };
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startProcess(t, home, { ...settings, ...more });
  const kill = async (server: ServerProcess) => {
    server.child.kill("SIGKILL");
    await server.ended;
  };
  const server = await start();
  const running = () => environmentsOf(home.dataDir);
  await until(async () => (await server.client.listFiles().catch(() => undefined)) !== undefined, 50);
  const source_path = await putTinyApp(server.client, "local");
  const app = await server.client.createApp({ body: { name: "ui", source_path } });
  const read = (of: ServerProcess): Promise<App> => of.client.getApp({ params: { app_id: app.id } });
  return { home, running, start, kill, server, read, ui: { body: { application_name: "ui" } } };
}

const isUp = ({ desired_state, observed_state }: App) =>
  desired_state === "running" && observed_state === "running";

test("a killed server's process continues; the next server adopts, monitors and restarts it", async (t) => {
  const { running, start, kill, server, read, ui } = await given(t, "sqlite");
  await server.client.startApp(ui);
  const [first, ...others] = await running();
  assert.ok(first);
  assert.deepEqual(others, []);
  const variables = JSON.stringify(first.env);
  assert.doesNotMatch(variables, /for no process|tst_5Vq8|PLATFORM_|AWS_/);
  assert.equal(first.env.LAKEHELM_URL, server.url);
  const token = await readFile(String(first.env.LAKEHELM_TOKEN_FILE), "utf8");
  const status = await fetch(`${server.url}/api/v1/auth/status`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.match(await status.text(), /"auth_type":"client_jwt"/);
  await kill(server);

  const get = (path: string) => fetch(`http://127.0.0.1:${first.env.PORT}${path}`);
  assert.equal((await get("/say?text=alone")).status, 200, "it continues and logs without a server");
  const next = await start();
  await until(async () => (await running()).length === 1);
  assert.equal((await running())[0]?.pid, first.pid);
  const { id } = await read(next);
  const { lines } = await next.client.readAppLog({ params: { app_id: id } });
  assert.equal(lines.at(-1)?.line, "alone");
  assert.ok(isUp(await read(next)));

  await get("/exit?code=7").catch(() => {});
  await until(async () => (await running()).some(({ pid }) => pid !== first.pid), 50);
  await until(async () => isUp(await read(next)), 50);
  assert.equal((await read(next)).message, "It ended. It was restarted (restart 1).");
  assert.equal((await running()).length, 1);

  next.child.kill("SIGTERM");
  assert.equal(await next.ended, 0);
  assert.deepEqual(await running(), []);
  const last = await start();
  await until(async () => (await running()).length === 1, 50);
  await until(async () => isUp(await read(last)), 50);
});

test("a server with another URL restarts the process", async (t) => {
  const { running, start, kill, server, read, ui } = await given(t, "sqlite");
  await server.client.startApp(ui);
  const [before] = await running();
  await kill(server);
  const next = await start({ PORT: String(await freePort(() => false)) });
  await until(async () => isUp(await read(next)) && (await running())[0]?.env.LAKEHELM_URL === next.url, 50);
  const now = await running();
  assert.equal(now.length, 1);
  assert.notEqual(now[0]?.pid, before?.pid);
});

test("a server on a copied data folder does not touch the original's processes", async (t) => {
  const { running, server, ui, home, start } = await given(t, "sqlite");
  await server.client.startApp(ui);
  const [before] = await running();
  const copy = await mkdtemp(join(tmpdir(), "lakehelm-copy-"));
  t.after(() => rm(copy, { recursive: true, force: true }));
  await cp(home.dataDir, copy, { recursive: true, filter: (path) => !path.endsWith("lease") });
  const other = await start({ PORT: "0", PLATFORM_DATA_DIR: copy });
  await until(async () => (await other.client.listApps()).apps[0]?.observed_state === "running", 50);
  assert.deepEqual(
    (await running()).map(({ pid }) => pid),
    [before?.pid],
  );
  other.child.kill("SIGTERM");
  await other.ended;
});

for (const engine of enginesOfSlowSuites) {
  test(`after a kill during a start, stop or deploy, the next server leaves at most one process, on ${engine}`, async (t) => {
    const { running, start, kill, ui, read, ...rest } = await given(t, engine);
    let server = rest.server;
    for (let n = 0; n < 10; n++) {
      const calls = [
        () => server.client.startApp(ui),
        () => server.client.stopApp(ui),
        () => server.client.stopApp(ui).then(() => server.client.startApp(ui)),
      ];
      const pending = calls[n % calls.length]?.().catch(() => {});
      // From before the transaction to after the response: a start takes about 300 ms here.
      await pause(n * 37);
      await kill(server);
      await pending;
      server = await start();
      const isConsistent = async () => {
        const { desired_state, observed_state } = await read(server);
        const count = (await running()).length;
        assert.ok(count <= 1, `${count} processes at once`);
        return desired_state === observed_state && count === (desired_state === "running" ? 1 : 0);
      };
      await until(isConsistent, 50);
    }
  });
}

test("of servers that share a PostgreSQL, only the lease holder of the data folder runs the process", async (t) => {
  const { running, start, kill, server, read, ui } = await given(t, "postgres");
  const second = await start({ PORT: "0" });
  await until(async () => (await second.client.startApp(ui).catch(() => undefined)) !== undefined, 50);
  assert.deepEqual(
    (await running()).map(({ env }) => env.LAKEHELM_URL),
    [server.url],
    "the lease holder performs the request to the other server",
  );
  /** Waits until one of these servers is the lease holder of the data folder, and runs the process. */
  const runsWith = (...holders: ServerProcess[]) =>
    until(async () => {
      const now = await running();
      assert.ok(now.length <= 1, `${now.length} processes at once`);
      const isOurs = holders.some(({ url }) => now[0]?.env.LAKEHELM_URL === url);
      return isOurs && isUp(await read(holders[0] as ServerProcess));
    }, 50);
  await kill(server);
  await runsWith(second);

  const third = await start({ PORT: "0" });
  const [before] = await running();
  second.child.kill("SIGSTOP");
  // The server is suspended for longer than its lease: when it resumes, it must notice that and end its processes.
  // Requests that were forwarded to it hang with it.
  const impatient = createClient({ baseUrl: third.url, token: third.token, retries: 0, timeoutMs: 500 });
  await until(async () => (await impatient.listFiles().catch(({ status }) => status)) === 503, 100);
  second.child.kill("SIGCONT");
  await until(async () => (await running())[0]?.pid !== before?.pid, 50);
  await runsWith(third, second);
});
