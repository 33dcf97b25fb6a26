/**
 * Upgrades a released schema, as an older server left it, by starting a server, which is then used: the oldest and the
 * two newest schemas, and all of them in nightly runs.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { emptyDatabase, query } from "@lakehelm/testing";
import { isNightly } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { migrations } from "./core/store/migrations.ts";
import { countedUsage, storedRows } from "./resources/quotas/test-usage.ts";
import { refused } from "./testing/refusal.ts";
import { startTestServer, type TestServer } from "./testing/server.ts";

const folder = join(import.meta.dirname, "upgrade-fixtures");
const allFixtures = globSync("*.sql", { cwd: folder })
  .map((file) => basename(file, ".sql"))
  .sort();
/**
 * Each schema has a fixture for each database. The newest fixture has the current schema; most upgrades start from the
 * one before it.
 */
const [oldest, newest] = [allFixtures.slice(0, 2), allFixtures.slice(-4)];
const fixtures = isNightly ? allFixtures : [...oldest, ...newest];

/** After the fixtures were created, and before the first scheduled runs. */
const before = "2026-12-01T12:00:00.000Z";
/** After the first scheduled runs. */
const after = "2027-01-01T12:00:00.000Z";
const pollMs = 50;

interface FixtureDetails {
  /** The token of the user ada@example.test. */
  readonly token: string;
  /** The files of the data folder, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** A source of rows that stores the credentials which connectors send. */
async function startSource(t: TestContext) {
  const received = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    received.set(request.url ?? "", request.headers.authorization);
    response.writeHead(200, { "content-type": "application/json" }).end('[{"id":1,"name":"first"}]');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The data folder and the database that an older server left. */
async function restore(t: TestContext, name: string, sourceUrl: string) {
  const { token, files }: FixtureDetails = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const dump = readFileSync(join(folder, `${name}.sql`), "utf8").replaceAll(
    "http://source.example.test",
    sourceUrl,
  );
  const dataDir = await mkdtemp(join(tmpdir(), "lakehelm-upgrade-"));
  /** Stopped first, because they use the folder and the database. */
  const servers: TestServer[] = [];
  let drop = async () => {};
  t.after(async () => {
    for (const { server } of servers) await server.stop();
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(dataDir, dirname(path)), { recursive: true });
    await writeFile(join(dataDir, path), text);
  }
  if (name.endsWith("-sqlite")) {
    const file = new DatabaseSync(join(dataDir, "lakehelm.db"));
    file.exec(dump);
    file.close();
    return { dataDir, token, servers, databaseUrl: undefined };
  }
  const database = await emptyDatabase(`upgrade_${randomUUID().replaceAll("-", "")}`);
  drop = database.drop;
  await query(database.url, dump);
  return { dataDir, token, servers, databaseUrl: database.url };
}

/** Starts a server on the restored state, with its clock at this time. */
async function startAt(time: string, state: Awaited<ReturnType<typeof restore>>): Promise<TestServer> {
  const ahead = Date.parse(time) - Date.now();
  const server = await startTestServer({
    now: () => new Date(Date.now() + ahead),
    settings: {
      PLATFORM_DATA_DIR: state.dataDir,
      PLATFORM_SECRET_KEY: "fixture-secret-key-9fKx3Lm8Zt5Rb1Vd",
      PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
      ...(state.databaseUrl && { DATABASE_URL: state.databaseUrl }),
    },
  });
  state.servers.push(server);
  return server;
}

const schedulesOf = async ({ client }: TestServer, alias: string) =>
  (await client.getAutomation({ params: { automation_alias: alias } })).schedules;

const verdict = async ({ client }: TestServer) => {
  const { intact, problem } = await client.verifyEvents();
  return { intact, problem };
};

async function runsOf({ client }: TestServer, jobId: string) {
  return (await client.listRunsOfJob({ params: { job_id: jobId } })).runs;
}

async function jobOf({ client }: TestServer, alias: string): Promise<string> {
  const { releases } = await client.getAutomation({ params: { automation_alias: alias } });
  return releases[0]?.workflow_id ?? "";
}

suite("after an upgrade everything runs", () => {
  for (const name of fixtures) {
    test(`from ${name}`, async (t) => {
      const source = await startSource(t);
      const state = await restore(t, name, source.url);
      const first = await startAt(before, state);
      const { client } = first;

      assert.equal((await client.getInfo()).schema_version, migrations.length);
      assert.deepEqual(await verdict(first), { intact: true, problem: null });
      // Usage in a newer dump was counted with another source address, so it differs. Background work changes rows at
      // the same time, hence the loop.
      if (Number.parseInt(name, 10) < 22)
        await until(async () => {
          const rows = await first.rows();
          return isDeepStrictEqual(countedUsage(rows), storedRows(rows));
        });
      const asAda = await first.fetch("/api/v1/connectors/", {
        headers: { authorization: `Bearer ${state.token}` },
      });
      assert.equal(asAda.status, 200);

      // Scopes from before hosts were limited allow every host.
      const stored = await client.listSecrets({ params: { scope: "shop" }, environment: "prod" });
      const wasBound = Number.parseInt(name, 10) >= 21;
      assert.deepEqual(stored.limits.hosts, wasBound ? ["source.example.test"] : ["*"]);
      // The source of the test has another host.
      if (wasBound) await client.limitSecretScope({ params: { scope: "shop" }, body: { hosts: ["*"] } });

      const { connectors } = await client.listConnectors();
      assert.deepEqual(
        connectors.map(({ name, status }) => [name, status]),
        [
          ["inline", "active"],
          ["referring", "active"],
          ["paused", "paused"],
        ],
      );
      for (const { workflow_id, status } of connectors) {
        const job = await client.getJob({ params: { job_id: workflow_id ?? "" } });
        assert.equal(job.next_at, "2027-01-01T05:00:00.000Z");
        assert.equal(job.paused !== null, status === "paused");
      }
      const states = { released: "active", "released-paused": "paused", "released-changed": "active" };
      for (const [alias, state] of Object.entries(states)) {
        const [schedule] = await schedulesOf(first, alias);
        assert.deepEqual([alias, schedule?.state, schedule?.problem], [alias, state, null]);
        const job = await client.getJob({ params: { job_id: await jobOf(first, alias) } });
        assert.equal(job.next_at, "2027-01-01T06:00:00.000Z");
      }
      await until(async () => {
        const { processes = [] } = await first.rows();
        const observed = processes.map(({ doc }) => JSON.parse(String(doc)).sight?.observed_state);
        return observed.length === 2 && observed.every((state) => state === "running");
      }, pollMs);
      await first.server.stop();
      state.servers.pop();

      const second = await startAt(after, state);
      for (const { workflow_id, status } of connectors) {
        if (status === "paused") continue;
        const run = await until(async () => {
          const [run] = await runsOf(second, workflow_id ?? "");
          return run?.ended_at ? run : undefined;
        }, pollMs);
        assert.deepEqual([run.status, run.error], ["succeeded", null]);
      }
      assert.deepEqual(Object.fromEntries(source.received), {
        "/inline": "Bearer sealed-41d8",
        "/referring": "Bearer stored-9f2c",
      });
      for (const alias of ["released", "released-changed"]) {
        const job = await jobOf(second, alias);
        const run = await until(async () => {
          const [run] = await runsOf(second, job);
          return run?.ended_at ? run : undefined;
        }, pollMs);
        assert.deepEqual([alias, run.status, run.error], [alias, "succeeded", null]);
      }
      assert.deepEqual(await runsOf(second, connectors[2]?.workflow_id ?? ""), []);
      assert.deepEqual(await runsOf(second, await jobOf(second, "released-paused")), []);

      await second.client.createConnector({
        body: { name: "new", target_type: "warehouse", target_config: {}, created_by: "ada" },
        environment: "prod",
      });
      assert.equal((await second.client.listConnectors()).total, 4);
      const inline = { name: "inline", target_type: "warehouse", target_config: {}, created_by: "ada" };
      const again = (environment: string) => second.client.createConnector({ body: inline, environment });
      await refused(
        again("prod"),
        409,
        'There is already a connector named "inline" in the environment "prod".',
      );
      assert.equal((await again("local")).status, "active");
      const { deployments } = await second.client.listDeployments();
      assert.ok(deployments.some(({ status }) => status === "succeeded"));
      assert.deepEqual(await verdict(second), { intact: true, problem: null });
    });
  }
});
