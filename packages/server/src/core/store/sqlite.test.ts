import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import test, { type TestContext } from "node:test";
import type { Worker } from "node:worker_threads";
import { until } from "@lakehelm/testing/until";
import {
  addConnector,
  context,
  count,
  emptyTestDatabase,
  fresh,
  newId,
  query,
  testDatabase,
  testStoreOn,
} from "../../testing/store.ts";
import { lockFolder } from "../concurrency/file-lock.ts";
import { conflict, Problem } from "../errors.ts";
import { collection } from "./collection.ts";
import { migrate } from "./migrate.ts";
import { fileSpace, reclaimSpace } from "./reclaim.ts";
import { openSqlite } from "./sqlite.ts";
import type { Store } from "./store.ts";

async function storeOn(path: string, busyTimeoutMs = 5000): Promise<Store> {
  const engine = await openSqlite(path, { busyTimeoutMs });
  await migrate(engine);
  return testStoreOn(engine);
}

/** The threads that are started from now on. */
function threads(t: TestContext): Worker[] {
  const started: Worker[] = [];
  const keep = (worker: Worker) => void started.push(worker);
  process.on("worker", keep);
  t.after(() => process.off("worker", keep));
  return started;
}

const isUnavailable = (error: unknown) => error instanceof Problem && error.kind === "unavailable";

async function assertWhole(store: Store, acknowledged: readonly string[]): Promise<string[]> {
  const stored = (await query(store, "select id from connectors")).map(({ id }) => String(id));
  assert.deepEqual(
    acknowledged.filter((id) => !stored.includes(id)),
    [],
    "acknowledged rows that are lost",
  );
  const subjects = (await query(store, "select subject from pending_events")).map(({ subject }) => subject);
  assert.deepEqual(subjects.sort(), stored.map((id) => `connector/${id}`).sort());
  assert.equal((await collection(store, "connectors").page({}, 0, 1)).total, stored.length);
  assert.equal(Object.values((await query(store, "pragma integrity_check"))[0] ?? {})[0], "ok");
  return stored;
}

test("after a crash of the writer thread nothing acknowledged is lost, and callers can retry immediately", async (t) => {
  const started = threads(t);
  const { where } = await testDatabase(t, "sqlite");
  const store = await storeOn(where);
  const acknowledged: string[] = [];
  let refused = 0;
  let killed = 0;

  const write = async (caller: number) => {
    for (let done = 0; done < 20; ) {
      const row = fresh(`${caller} ${done} ${newId()}`);
      try {
        await addConnector(store, row);
        done += 1;
        acknowledged.push(row.id);
        // Killed during the burst, with other changes in flight; the second time as soon as the thread is back.
        if (acknowledged.length >= 50 * (killed + 1) && killed < 2) void started[killed++]?.terminate();
      } catch (error) {
        assert.ok(isUnavailable(error), String(error));
        assert.equal((error as Error).message, "The database stopped during a write.");
        refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, caller) => write(caller)));

  assert.equal(killed, 2);
  assert.equal(started.length, 3);
  assert.ok(refused > 0, "no change was in flight when the thread ended");
  assert.equal(acknowledged.length, 200);
  await assertWhole(store, acknowledged);
  await store.close();
});

test("a store can be closed while its writer thread is being replaced", async (t) => {
  const started = threads(t);
  const { where } = await testDatabase(t, "sqlite");
  const store = await storeOn(where);
  const ended = new Promise((done) => started[0]?.once("exit", done));
  void started[0]?.terminate();
  await ended;

  await store.close();

  assert.equal(started.length, 2);
  await assert.rejects(addConnector(store, fresh("late")), { kind: "unavailable" });
});

test("a clean stop leaves all data in one file", async (t) => {
  const { where } = await testDatabase(t, "sqlite");
  const store = await storeOn(where);
  await addConnector(store, fresh("kept"));
  assert.ok(existsSync(`${where}-wal`));

  await store.close();

  assert.ok(!existsSync(`${where}-wal`));
  const file = new DatabaseSync(where, { readOnly: true });
  assert.equal(file.prepare("select count(*) as n from connectors").get()?.n, 1);
  file.close();
});

test("on a full disk changes fail completely, and succeed again when there is space", async (t) => {
  const { folder } = await testDatabase(t, "sqlite");
  const disk = join(folder, "disk");
  await mkdir(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], { stdio: "pipe" });
  } catch {
    return t.skip("a small disk can only be mounted by root");
  }
  try {
    await writeFile(join(disk, "ballast"), Buffer.alloc(512 * 1024));
    const store = await storeOn(join(disk, "lakehelm.db"));
    const acknowledged: string[] = [];
    const errors: unknown[] = [];
    const write = async () => {
      const row = { ...fresh(newId()), doc: { name: "x".repeat(20_000) } };
      await addConnector(store, row).then(
        () => acknowledged.push(row.id),
        (error) => errors.push(error),
      );
    };
    await until(async () => {
      await Promise.all([write(), write(), write()]);
      return errors.length > 0;
    }, 0);

    assert.ok(acknowledged.length > 5);
    for (const error of errors) {
      assert.ok(isUnavailable(error), String(error));
      assert.equal((error as Error).message, "The disk is full: nothing was written.");
    }
    assert.deepEqual((await assertWhole(store, acknowledged)).sort(), acknowledged.toSorted());

    await rm(join(disk, "ballast"));
    errors.length = 0;
    await write();
    assert.deepEqual(errors, []);
    assert.deepEqual((await assertWhole(store, acknowledged)).sort(), acknowledged.toSorted());
    await store.close();
  } finally {
    execFileSync("umount", ["-l", disk]);
  }
});

test("a database that another program has locked can be read, and written again after the lock", async (t) => {
  const { where } = await testDatabase(t, "sqlite");
  const store = await storeOn(where, 50);
  const other = new DatabaseSync(where);
  other.exec("begin exclusive");

  const started = performance.now();
  await assert.rejects(addConnector(store, fresh("waits")), {
    kind: "unavailable",
    message: "The database is locked by another program.",
  });
  assert.ok(performance.now() - started >= 45, "it waits for the configured time");
  assert.equal(await count(store, "connectors"), 0);

  other.exec("rollback");
  other.close();
  await addConnector(store, fresh("waits"));
  await store.close();
});

test("concurrent changes share a few transactions, and an invalid one fails alone", async (t) => {
  const { where } = await testDatabase(t, "sqlite");
  const store = await storeOn(where);
  const rows = collection(store, "connectors");
  await addConnector(store, fresh("taken"));
  const before = await commits(where);

  const good = Array.from({ length: 97 }, (_, n) => addConnector(store, fresh(`good ${n}`)));
  const bad = {
    duplicate: rows.insert(fresh("taken"), { duplicate: () => conflict("There is already one.") }),
    "no such table: nowhere": [
      ...rows.insert(fresh("bad 1")),
      { sql: "delete from nowhere", parameters: [] },
    ],
    "NOT NULL constraint": [
      ...rows.insert(fresh("bad 2")),
      { sql: "insert into keyring values ('x', null)", parameters: [] },
    ],
  };
  const refused = Object.values(bad).map((steps) => store.apply({ context, steps, events: [] }));
  const answers = await Promise.allSettled([...good.slice(0, 50), ...refused, ...good.slice(50)]);

  const errors = answers.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason)] : []));
  assert.equal(errors.length, 3, errors.join("\n"));
  assert.match(errors[0] as string, /There is already one/);
  assert.match(errors[1] as string, /no such table: nowhere/);
  assert.match(errors[2] as string, /NOT NULL constraint/);
  assert.equal(await count(store, "connectors"), 98);
  const used = (await commits(where)) - before;
  assert.ok(used >= 1 && used <= 10, `${used} transactions`);
  await store.close();
});

/** Transactions in the write-ahead log: frames that carry the size of the database after a commit. */
async function commits(path: string): Promise<number> {
  const log = await readFile(`${path}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let found = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    const current = log.subarray(at + 8, at + 16).equals(salt);
    if (current && log.readUInt32BE(at + 4) > 0) found += 1;
  }
  return found;
}

const megabyte = 1024 * 1024;

/** A database as an earlier version made it: it cannot give pages back to the disk. */
async function olderDatabase(t: TestContext): Promise<string> {
  const { where } = await emptyTestDatabase(t, "sqlite");
  const database = new DatabaseSync(where);
  database.exec("pragma journal_mode = wal; create table kept (text text); insert into kept values ('here')");
  database.close();
  return where;
}

test("pages that nothing uses go back to the disk, while changes go on", async (t) => {
  const { where } = await emptyTestDatabase(t, "sqlite");
  const engine = await openSqlite(where);
  t.after(() => engine.close());
  const write = (sql: string) => engine.write([{ sql, parameters: [] }]);
  await write("create table filled (text text)");
  await write("create table small (n integer)");
  await write(
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000) insert into filled select hex(randomblob(2000)) from n",
  );
  await write("delete from filled");
  const before = await fileSpace(engine);
  assert.ok((before?.freeBytes ?? 0) > 35 * megabyte, JSON.stringify(before));
  let isDone = false;
  let written = 0;
  const changes = (async () => {
    while (!isDone) {
      await write("insert into small values (1)");
      written += 1;
    }
  })();
  const freed = await reclaimSpace(engine, new AbortController().signal);
  isDone = true;
  await changes;
  const after = await fileSpace(engine);
  assert.ok(
    (after?.freeBytes ?? 0) <= 16 * megabyte && freed > 20 * megabyte,
    JSON.stringify({ after, freed }),
  );
  assert.ok(written > 10, `${written} changes went on`);
  const [row] = await engine.read({ sql: "select count(*) as n from small", parameters: [] });
  assert.equal(row?.n, written);
});

test("a small database of an earlier version is rewritten at the start, so that it can give pages back", async (t) => {
  const where = await olderDatabase(t);
  const engine = await openSqlite(where);
  t.after(() => engine.close());
  assert.equal((await fileSpace(engine))?.isReclaimable, true);
  assert.equal((await engine.readOne({ sql: "select text from kept", parameters: [] }))?.text, "here");
});

test("npm run compact rewrites a database that no server uses", async (t) => {
  const where = await olderDatabase(t);
  const dataDir = dirname(where);
  const compact = () =>
    spawnSync(process.execPath, ["run.js", "scripts/compact.ts", "--data-dir", dataDir], {
      cwd: join(import.meta.dirname, "../../../../.."),
      encoding: "utf8",
    });
  const lock = lockFolder(dataDir);
  const refused = compact();
  assert.match(refused.stderr, /is in use by another Lakehelm/);
  assert.equal(refused.status, 1);
  lock.release();
  const done = compact();
  assert.match(done.stdout, /lakehelm\.db: 1 MB before, 1 MB now\./, done.stderr);
  const database = new DatabaseSync(where, { readOnly: true });
  assert.equal(Number(database.prepare("pragma auto_vacuum").get()?.auto_vacuum), 2);
  assert.equal(database.prepare("select text from kept").get()?.text, "here");
  database.close();
});
