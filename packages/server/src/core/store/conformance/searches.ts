import assert from "node:assert/strict";
import test from "node:test";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import { addEnvironment, run, testStore } from "../../../testing/store.ts";
import { collection } from "../collection.ts";
import type { ListRequest } from "../list-request.ts";
import type { Store } from "../store.ts";

const size = 20_000;

/** Connectors at positions 1 to n, written by one statement: every tenth is paused, every hundredth removed. */
async function fill(store: Store, environmentId: string): Promise<void> {
  await run(
    store,
    `with recursive s(p) as (select 1 union all select p + 1 from s where p < ${size})
     insert into connectors
       (position, id, key, version, environment_id, doc, name, status, created_at, search_text)
     select p, 'id-' || p, 'key-' || p, 1, case when p % 2 = 0 then '${environmentId}' end,
       '{"n":' || p || '}', 'n' || (p * 7919 % ${size}), case when p % 10 = 0 then 'paused' else 'active' end,
       '2026-03-01', 'n' || (p * 7919 % ${size})
     from s where p % 100 <> 0`,
    `update positions set next = ${size} where list = 'connectors'`,
  );
}

const kept = Array.from({ length: size }, (_, n) => n + 1).filter((p) => p % 100 !== 0);
const nameOf = (p: number) => `n${(p * 7919) % size}`;

export function searchTests(name: EngineName): void {
  test("filtered and sorted pages of 20,000 rows agree with a plain array", async (t) => {
    const store = await testStore(t, name);
    const environmentId = await addEnvironment(store, "dev");
    await fill(store, environmentId);
    const rows = collection(store, "connectors");
    const read = async (scope: object, request: Partial<ListRequest>) => {
      const { items, total } = await rows.listItems(scope, { skip: 0, limit: 50, ...request });
      return { numbers: items.map((text) => JSON.parse(text).n as number), total };
    };
    const byName = (some: readonly number[]) => some.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    const paused = kept.filter((p) => p % 10 === 0);
    const even = kept.filter((p) => p % 2 === 0);

    for (const skip of [0, 7, 700, 1_750, 5_000]) {
      const expected = { numbers: paused.slice(skip, skip + 50), total: paused.length };
      assert.deepEqual(await read({}, { status: "paused", skip }), expected);
    }
    for (const [sort, all] of [
      ["name", byName(even)],
      ["-name", byName(even).toReversed()],
    ] as const) {
      for (const skip of [0, 60, 970]) {
        const expected = { numbers: all.slice(skip, skip + 50), total: all.length };
        assert.deepEqual(await read({ environmentId }, { sort, skip }), expected);
        assert.deepEqual(await read({ environmentIds: [environmentId, "none"] }, { sort, skip }), expected);
      }
    }
    assert.deepEqual(await read({ environmentIds: [] }, { sort: "name" }), { numbers: [], total: 0 });
    assert.deepEqual(await read({ ids: ["id-5", "id-1"] }, { sort: "created" }), {
      numbers: [1, 5],
      total: 2,
    });
    assert.deepEqual(await read({}, { search: "n0", sort: "name" }), { numbers: [], total: 0 });
  });

  test("a search lets others run", async (t) => {
    const store = await testStore(t, name);
    const environmentId = await addEnvironment(store, "dev");
    await fill(store, environmentId);
    const rows = collection(store, "connectors");
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await rows.list({}, { skip: 0, limit: 10, search: "no such name", sort: "-name" });
    clearImmediate(timer);
    // A thousand rows at a time in this thread; PostgreSQL reads in its own process.
    if (name === "sqlite") assert.ok(turns >= size / 1_000, `${turns} turns`);
  });
}
