import assert from "node:assert/strict";
import test from "node:test";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import {
  addConnector,
  addEnvironment,
  fresh,
  query,
  run,
  testStore,
  testStoreOn,
} from "../../../testing/store.ts";
import { collection, type Scope } from "../collection.ts";
import type { Database, Statement } from "../database.ts";
import type { Store } from "../store.ts";

/** Connectors at positions 1 to n, every tenth with an owner, written by one statement instead of n changes. */
async function bulk(store: Store, n: number, environmentId: string): Promise<void> {
  const tally = (list: string, where: string) =>
    [1_000_000, 10_000, 100].map(
      (width) => `insert into tallies select '${list}', ${width}, position / ${width}, count(*)
                  from connectors where ${where} group by position / ${width}`,
    );
  await run(
    store,
    `with recursive s(p) as (select 1 union all select p + 1 from s where p < ${n})
     insert into connectors (position, id, key, version, environment_id, owner, doc)
     select p, 'id-' || p, 'key-' || p, 1,
       case when p % 2 = 0 then '${environmentId}' end, case when p % 10 = 0 then 'ann' end,
       '{"name":"' || p || '"}' from s`,
    `update positions set next = ${n} where list = 'connectors'`,
    ...tally("connectors/all", "true"),
    ...tally(`connectors/${environmentId}`, `environment_id = '${environmentId}'`),
    ...tally("connectors/ann", "owner = 'ann'"),
  );
}

export function pagingTests(name: EngineName): void {
  test("pages of 10,250 rows are exact at every skip, also after removals", async (t) => {
    const store = await testStore(t, name);
    const environmentId = await addEnvironment(store, "dev");
    await bulk(store, 10_250, environmentId);
    const rows = collection(store, "connectors");
    const remove = async (position: number) => {
      const before = await rows.get(`id-${position}`);
      assert.ok(before);
      await store.apply({
        context: { actor: "t", requestId: null, time: "" },
        steps: rows.remove(before),
        events: [],
      });
    };
    const removed = [...range(1, 1), ...range(95, 205), ...range(9_990, 10_010), ...range(10_250, 10_250)];
    await Promise.all(removed.map(remove));

    const scopes: [Scope, string][] = [
      [{}, "true"],
      [{ environmentId }, `environment_id = '${environmentId}'`],
      [{ owner: "ann" }, "owner = 'ann'"],
    ];
    for (const [scope, where] of scopes) {
      const docs = (await query(store, `select doc from connectors where ${where} order by position`)).map(
        ({ doc }) => doc,
      );
      for (const skip of [
        0,
        1,
        42,
        93,
        94,
        95,
        99,
        100,
        450,
        890,
        5_000,
        9_870,
        9_878,
        9_900,
        docs.length - 1,
      ]) {
        const { items, total } = await rows.items(scope, skip, 30);
        assert.equal(total, docs.length);
        assert.deepEqual(items, docs.slice(skip, skip + 30), `skip ${skip}`);
      }
      assert.deepEqual(await rows.items(scope, docs.length, 30), { items: [], total: docs.length });
      assert.deepEqual(await rows.items(scope, 2 ** 53 - 1, 30), { items: [], total: docs.length });
    }
  });

  test("no page and no total scans the table", async (t) => {
    const plain = await testStore(t, name);
    const environmentId = await addEnvironment(plain, "dev");
    await bulk(plain, 20_000, environmentId);
    if (name === "postgres") await run(plain, "analyze connectors", "analyze tallies");
    const { engine, statements } = recordReads(plain.engine);
    const rows = collection(testStoreOn(engine), "connectors");

    for (const scope of [{}, { environmentId }, { owner: "ann" }]) {
      for (const skip of [0, 50, 150, 1_900])
        assert.equal((await rows.items(scope, skip, 100)).items.length, 100);
    }

    const explain = name === "sqlite" ? "explain query plan" : "explain";
    assert.ok(statements.some(({ sql }) => sql.includes("connectors")));
    for (const { sql, parameters } of statements) {
      const plan = await plain.engine.read({ sql: `${explain} ${sql}`, parameters });
      const text = plan.map((line) => line.detail ?? line["QUERY PLAN"]).join("\n");
      assert.match(text, /scan|search/i);
      assert.doesNotMatch(text, /SCAN connectors|Seq Scan on connectors/, `${sql}\n${text}`);
    }
  });

  test("a reader that pages while rows are inserted gets every row once, in order", async (t) => {
    const store = await testStore(t, name);
    const environmentId = await addEnvironment(store, "dev");
    await bulk(store, 190, environmentId);
    const rows = collection(store, "connectors");
    let reading = true;
    let inserted = 0;
    const write = async () => {
      while (reading && inserted < 400) await addConnector(store, fresh(`new ${inserted++}`));
    };
    const writers = Promise.all(Array.from({ length: 8 }, write));

    const read: string[] = [];
    const totals: number[] = [];
    for (;;) {
      const { items, total } = await rows.items({}, read.length, 7);
      read.push(...items);
      totals.push(total);
      // Continues after the old rows, into those that are being written.
      if (read.length >= 190 && (inserted >= 400 || read.length > 300)) break;
      if (items.length === 0) await new Promise((next) => setImmediate(next));
    }
    reading = false;
    await writers;

    const all = (await query(store, "select doc from connectors order by position")).map(({ doc }) => doc);
    assert.deepEqual(read, all.slice(0, read.length));
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => a - b),
    );
    assert.equal((await rows.items({}, 0, 1)).total, all.length);
    assert.ok(all.length > 190, "rows were inserted meanwhile");
  });
}

/** A database that records the statements it reads with. */
function recordReads(engine: Database): { engine: Database; statements: Statement[] } {
  const statements: Statement[] = [];
  const keep =
    <Result>(read: (statement: Statement) => Promise<Result>) =>
    (statement: Statement) => {
      statements.push(statement);
      return read(statement);
    };
  return { engine: { ...engine, read: keep(engine.read), readOne: keep(engine.readOne) }, statements };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
