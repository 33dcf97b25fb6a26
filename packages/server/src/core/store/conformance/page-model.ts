import assert from "node:assert/strict";
import test from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import { addConnector, addEnvironment, context, fresh, run, testStore } from "../../../testing/store.ts";
import { collection } from "../collection.ts";

type ModelRow = ReturnType<typeof fresh>;
type Operation =
  | { readonly act: "insert"; readonly into: number; readonly owner: string | undefined }
  | { readonly act: "remove"; readonly nth: number }
  | { readonly act: "jump"; readonly before: number };

const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("insert" as const),
      into: fc.integer({ min: 0, max: 2 }),
      owner: fc.constantFrom("ann", "ben", undefined),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("remove" as const), nth: fc.nat(1000) }) },
  // As if everything in between had been inserted and removed: the next rows are across the boundary.
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("jump" as const),
      before: fc.constantFrom(100, 200, 10_000, 20_000, 1_000_000, 1_010_000, 2_000_000),
    }),
  },
);

export function pageModelTests(name: EngineName): void {
  test("skip, limit and total agree with a plain array after any inserts and removals", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<{ name: string }>(store, "connectors");
    const environments = [undefined, await addEnvironment(store, "dev"), await addEnvironment(store, "test")];
    let serial = 0;

    const walk = async (walked: readonly Operation[], limit: number) => {
      await run(
        store,
        "delete from connectors",
        "delete from tallies where list like 'connectors/%'",
        "update positions set next = 0 where list = 'connectors'",
      );
      const model: ModelRow[] = [];
      let next = 0;
      for (const one of walked) {
        if (one.act === "insert") {
          const environmentId = environments[one.into];
          const row = fresh(`${serial++}`, {
            ...(environmentId && { environmentId }),
            ...(one.owner && { owner: one.owner }),
          });
          await addConnector(store, row);
          model.push(row);
          next += 1;
        } else if (one.act === "remove" && model.length > 0) {
          const [gone] = model.splice(one.nth % model.length, 1);
          const before = await rows.get((gone as ModelRow).id);
          assert.ok(before);
          await store.apply({ context, steps: rows.remove(before), events: [] });
        } else if (one.act === "jump" && one.before - 2 > next) {
          next = one.before - 2;
          await run(store, `update positions set next = ${next} where list = 'connectors'`);
        }
      }
      const lists = [
        { scope: {}, expected: model },
        ...environments.slice(1).map((environmentId) => ({
          scope: { environmentId: environmentId as string },
          expected: model.filter((row) => row.environmentId === environmentId),
        })),
        ...["ann", "ben"].map((owner) => ({
          scope: { owner },
          expected: model.filter((row) => row.owner === owner),
        })),
      ];
      for (const { scope, expected } of lists) {
        const docs = expected.map(({ doc }) => JSON.stringify(doc));
        for (let skip = 0; skip <= docs.length + 1; skip++) {
          const page = await rows.items(scope, skip, limit);
          assert.deepEqual(page, { items: docs.slice(skip, skip + limit), total: docs.length });
          const { joined } = await rows.page(scope, skip, limit);
          assert.equal(joined, docs.slice(skip, skip + limit).join(","));
        }
      }
    };

    await fc.assert(
      fc.asyncProperty(
        fc.array(operations, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        walk,
      ),
      { numRuns: randomCases(25), seed: 11 },
    );
  });
}
