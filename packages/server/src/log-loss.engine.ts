/**
 * When the log's disk is full, or the log's reader has ended or does not read, the server keeps answering and stops
 * when asked.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { query } from "@lakehelm/testing";
import { until } from "@lakehelm/testing/until";
import { spawnServer, startProcess, testHome } from "./testing/process.ts";
import { smallDisk } from "./testing/small-disk.ts";

const token = "tst_5Vq8RwYk2mHcXz7LbN4dPj";
const pollMs = 20;

async function fill(disk: string): Promise<void> {
  const file = openSync(join(disk, "ballast"), "w");
  try {
    for (let size = 1024 * 1024; size >= 1; ) {
      try {
        execFileSync("dd", ["if=/dev/zero", `bs=${size}`, "count=1"], { stdio: ["ignore", file, "ignore"] });
      } catch {
        size = Math.floor(size / 16);
      }
    }
  } finally {
    closeSync(file);
  }
}

const metric = async (url: string) => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  return Number(/^lakehelm_log_dropped_lines_total (\d+)$/m.exec(await response.text())?.[1]);
};

/** Each request is refused, which logs one line. */
const logLines = (url: string, count: number, length = 1) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetch(`${url}/${"x".repeat(length)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.text();
      assert.equal(response.status, 404);
    }),
  );

async function stops(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
}

suite("a lost log", () => {
  for (const environment of ["production", "development"]) {
    test(`${environment}: with its log on a full disk the server answers, and logs again when there is space`, async (t) => {
      const disk = await smallDisk(t, "1m");
      if (disk === undefined) return;
      const home = await testHome(t, "sqlite");
      const path = join(disk, "server.log");
      const log = openSync(path, "w");
      const child = spawnServer(t, home, { PLATFORM_ENV: environment }, log);
      closeSync(log);
      const read = () => readFile(path, "utf8");
      const [, url = ""] = await until(
        async () => /(http:\/\/127\.0\.0\.1:\d+)/.exec(await read()) ?? undefined,
        pollMs,
      );

      await fill(disk);
      await until(async () => {
        await logLines(url, 20, 500);
        return (await metric(url)) > 0;
      }, pollMs);
      await rm(join(disk, "ballast"));
      await until(async () => {
        await logLines(url, 1);
        return (await read()).includes("log lines were dropped");
      }, pollMs);

      await stops(child);
      assert.match(await read(), /stopping/);
    });
  }

  test("when the reader of the log has ended, the server answers and counts the lines", async (t) => {
    const server = await startProcess(t, await testHome(t, "sqlite"));
    server.child.stdout?.destroy();
    await until(async () => {
      await logLines(server.url, 1);
      return (await metric(server.url)) > 1;
    }, pollMs);
    await stops(server.child);
  });

  test("when nobody reads the log, the server answers, drops lines, and stops when asked", async (t) => {
    const server = await startProcess(t, await testHome(t, "sqlite"));
    server.child.stdout?.pause();
    server.child.stdout?.removeAllListeners("data");
    await until(async () => {
      await logLines(server.url, 50, 2_000);
      return (await metric(server.url)) > 0;
    }, pollMs);
    const client = createClient({ baseUrl: server.url, token, retries: 0 });
    assert.equal((await client.getHealth()).ready, true);
    await stops(server.child);
  });
});

test("when the disk of the database is full, /health says not ready, and ready again when there is space", async (t) => {
  const disk = await smallDisk(t, "8m");
  if (disk === undefined) return;
  const dataDir = join(disk, "data");
  await mkdir(dataDir);
  const { url, child, client } = await startProcess(t, { dataDir, databaseUrl: undefined });
  const health = async () => {
    const response = await fetch(`${url}/health`);
    return { status: response.status, body: await response.json() };
  };
  assert.equal((await health()).status, 200);

  let n = 0;
  const create = () =>
    client.createEnvironment({ body: { name: `e${n++}`, description: "x".repeat(50_000) } }).then(
      () => 200,
      (error: { status?: number }) => error.status,
    );
  await fill(disk);
  await until(async () => (await create()) === 503, pollMs);
  assert.deepEqual(
    await until(async () => {
      // A failed write frees its pages, and the next writes may fit into them.
      await create();
      const found = await health();
      return found.status === 503 && found;
    }, pollMs),
    {
      status: 503,
      body: {
        status: "unavailable",
        live: true,
        ready: false,
        detail: "The disk is full: nothing was written.",
      },
    },
  );

  await rm(join(disk, "ballast"));
  await until(async () => (await health()).status === 200, pollMs);
  assert.equal(await create(), 200);
  await stops(child);
});

test("when PostgreSQL only accepts reads, /health says not ready, and ready again when it accepts writes", async (t) => {
  const home = await testHome(t, "postgres");
  const { url, child, client } = await startProcess(t, home);
  const database = home.databaseUrl ?? "";
  const name = new URL(database).pathname.slice(1);
  /** Applies to all connections, including open ones. */
  const setReadOnly = async (value: "on" | "off") => {
    const change = `alter database "${name}" set default_transaction_read_only = ${value}`;
    await query(database, `begin read write; ${change}; commit`);
    const others = "pid <> pg_backend_pid() and datname = current_database()";
    await query(database, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  };
  let n = 0;
  const isCreated = () =>
    client.createEnvironment({ body: { name: `e${n++}` } }).then(
      () => true,
      () => false,
    );
  const status = async () => {
    const response = await fetch(`${url}/health`);
    const { live, ready } = (await response.json()) as { live: boolean; ready: boolean };
    return `${response.status} ${live} ${ready}`;
  };
  assert.equal(await status(), "200 true true");

  await setReadOnly("on");
  await until(async () => !(await isCreated()), pollMs);
  await until(async () => (await status()) === "503 true false", pollMs);
  await setReadOnly("off");
  await until(async () => (await status()) === "200 true true", pollMs);
  assert.equal(await until(isCreated, pollMs), true);
  await stops(child);
});
