/** #3 writes only its temporary folder: whether it passes, fails, or its server is killed during the validation. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { freeze } from "@lakehelm/testing/freeze";
import { until } from "@lakehelm/testing/until";
import { openPostgres } from "../../core/store/postgres.ts";
import { type Home, startProcess, testHome } from "../../testing/process.ts";
import { enginesOfSlowSuites } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

const params = { automation_alias: "report" };
const query = "create or replace table shop.sales.big as select * from shop.sales.orders";
const designs = {
  valid: { tasks: [{ name: "stage", kind: "sql", query }] },
  wrong: { tasks: [{ name: "stage", kind: "sql", query: query.replace("orders", "nowhere") }] },
};

for (const engine of enginesOfSlowSuites) {
  suite(`validation without side effects on ${engine}`, () => {
    test("nothing changes when it passes, fails or is killed, and no folder is left behind", async (t) => {
      const home = await testHome(t, engine);
      const temporary = await mkdtemp(join(tmpdir(), "lakehelm-kills-"));
      // The engine of a killed server ends a little later, and writes its compile cache then.
      t.after(() => rm(temporary, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));
      const start = () => startProcess(t, home, { TMPDIR: temporary });
      const designFolders = async () =>
        (await readdir(temporary)).filter((name) => name.startsWith("lakehelm-design-"));

      let server = await start();
      const environment = await prepared(server.client, home);
      const validate = (attempt_id: keyof typeof designs) =>
        server.client.validateArtifacts({ params, body: { attempt_id }, environment });
      const before = await stateOf(home);

      assert.deepEqual((await validate("valid")).validation_errors, []);
      assert.match(
        (await validate("wrong")).validation_errors.join(),
        /^definition\.yaml:\d+:\d+: .*nowhere/,
      );
      assert.deepEqual(await designFolders(), []);
      assert.deepEqual(await stateOf(home), before);

      const engineProcess = childOf(server.child.pid as number);
      t.after(() => ended(engineProcess));
      await freeze(engineProcess);
      const pending = validate("valid").then(
        () => "answered",
        () => "cut off",
      );
      await until(async () => (await filesIn(temporary)).some(([path]) => path.endsWith("definition.yaml")));
      server.child.kill("SIGKILL");
      assert.equal(await pending, "cut off");
      await server.ended;
      ended(engineProcess);
      assert.equal((await designFolders()).length, 1);
      assert.deepEqual(await stateOf(home), before);

      server = await start();
      assert.deepEqual(await designFolders(), []);
      assert.deepEqual((await validate("valid")).validation_errors, []);
    });
  });
}

/** An environment with tables, a file in its workspace folder, and two attempts. Returns its id. */
async function prepared(client: Client, home: Home): Promise<string> {
  const { id } = await client.createEnvironment({
    body: { name: "shop", configuration: shopConfiguration },
  });
  await fillWarehouse(home, id, ...shop);
  await client.putFile({ params: { path: "reports/big.sql" }, body: "select 1", environment: id });
  await client.createAutomation({ body: { alias: "report" } });
  for (const [attempt_id, body] of Object.entries(designs)) {
    await client.putAttempt({ params: { ...params, attempt_id }, body });
  }
  // The engine has the warehouse open from here on.
  const counted = await client.validateQuery({
    body: { query: "select count(*) from orders" },
    environment: id,
  });
  assert.equal(counted.result, 3);
  return id;
}

/** All rows of the database, and the hash of every file of warehouse and workspace, once they are stable. */
async function stateOf(home: Home): Promise<Record<string, unknown>> {
  let last = await snapshot(home);
  await until(async () => {
    const next = await snapshot(home);
    const same = JSON.stringify(next) === JSON.stringify(last);
    last = next;
    return same;
  }, 200);
  return last;
}

async function snapshot({ dataDir, databaseUrl }: Home): Promise<Record<string, unknown>> {
  const read = databaseUrl ? await postgresReader(databaseUrl) : sqliteReader(join(dataDir, "lakehelm.db"));
  const found: Record<string, unknown> = {};
  // Leases are renewed periodically, independent of requests.
  for (const name of read.tables.filter((table) => table !== "leases")) found[name] = await read.rows(name);
  await read.close();
  const folders = ["warehouse", "workspaces"].map((name) => join(dataDir, name));
  found.files = (await Promise.all(folders.map(filesIn))).flat();
  return found;
}

function sqliteReader(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const all = (sql: string) => database.prepare(sql).all();
  return {
    tables: all("select name from sqlite_schema where type = 'table'").map(({ name }) => String(name)),
    rows: async (table: string) => all(`select * from ${table}`).map((row) => JSON.stringify(row)),
    close: async () => database.close(),
  };
}

async function postgresReader(url: string) {
  const engine = await openPostgres(url);
  const all = (sql: string) => engine.read({ sql, parameters: [] });
  const tables = await all("select tablename as name from pg_tables where schemaname = 'public'");
  return {
    tables: tables.map(({ name }) => String(name)),
    // Includes the transaction id, to detect a row that was rewritten unchanged.
    rows: async (table: string) =>
      (await all(`select xmin, * from ${table}`)).map((row) => JSON.stringify(row)).sort(),
    close: () => engine.close(),
  };
}

async function filesIn(folder: string): Promise<[path: string, hash: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.sort().map(async (path): Promise<[string, string]> => {
      const content = await readFile(path);
      return [path, createHash("sha256").update(content).digest("hex")];
    }),
  );
}

/** The engine's process: the only child of a server that has one warehouse open. */
function childOf(parent: number): number {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const children = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, of]) => of === parent);
  assert.equal(children.length, 1, "the server has one child");
  return children[0]?.[0] as number;
}

function ended(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The engine has already ended with its server.
  }
}
