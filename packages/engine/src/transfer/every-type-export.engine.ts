import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { DataProblem } from "../protocol/problem.ts";
import { duckdbDeclarations, duckdbRows, orderedDuckdbType } from "../testing/every-type/duckdb.ts";
import { seededRandom, seedOf } from "../testing/seeded-random.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { literal } from "../warehouse/names.ts";
import { deliver } from "./delivery.ts";

suite("every type in an export", () => {
  test("as a watermark: rows that are added in its order all arrive, once, or the column is refused", async (t) => {
    const harness = await startTransferHarness(t);
    await harness.warehouse.createSchema({ catalog: "main", schema: "default", table: "" });
    const declarations = (await duckdbDeclarations()).filter((declared) => !declared.includes("COLLATE"));
    for (const [n, declared] of someOf(declarations, 12).entries()) {
      const { values = [] } = await orderedDuckdbType(declared);
      const random = seededRandom(seedOf(declared));
      const ordered = values.filter(() => random.below(values.length) < 30);
      const half = ordered.length >> 1;
      const source = `_main."default".w${n}`;
      // The warehouse cannot store a few types.
      const created = await harness
        .rows(`CREATE TABLE ${source} (id INTEGER, v ${declared})`)
        .catch(() => undefined);
      if (!created) continue;
      let id = 0;
      for (const some of [ordered.slice(0, half), ordered.slice(Math.max(0, half - 1))]) {
        for (const value of random.shuffled(some))
          await harness.rows(
            `INSERT INTO ${source} VALUES (${++id}, TRY_CAST(${literal(value)} AS ${declared}))`,
          );
        for (const strategy of ["append", "upsert"] as const) {
          const target = `w${n}_${strategy}`;
          const path = join(harness.folder, `${target}.duckdb`);
          const dataset = { id: target, source: `w${n}`, target, strategy, watermark: "v" };
          const request = harness.request(
            { ...dataset, keys: strategy === "upsert" ? ["id"] : [] },
            { direction: "out", connection: { type: "duckdb", config: { path } } },
          );
          const refused = await deliver(request, harness.context).then(
            () => false,
            (error: unknown) => {
              if (error instanceof DataProblem && /cannot be the watermark/.test(error.message)) return true;
              throw error;
            },
          );
          if (refused) continue;
          const found = await duckdbRows(path, `SELECT id FROM ${target} ORDER BY id`);
          assert.deepEqual(
            found.map(([one]) => Number(one)),
            Array.from({ length: id }, (_, at) => at + 1),
            `${declared} ${strategy} ${JSON.stringify(ordered)}`,
          );
        }
      }
    }
  });
});
