import assert from "node:assert/strict";
import test from "node:test";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import {
  addConnector,
  addEnvironment,
  context,
  count,
  fresh,
  newId,
  testStore,
} from "../../../testing/store.ts";
import { conflict, Problem } from "../../errors.ts";
import { collection } from "../collection.ts";

type Counter = { name: string; n: number };

const outcomes = async (promises: Promise<unknown>[]) => {
  const results = await Promise.allSettled(promises);
  const errors = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  return { succeeded: results.length - errors.length, errors };
};
const isConflict = (error: unknown) => error instanceof Problem && error.kind === "conflict";

export function raceTests(name: EngineName): void {
  test("of 50 concurrent inserts of one key, exactly one succeeds", async (t) => {
    const store = await testStore(t, name);
    const rows = collection(store, "connectors");
    const insert = () => {
      const row = fresh("the same key");
      const event = { kind: "connector.created", subject: `connector/${row.id}`, data: {} };
      const steps = rows.insert(row, { duplicate: () => conflict("There is already one.") });
      return store.apply({ context, steps, events: [event] });
    };

    const { succeeded, errors } = await outcomes(Array.from({ length: 50 }, insert));

    assert.equal(succeeded, 1);
    assert.ok(errors.every(isConflict), String(errors.find((error) => !isConflict(error))));
    assert.equal(await count(store, "connectors"), 1);
    assert.equal(await count(store, "pending_events"), 1);
    assert.equal((await rows.items({}, 0, 1)).total, 1);
  });

  test("of many concurrent changes, those that are refused or wrong leave the others written", async (t) => {
    const store = await testStore(t, name);
    const rows = collection(store, "connectors");
    const insert = (key: string) => {
      const row = fresh(key);
      const event = { kind: "connector.created", subject: `connector/${row.id}`, data: {} };
      const steps = rows.insert(row, { duplicate: () => conflict("There is already one.") });
      return store.apply({ context, steps, events: [event] });
    };
    const missed = { sql: "update connectors set state = 'x' where id = 'none'", parameters: [], expect: 1 };
    const miss = () => store.apply({ context, steps: [...rows.insert(fresh(newId())), missed], events: [] });
    const wrong = { sql: "insert into nowhere values (1)", parameters: [] };
    const fail = () => store.apply({ context, steps: [...rows.insert(fresh(newId())), wrong], events: [] });

    // Refused at the start, in the middle and at the end, alone and one after the other.
    const acts = [fail, miss, "a", "b", "a", miss, fail, "c", "b", "d", "e", "f", miss, "a"];
    const results = await Promise.allSettled(
      acts.map((act) => (typeof act === "string" ? insert(act) : act())),
    );

    const shown = results.map((one) => (one.status === "fulfilled" ? "written" : one.reason));
    for (const [at, kind] of [
      [/nowhere/, [0, 6]],
      [/missed/, [1, 5, 12]],
      [/There is already one/, [4, 8, 13]],
      [/^written$/, [2, 3, 7, 9, 10, 11]],
    ] as const) {
      for (const n of kind) assert.match(String(shown[n]), at, `change ${n}`);
    }
    const { items, total } = await rows.items({}, 0, 100);
    assert.equal(total, 6);
    assert.deepEqual(
      items.map((text) => JSON.parse(text).name),
      ["a", "b", "c", "d", "e", "f"],
    );
    assert.equal(await count(store, "pending_events"), 6);
    assert.equal(await count(store, "connectors"), 6);
  });

  test("concurrent increments are not lost", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<Counter>(store, "connectors");
    const row = { ...fresh("counter"), doc: { name: "counter", n: 0 } };
    await store.apply({ context, steps: rows.insert(row), events: [] });
    const increment = () =>
      store.retryOnConflict(async () => {
        const before = await rows.get(row.id);
        assert.ok(before);
        const doc = { ...before.doc, n: before.doc.n + 1 };
        const event = { kind: "connector.updated", subject: `connector/${row.id}`, data: {} };
        await store.apply({ context, steps: rows.update(before, { doc }), events: [event] });
      });

    const many = await outcomes(Array.from({ length: 40 }, increment));
    assert.deepEqual(many, { succeeded: 40, errors: [] });
    const after = await rows.get(row.id);
    assert.equal(after?.doc.n, 40);
    assert.equal(after?.version, 41);
    assert.equal(await count(store, "pending_events"), 40);
  });

  test("rules within rules do not wait for each other", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<Counter>(store, "connectors");
    const ids = ["one", "two"].map((text) => ({ ...fresh(text), doc: { name: text, n: 0 } }));
    for (const row of ids) await store.apply({ context, steps: rows.insert(row), events: [] });
    const increment = async (id: string) => {
      const before = await rows.get(id);
      assert.ok(before);
      const doc = { ...before.doc, n: before.doc.n + 1 };
      await store.apply({ context, steps: rows.update(before, { doc }), events: [] });
    };
    const [one = "", two = ""] = ids.map(({ id }) => id);
    const nested = (outer: string, inner: string) =>
      store.retryOnConflict(async () => {
        await store.retryWithinRule(() => increment(inner));
        await increment(outer);
      });
    const rules = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? nested(one, two) : nested(two, one)));

    assert.deepEqual(await outcomes(rules), { succeeded: 20, errors: [] });
  });

  test("of a concurrent removal of an environment and an insert into it, one is rejected", async (t) => {
    const store = await testStore(t, name);
    const environments = collection(store, "environments");
    const connectors = collection(store, "connectors");
    const refused = { referenced: () => conflict("rejected") };
    let filled = 0;
    for (let round = 0; round < 20; round++) {
      const environmentId = await addEnvironment(store, `environment ${round}`);
      const before = await environments.get(environmentId);
      assert.ok(before);
      const remove = () => store.apply({ context, steps: environments.remove(before, refused), events: [] });
      const row = fresh(`connector ${round}`, { environmentId });
      const insert = () => store.apply({ context, steps: connectors.insert(row, refused), events: [] });

      const both = round % 2 === 0 ? [remove, insert] : [insert, remove];
      const { succeeded, errors } = await outcomes(both.map((act) => act()));

      assert.equal(succeeded, 1, `round ${round}`);
      assert.ok(errors.every(isConflict), String(errors[0]));
      const there = (await environments.get(environmentId)) !== undefined;
      assert.equal((await connectors.get(row.id)) !== undefined, there);
      filled += there ? 1 : 0;
    }
    assert.equal((await connectors.page({}, 0, 100)).total, filled);
    assert.equal((await environments.page({}, 0, 100)).total, filled);
  });

  test("concurrent inserts and removals all succeed, and the totals stay exact", async (t) => {
    const store = await testStore(t, name);
    const rows = collection(store, "connectors");
    const environmentId = await addEnvironment(store, "dev");
    const old = Array.from({ length: 60 }, (_, n) => fresh(`old ${n}`, { environmentId }));
    await Promise.all(old.map((row) => addConnector(store, row)));

    const removals = old.map(async ({ id }) => {
      const before = await rows.get(id);
      assert.ok(before);
      await store.apply({ context, steps: rows.remove(before), events: [] });
    });
    const inserts = Array.from({ length: 40 }, (_, n) =>
      addConnector(store, fresh(`new ${n}`, { environmentId })),
    );

    assert.deepEqual((await outcomes([...removals, ...inserts])).errors, []);
    for (const scope of [{}, { environmentId }]) {
      const { items, total } = await rows.items(scope, 0, 1000);
      assert.equal(total, 40);
      assert.equal(items.length, 40);
    }
  });
}
