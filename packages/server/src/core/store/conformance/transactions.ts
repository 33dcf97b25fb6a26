import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import {
  addConnector,
  context,
  count,
  fresh,
  query,
  system,
  testStore,
  testStoreOn,
} from "../../../testing/store.ts";
import { conflict, Problem } from "../../errors.ts";
import { collection } from "../collection.ts";
import { createRetries, withoutTurns } from "../retries.ts";
import type { Store } from "../store.ts";
import { createTransactionScopes } from "../transaction-scope.ts";

const longMs = 10_000;
const taken = () => conflict("taken");

async function given(t: TestContext, name: EngineName) {
  const store = await testStore(t, name);
  const scopes = createTransactionScopes(store.engine);
  const scoped = testStoreOn(scopes.database, withoutTurns(createRetries(system)));
  const rows = collection<{ name: string; text?: string }>(scoped, "connectors");
  return {
    store,
    scopes,
    scoped,
    rows,
    /** Writes a connector in the scope that it is called in. */
    async add(connector: string, text = "") {
      const row = { ...fresh(connector), doc: { name: connector, text } };
      const steps = rows.insert(row, { duplicate: taken });
      const events = [{ kind: "connector.created", subject: `connector/${row.id}`, data: {} }];
      await scoped.apply({ context, steps, events });
      return row.id;
    },
    names: () => namesIn(store),
  };
}

const namesIn = async (store: Store) =>
  (await query(store, "select doc from connectors order by position")).map(
    ({ doc }) => (JSON.parse(String(doc)) as { name: string }).name,
  );

export function transactionTests(name: EngineName): void {
  test("a scope sees its own changes, and without a commit they never happened", async (t) => {
    const { store, scopes, scoped, rows, add, names } = await given(t, name);
    await addConnector(store, fresh("kept"));
    await scopes.run(longMs, async () => {
      const id = await add("tried");
      const before = await rows.get(id);
      assert.ok(before);
      await scoped.apply({ context, steps: rows.update(before, { doc: { name: "changed" } }), events: [] });
      assert.deepEqual([(await rows.get(id))?.doc.name, (await rows.page({}, 0, 10)).total], ["changed", 2]);
      assert.deepEqual(await names(), ["kept"]);
    });
    assert.deepEqual(await names(), ["kept"]);
    assert.deepEqual(await rows.page({}, 0, 10), { joined: '{"name":"kept"}', total: 1 });
    assert.equal(await count(store, "pending_events"), 1);
  });

  test("a committed scope has written everything, with its events", async (t) => {
    const { store, scopes, add, names } = await given(t, name);
    const written = store.engine.written();
    await scopes.run(longMs, async (scope) => {
      await add("one");
      await add("two");
      await scope.commit();
      assert.deepEqual(await names(), ["one", "two"]);
    });
    assert.equal(await count(store, "pending_events"), 2);
    assert.ok(store.engine.written() > written);
    await addConnector(store, fresh("three"));
    assert.deepEqual(await names(), ["one", "two", "three"]);
  });

  test("a refused change leaves the others of its scope", async (t) => {
    const { scopes, add, names } = await given(t, name);
    await scopes.run(longMs, async (scope) => {
      await add("one");
      await assert.rejects(add("one"), /taken/);
      await add("two");
      await scope.commit();
    });
    assert.deepEqual(await names(), ["one", "two"]);
  });

  test("lists count what a scope adds, refuses and removes, during it and afterwards", async (t) => {
    const { store, scopes, scoped, rows, add } = await given(t, name);
    const total = async () => (await rows.page({}, 0, 1)).total;
    await addConnector(store, fresh("kept"));
    await scopes.run(longMs, async (scope) => {
      const first = await add("0");
      for (let n = 1; n < 120; n++) await add(String(n));
      await assert.rejects(add("7"), /taken/);
      assert.equal(await total(), 121);
      const before = await rows.get(first);
      assert.ok(before);
      await scoped.apply({ context, steps: rows.remove(before), events: [] });
      await assert.rejects(add("7"), /taken/);
      await add("last");
      await scope.commit();
    });
    assert.equal(await total(), 121);
    const { joined } = await rows.page({}, 118, 5);
    assert.equal(joined, '{"name":"118","text":""},{"name":"119","text":""},{"name":"last","text":""}');
  });

  if (name === "postgres") {
    test("a scope updates the tallies of its rows once", async (t) => {
      const { store, scopes, add } = await given(t, name);
      const size = async () =>
        Number((await query(store, "select pg_relation_size('tallies') as bytes"))[0]?.bytes);
      await scopes.run(60_000, async (scope) => {
        for (let n = 0; n < 500; n++) await add(String(n));
        await scope.commit();
      });
      // Counted one by one, each row would leave a version of about 60 bytes for each width.
      assert.ok((await size()) <= 24 * 1024, `${await size()} bytes`);
    });
  }

  test("an error in a scope rolls it back, and others go on", async (t) => {
    const { store, scopes, add, names } = await given(t, name);
    const failing = scopes.run(longMs, async () => {
      await add("lost");
      throw new Error("a bug");
    });
    const neighbours = ["a", "b", "c"].map((one) => addConnector(store, fresh(one)));
    await assert.rejects(failing, /a bug/);
    await Promise.all(neighbours);
    assert.deepEqual((await names()).sort(), ["a", "b", "c"]);
  });

  test("scopes and changes of many callers take turns, and none is lost", async (t) => {
    const { store, scopes, add, names } = await given(t, name);
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 3 === 0
          ? addConnector(store, fresh(`change-${n}`))
          : scopes.run(longMs, async (scope) => {
              await add(`scope-${n}`);
              if (n % 3 === 1) await scope.commit();
            }),
      ),
    );
    const expected = Array.from({ length: 30 }, (_, n) => n).filter((n) => n % 3 !== 2);
    assert.deepEqual(
      (await names()).map((one) => Number(one.split("-")[1])).sort((a, b) => a - b),
      expected,
    );
  });

  test("work that outlives its scope can write nothing", async (t) => {
    const { scopes, add, names } = await given(t, name);
    const ended = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    await scopes.run(longMs, async (scope) => {
      await add("one");
      late = ended.promise.then(() => add("late"));
      await scope.commit();
    });
    const next = scopes.run(longMs, async (scope) => {
      await add("two");
      ended.resolve();
      await assert.rejects(late as Promise<unknown>, /has ended/);
      await scope.commit();
    });
    await next;
    await assert.rejects(add("outside"), /needs a transaction scope/);
    assert.deepEqual(await names(), ["one", "two"]);
  });

  test("a scope that takes too long is rolled back, and its lock released", async (t) => {
    const { store, scopes, add, names } = await given(t, name);
    const never = new Promise<never>(() => {});
    const slow = scopes.run(200, async () => {
      await add("slow");
      return never;
    });
    await assert.rejects(slow, (error) => error instanceof Problem && error.kind === "unavailable");
    await addConnector(store, fresh("next"));
    assert.deepEqual(await names(), ["next"]);
  });

  test("a scope writes a limited amount", async (t) => {
    const { store, scopes, add, names } = await given(t, name);
    const large = "x".repeat(6 * 1024 * 1024);
    const writing = scopes.run(longMs, async (scope) => {
      for (let n = 0; n < 10; n++) await add(String(n), large);
      await scope.commit();
    });
    await assert.rejects(writing, (error) => error instanceof Problem && error.kind === "tooLarge");
    await addConnector(store, fresh("next"));
    assert.deepEqual(await names(), ["next"]);
  });
}
