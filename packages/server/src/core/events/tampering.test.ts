import assert from "node:assert/strict";
import test, { describe, type TestContext } from "node:test";
import { engines } from "../../testing/server.ts";
import { context, count, query, run, testEventKey, testStore } from "../../testing/store.ts";
import type { Store } from "../store/store.ts";
import { type EventLog, openEventLog } from "./log.ts";

const headChanged = "The head of the log was changed or removed.";
const cutOff = "The log was cut off: it had 5 events.";

/** Manipulations with direct access to the database, and the result of the verification. */
const manipulations: { name: string; sql: string[]; problem: string; afterRestart?: string }[] = [
  {
    name: "a changed body",
    sql: [`update events set body = replace(body, '"n":3', '"n":4') where sequence = 3`],
    problem: "Event 3 was changed.",
  },
  {
    name: "a changed hash",
    sql: ["update events set hash = 'x' where sequence = 3"],
    problem: "Event 3 was changed.",
  },
  {
    name: "the last hash changed, also in the head",
    sql: ["update events set hash = 'x' where sequence = 5", "update event_head set hash = 'x'"],
    problem: headChanged,
  },
  ...["kind", "subject", "id"].map((column) => ({
    name: `the column ${column} changed`,
    sql: [`update events set ${column} = 'other' where sequence = 2`],
    problem: "Event 2 was changed.",
  })),
  {
    name: "the first event removed",
    sql: ["delete from events where sequence = 1"],
    problem: "Event 1 was removed.",
  },
  {
    name: "a middle event removed",
    sql: ["delete from events where sequence = 3"],
    problem: "Event 3 was removed.",
  },
  {
    name: "the last event removed",
    sql: ["delete from events where sequence = 5"],
    problem: "Event 5 was removed.",
  },
  {
    name: "a middle event removed, and the later ones renumbered",
    sql: [
      "delete from events where sequence = 3",
      "update events set sequence = 3 where sequence = 4",
      "update events set sequence = 4 where sequence = 5",
    ],
    problem: "Event 3 was changed.",
  },
  {
    name: "the last event removed, and the head rolled back to the row before",
    sql: [
      "delete from events where sequence = 5",
      "update event_head set sequence = 4, hash = (select hash from events where sequence = 4)",
    ],
    problem: headChanged,
  },
  {
    name: "two rows swapped",
    sql: [
      "update events set sequence = 9 where sequence = 2",
      "update events set sequence = 2 where sequence = 3",
      "update events set sequence = 3 where sequence = 9",
    ],
    problem: "Event 2 was changed.",
  },
  {
    name: "a row added after the end",
    sql: ["insert into events select 6, id, kind, subject, body, hash from events where sequence = 5"],
    problem: "Event 6 was changed.",
  },
  { name: "the head removed", sql: ["delete from event_head"], problem: headChanged },
  {
    name: "the head reset to the beginning",
    sql: ["update event_head set sequence = 0, hash = '', mac = ''"],
    problem: cutOff,
    afterRestart: "Event 5 is after the end of the log.",
  },
  {
    name: "everything removed, and the head reset to the beginning",
    sql: ["delete from events", "update event_head set sequence = 0, hash = '', mac = ''"],
    problem: cutOff,
    // Nothing in the database distinguishes it from a new log: only a reader who knows its earlier length can tell.
    afterRestart: "",
  },
];

function logOn(t: TestContext, store: Store, withKey = testEventKey): EventLog & { errors: Error[] } {
  const errors: Error[] = [];
  const onError = (error: unknown) => void errors.push(error as Error);
  const log = openEventLog(store, {
    key: withKey,
    system: { now: () => new Date() },
    gatherMs: 60_000,
    pollMs: undefined,
    onError,
    onProblem: ({ problem }) => onError(new Error(problem)),
  });
  t.after(() => log.close());
  return { ...log, errors };
}

const emit = (store: Store, n: number) =>
  store.apply({ context, steps: [], events: [{ kind: "test.happened", subject: `test/${n}`, data: { n } }] });

async function fiveSealed(t: TestContext, engine: (typeof engines)[number]) {
  const store = await testStore(t, engine);
  const log = logOn(t, store);
  for (let n = 1; n <= 5; n++) await emit(store, n);
  await log.seal();
  assert.deepEqual(await log.verify(), { intact: true, checked: 5 });
  return { store, log };
}

for (const engine of engines) {
  describe(engine, () => {
    test("the verification finds every changed or removed event", async (t) => {
      const { store, log } = await fiveSealed(t, engine);
      await run(
        store,
        "create table kept_events as select * from events",
        "create table kept_head as select * from event_head",
      );
      for (const { name, sql, problem, afterRestart = problem } of manipulations) {
        await run(store, ...sql);

        const verdict = await log.verify();
        assert.equal(verdict.intact, false, name);
        assert.equal(verdict.problem, problem, name);
        const restarted = await logOn(t, store).verify();
        assert.equal(restarted.intact ? "" : restarted.problem, afterRestart, `${name}, after a restart`);

        await run(
          store,
          "delete from events",
          "delete from event_head",
          "insert into events select * from kept_events",
          "insert into event_head select * from kept_head",
        );
        assert.deepEqual(await log.verify(), { intact: true, checked: 5 }, `after ${name}`);
      }
    });

    test("without the key the log cannot be verified, and no event is added to it or rejected", async (t) => {
      const { store } = await fiveSealed(t, engine);
      await emit(store, 6);
      const withoutKey = logOn(t, store, Buffer.alloc(32, 8));

      assert.deepEqual(await withoutKey.verify(), {
        intact: false,
        checked: 0,
        reason: "head_changed",
        problem: headChanged,
      });
      await emit(store, 7);
      await withoutKey.seal();

      for (const error of withoutKey.errors)
        assert.match(String(error), /not written with this key. No event is added/);
      assert.ok(withoutKey.errors.length > 0);
      assert.equal(await count(store, "events"), 5);
      assert.equal(await count(store, "pending_events"), 2);
      assert.equal(await count(store, "rejected_events"), 0);
    });

    test("a head that was reset to an older one is repaired from the rows, and the log records it", async (t) => {
      const store = await testStore(t, engine);
      const log = logOn(t, store);
      await emit(store, 1);
      await log.seal();
      const [old] = await query(store, "select sequence, hash, mac from event_head");
      await emit(store, 2);
      await log.seal();
      await run(store, `update event_head set sequence = 1, hash = '${old?.hash}', mac = '${old?.mac}'`);
      const cutOff = await log.verify();
      assert.equal(cutOff.intact ? "" : cutOff.problem, "The log was cut off: it had 2 events.");
      await emit(store, 3);
      await log.seal();
      assert.deepEqual(
        log.errors.map(({ message }) => message),
        [headChanged],
      );
      assert.deepEqual(
        (await query(store, "select kind from events order by sequence")).map(({ kind }) => kind),
        ["test.happened", "test.happened", "test.happened", "event_log.problem_found"],
      );
      assert.equal(await count(store, "pending_events"), 0);
      assert.deepEqual(await log.verify(), {
        intact: false,
        checked: 4,
        reason: "head_changed",
        problem: headChanged,
      });
    });
  });
}
