import assert from "node:assert/strict";
import test, { describe, type TestContext } from "node:test";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { engines } from "../../testing/server.ts";
import { context, count, newId, query, run, testDatabase, testStore } from "../../testing/store.ts";
import { migrate } from "../store/migrate.ts";
import { openPostgres } from "../store/postgres.ts";
import { createStore, type DomainEvent, type Store } from "../store/store.ts";
import { type EventLog, type LogOptions, openEventLog, type Sealed } from "./log.ts";

const key = Buffer.alloc(32, 7);

interface TestLog extends EventLog {
  readonly errors: Error[];
}

function logOn(t: TestContext, store: Store, options: Partial<LogOptions> = {}): TestLog {
  const errors: Error[] = [];
  const onError = (error: unknown) => void errors.push(error as Error);
  const log = openEventLog(store, { key, gatherMs: 1, pollMs: undefined, onError, ...options });
  t.after(() => log.close());
  return { ...log, errors };
}

const happening = (kind: string, subject: string, data = {}): DomainEvent => ({ kind, subject, data });

/** A change without steps, only with events. */
const tell = (store: Store, ...events: DomainEvent[]) => store.apply({ context, steps: [], events });

async function readAll(log: EventLog): Promise<Sealed[]> {
  const all: Sealed[] = [];
  for (;;) {
    const next = await log.read(all.at(-1)?.sequence ?? 0, 50, {});
    if (next.length === 0) return all;
    all.push(...next);
  }
}

const dataOf = ({ body }: Sealed) => (JSON.parse(body) as { data: Record<string, unknown> }).data;
const numbered = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

for (const engine of engines) {
  describe(engine, () => {
    test("events are sealed without gaps, those of one change in their order", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store);

      await Promise.all(
        numbered(60).map((change) =>
          tell(
            store,
            ...["a", "b"].map((part) => happening("test.told", `test/${change}`, { change, part })),
          ),
        ),
      );
      await log.settle();

      const events = await readAll(log);
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        numbered(120),
      );
      for (const change of numbered(60)) {
        const parts = events.map(dataOf).filter((data) => data.change === change);
        assert.deepEqual(
          parts.map(({ part }) => part),
          ["a", "b"],
        );
      }
      assert.equal(await count(store, "pending_events"), 0);
      assert.equal(await log.head(), 120);
      assert.deepEqual(await log.verify(), { intact: true, checked: 120 });
    });

    test("every event has an id of its own, the same in its text", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store);
      await Promise.all(numbered(20).map((n) => tell(store, happening("test.told", `test/${n}`))));
      await log.settle();

      const events = await readAll(log);
      assert.equal(new Set(events.map(({ id }) => id)).size, 20);
      for (const { id, body } of events) {
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        const { data: _, subject: __, ...told } = JSON.parse(body);
        assert.deepEqual(told, {
          id,
          time: context.time,
          actor: "test",
          request_id: null,
          kind: "test.told",
        });
      }
    });

    test("servers that seal at once make one chain", async (t) => {
      const database = await testDatabase(t, engine);
      const stores: Store[] = [];
      for (let n = 0; n < 2; n++) {
        const opened = await database.open();
        await migrate(opened);
        stores.push(createStore(opened, newId));
      }
      const logs = stores.map((store) => logOn(t, store));

      await Promise.all(
        numbered(150).map(async (n) => {
          await tell(stores[n % 2] as Store, happening("test.told", `test/${n}`, { n }));
          if (n % 10 === 0) await Promise.all(logs.map((log) => log.settle()));
        }),
      );
      await Promise.all(logs.map((log) => log.settle()));

      for (const log of logs) {
        const events = await readAll(log);
        assert.deepEqual(
          events.map(({ sequence }) => sequence),
          numbered(150),
        );
        const told = events.map((event) => Number(dataOf(event).n));
        assert.deepEqual(
          told.toSorted((a, b) => a - b),
          numbered(150),
        );
        assert.deepEqual(await log.verify(), { intact: true, checked: 150 });
        assert.deepEqual(log.errors, []);
      }
    });

    test("who waits is woken by events of this server and, with polling, of others", async (t) => {
      const database = await testDatabase(t, engine);
      const [ours, theirs] = [await database.open(), await database.open()];
      await migrate(ours);
      const store = createStore(ours, newId);
      const log = logOn(t, store, { pollMs: 5 });
      const never = new AbortController();

      const woken = log.next(0, never.signal);
      await tell(store, happening("test.told", "test/1"));
      await woken;
      assert.equal((await log.read(0, 10, {})).length, 1);

      const wokenAgain = log.next(1, never.signal);
      await tell(createStore(theirs, newId), happening("test.told", "test/2"));
      await wokenAgain;
      assert.equal((await log.read(1, 10, {})).length, 1);

      const ended = log.next(2, never.signal);
      never.abort();
      await ended;
    });

    test("events that a crash left unsealed are sealed by the next start", async (t) => {
      const store = await testStore(t, engine);
      for (const n of numbered(3)) await tell(store, happening("test.told", `test/${n}`));
      assert.equal(await count(store, "pending_events"), 3);

      const log = logOn(t, store);

      await until(async () => (await log.head()) === 3);
    });

    test("sealing that failed is tried again by itself, and complains once", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store, { retryMs: 5 });
      await run(store, "alter table events rename to elsewhere");
      await tell(store, happening("test.told", "test/1"));
      await until(() => log.errors.length > 0);
      await log.settle();
      await log.settle();

      await run(store, "alter table elsewhere rename to events");

      await until(async () => (await log.head()) === 1);
      assert.equal(log.errors.length, 1);
    });

    test("kinds, beginnings of kinds and subjects are told apart", async (t) => {
      const store = await testStore(t, engine);
      await assertFilters(store, logOn(t, store));
    });
  });
}

test("PostgreSQL: in a database that sorts by language, kinds are told apart all the same", async (t) => {
  const { where } = await testDatabase(t, "postgres");
  const owner = new pg.Client({ connectionString: where });
  await owner.connect();
  const name = `${new URL(where).pathname.slice(1)}_icu`;
  await owner.query(`create database "${name}" template template0 locale_provider icu icu_locale 'en-US'`);
  const url = new URL(where);
  url.pathname = `/${name}`;
  const opened = await openPostgres(url.href);
  try {
    await migrate(opened);
    const store = createStore(opened, newId);
    const log = logOn(t, store);
    await assertFilters(store, log);
    await log.close();
  } finally {
    await opened.close();
    await owner.query(`drop database "${name}" with (force)`);
    await owner.end();
  }
});

test("PostgreSQL: a change that commits late is not skipped by a reader who is already further", async (t) => {
  const database = await testDatabase(t, "postgres");
  const opened = await database.open();
  await migrate(opened);
  const store = createStore(opened, newId);
  const log = logOn(t, store);
  const slow = new pg.Client({ connectionString: database.where });
  await slow.connect();
  await slow.query("begin");
  const body = JSON.stringify({ id: "late", kind: "test.late", subject: "test/late", data: {} });
  const { rows } = await slow.query(
    "insert into pending_events (id, kind, subject, body) values ('late', 'test.late', 'test/late', $1) returning arrival",
    [body],
  );
  for (const n of numbered(3)) await tell(store, happening("test.told", `test/${n}`));
  await log.settle();
  const seen = (await log.read(0, 10, {})).at(-1)?.sequence ?? 0;
  assert.equal(seen, 3);
  assert.equal(Number(rows[0]?.arrival), 1, "it arrived before the others");

  await slow.query("commit");
  await slow.end();
  await log.settle();

  const late = await log.read(seen, 10, {});
  assert.deepEqual(
    late.map(({ sequence, kind }) => [sequence, kind]),
    [[4, "test.late"]],
  );
  assert.deepEqual(await log.verify(), { intact: true, checked: 4 });
  assert.equal((await query(store, "select arrival from pending_events")).length, 0);
});

async function assertFilters(store: Store, log: EventLog): Promise<void> {
  for (const [kind, subject] of [
    ["connector.created", "connector/1"],
    ["connector.created", "connector/2"],
    ["connector.deleted", "connector/1"],
    ["connector", "connector/1"],
    ["connector-x.created", "connector/1"],
    ["connectors.created", "connector/1"],
    ["connector.é", "connector/3"],
    ["pipeline.created", "pipeline/1"],
  ] as const) {
    await tell(store, happening(kind, subject));
  }
  await log.settle();
  const found = async (kind?: string, subject?: string) =>
    (await log.read(0, 100, { kind, subject })).map(({ sequence }) => sequence);

  assert.deepEqual(await found(), numbered(8));
  assert.deepEqual(await found("connector.created"), [1, 2]);
  assert.deepEqual(await found("connector.*"), [1, 2, 3, 7]);
  assert.deepEqual(await found("Connector.*"), []);
  assert.deepEqual(await found("*"), []);
  assert.deepEqual(await found("pipeline.*"), [8]);
  assert.deepEqual(await found(undefined, "connector/1"), [1, 3, 4, 5, 6]);
  assert.deepEqual(await found("connector.*", "connector/1"), [1, 3]);
  assert.deepEqual(await found("connector.created", "connector/2"), [2]);
  assert.deepEqual(await found("connector.created", "pipeline/1"), []);
  assert.deepEqual(await found("\0"), []);
  assert.deepEqual(await found(undefined, "connector/1\0"), []);
  assert.deepEqual(
    (await log.read(1, 2, { kind: "connector.*" })).map(({ sequence }) => sequence),
    [2, 3],
  );
}
