/** Changed code of a table that has rows: the update continues with them, or asks for a full refresh. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openPipelineHarness } from "./testing/pipeline.ts";

const events =
  "CREATE TABLE events (id INT, name STRING, seq INT, s2 STRING, gone BOOLEAN); INSERT INTO events VALUES (1, 'a', 1, '1', false), (2, 'b', 2, '2', false);";

const cdc = (more: string, flow = "f") =>
  `CREATE OR REFRESH STREAMING TABLE c; CREATE FLOW ${flow} AS AUTO CDC INTO c FROM STREAM(events) ${more}`;
const problemLines = ({
  problems,
}: {
  problems: readonly { line: number; column: number; message: string }[];
}) => problems.map(({ line, column, message }) => `${line}:${column}: ${message}`).join("\n");

suite("a changed AUTO CDC flow", () => {
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
    test(`needs a full refresh if ${clauses} changed`, async (t) => {
      const harness = await openPipelineHarness(t);
      await harness.run(events);
      await harness.update(cdc(first));
      const changed = cdc(text.startsWith("IGNORE") ? `KEYS (id) ${text}` : text);
      const sentence = `1:38: the flow f has changed ${clauses} since shop.sales.c was created. Change it back. Otherwise, to empty shop.sales.c and fill it as the code now says: lakehelm pipelines run p1 --full-refresh-selection shop.sales.c`;
      assert.equal(problemLines(await harness.plan(changed)), sentence);
      assert.equal(problemLines(await harness.plan(changed, { fullRefresh: ["c"] })), "");
      assert.equal(await harness.errorMessage(harness.update(changed)), `orders.sql:${sentence}`);
      await harness.update(changed, { fullRefresh: "all" });
      assert.equal(problemLines(await harness.plan(changed)), "");
    });
  }

  test("continues if only its formatting changed, or its source has new columns", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(events);
    await harness.update(cdc(first));
    await harness.run(
      "ALTER TABLE events ADD COLUMN more INT; INSERT INTO events VALUES (3, 'c', 3, '3', false, 7)",
    );
    await harness.update(
      cdc("KEYS (ID) apply as delete when /* so */ (gone) SEQUENCE  BY (seq) COLUMNS * EXCEPT (GONE)", "F"),
    );
    assert.deepEqual(await harness.rows("SELECT id, more FROM c"), ["1 ", "2 ", "3 7"]);
  });

  test("is rejected if its name or its kind changed", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(events);
    await harness.update(cdc(first));
    assert.match(
      problemLines(await harness.plan(cdc(first, "g"))),
      /^1:38: the removed flow f has already read shop\.sales\.events/,
    );
    const insert = "CREATE STREAMING TABLE c AS SELECT id, name, seq, s2 FROM STREAM(events)";
    assert.match(
      problemLines(await harness.plan(insert)),
      /^1:29: shop\.sales\.c was filled by AUTO CDC and would now be filled by INSERT/,
    );
  });
});

suite("an append flow", () => {
  const flow = (name: string, source = "events") =>
    `CREATE STREAMING TABLE s; CREATE FLOW ${name} AS INSERT INTO s BY NAME SELECT id FROM STREAM(${source});`;

  test("is rejected if its name or its source changed", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(`${events} CREATE TABLE others (id INT); INSERT INTO others VALUES (9)`);
    await harness.update(flow("fr1"));
    const renamed =
      "1:68: the removed flow fr1 has already read shop.sales.events, and fr2 would read all of it again. Name it fr1. Otherwise, to empty shop.sales.s and fill it as the code now says: lakehelm pipelines run p1 --full-refresh-selection shop.sales.s";
    assert.equal(problemLines(await harness.plan(flow("fr2"))), renamed);
    assert.equal(await harness.errorMessage(harness.update(flow("fr2"))), `orders.sql:${renamed}`);
    assert.match(
      problemLines(await harness.plan("CREATE STREAMING TABLE s AS SELECT id FROM STREAM(events)")),
      /the removed flow fr1/,
    );
    assert.equal(
      problemLines(await harness.plan(flow("fr1", "others"))),
      "1:68: the flow fr1 has read shop.sales.events until now and would read shop.sales.others. Rename the flow. Otherwise, to empty shop.sales.s and fill it as the code now says: lakehelm pipelines run p1 --full-refresh-selection shop.sales.s",
    );
    await harness.update(flow("FR1"));
    assert.deepEqual(await harness.rows("SELECT id FROM s"), ["1", "2"]);
    const more = "CREATE FLOW fr3 AS INSERT INTO s BY NAME SELECT id FROM STREAM(others)";
    await harness.update(flow("fr1") + more);
    assert.deepEqual(await harness.rows("SELECT id FROM s"), ["1", "2", "9"]);
    await harness.update(flow("fr2"), { fullRefresh: ["s"] });
    assert.deepEqual(await harness.rows("SELECT id FROM s"), ["1", "2"]);
  });
});

test("a plan reports tables that would fail; an update still runs the others", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run(`${events} CREATE TABLE others (id INT)`);
  const code = (columns: string) => `CREATE STREAMING TABLE s AS SELECT ${columns} FROM STREAM(events);
    CREATE STREAMING TABLE o AS SELECT id FROM STREAM(others);`;
  await harness.update(code("id, name"));
  const advice =
    "To empty shop.sales.s and read its streams from the beginning, without the rows that their sources no longer have: lakehelm pipelines run p1 --full-refresh-selection shop.sales.s";
  assert.match(
    problemLines(await harness.plan(code("id"))),
    /^1:24: No flow provides the column name of shop\.sales\.s\. To empty/,
  );
  assert.match(
    problemLines(await harness.plan(code("s2 AS id, name"))),
    /^1:24: The type of the column id of shop\.sales\.s would change from INT/,
  );
  assert.match(
    problemLines(
      await harness.plan(
        code("id, name")
          .replace("STREAMING TABLE s", "MATERIALIZED VIEW s")
          .replace("STREAM(events)", "events"),
      ),
    ),
    /^1:26: shop\.sales\.s is a streaming table\. To make it/,
  );
  assert.equal(problemLines(await harness.plan(code("id, name"))), "");
  await harness.run("DELETE FROM events WHERE id = 1; INSERT INTO others VALUES (9)");
  const broken = `Rows of shop.sales.events were changed or removed since shop.sales.s last read it as a stream, but a stream can only add rows. ${advice}`;
  assert.equal(problemLines(await harness.plan(code("id, name"))), `1:29: ${broken}`);
  assert.equal(problemLines(await harness.plan(code("id, name"), { refresh: ["o"] })), "");
  assert.match(
    await harness.errorMessage(harness.update(code("id, name"))),
    /Rows of shop\.sales\.events were changed/,
  );
  assert.deepEqual(await harness.rows("SELECT id FROM o"), ["9"]);
});
