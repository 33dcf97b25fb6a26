/**
 * Three streaming tables that read each other hold the rows of one SELECT, regardless of how the appends are split into
 * updates.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { seededRandom } from "../testing/seeded-random.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";

const code = `
  CREATE OR REFRESH STREAMING TABLE sound_orders (CONSTRAINT sound EXPECT (amount <> 3) ON VIOLATION DROP ROW)
    AS SELECT id, customer, amount FROM STREAM(orders) WHERE amount >= 0;
  CREATE OR REFRESH PRIVATE STREAMING TABLE known_orders
    AS SELECT f.id, c.country, f.amount FROM STREAM(sound_orders) AS f JOIN customers AS c ON c.name = f.customer;
  CREATE OR REFRESH STREAMING TABLE tenfold_orders AS SELECT id, country, amount * 10 AS tenfold FROM STREAM(known_orders);
  CREATE MATERIALIZED VIEW totals AS SELECT country, sum(tenfold) AS total FROM tenfold_orders GROUP BY country;`;

const whole = `SELECT o.id, c.country, o.amount * 10 AS tenfold FROM orders AS o JOIN customers AS c ON c.name = o.customer
  WHERE o.amount >= 0 AND o.amount <> 3`;

suite("random appends in random batches", () => {
  for (const seed of someOf([21, 22, 23], 1)) {
    test(`seed ${seed}`, async (t) => {
      const random = seededRandom(seed * 104_729);
      const harness = await openPipelineHarness(t);
      await harness.run(`CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT);
        CREATE TABLE customers (name STRING, country STRING); INSERT INTO customers VALUES ('ada', 'DE'), ('bob', 'FR')`);
      let id = 0;
      for (let round = 0; round < (isNightly ? 10 : 5); round += 1) {
        const rows = Array.from({ length: 1 + random.below(40) }, () => {
          const customer = random.pick(["'ada'", "'bob'", "NULL"]);
          return `(${++id}, ${customer}, ${random.below(8) - 1})`;
        });
        const values = `INSERT INTO orders VALUES ${rows.join(", ")}`;
        // Rows that are rolled back must not be read.
        if (random.below(4) === 0)
          await harness.errorMessage(
            harness.run(`${values}; INSERT INTO orders VALUES (CAST('x' AS INT), 'ada', 1)`),
          );
        else await harness.run(values);
        const refresh = random.pick([
          "all",
          "all",
          ["sound_orders"],
          ["sound_orders", "known_orders"],
        ] as const);
        if (random.below(3) > 0) await harness.update(code, round === 0 ? {} : { refresh });
      }
      await harness.update(code);
      assert.deepEqual(
        await harness.rows("SELECT id, country, tenfold FROM tenfold_orders"),
        await harness.rows(whole),
      );
      assert.deepEqual(
        await harness.rows("SELECT * FROM totals"),
        await harness.rows(`SELECT country, sum(tenfold) AS total FROM (${whole}) GROUP BY country`),
      );
    });
  }
});

test("several pipelines can write to one catalog at the same time", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run("CREATE TABLE orders AS SELECT id FROM range(100)");
  const codeOf = (pipeline: string) =>
    `CREATE STREAMING TABLE s_${pipeline} AS SELECT id FROM STREAM(orders); CREATE VIEW v_${pipeline} AS SELECT count(*) AS n FROM s_${pipeline};`;
  const pipelines = ["a", "b", "c", "d", "e", "f"];
  for (let round = 0; round < 3; round += 1) {
    await harness.run("INSERT INTO orders VALUES (-1)");
    await Promise.all(pipelines.map((pipeline) => harness.update(codeOf(pipeline), { pipeline })));
  }
  for (const pipeline of pipelines)
    assert.deepEqual(await harness.rows(`SELECT n FROM v_${pipeline}`), ["103"]);
});
