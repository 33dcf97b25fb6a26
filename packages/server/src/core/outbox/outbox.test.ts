import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { pino } from "pino";
import { engines } from "../../testing/server.ts";
import {
  context,
  count,
  newId,
  query,
  type TestStoreDatabase,
  testDatabase,
  testStoreOn,
} from "../../testing/store.ts";
import { migrate } from "../store/migrate.ts";
import { createOutbox } from "./outbox.ts";
import {
  completed,
  Deferred,
  handlerOf,
  type OutboxAttempt,
  type OutboxEntry,
  type OutboxHandler,
  topic,
} from "./topic.ts";

interface TestLetter {
  readonly text: string;
}
const letters = topic<TestLetter, string>("letters");
const others = topic<TestLetter, string>("others");

interface Clock {
  ms: number;
}

/** Another server on the same database, with its own outbox. */
async function serverOn(
  database: TestStoreDatabase,
  clock: Clock,
  handler: Partial<OutboxHandler<TestLetter, string>> = {},
  onOthers: Partial<OutboxHandler<TestLetter, string>> = handler,
) {
  const engine = await database.open();
  await migrate(engine);
  const store = testStoreOn(engine);
  const performed: string[] = [];
  const perform = async ({ payload }: OutboxEntry<TestLetter>): Promise<OutboxAttempt<string>> => {
    performed.push(payload.text);
    return completed(`sent ${payload.text}`);
  };
  const system = {
    now: () => new Date(clock.ms),
    monotonicMs: () => clock.ms,
    newId,
    randomBytes: (size: number) => Buffer.alloc(size),
  };
  const outbox = createOutbox(
    { store, system },
    {
      owner: newId(),
      handlers: () => ({
        ...handlerOf(letters, { perform, ...handler }),
        ...handlerOf(others, { perform, ...onOthers }),
      }),
      log: pino({ level: "silent" }),
    },
  );
  const entry = (text: string, key = "a") => ({ id: newId(), key, environmentId: null, payload: { text } });
  return {
    store,
    outbox,
    performed,
    left: () => count(store, "outbox"),
    add: (text: string, key?: string) =>
      store.apply({ context, steps: [outbox.add(letters, entry(text, key))], events: [] }),
    async begin(text: string, key?: string) {
      const { step, finish } = outbox.begin(letters, entry(text, key));
      await store.apply({ context, steps: [step], events: [] });
      return finish;
    },
    rows: () => query(store, "select key, state, attempts, next_at from outbox order by sequence"),
  };
}

const given = async (t: TestContext, engine: "sqlite" | "postgres") => ({
  database: await testDatabase(t, engine),
  clock: { ms: Date.UTC(2026, 2, 1, 12) },
});
const at = (ms: number) => new Date(ms).toISOString();

for (const engine of engines) {
  suite(`outbox on ${engine}`, () => {
    test("the request that wrote an entry completes it and gets the result", async (t) => {
      const { database, clock } = await given(t, engine);
      const server = await serverOn(database, clock);
      const finish = await server.begin("one");
      assert.equal(await server.left(), 1);
      assert.equal(await finish(), "sent one");
      assert.equal(await server.left(), 0);
    });

    test("the dispatcher leaves an entry to its request until the claim expires", async (t) => {
      const { database, clock } = await given(t, engine);
      const server = await serverOn(database, clock);
      await server.begin("one");
      await server.outbox.runDue();
      assert.deepEqual(server.performed, []);
      clock.ms += 15_000;
      await server.outbox.runDue();
      assert.deepEqual(server.performed, ["one"]);
      assert.equal(await server.left(), 0);
    });

    test("entries of one key run in order, one at a time; keys do not wait for each other", async (t) => {
      const { database, clock } = await given(t, engine);
      const gate = Promise.withResolvers<void>();
      const attempted: string[] = [];
      let inA = 0;
      const server = await serverOn(database, clock, {
        async perform({ key, payload }) {
          if (key === "a") assert.equal(++inA, 1);
          attempted.push(payload.text);
          if (key === "a") await gate.promise;
          if (key === "a") inA -= 1;
          return completed("");
        },
      });
      for (const text of ["a1", "a2", "a3"]) await server.add(text, "a");
      await server.add("b1", "b");
      const done = server.outbox.runDue();
      await until(() => attempted.length === 2);
      assert.deepEqual(attempted.toSorted(), ["a1", "b1"]);
      gate.resolve();
      await done;
      assert.deepEqual(
        attempted.filter((text) => text.startsWith("a")),
        ["a1", "a2", "a3"],
      );
      assert.equal(await server.left(), 0);
    });

    test("a failed attempt is retried with backoff, and later entries of its key wait", async (t) => {
      const { database, clock } = await given(t, engine);
      let broken = true;
      const attempted: string[] = [];
      const server = await serverOn(database, clock, {
        async perform({ payload }) {
          attempted.push(payload.text);
          if (broken) throw new Error("connect ECONNREFUSED");
          return completed("");
        },
      });
      await server.add("1");
      await server.add("2");
      const pauses = [1_000, 2_000, 4_000];
      for (const [n, pause] of pauses.entries()) {
        await server.outbox.runDue();
        const [first] = await server.rows();
        assert.deepEqual([first?.attempts, first?.next_at], [n + 1, at(clock.ms + pause)]);
        clock.ms += pause;
      }
      assert.deepEqual(attempted, ["1", "1", "1"]);
      broken = false;
      await server.outbox.runDue();
      assert.deepEqual(attempted, ["1", "1", "1", "1", "2"]);
      const [stats] = await server.outbox.stats();
      assert.deepEqual([stats?.topic, stats?.pending, stats?.failures], ["letters", 0, 3]);
    });

    test("a handler can request a longer pause", async (t) => {
      const { database, clock } = await given(t, engine);
      const server = await serverOn(database, clock, {
        perform: async () => ({ outcome: "failed", result: "", retryAfterMs: 90_000 }),
      });
      await server.add("1");
      await server.outbox.runDue();
      assert.equal((await server.rows())[0]?.next_at, at(clock.ms + 90_000));
    });

    test("after its last attempt, or a rejection, an entry is a dead letter and the next one runs", async (t) => {
      const { database, clock } = await given(t, engine);
      let outcome: "failed" | "rejected" | "completed" = "rejected";
      const attempted: string[] = [];
      const server = await serverOn(database, clock, {
        maxAttempts: 2,
        async perform({ payload }) {
          attempted.push(payload.text);
          return { outcome: payload.text === "3" ? "completed" : outcome, result: "" };
        },
      });
      await server.add("1");
      await server.outbox.runDue();
      outcome = "failed";
      await server.add("2");
      await server.add("3");
      await server.outbox.runDue();
      clock.ms += 1_000;
      await server.outbox.runDue();
      assert.deepEqual(attempted, ["1", "2", "2", "3"]);
      assert.deepEqual(
        (await server.rows()).map(({ state, attempts, next_at }) => [state, attempts, next_at]),
        [
          ["dead", 1, null],
          ["dead", 2, null],
        ],
      );
      const [stats] = await server.outbox.stats();
      assert.deepEqual([stats?.pending, stats?.dead, stats?.oldest], [0, 2, null]);

      outcome = "completed";
      const [dead] = await query(server.store, "select id from outbox order by sequence");
      const requeue = server.outbox.requeue(String(dead?.id), at(clock.ms));
      await server.store.apply({ context, steps: [requeue], events: [] });
      await server.outbox.runDue();
      assert.equal(attempted.at(-1), "1");
      const prune = server.outbox.pruneDead(letters, at(clock.ms + 1));
      await server.store.apply({ context, steps: [prune], events: [] });
      assert.equal(await server.left(), 0);
    });

    test("the steps and events of a handler are committed with the completion of the entry", async (t) => {
      const { database, clock } = await given(t, engine);
      let conflicts = 2;
      const server = await serverOn(database, clock, {
        async record(_, result, { state }) {
          const missed = { sql: "delete from cursors where name = 'none'", parameters: [], expect: 1 };
          const steps = conflicts-- > 0 ? [missed] : [];
          return { steps, events: [{ kind: "letter.sent", subject: "letter/1", data: { result, state } }] };
        },
      });
      await (await server.begin("1"))();
      const events = await query(server.store, "select kind from pending_events");
      assert.deepEqual(
        [events.map(({ kind }) => kind), await server.left(), server.performed],
        [["letter.sent"], 0, ["1"]],
      );
    });

    test("a deferred entry waits without counting an attempt, and a waiting request gets the cause", async (t) => {
      const { database, clock } = await given(t, engine);
      const server = await serverOn(database, clock, {
        perform: async () => {
          throw new Deferred(new Error("not here"), 2_000);
        },
      });
      await assert.rejects(await server.begin("1"), /not here/);
      const [row] = await server.rows();
      assert.deepEqual([row?.attempts, row?.next_at], [0, at(clock.ms + 2_000)]);
    });

    test("after a crash the next server repeats the effect with the same id, and one result is recorded", async (t) => {
      const { database, clock } = await given(t, engine);
      const gate = Promise.withResolvers<void>();
      const ids: string[] = [];
      const one = await serverOn(database, clock, {
        async perform({ id }) {
          ids.push(id);
          await gate.promise;
          return completed("late");
        },
        record: async () => ({ steps: [], events: [{ kind: "late", subject: "letter/1", data: {} }] }),
      });
      const finish = await one.begin("1");
      const late = finish();
      await until(() => ids.length === 1);
      clock.ms += 16_000;
      const two = await serverOn(database, clock, {
        async perform({ id }) {
          ids.push(id);
          return completed("");
        },
      });
      await two.outbox.runDue();
      assert.equal(ids[0], ids[1]);
      gate.resolve();
      assert.equal(await late, "late");
      assert.deepEqual(await query(two.store, "select kind from pending_events"), []);
      assert.equal(await two.left(), 0);
    });

    test("entries that this server cannot run stay pending; entries of other topics run", async (t) => {
      const { database, clock } = await given(t, engine);
      const server = await serverOn(database, clock, { readiness: () => "elsewhere" }, {});
      await server.add("1");
      const entry = { id: newId(), key: "b", environmentId: null, payload: { text: "2" } };
      await server.store.apply({ context, steps: [server.outbox.add(others, entry)], events: [] });
      await server.outbox.runDue();
      assert.deepEqual([server.performed, await server.left()], [["2"], 1]);
    });

    test("flush performs the entries of a key immediately and throws the error of a failed attempt", async (t) => {
      const { database, clock } = await given(t, engine);
      let broken = true;
      const server = await serverOn(database, clock, {
        async perform() {
          if (broken) throw new Error("disk");
          return completed("");
        },
      });
      await server.add("1");
      await server.add("2");
      await assert.rejects(server.outbox.flush(letters, "a"), /disk/);
      assert.equal(await server.left(), 2);
      broken = false;
      await server.outbox.flush(letters, "a");
      assert.equal(await server.left(), 0);
    });

    test("a started dispatcher performs new entries when woken and retries failed ones", async (t) => {
      const { database, clock } = await given(t, engine);
      let calls = 0;
      const server = await serverOn(database, clock, {
        async perform() {
          calls += 1;
          if (calls > 1) return completed("");
          clock.ms += 1_000;
          throw new Error("once");
        },
      });
      server.outbox.start();
      t.after(() => server.outbox.stop());
      await server.add("1");
      server.outbox.wake();
      await until(() => calls === 1);
      clock.ms += 1_000;
      await until(async () => (await server.left()) === 0);
      assert.equal(calls, 2);
    });

    test("an entry that becomes due while the dispatcher reads what is due is performed at once", async (t) => {
      const database = await testDatabase(t, engine);
      const due = Date.UTC(2026, 2, 1, 12);
      let times: number[] = [];
      const clock = {
        get ms() {
          return times.shift() ?? due;
        },
      };
      const server = await serverOn(database, clock);
      await server.add("one");
      times = [due - 1];
      server.outbox.start();
      t.after(() => server.outbox.stop());
      // The longest sleep of the dispatcher is 60 s.
      await until(() => server.performed.length === 1, 5, 40_000);
      assert.deepEqual(server.performed, ["one"]);
    });
  });
}

test("servers that share a PostgreSQL perform each entry once", async (t) => {
  const { database, clock } = await given(t, "postgres");
  const attempted: string[] = [];
  const perform = async ({ payload }: OutboxEntry<TestLetter>) => {
    attempted.push(payload.text);
    await new Promise((next) => setImmediate(next));
    return completed("");
  };
  const [one, two] = [
    await serverOn(database, clock, { perform }),
    await serverOn(database, clock, { perform }),
  ];
  const texts = Array.from({ length: 40 }, (_, n) => String(n));
  for (const text of texts) await one.add(text, `key ${Number(text) % 10}`);
  await Promise.all([one.outbox.runDue(), two.outbox.runDue()]);
  await one.outbox.runDue();
  assert.deepEqual(
    attempted.map(Number).toSorted((a, b) => a - b),
    texts.map(Number),
  );
  for (let key = 0; key < 10; key++) {
    const ofKey = attempted.map(Number).filter((n) => n % 10 === key);
    assert.deepEqual(
      ofKey,
      ofKey.toSorted((a, b) => a - b),
    );
  }
});

test("a server that stops releases its entries to the others immediately", async (t) => {
  const { database, clock } = await given(t, "postgres");
  const [one, two] = [await serverOn(database, clock), await serverOn(database, clock)];
  await one.begin("1");
  await two.outbox.runDue();
  assert.deepEqual(two.performed, []);
  await one.outbox.stop();
  await one.outbox.close();
  await two.outbox.runDue();
  assert.deepEqual(two.performed, ["1"]);
});

test("a server that must run an entry itself takes it from the server that claimed it", async (t) => {
  const { database, clock } = await given(t, "postgres");
  const one = await serverOn(database, clock);
  const two = await serverOn(database, clock, { readiness: () => "here" });
  await one.begin("1");
  await two.outbox.runDue();
  assert.deepEqual(two.performed, ["1"]);
});
