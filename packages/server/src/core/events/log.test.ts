import assert from "node:assert/strict";
import test, { describe, type TestContext } from "node:test";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { engines } from "../../testing/server.ts";
import {
  context,
  count,
  query,
  run,
  signTestEvent,
  testDatabase,
  testEventKey,
  testStore,
  testStoreOn,
} from "../../testing/store.ts";
import { migrate } from "../store/migrate.ts";
import { openPostgres } from "../store/postgres.ts";
import type { DomainEvent, Store } from "../store/store.ts";
import { type EventLog, type LogOptions, openEventLog, type SealedEvent } from "./log.ts";

interface TestLog extends EventLog {
  readonly errors: Error[];
}

function logOn(t: TestContext, store: Store, options: Partial<LogOptions> = {}): TestLog {
  const errors: Error[] = [];
  const onError = (error: unknown) => void errors.push(error as Error);
  const log = openEventLog(store, {
    key: testEventKey,
    system: { now: () => new Date() },
    gatherMs: 1,
    pollMs: undefined,
    onError,
    onProblem: ({ problem }) => onError(new Error(problem)),
    ...options,
  });
  t.after(() => log.close());
  return { ...log, errors };
}

const eventOf = (kind: string, subject: string, data = {}): DomainEvent => ({ kind, subject, data });

/** A change that has only events. */
const emit = (store: Store, ...events: DomainEvent[]) => store.apply({ context, steps: [], events });

async function readAll(log: EventLog): Promise<SealedEvent[]> {
  const all: SealedEvent[] = [];
  for (;;) {
    const next = await log.read(all.at(-1)?.sequence ?? 0, 50, {});
    if (next.length === 0) return all;
    all.push(...next);
  }
}

const dataOf = ({ body }: SealedEvent) => (JSON.parse(body) as { data: Record<string, unknown> }).data;
const numbered = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

for (const engine of engines) {
  describe(engine, () => {
    test("events are sealed without gaps, and the events of one change keep their order", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store);

      await Promise.all(
        numbered(60).map((change) =>
          emit(
            store,
            ...["a", "b"].map((part) => eventOf("test.happened", `test/${change}`, { change, part })),
          ),
        ),
      );
      await log.seal();

      const events = await readAll(log);
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        numbered(120),
      );
      for (const change of numbered(60)) {
        const ofChange = events.map(dataOf).filter((data) => data.change === change);
        assert.deepEqual(
          ofChange.map(({ part }) => part),
          ["a", "b"],
        );
      }
      assert.equal(await count(store, "pending_events"), 0);
      assert.equal(await log.head(), 120);
      assert.deepEqual(await log.verify(), { intact: true, checked: 120 });
    });

    test("every event has a unique id, which its text repeats", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store);
      await Promise.all(numbered(20).map((n) => emit(store, eventOf("test.happened", `test/${n}`))));
      await log.seal();

      const events = await readAll(log);
      assert.equal(new Set(events.map(({ id }) => id)).size, 20);
      for (const { id, body } of events) {
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        const { data: _, subject: __, ...event } = JSON.parse(body);
        assert.deepEqual(event, {
          id,
          time: context.time,
          actor: "test",
          request_id: null,
          kind: "test.happened",
        });
      }
    });

    test("servers that seal concurrently build one chain", async (t) => {
      const database = await testDatabase(t, engine);
      const stores: Store[] = [];
      for (let n = 0; n < 2; n++) {
        const opened = await database.open();
        await migrate(opened);
        stores.push(testStoreOn(opened));
      }
      const logs = stores.map((store) => logOn(t, store));

      await Promise.all(
        numbered(150).map(async (n) => {
          await emit(stores[n % 2] as Store, eventOf("test.happened", `test/${n}`, { n }));
          if (n % 10 === 0) await Promise.all(logs.map((log) => log.seal()));
        }),
      );
      await Promise.all(logs.map((log) => log.seal()));

      for (const log of logs) {
        const events = await readAll(log);
        assert.deepEqual(
          events.map(({ sequence }) => sequence),
          numbered(150),
        );
        const numbers = events.map((event) => Number(dataOf(event).n));
        assert.deepEqual(
          numbers.toSorted((a, b) => a - b),
          numbered(150),
        );
        assert.deepEqual(await log.verify(), { intact: true, checked: 150 });
        assert.deepEqual(log.errors, []);
      }
    });

    test("a waiting reader wakes up for events of this server and, with polling, of other servers", async (t) => {
      const database = await testDatabase(t, engine);
      const [ours, theirs] = [await database.open(), await database.open()];
      await migrate(ours);
      const store = testStoreOn(ours);
      const log = logOn(t, store, { pollMs: 5 });
      const never = new AbortController();

      const woken = log.next(0, never.signal);
      await emit(store, eventOf("test.happened", "test/1"));
      await woken;
      assert.equal((await log.read(0, 10, {})).length, 1);

      const wokenAgain = log.next(1, never.signal);
      await emit(testStoreOn(theirs), eventOf("test.happened", "test/2"));
      await wokenAgain;
      assert.equal((await log.read(1, 10, {})).length, 1);

      const ended = log.next(2, never.signal);
      never.abort();
      await ended;
    });

    if (engine === "postgres") {
      test("a reader wakes up for events of another server without polling", async (t) => {
        const database = await testDatabase(t, engine);
        const [ours, theirs] = [await database.open(), await database.open()];
        await migrate(ours);
        await until(() => ours.others?.isListening());
        const log = logOn(t, testStoreOn(ours), { pollMs: undefined });

        for (const n of [0, 1]) {
          const woken = log.next(n, new AbortController().signal);
          await emit(testStoreOn(theirs), eventOf("test.happened", `test/${n}`));
          await woken;
          assert.equal((await log.read(n, 10, {})).length, 1);
        }
      });
    }

    test("the next start seals events that a crash left unsealed", async (t) => {
      const store = await testStore(t, engine);
      for (const n of numbered(3)) await emit(store, eventOf("test.happened", `test/${n}`));
      assert.equal(await count(store, "pending_events"), 3);

      const log = logOn(t, store);

      await until(async () => (await log.head()) === 3);
    });

    test("failed sealing is retried automatically and reported once", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store, { retryMs: 5 });
      await run(store, "alter table events rename to elsewhere");
      await emit(store, eventOf("test.happened", "test/1"));
      await until(() => log.errors.length > 0);
      await log.seal();
      await log.seal();

      await run(store, "alter table elsewhere rename to events");

      await until(async () => (await log.head()) === 1);
      assert.equal(log.errors.length, 1);
    });

    test("the log is filtered by kind, by prefix of a kind and by subject", async (t) => {
      const store = await testStore(t, engine);
      await assertFilters(store, logOn(t, store));
    });
  });
}

test("PostgreSQL: the filters are exact in a database with a linguistic collation", async (t) => {
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
    const store = testStoreOn(opened);
    const log = logOn(t, store);
    await assertFilters(store, log);
    await log.close();
  } finally {
    await opened.close();
    await owner.query(`drop database "${name}" with (force)`);
    await owner.end();
  }
});

test("PostgreSQL: a reader does not miss a change that commits late", async (t) => {
  const database = await testDatabase(t, "postgres");
  const opened = await database.open();
  await migrate(opened);
  const store = testStoreOn(opened);
  const log = logOn(t, store);
  const slow = new pg.Client({ connectionString: database.where });
  await slow.connect();
  await slow.query("begin");
  const body = JSON.stringify({ id: "late", kind: "test.late", subject: "test/late", data: {} });
  const { rows } = await slow.query(
    "insert into pending_events (id, kind, subject, body, mac) values ('late', 'test.late', 'test/late', $1, $2) returning arrival",
    [body, signTestEvent(body)],
  );
  for (const n of numbered(3)) await emit(store, eventOf("test.happened", `test/${n}`));
  await log.seal();
  const last = (await log.read(0, 10, {})).at(-1)?.sequence ?? 0;
  assert.equal(last, 3);
  assert.equal(Number(rows[0]?.arrival), 1, "it was inserted before the others");

  await slow.query("commit");
  await slow.end();
  await log.seal();

  const late = await log.read(last, 10, {});
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
    await emit(store, eventOf(kind, subject));
  }
  await log.seal();
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
