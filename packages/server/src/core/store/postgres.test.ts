import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { proxyTo } from "../../testing/database-proxy.ts";
import {
  addConnector,
  context,
  count,
  fresh,
  newId,
  testDatabase,
  testStoreOn,
} from "../../testing/store.ts";
import { Problem } from "../errors.ts";
import { collection } from "./collection.ts";
import { migrate } from "./migrate.ts";
import { openPostgres, type PostgresOptions } from "./postgres.ts";
import type { Store } from "./store.ts";

async function storeOn(t: TestContext, url: string, options: PostgresOptions = {}): Promise<Store> {
  const engine = await openPostgres(url, options);
  t.after(() => engine.close());
  await migrate(engine);
  return testStoreOn(engine);
}

/** Another program on the same database. */
async function session(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  t.after(() => client.end().catch(() => {}));
  return client;
}

const unreachable = { kind: "unavailable", message: "The database is unreachable." };
const isUnavailable = (error: unknown) => error instanceof Problem && error.kind === "unavailable";

test("an unreachable database is reported as unavailable", async () => {
  const engine = await openPostgres("postgres://nobody@127.0.0.1:1/nothing");
  await assert.rejects(engine.read({ sql: "select 1", parameters: [] }), unreachable);
  await assert.rejects(engine.write([{ sql: "select 1", parameters: [] }]), unreachable);
  await engine.close();
});

test("a wrong password and a wrong database name have different messages", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const assertMessage = async (change: (url: URL) => void, message: string) => {
    const url = new URL(where);
    change(url);
    const engine = await openPostgres(url.href);
    await assert.rejects(engine.read({ sql: "select 1", parameters: [] }), { kind: "unavailable", message });
    await engine.close();
  };
  await assertMessage((url) => {
    url.password = "wrong";
  }, "The database does not accept the user or password of DATABASE_URL.");
  await assertMessage((url) => {
    url.pathname = "/nowhere";
  }, "The database that DATABASE_URL names does not exist.");
});

test("after a lost connection the database is used again when it is reachable", async (t) => {
  const proxy = await proxyTo(t, (await testDatabase(t, "postgres")).where);
  const store = await storeOn(t, proxy.url);
  await addConnector(store, fresh("before"));

  proxy.cut();
  await assert.rejects(addConnector(store, fresh("meanwhile")), unreachable);
  await assert.rejects(count(store, "connectors"), unreachable);

  proxy.restore();
  await addConnector(store, fresh("after"));
  assert.equal(await count(store, "connectors"), 2);
});

test("connections that the database terminates lose nothing acknowledged", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const store = await storeOn(t, where);
  const other = await session(t, where);
  const acknowledged: string[] = [];
  let refused = 0;
  let ended = false;
  const write = async () => {
    while (!ended) {
      const row = fresh(newId());
      await addConnector(store, row).then(
        () => acknowledged.push(row.id),
        (error) => {
          assert.ok(isUnavailable(error), String(error));
          refused += 1;
        },
      );
    }
  };
  const writers = Promise.all(Array.from({ length: 6 }, write));
  try {
    for (let kills = 0; kills < 20 || refused === 0; kills++) {
      const soFar = acknowledged.length;
      await until(() => acknowledged.length >= soFar + 3);
      await other.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
    }
  } finally {
    ended = true;
  }
  await writers;

  assert.ok(refused > 0);
  const rows = collection(store, "connectors");
  for (const id of acknowledged) assert.ok(await rows.get(id), `${id} is lost`);
  const stored = await count(store, "connectors");
  assert.equal((await rows.page({}, 0, 1)).total, stored);
  assert.equal(await count(store, "pending_events"), stored);
});

test("a connection that breaks between two statements of a change does not end the process", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const store = await storeOn(t, where);
  const itself = { sql: "select pg_terminate_backend(pg_backend_pid())", parameters: [] };
  const steps = [...collection(store, "connectors").insert(fresh("half")), itself];

  await assert.rejects(store.apply({ context, steps, events: [] }), unreachable);

  assert.equal(await count(store, "connectors"), 0);
  await addConnector(store, fresh("half"));
});

test("a hanging database is unavailable after a timeout", async (t) => {
  const proxy = await proxyTo(t, (await testDatabase(t, "postgres")).where);
  const store = await storeOn(t, proxy.url, { timeoutMs: 1500, connectTimeoutMs: 1500 });
  await addConnector(store, fresh("before"));

  proxy.block();
  // The first write uses the open connection, the second has to open one.
  await assert.rejects(addConnector(store, fresh("meanwhile")), unreachable);
  await assert.rejects(addConnector(store, fresh("meanwhile")), unreachable);
  await assert.rejects(count(store, "connectors"), unreachable);

  proxy.restore();
  await addConnector(store, fresh("after"));
  assert.equal(await count(store, "connectors"), 2);
});

test("a lock of another session makes the database unavailable until it is released", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const store = await storeOn(t, where, { timeoutMs: 300 });
  const other = await session(t, where);
  await other.query("begin");
  await other.query("lock table connectors in access exclusive mode");

  await assert.rejects(addConnector(store, fresh("waits")), unreachable);
  await assert.rejects(count(store, "connectors"), unreachable);
  await other.query("rollback");

  await addConnector(store, fresh("waits"));
  assert.equal(await count(store, "connectors"), 1);
});

test("changes that lock the same rows in opposite orders all succeed", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const other = await session(t, where);
  const { pathname } = new URL(where);
  // PostgreSQL checks for deadlocks after a second; the test need not wait that long.
  await other.query(`alter database "${pathname.slice(1)}" set deadlock_timeout = '20ms'`);
  const store = await storeOn(t, where);
  const [a, b] = [fresh("a"), fresh("b")];
  await addConnector(store, a);
  await addConnector(store, b);
  const touch = (id: string) => ({
    sql: "update connectors set version = version + 1 where id = $1",
    parameters: [id],
    expect: 1,
  });
  const wait = { sql: "select pg_sleep(0.02)", parameters: [] };
  const change = (one: string, another: string) =>
    store.apply({ context, steps: [touch(one), wait, touch(another)], events: [] });

  await Promise.all(
    Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? change(a.id, b.id) : change(b.id, a.id))),
  );

  assert.equal((await collection(store, "connectors").get(a.id))?.version, 9);
});

const touch = (id: string) => ({
  sql: "update connectors set state = 'touched' where id = $1",
  parameters: [id],
  expect: 1,
});

test("concurrent changes share a transaction", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const store = await storeOn(t, where);

  await Promise.all(Array.from({ length: 250 }, (_, n) => addConnector(store, fresh(`row ${n}`))));

  // Rows of one transaction have the same xmin. At most 100 changes form a group.
  const groups = await store.engine.read({
    sql: "select count(*) as n from connectors group by xmin::text order by min(position)",
    parameters: [],
  });
  assert.deepEqual(
    groups.map(({ n }) => n),
    [100, 100, 50],
  );
});

test("a change that waits for a locked row does not delay the changes next to it", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const store = await storeOn(t, where);
  const other = await session(t, where);
  const locked = fresh("locked");
  await addConnector(store, locked);
  await other.query("begin");
  await other.query("select * from connectors where id = $1 for update", [locked.id]);

  const before = addConnector(store, fresh("before"));
  const waits = store.apply({ context, steps: [touch(locked.id)], events: [] });
  const after = addConnector(store, fresh("after"));
  await Promise.all([before, after]);
  await addConnector(store, fresh("later"));

  const rows = collection(store, "connectors");
  assert.equal((await rows.get(locked.id))?.state, null);
  await other.query("rollback");
  await waits;
  assert.equal((await rows.get(locked.id))?.state, "touched");
  assert.equal(await count(store, "connectors"), 4);
});

test("groups take turns, but a server that hangs in its turn does not stop the others", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const store = await storeOn(t, where);
  const [hanging, watching] = [await session(t, where), await session(t, where)];
  await hanging.query("begin");
  await hanging.query("select pg_advisory_xact_lock(7203412)");
  let hasWaited = false;
  let written = 0;
  const watch = until(async () => {
    const waiting = await watching.query(
      "select 1 from pg_locks where locktype = 'advisory' and not granted",
    );
    hasWaited ||= waiting.rowCount === 1;
    return hasWaited || written === 20;
  });

  for (; written < 20 && !hasWaited; written++) await addConnector(store, fresh(`row ${written}`));

  await watch;
  assert.ok(hasWaited);
  await hanging.query("rollback");
  assert.equal(await count(store, "connectors"), written);
});
