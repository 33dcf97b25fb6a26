import assert from "node:assert/strict";
import { DataProblem } from "../../protocol/problem.ts";
import { ingest } from "../../transfer/ingest.ts";
import { seededRandom, seedOf } from "../seeded-random.ts";
import type { TransferHarness } from "../transfer-harness.ts";
import type { OrderedType, TypedSource } from "./watermark-suite.ts";

/**
 * Loads rows whose key has any values of a type, including values that the source takes for the same. Each row is
 * written, rejected, or counted as superseded, with a warning. The same rows in another order change nothing, and rows
 * that are gone are removed. With a watermark that several rows share, the row with the greatest watermark wins, in one
 * run or in two.
 */
export async function loadByKey(
  harness: TransferHarness,
  source: TypedSource,
  { declared, values = [] }: OrderedType,
  table: string,
): Promise<void> {
  const random = seededRandom(seedOf(declared));
  const rows = values.filter(() => random.below(values.length) < 40).map((value, n) => [n, value] as const);
  const tables = [rows, random.shuffled(rows), random.shuffled(rows.filter(([n]) => n % 2 === 0))];
  let before: unknown;
  for (const [at, some] of tables.entries()) {
    await source.create(`${table}_${at}`, declared);
    await source.insert(`${table}_${at}`, some);
    const request = harness.request(
      {
        ...{ id: table, source: `${table}_${at}`, target: table, keys: ["v"], watermark: null },
        ...{ deletes: at === 2, maxDeleteShare: 1, maxRejectShare: 1 },
      },
      { connection: source.connection },
    );
    const {
      inserted,
      updated,
      rejected,
      superseded = 0,
      warnings,
    } = await ingest(request, harness.context).catch((error: unknown) => {
      // A type for which DuckDB has no equality.
      throw error instanceof DataProblem ? error : new Error(`${declared}: ${error}`, { cause: error });
    });
    const found = await harness.rows(`SELECT id FROM _main."default".${table} ORDER BY id`);
    // Rows are deleted when the keys of all rows can be read.
    if (at < 2 || rejected === 0)
      assert.equal(found.length + rejected + superseded, some.length, `${declared} ${JSON.stringify(some)}`);
    if (superseded > 0) assert.match(warnings.join("\n"), /another row has the same "v"/);
    if (at === 1) {
      assert.deepEqual(found, before, `${declared}: the same rows count`);
      assert.deepEqual([inserted, updated], [0, 0], declared);
    }
    before = found;
  }
  await loadByWatermark(harness, source, declared, rows, table);
}

async function loadByWatermark(
  harness: TransferHarness,
  source: TypedSource,
  declared: string,
  rows: readonly (readonly [number, string])[],
  table: string,
): Promise<void> {
  const random = seededRandom(seedOf(`${declared} by watermark`));
  const tied = rows.map(([n, value]) => [n >> 2, value] as const);
  const middle = rows.length >> 3;
  const [early, late] = [tied.filter(([id]) => id <= middle), tied.filter(([id]) => id >= middle)];
  const load = async (name: string, increments: readonly (typeof tied)[], dataset: object) => {
    await source.create(name, declared);
    for (const some of increments) {
      await source.insert(name, random.shuffled(some));
      const given = { id: name, source: name, target: name, maxRejectShare: 1, ...dataset };
      await ingest(harness.request(given, { connection: source.connection }), harness.context);
    }
  };
  const keyed = { keys: ["v"], watermark: "id" };
  await load(`${table}_all`, [tied], { keys: [], strategy: "append", watermark: null });
  await load(`${table}_once`, [tied], keyed);
  await load(`${table}_twice`, [early, late.filter((one) => !early.includes(one))], keyed);
  const expected = await harness.rows(
    `SELECT max(id), v FROM _main."default".${table}_all WHERE v IS NOT NULL GROUP BY v ORDER BY ALL`,
  );
  for (const name of [`${table}_once`, `${table}_twice`])
    assert.deepEqual(
      await harness.rows(`SELECT id, v FROM _main."default".${name} WHERE v IS NOT NULL ORDER BY ALL`),
      expected,
      `${declared}: ${name}`,
    );
}
