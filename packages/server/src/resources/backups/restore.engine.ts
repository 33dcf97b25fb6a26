import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { restoreBackup } from "./restore.ts";

const lines = "bronze.shop.lines";

/** A database whose rows are appended to a table of the warehouse. */
async function given(t: TestContext) {
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-backup-"));
  t.after(() => rm(scratch, { recursive: true, force: true }));
  const source = new DatabaseSync(join(scratch, "shop.db"));
  t.after(() => source.close());
  source.exec("create table lines (id integer primary key, note text)");
  let rows = 0;
  /** The next rows of the source, numbered. */
  function grow(count: number): void {
    source.exec("begin");
    const insert = source.prepare("insert into lines values (?, ?)");
    for (let n = 0; n < count; n++) insert.run(++rows, `line ${rows} ${"x".repeat(100)}`);
    source.exec("commit");
  }
  grow(20_000);
  const server = await startTestServer();
  t.after(() => server.close());
  const { client } = server;
  const connector = await client.createConnector({
    body: {
      name: "lines",
      target_type: "warehouse",
      execution_mode: "manual",
      target_config: {
        connection: { name: "shop", type: "sqlite", config: { path: join(scratch, "shop.db") } },
      },
      created_by: "ada",
    },
  });
  await client.addDataset({
    params: { connector_id: connector.id },
    body: {
      source_dataset: "lines",
      target_name: lines,
      write_strategy: "append",
      watermark_column: "id",
    },
  });
  return {
    scratch,
    server,
    grow,
    connectorId: connector.id,
    jobId: connector.workflow_id ?? "",
    rowsOfSource: () => rows,
  };
}

async function runToEnd(client: Client, jobId: string): Promise<void> {
  const { id } = await client.runJob({ params: { job_id: jobId } });
  const run = await until(async () => {
    const found = await client.getRun({ params: { run_id: id } });
    return found.status === "queued" || found.status === "running" ? undefined : found;
  });
  assert.equal(run.status, "succeeded", String(run.error));
}

async function backUp(client: Client): Promise<{ path: string; event_sequence: number | null; id: string }> {
  const { id } = await client.createBackup();
  const backup = await until(async () => {
    const found = await client.getBackup({ params: { backup_id: id } });
    return found.status === "running" ? undefined : found;
  });
  assert.equal(backup.status, "complete", String(backup.error));
  return backup;
}

async function restored(
  t: TestContext,
  { dataDir }: TestServer,
  backup: string,
  scratch: string,
  startsActive = false,
) {
  const folder = join(scratch, `restored-${backup.slice(-8)}`);
  const secretKey = (await readFile(join(dataDir, "secret-key"), "utf8")).trim();
  await restoreBackup({ backup, dataDir: folder, secretKey, keepsKey: true, startsActive });
  const start = async () => {
    const server = await startTestServer({ settings: { PLATFORM_DATA_DIR: folder } });
    t.after(() => server.close());
    return server;
  };
  return { folder, start };
}

const count = async (client: Client, sql: string) =>
  (await client.runQuery({ body: { sql } })).rows[0]?.map(Number);

/** Rows, distinct ids and the greatest id: equal if each row is there once. */
const shape = (client: Client) => count(client, `SELECT count(*), count(DISTINCT id), max(id) FROM ${lines}`);

/** Every table of a control database. */
function tablesOf(path: string): Record<string, unknown[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const names = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    return Object.fromEntries(
      names.map(({ name }) => [
        String(name),
        database
          .prepare(`select * from "${name}"`)
          .all()
          .map((row) => ({ ...row })),
      ]),
    );
  } finally {
    database.close();
  }
}

test("a backup that is made while runs, files and changes go on is restored without a lost or doubled row", async (t) => {
  const at = await given(t);
  const { client } = at.server;
  await runToEnd(client, at.jobId);
  const before = at.rowsOfSource();
  let stops = false;
  let turns = 0;
  const writers = Promise.all([
    (async () => {
      for (; !stops; turns++) {
        at.grow(500);
        await runToEnd(client, at.jobId);
      }
    })(),
    (async () => {
      for (let n = 0; !stops; n++) {
        await client.putFile({ params: { path: `notes/${n % 50}.txt` }, body: `note ${n}` });
        await client.putSecret({ params: { scope: "shop", key: `k${n % 20}` }, body: { value: `v${n}` } });
      }
    })(),
  ]);
  await until(() => turns > 0);
  const backup = await backUp(client);
  const turnsThen = turns;
  await until(() => turns > turnsThen);
  stops = true;
  await writers;

  const copy = await restored(t, at.server, backup.path, at.scratch);
  const server = await copy.start();
  const [rows = 0, ids, last] = (await shape(server.client)) ?? [];
  assert.deepEqual([ids, last], [rows, rows]);
  assert.ok(rows >= before && rows <= at.rowsOfSource(), `${rows} of ${before} to ${at.rowsOfSource()}`);

  // Up to the moment of the backup, the event log equals that of the original server, and it verifies.
  assert.deepEqual((await server.client.verifyEvents()).problem, null);
  const upTo = backup.event_sequence ?? 0;
  const events = (one: Client) => one.readEvents({ query: { limit: 1000 } });
  const original = (await events(client)).events.filter(({ sequence }) => sequence <= upTo);
  assert.ok(original.length > 0);
  assert.deepEqual((await events(server.client)).events.slice(0, original.length), original);

  // The restored server is paused until an admin resumes it. Then the next run reads only what is missing.
  assert.equal((await server.client.getInfo()).paused, true);
  const queued = await server.client.runJob({ params: { job_id: at.jobId } });
  await server.server.tick();
  assert.equal((await server.client.getRun({ params: { run_id: queued.id } })).status, "queued");
  await server.client.resumeServer();
  assert.equal((await server.client.getInfo()).paused, false);
  await until(
    async () => (await server.client.getRun({ params: { run_id: queued.id } })).status === "succeeded",
  );
  await runToEnd(server.client, at.jobId);
  const all = at.rowsOfSource();
  assert.deepEqual(await shape(server.client), [all, all, all]);
  const kinds = (await server.events()).map(({ kind }) => kind);
  assert.ok(kinds.indexOf("server.resumed") < kinds.lastIndexOf("run.started"));
});

test("a backup of a quiet server has every table, file and answer of it", async (t) => {
  const at = await given(t);
  const { client, dataDir } = at.server;
  await runToEnd(client, at.jobId);
  await client.putFile({ params: { path: "pipelines/orders.sql" }, body: "SELECT 1" });
  await client.putSecret({ params: { scope: "shop", key: "password" }, body: { value: "s3cret" } });
  await at.server.server.events.seal();
  const backup = await backUp(client);
  const { folder, start } = await restored(t, at.server, backup.path, at.scratch, true);

  // The backup itself is recorded before and after the moment that it shows.
  const ofBackup = (row: unknown) => JSON.stringify(row).includes(backup.id);
  const own = ["events", "event_head", "pending_events", "leases", "cursors", "sqlite_sequence"];
  const [original, copy] = [tablesOf(join(dataDir, "lakehelm.db")), tablesOf(join(folder, "lakehelm.db"))];
  assert.deepEqual(Object.keys(copy), Object.keys(original));
  for (const [name, rows] of Object.entries(original)) {
    if (own.includes(name)) continue;
    assert.deepEqual(
      copy[name]?.filter((row) => !ofBackup(row)),
      rows.filter((row) => !ofBackup(row)),
      name,
    );
  }

  const upTo = copy.events?.length ?? 0;
  assert.equal(upTo, backup.event_sequence);
  assert.deepEqual(copy.events, original.events?.slice(0, upTo));

  const server = await start();
  assert.deepEqual(await shape(server.client), await shape(client));
  const ask = async (one: TestServer, path: string) => (await one.fetch(path)).text();
  for (const path of [
    "/api/v1/environments/",
    "/api/v1/connectors/",
    `/api/v1/connectors/${at.connectorId}`,
    `/api/v1/jobs/${at.jobId}`,
    `/api/v1/jobs/${at.jobId}/runs`,
    "/api/v1/files/",
    "/api/v1/files/pipelines/orders.sql",
    "/api/v1/catalog/tables",
  ])
    assert.equal(await ask(server, path), await ask(at.server, path), path);
  assert.equal((await server.client.verifyEvents()).intact, true);
  assert.equal((await server.client.getInfo()).paused, false);
});
