import assert from "node:assert/strict";
import { DataProblem } from "../../protocol/problem.ts";
import { deliver } from "../../transfer/delivery.ts";
import { ingest } from "../../transfer/ingest.ts";
import { listRejects } from "../../transfer/rejects.ts";
import { seededRandom, seedOf } from "../seeded-random.ts";
import type { TransferHarness } from "../transfer-harness.ts";
import type { OrderedType, TypedSource } from "./watermark-suite.ts";

/** A system that rows are exported to. */
export interface KeyedTarget extends TypedSource {
  /** Creates a table with `v` as its key, and `id`. Rejects if the type cannot be a key. */
  createKeyed(table: string, declared: string): Promise<void>;
  ids(table: string): Promise<number[]>;
}

/**
 * Exports rows whose key has any values of a type of the target, including values that the target takes for the same.
 * Every row is written, or is a reject; the same rows once more change nothing; changed rows arrive; and rows that are
 * gone are removed. Which row of a key is written does not depend on the order of the rows, even with a watermark that
 * several rows share. Returns the number of rejects; undefined if the type cannot be a key.
 */
export async function exportByKey(
  harness: TransferHarness,
  target: KeyedTarget,
  { declared, values = [] }: OrderedType,
  table: string,
): Promise<number | undefined> {
  const isKey = await target.createKeyed(table, declared).then(
    () => true,
    () => false,
  );
  if (!isKey) return undefined;
  const random = seededRandom(seedOf(declared));
  const some = values.filter(() => random.below(values.length) < 40);
  await target.create(`${table}_in`, declared);
  await target.insert(
    `${table}_in`,
    random.shuffled(some).map((value, n) => [n, value] as const),
  );
  const source = `${table}_out`;
  const { connection } = target;
  const imported = { id: source, source: `${table}_in`, target: source, keys: [], maxRejectShare: 1 };
  await ingest(
    harness.request({ ...imported, watermark: null, strategy: "append" }, { connection }),
    harness.context,
  );
  const rows = `_main."default".${source}`;
  // More spellings of the same keys, where the warehouse has a text.
  await harness
    .rows(
      `INSERT INTO ${rows} SELECT id + 500, upper(v) FROM ${rows} WHERE typeof(v) = 'VARCHAR' UNION ALL SELECT id + 600, v || ' ' FROM ${rows} WHERE typeof(v) = 'VARCHAR'`,
    )
    .catch(() => {});
  const request = (deletes: boolean) =>
    harness.request(
      {
        ...{ id: table, source, target: table, keys: ["v"], watermark: null },
        ...{ deletes, maxRejectShare: 1, maxDeleteShare: 1 },
      },
      { direction: "out", connection },
    );
  let rejects = 0;
  const expectAll = async (about: string, deletes: boolean) => {
    const result = await deliver(request(deletes), harness.context).catch((error: unknown) => {
      if (error instanceof DataProblem) return undefined;
      throw new Error(`${declared}, ${about}: ${error}`, { cause: error });
    });
    // An error has said what the type cannot hold.
    if (!result) return undefined;
    const all = (await harness.rows(`SELECT id FROM ${rows}`)).map(([id]) => Number(id));
    const found = await target.ids(table);
    assert.ok(
      found.every((id) => all.includes(id)),
      `${declared}, ${about}: ${found} of ${all}`,
    );
    const { rejected, superseded = 0 } = result;
    assert.equal(
      new Set(found).size + rejected + superseded,
      all.length,
      `${declared}, ${about}: ${JSON.stringify(await harness.rows(`SELECT * FROM ${rows}`))}`,
    );
    rejects = Math.max(rejects, rejected);
    return result;
  };
  if (!(await expectAll("first", false))) return undefined;
  const sorted = async (name: string) => (await target.ids(name)).sort((one, other) => one - other);
  /**
   * Exports the same rows in another order, or with a watermark that several rows share. Returns the ids of the written
   * rows.
   */
  const written = async (name: string, order: string, watermark: string | null) => {
    await harness.rows(
      `CREATE TABLE _main."default".${name} AS SELECT *${watermark === null ? "" : ", id // 4 AS w"} FROM ${rows} ORDER BY ${order}`,
    );
    await target.createKeyed(name, declared);
    const dataset = { ...request(false).dataset, id: name, source: name, target: name, watermark };
    await deliver(harness.request(dataset, { direction: "out", connection }), harness.context);
    return sorted(name);
  };
  const tied = await written(`${table}_w`, "id", "w");
  assert.deepEqual(await written(`${table}_x`, "hash(id)", "w"), tied, `${declared}, with a watermark`);
  assert.deepEqual(await written(`${table}_y`, "hash(id)", null), await sorted(table), declared);
  const respelled = (await listRejects(harness.warehouse, [table], { skip: 0, limit: 1000 })).rejects.filter(
    ({ reason, row }) => /in another way/.test(reason) && Number(row?.id) < 500,
  );
  assert.deepEqual(respelled, [], `${declared}: the type's own spelling is refused`);
  const again = await expectAll("again", false);
  assert.deepEqual([again?.inserted, again?.updated], [0, 0], `${declared}: again`);
  await harness.rows(`UPDATE ${rows} SET id = id + 1000`);
  await expectAll("changed", false);
  await harness.rows(`DELETE FROM ${rows} WHERE id % 2 = 0`);
  await expectAll("deleted", true);
  await harness.rows(`DELETE FROM ${rows} WHERE id = (SELECT max(id) FROM ${rows})`);
  await expectAll("deleted again", true);
  return rejects;
}
