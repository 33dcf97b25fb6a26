import assert from "node:assert/strict";
import test from "node:test";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import {
  addConnector,
  addEnvironment,
  context,
  count,
  fresh,
  query,
  testStore,
} from "../../../testing/store.ts";
import { conflict } from "../../errors.ts";
import { collection } from "../collection.ts";
import { type Store, VersionConflict } from "../store.ts";

type Doc = { name: string };

/** All rows that a change can write. */
async function allRows(store: Store) {
  const all = (table: string, order: string) => query(store, `select * from ${table} order by ${order}`);
  return {
    connectors: await all("connectors", "position"),
    positions: await all("positions", "list"),
    tallies: await all("tallies", "list, width, bucket"),
    events: await all("pending_events", "arrival"),
  };
}

export function changeTests(name: EngineName): void {
  test("an inserted row is found by its id and by its key, at version 1", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<Doc>(store, "connectors");
    const row = { ...fresh("orders"), state: "active", sealed: "sealed" };

    await store.apply({ context, steps: rows.insert(row), events: [] });

    assert.deepEqual(await rows.get(row.id), { ...row, version: 1, chargedTo: null });
    assert.deepEqual(await rows.byKey(row.key), { ...row, version: 1, chargedTo: null });
    assert.deepEqual(await rows.text(row.id), { text: '{"name":"orders"}', version: 1 });
    assert.equal(await rows.get("unknown"), undefined);
    assert.equal(await rows.get("\0"), undefined);
    assert.equal(await rows.text("\0"), undefined);
    assert.equal(await rows.byKey("unknown"), undefined);
  });

  test("an update replaces the document and increments the version", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<Doc>(store, "connectors");
    const row = fresh("before");
    await addConnector(store, row);
    const before = await rows.get(row.id);
    assert.ok(before);

    const next = { doc: { name: "after" }, key: '["after"]', state: "paused", sealed: "s" };
    await store.apply({ context, steps: rows.update(before, next), events: [] });

    assert.deepEqual(await rows.get(row.id), { ...before, ...next, version: 2 });
    assert.equal(await rows.byKey(row.key), undefined);
  });

  test("an update or a removal of a stale version is rolled back completely", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<Doc>(store, "connectors");
    const row = fresh("orders");
    await addConnector(store, row);
    const old = await rows.get(row.id);
    assert.ok(old);
    await store.apply({ context, steps: rows.update(old, { doc: { name: "newer" } }), events: [] });
    const before = await allRows(store);

    const events = [{ kind: "connector.updated", subject: "connector/x", data: {} }];
    await assert.rejects(
      store.apply({ context, steps: rows.update(old, { doc: { name: "lost" } }), events }),
      VersionConflict,
    );
    await assert.rejects(store.apply({ context, steps: rows.remove(old), events }), VersionConflict);

    assert.deepEqual(await allRows(store), before);
  });

  test("after a removal the key can be used again", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<Doc>(store, "connectors");
    const row = fresh("orders");
    await addConnector(store, row);
    const before = await rows.get(row.id);
    assert.ok(before);

    await store.apply({ context, steps: rows.remove(before), events: [] });

    assert.equal(await rows.get(row.id), undefined);
    assert.deepEqual(await rows.items({}, 0, 10), { items: [], total: 0 });
    await addConnector(store, fresh("orders"));
    assert.equal((await rows.items({}, 0, 10)).total, 1);
  });

  test("a statement that changes fewer or more rows than expected rolls back the change", async (t) => {
    const store = await testStore(t, name);
    await addConnector(store, fresh("a"));
    await addConnector(store, fresh("b"));
    const before = await allRows(store);
    const touch = (expect: number) => ({ sql: "update connectors set state = 'x'", parameters: [], expect });

    for (const wrong of [0, 1, 3]) {
      await assert.rejects(store.apply({ context, steps: [touch(wrong)], events: [] }), VersionConflict);
    }
    assert.deepEqual(await allRows(store), before);

    await store.apply({ context, steps: [touch(2)], events: [] });
    assert.equal((await query(store, "select id from connectors where state = 'x'")).length, 2);
  });

  test("a change that is rejected at its last step writes nothing, not even an event", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<Doc>(store, "connectors");
    await addConnector(store, fresh("taken"));
    const before = await allRows(store);

    const change = store.apply({
      context,
      steps: [
        ...rows.insert(fresh("new")),
        ...rows.insert(fresh("taken"), { duplicate: () => conflict("There is already one.") }),
      ],
      events: [{ kind: "connector.created", subject: "connector/new", data: {} }],
    });

    await assert.rejects(change, { kind: "conflict", message: "There is already one." });
    assert.deepEqual(await allRows(store), before);
  });

  test("a change with an invalid statement writes nothing, and the next change succeeds", async (t) => {
    const store = await testStore(t, name);
    const before = await allRows(store);
    const wrong = { sql: "insert into nowhere values (1)", parameters: [] };

    const steps = [...collection<Doc>(store, "connectors").insert(fresh("a")), wrong];
    await assert.rejects(store.apply({ context, steps, events: [] }), /nowhere/);

    assert.deepEqual(await allRows(store), before);
    await addConnector(store, fresh("b"));
    assert.equal(await count(store, "connectors"), 1);
  });

  test("an environment that contains resources cannot be removed", async (t) => {
    const store = await testStore(t, name);
    const environments = collection<Doc>(store, "environments");
    const environmentId = await addEnvironment(store, "dev");
    const row = fresh("orders", { environmentId });
    await addConnector(store, row);
    const before = await environments.get(environmentId);
    assert.ok(before);
    const refused = { referenced: () => conflict("It contains resources.") };
    const remove = () => store.apply({ context, steps: environments.remove(before, refused), events: [] });

    await assert.rejects(remove(), { kind: "conflict", message: "It contains resources." });
    assert.ok(await environments.get(environmentId));
    assert.equal((await environments.page({}, 0, 1)).total, 1);

    const connectors = collection<Doc>(store, "connectors");
    const stored = await connectors.get(row.id);
    assert.ok(stored);
    await store.apply({ context, steps: connectors.remove(stored), events: [] });
    await remove();
    assert.equal(await environments.get(environmentId), undefined);
  });

  test("no row can refer to a missing environment", async (t) => {
    const store = await testStore(t, name);
    const refused = { referenced: () => conflict("There is no such environment.") };
    const steps = collection(store, "connectors").insert(fresh("x", { environmentId: "gone" }), refused);

    await assert.rejects(store.apply({ context, steps, events: [] }), {
      message: "There is no such environment.",
    });
    assert.equal((await collection(store, "connectors").page({}, 0, 1)).total, 0);
  });
}
