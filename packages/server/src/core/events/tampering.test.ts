import assert from "node:assert/strict";
import test, { describe, type TestContext } from "node:test";
import { engines } from "../../testing/server.ts";
import { context, count, query, run, testStore } from "../../testing/store.ts";
import type { Store } from "../store/store.ts";
import { type EventLog, openEventLog } from "./log.ts";

const key = Buffer.alloc(32, 7);
const headChanged = "The head of the log was changed or removed.";
const cutOff = "The log was cut off: it had 5 events.";

/** Manipulations with direct access to the database, and the result of the verification. */
const deeds: { deed: string; sql: string[]; problem: string; afterRestart?: string }[] = [
  {
    deed: "a body that was changed",
    sql: [`update events set body = replace(body, '"n":3', '"n":4') where sequence = 3`],
    problem: "Event 3 was changed.",
  },
  {
    deed: "a hash that was changed",
    sql: ["update events set hash = 'x' where sequence = 3"],
    problem: "Event 3 was changed.",
  },
  {
    deed: "the last hash that was changed, in the head too",
    sql: ["update events set hash = 'x' where sequence = 5", "update event_head set hash = 'x'"],
    problem: headChanged,
  },
  ...["kind", "subject", "id"].map((column) => ({
    deed: `the column ${column} that was changed`,
    sql: [`update events set ${column} = 'other' where sequence = 2`],
    problem: "Event 2 was changed.",
  })),
  {
    deed: "the first one removed",
    sql: ["delete from events where sequence = 1"],
    problem: "Event 1 was removed.",
  },
  {
    deed: "a middle one removed",
    sql: ["delete from events where sequence = 3"],
    problem: "Event 3 was removed.",
  },
  {
    deed: "the last one removed",
    sql: ["delete from events where sequence = 5"],
    problem: "Event 5 was removed.",
  },
  {
    deed: "a middle one removed, and the later ones moved up",
    sql: [
      "delete from events where sequence = 3",
      "update events set sequence = 3 where sequence = 4",
      "update events set sequence = 4 where sequence = 5",
    ],
    problem: "Event 3 was changed.",
  },
  {
    deed: "the last one removed, and the head rolled back to the row before",
    sql: [
      "delete from events where sequence = 5",
      "update event_head set sequence = 4, hash = (select hash from events where sequence = 4)",
    ],
    problem: headChanged,
  },
  {
    deed: "two rows that changed places",
    sql: [
      "update events set sequence = 9 where sequence = 2",
      "update events set sequence = 2 where sequence = 3",
      "update events set sequence = 3 where sequence = 9",
    ],
    problem: "Event 2 was changed.",
  },
  {
    deed: "a row that was added behind the end",
    sql: ["insert into events select 6, id, kind, subject, body, hash from events where sequence = 5"],
    problem: "Event 6 was changed.",
  },
  { deed: "a head that was removed", sql: ["delete from event_head"], problem: headChanged },
  {
    deed: "a head that was set back to the beginning",
    sql: ["update event_head set sequence = 0, hash = '', mac = ''"],
    problem: cutOff,
    afterRestart: "Event 5 is after the end of the log.",
  },
  {
    deed: "everything removed, and the head set back to the beginning",
    sql: ["delete from events", "update event_head set sequence = 0, hash = '', mac = ''"],
    problem: cutOff,
    // Nothing in the database distinguishes it from a new log: only a reader who knows its earlier length can tell.
    afterRestart: "",
  },
];

function logOn(t: TestContext, store: Store, withKey = key): EventLog & { errors: Error[] } {
  const errors: Error[] = [];
  const onError = (error: unknown) => void errors.push(error as Error);
  const log = openEventLog(store, { key: withKey, gatherMs: 60_000, pollMs: undefined, onError });
  t.after(() => log.close());
  return { ...log, errors };
}

const tell = (store: Store, n: number) =>
  store.apply({ context, steps: [], events: [{ kind: "test.told", subject: `test/${n}`, data: { n } }] });

async function fiveSealed(t: TestContext, engine: (typeof engines)[number]) {
  const store = await testStore(t, engine);
  const log = logOn(t, store);
  for (let n = 1; n <= 5; n++) await tell(store, n);
  await log.settle();
  assert.deepEqual(await log.verify(), { intact: true, checked: 5 });
  return { store, log };
}

for (const engine of engines) {
  describe(engine, () => {
    test("the check finds whatever was changed or removed", async (t) => {
      const { store, log } = await fiveSealed(t, engine);
      await run(
        store,
        "create table kept_events as select * from events",
        "create table kept_head as select * from event_head",
      );
      for (const { deed, sql, problem, afterRestart = problem } of deeds) {
        await run(store, ...sql);

        const verdict = await log.verify();
        assert.equal(verdict.intact, false, deed);
        assert.equal(verdict.problem, problem, deed);
        const restarted = await logOn(t, store).verify();
        assert.equal(restarted.intact ? "" : restarted.problem, afterRestart, `${deed}, after a restart`);

        await run(
          store,
          "delete from events",
          "delete from event_head",
          "insert into events select * from kept_events",
          "insert into event_head select * from kept_head",
        );
        assert.deepEqual(await log.verify(), { intact: true, checked: 5 }, `after ${deed}`);
      }
    });

    test("without the key, the log cannot be told from a forged one, and nothing is added to it", async (t) => {
      const { store } = await fiveSealed(t, engine);
      const stranger = logOn(t, store, Buffer.alloc(32, 8));

      assert.deepEqual(await stranger.verify(), { intact: false, checked: 0, problem: headChanged });
      await tell(store, 6);
      await stranger.settle();

      assert.match(String(stranger.errors[0]), /not written with this key. No event is added/);
      assert.equal(await count(store, "events"), 5);
      assert.equal(await count(store, "pending_events"), 1);
    });

    test("a head that was set back to an older one stops the sealing, with a word, not with endless tries", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store);
      await tell(store, 1);
      await log.settle();
      const [old] = await query(store, "select sequence, hash, mac from event_head");
      await tell(store, 2);
      await log.settle();
      await run(store, `update event_head set sequence = 1, hash = '${old?.hash}', mac = '${old?.mac}'`);

      await tell(store, 3);
      await log.settle();

      assert.deepEqual(
        log.errors.map(({ message }) => message),
        ["Event 2 already exists, but the head of the log is 1."],
      );
      assert.equal(await count(store, "pending_events"), 1);
      assert.deepEqual(await log.verify(), {
        intact: false,
        checked: 0,
        problem: "The log was cut off: it had 2 events.",
      });
    });
  });
}
