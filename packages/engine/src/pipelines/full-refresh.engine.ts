/** Code that has changed over rows that are there: it goes on with them, or says that only a full refresh does. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openPipelineHarness } from "./testing/pipeline.ts";

const events =
  "CREATE TABLE events (id INT, name STRING, seq INT, s2 STRING, gone BOOLEAN); INSERT INTO events VALUES (1, 'a', 1, '1', false), (2, 'b', 2, '2', false);";

const cdc = (more: string, flow = "f") =>
  `CREATE OR REFRESH STREAMING TABLE c; CREATE FLOW ${flow} AS AUTO CDC INTO c FROM STREAM(events) ${more}`;
const told = ({ problems }: { problems: readonly { line: number; column: number; message: string }[] }) =>
  problems.map(({ line, column, message }) => `${line}:${column}: ${message}`).join("\n");

suite("an AUTO CDC flow that has changed", () => {
  const first = "KEYS (id) APPLY AS DELETE WHEN gone SEQUENCE BY seq COLUMNS * EXCEPT (gone)";
  for (const [text, clauses] of [
    [
      "KEYS (id) APPLY AS DELETE WHEN gone SEQUENCE BY seq COLUMNS * EXCEPT (gone) STORED AS SCD TYPE 2",
      "SCD TYPE",
    ],
    ["KEYS (name) APPLY AS DELETE WHEN gone SEQUENCE BY seq COLUMNS * EXCEPT (gone)", "KEYS"],
    [
      "KEYS (id) APPLY AS DELETE WHEN gone SEQUENCE BY s2 COLUMNS * EXCEPT (gone)",
      "the type of SEQUENCE BY, SEQUENCE BY",
    ],
    [
      "KEYS (id) APPLY AS DELETE WHEN NOT gone SEQUENCE BY seq COLUMNS * EXCEPT (gone)",
      "APPLY AS DELETE WHEN",
    ],
    ["KEYS (id) APPLY AS DELETE WHEN gone SEQUENCE BY seq", "COLUMNS"],
    [`IGNORE NULL UPDATES ${first.replace("KEYS (id)", "")}`, "IGNORE NULL UPDATES"],
  ] as const) {
    test(`in ${clauses} is refused until all is made anew`, async (t) => {
      const bench = await openPipelineHarness(t);
      await bench.run(events);
      await bench.update(cdc(first));
      const changed = cdc(text.startsWith("IGNORE") ? `KEYS (id) ${text}` : text);
      const sentence = `1:38: the flow f has changed ${clauses} since shop.sales.c was created: change it back, or run a full refresh of shop.sales.c.`;
      assert.equal(told(await bench.plan(changed)), sentence);
      assert.equal(told(await bench.plan(changed, { fullRefresh: ["c"] })), "");
      assert.equal(await bench.errorMessage(bench.update(changed)), `orders.sql:${sentence}`);
      await bench.update(changed, { fullRefresh: "all" });
      assert.equal(told(await bench.plan(changed)), "");
    });
  }

  test("goes on where only its text has, or its source has more columns", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(events);
    await bench.update(cdc(first));
    await bench.run(
      "ALTER TABLE events ADD COLUMN more INT; INSERT INTO events VALUES (3, 'c', 3, '3', false, 7)",
    );
    await bench.update(
      cdc("KEYS (ID) apply as delete when /* so */ (gone) SEQUENCE  BY (seq) COLUMNS * EXCEPT (GONE)", "F"),
    );
    assert.deepEqual(await bench.rows("SELECT id, more FROM c"), ["1 ", "2 ", "3 7"]);
  });

  test("in its name or its kind is refused", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(events);
    await bench.update(cdc(first));
    assert.match(
      told(await bench.plan(cdc(first, "g"))),
      /^1:38: the removed flow f has already read shop\.sales\.events/,
    );
    const insert = "CREATE STREAMING TABLE c AS SELECT id, name, seq, s2 FROM STREAM(events)";
    assert.match(
      told(await bench.plan(insert)),
      /^1:29: shop\.sales\.c was filled by AUTO CDC and would now be filled by INSERT/,
    );
  });
});

suite("an append flow", () => {
  const flow = (name: string, source = "events") =>
    `CREATE STREAMING TABLE s; CREATE FLOW ${name} AS INSERT INTO s BY NAME SELECT id FROM STREAM(${source});`;

  test("under another name, or from another source, is refused", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(`${events} CREATE TABLE others (id INT); INSERT INTO others VALUES (9)`);
    await bench.update(flow("fr1"));
    const renamed =
      "1:68: the removed flow fr1 has already read shop.sales.events, and fr2 would read all of it again: name it fr1, or run a full refresh of shop.sales.s.";
    assert.equal(told(await bench.plan(flow("fr2"))), renamed);
    assert.equal(await bench.errorMessage(bench.update(flow("fr2"))), `orders.sql:${renamed}`);
    assert.match(
      told(await bench.plan("CREATE STREAMING TABLE s AS SELECT id FROM STREAM(events)")),
      /the removed flow fr1/,
    );
    assert.equal(
      told(await bench.plan(flow("fr1", "others"))),
      "1:68: the flow fr1 has read shop.sales.events until now and would read shop.sales.others: rename the flow, or run a full refresh of shop.sales.s.",
    );
    await bench.update(flow("FR1"));
    assert.deepEqual(await bench.rows("SELECT id FROM s"), ["1", "2"]);
    const more = "CREATE FLOW fr3 AS INSERT INTO s BY NAME SELECT id FROM STREAM(others)";
    await bench.update(flow("fr1") + more);
    assert.deepEqual(await bench.rows("SELECT id FROM s"), ["1", "2", "9"]);
    await bench.update(flow("fr2"), { fullRefresh: ["s"] });
    assert.deepEqual(await bench.rows("SELECT id FROM s"), ["1", "2"]);
  });
});

test("a plan finds what is bound to fail; an update does the rest", async (t) => {
  const bench = await openPipelineHarness(t);
  await bench.run(`${events} CREATE TABLE others (id INT)`);
  const code = (columns: string) => `CREATE STREAMING TABLE s AS SELECT ${columns} FROM STREAM(events);
    CREATE STREAMING TABLE o AS SELECT id FROM STREAM(others);`;
  await bench.update(code("id, name"));
  const anew = "Run a full refresh of shop.sales.s.";
  assert.match(
    told(await bench.plan(code("id"))),
    /^1:24: shop\.sales\.s has a column name that no flow provides any more/,
  );
  assert.match(
    told(await bench.plan(code("s2 AS id, name"))),
    /^1:24: The type of the column id of shop\.sales\.s would change from INT/,
  );
  assert.match(
    told(
      await bench.plan(
        code("id, name")
          .replace("STREAMING TABLE s", "MATERIALIZED VIEW s")
          .replace("STREAM(events)", "events"),
      ),
    ),
    /^1:26: shop\.sales\.s is a streaming table\. To make it/,
  );
  assert.equal(told(await bench.plan(code("id, name"))), "");
  await bench.run("DELETE FROM events WHERE id = 1; INSERT INTO others VALUES (9)");
  const broken = `Rows of shop.sales.events were changed or removed since shop.sales.s last read it as a stream, but a stream can only add rows. ${anew}`;
  assert.equal(told(await bench.plan(code("id, name"))), `1:29: ${broken}`);
  assert.equal(told(await bench.plan(code("id, name"), { refresh: ["o"] })), "");
  assert.match(
    await bench.errorMessage(bench.update(code("id, name"))),
    /Rows of shop\.sales\.events were changed/,
  );
  assert.deepEqual(await bench.rows("SELECT id FROM o"), ["9"]);
});
