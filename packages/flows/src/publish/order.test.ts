/**
 * Which row of a key wins never depends on the order of the rows. In a history, it does not depend on the runs that
 * brought the rows either.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { FlowDuckDb } from "../testing/duckdb.ts";
import { flowOf, ordersRequest, recheck } from "../testing/requests.ts";
import { fillShop, type OrderRow } from "../testing/shop.ts";

/** There are few different keys, times and amounts, so that many rows are equal. */
const anyRow = fc.tuple(
  fc.integer({ min: 1, max: 2 }),
  fc.integer({ min: 1, max: 2 }),
  fc.option(fc.integer({ min: 1, max: 3 })),
  fc.constantFrom("2026-01-01", "2026-01-02", "2026-01-03"),
);
const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 8 });

let duck: FlowDuckDb;
before(async () => {
  duck = await FlowDuckDb.open();
});
after(() => duck[Symbol.asyncDispose]());

/** The table after runs that each process one of these batches. */
async function published(
  request: Partial<ConsumptionFlowInput>,
  batches: readonly (readonly OrderRow[])[],
  { columns = "*", businessDate = "" } = {},
) {
  await duck.run("DROP TABLE IF EXISTS shop.marts.orders");
  const flow = await flowOf(ordersRequest(request));
  for (const batch of batches) {
    await fillShop(duck, batch);
    await duck.runFlow(flow, { businessDate });
  }
  return duck.rows(`SELECT ${columns} FROM shop.marts.orders ORDER BY ALL`);
}

const shuffled = anyRows.chain((rows) =>
  fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
);

for (const request of [
  { write_strategy: "merge" as const },
  { write_strategy: "merge_and_delete" as const, sequence_by: "updated_at" },
  { write_strategy: "replace" as const },
]) {
  test(`the order of the rows does not matter (${JSON.stringify(request)})`, async () => {
    await fc.assert(
      fc.asyncProperty(shuffled, async ([rows, others]) =>
        assert.deepEqual(await published(request, [others]), await published(request, [rows])),
      ),
      { numRuns: randomCases(40) },
    );
  });
}

for (const write_strategy of ["merge", "merge_and_delete", "replace"] as const) {
  test(`${write_strategy}: nor in a run for a business date`, async () => {
    const request = { write_strategy, business_date_column: "updated_at" };
    const ofDate = { businessDate: "2026-01-02" };
    await fc.assert(
      fc.asyncProperty(shuffled, async ([rows, others]) => {
        const found = await published(request, [rows, others], ofDate);
        assert.deepEqual(found, await published(request, [rows], ofDate));
      }),
      { numRuns: randomCases(15) },
    );
  });
}

test("a history by run has the same row of each key, whatever the order of its rows", async () => {
  // A version begins at the time of its run, which differs between tests.
  const values = {
    columns: "order_id, amount, country, updated_at, valid_to IS NULL AS is_open, is_current",
  };
  await fc.assert(
    fc.asyncProperty(shuffled, shuffled, async ([rows, others], [later, laterOthers]) =>
      assert.deepEqual(
        await published({ scd_type: 2 }, [others, laterOthers], values),
        await published({ scd_type: 2 }, [rows, later], values),
      ),
    ),
    { numRuns: randomCases(40) },
  );
});

for (const request of [
  {},
  { sequence_by: "updated_at" },
  { scd_type: 2, sequence_by: "updated_at" },
] satisfies Partial<ConsumptionFlowInput>[]) {
  test(`the order of rechecked rows does not matter (${JSON.stringify(request)})`, async () => {
    const unknown = ([id, , ...more]: OrderRow): OrderRow => [id, 3, ...more];
    await fc.assert(
      fc.asyncProperty(shuffled, shuffled, async ([first, firstOthers], [second, secondOthers]) => {
        const run = async (unmatched: readonly OrderRow[], matched: readonly OrderRow[]) => {
          await duck.run(
            "DROP TABLE IF EXISTS shop.marts.orders; DROP TABLE IF EXISTS shop.marts.orders_unmatched",
          );
          const flow = await flowOf(ordersRequest({ ...recheck, ...request }));
          await fillShop(duck, unmatched.map(unknown));
          await duck.runFlow(flow);
          // Now the customers of the unmatched orders exist.
          await fillShop(duck, matched, [
            [1, "DE"],
            [2, "FR"],
            [3, "IT"],
          ]);
          await duck.runFlow(flow);
          return duck.rows("SELECT * FROM shop.marts.orders ORDER BY ALL");
        };
        assert.deepEqual(await run(firstOthers, secondOthers), await run(first, second));
      }),
      { numRuns: randomCases(15) },
    );
  });
}

test("a history by a sequence is the same for rows in any order and in any number of runs", async () => {
  const batched = anyRows.chain((rows) =>
    fc.tuple(
      fc.constant(rows),
      fc.shuffledSubarray(rows, { minLength: rows.length }),
      fc.array(fc.nat(rows.length), { maxLength: 3 }),
    ),
  );
  const request = { scd_type: 2, sequence_by: "updated_at", emit_surrogate_key: true };
  await fc.assert(
    fc.asyncProperty(batched, async ([rows, others, cuts]) => {
      const ends = [...cuts.toSorted((a, b) => a - b), others.length];
      const batches = ends.map((end, at) => others.slice(ends[at - 1] ?? 0, end));
      assert.deepEqual(await published(request, batches), await published(request, [rows]));
    }),
    { numRuns: randomCases(100) },
  );
});

test("rows that are not published are counted", async () => {
  const counted = async (request: Partial<ConsumptionFlowInput>, rows: readonly OrderRow[]) => {
    await fillShop(duck, rows);
    return (await duck.runFlow(await flowOf(ordersRequest(request)))).duplicates?.outranked;
  };
  const rows: OrderRow[] = [
    [1, 1, 10, "2026-01-01"],
    [1, 1, 10, "2026-01-01"],
    [1, 1, 11, "2026-01-02"],
    [2, 1, 20, "2026-01-01"],
  ];
  const target = (name: string) => ({ target_name: `shop.marts.${name}` });
  assert.equal(await counted(target("merged"), rows), 2);
  assert.equal(await counted({ ...target("newest"), sequence_by: "updated_at" }, rows), 2);
  const versions = { ...target("versions"), scd_type: 2, sequence_by: "updated_at" };
  assert.equal(await counted(versions, rows), 1);
  assert.equal(await counted(versions, rows), 1, "again the same");
  assert.equal(await counted(versions, rows.slice(1)), 0, "rows that the table has are no duplicates");
});
