/** Tables and columns named like keywords in pipelines and SQL tasks. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { openPipelineHarness, type PipelineHarness } from "./testing/pipeline.ts";

/** Functions that need no parentheses are in no list of keywords. */
const functions =
  "current_date current_time current_timestamp current_user session_user current_catalog current_schema localtimestamp localtime user current_role curdate getdate now pi".split(
    " ",
  );
const quoted = (name: string) => `\`${name}\``;

async function wordsOf(harness: PipelineHarness): Promise<string[]> {
  const found = await harness.internalRows("SELECT keyword_name FROM duckdb_keywords()");
  return [...new Set([...functions, ...found])].filter((word) => word !== "key" && word !== "order").sort();
}

/** `key` is the key, and `order` the sequence of changes. */
const listOf = (words: readonly string[]) => ["key", "order", ...words].map(quoted).join(", ");
const rowOf = (key: number, order: number, words: readonly string[], value: number) =>
  [key, order, ...words.map(() => value)].join(" ");

/** A script and an update take a moment to start, so several words share one. */
const atOnce = 40;

suite("names that are keywords", () => {
  test("columns of tasks, views, streaming tables and AUTO CDC", async (t) => {
    // A change of a table needs 256 KB of memory for each of its columns, and at night it has 490.
    const harness = await openPipelineHarness(t, 1024);
    const all = await wordsOf(harness);
    assert.ok(all.length > 400);
    const words = someOf(all, 20);
    const list = listOf(words);
    const values = (key: number, order: number, value: number) =>
      `(${[key, order, ...words.map(() => value)].join(", ")})`;
    await harness.run(
      `CREATE TABLE source (${["key", "order", ...words].map((word) => `${quoted(word)} INT`).join(", ")});
       INSERT INTO source (${list}) VALUES ${values(1, 1, 7)}`,
    );
    const sql = `
      CREATE OR REFRESH MATERIALIZED VIEW a AS SELECT ${list} FROM source;
      CREATE TEMPORARY VIEW b AS SELECT ${words.map((word) => `${quoted(word)} AS ${quoted(word)}`).join(", ")}, \`key\`, \`order\` FROM a AS \`table\`;
      CREATE OR REFRESH MATERIALIZED VIEW c (${words
        .slice(0, 20)
        .map(
          (word, n) =>
            `CONSTRAINT ${quoted(`${word}`)} EXPECT (${quoted(word)} > 0)${n % 2 ? " ON VIOLATION DROP ROW" : ""}`,
        )
        .join(", ")}) AS SELECT * FROM b;
      CREATE OR REFRESH STREAMING TABLE d AS SELECT ${list} FROM STREAM(source);
      CREATE OR REFRESH STREAMING TABLE e;
      CREATE FLOW \`select\` AS AUTO CDC INTO e FROM STREAM(source) KEYS (\`key\`) SEQUENCE BY \`order\`;
      CREATE OR REFRESH STREAMING TABLE f;
      CREATE FLOW \`from\` AS AUTO CDC INTO f FROM STREAM(source) KEYS (\`key\`) SEQUENCE BY \`order\` STORED AS SCD TYPE 2;`;
    await harness.update(sql);
    for (const table of ["a", "c", "d", "e"])
      assert.deepEqual(await harness.rows(`SELECT ${list} FROM ${table}`), [rowOf(1, 1, words, 7)], table);
    await harness.run(`INSERT INTO source (${list}) VALUES ${values(1, 2, 8)}`);
    await harness.update(sql);
    assert.deepEqual(await harness.rows(`SELECT ${list} FROM e`), [rowOf(1, 2, words, 8)]);
    assert.deepEqual(await harness.rows(`SELECT ${list} FROM f WHERE __END_AT IS NULL`), [
      rowOf(1, 2, words, 8),
    ]);
    assert.equal((await harness.rows("SELECT `key` FROM d")).length, 2);

    const set = words.map((word) => `${quoted(word)} = s.${quoted(word)}`).join(", ");
    await harness.run(
      `CREATE OR REPLACE TABLE t AS SELECT ${list} FROM source WHERE \`order\` = 1;
       MERGE INTO t USING (SELECT * FROM source WHERE \`order\` = 2) AS s ON t.\`key\` = s.\`key\`
         WHEN MATCHED THEN UPDATE SET ${set}, \`order\` = s.\`order\`
         WHEN NOT MATCHED THEN INSERT (${list}) VALUES (${["key", "order", ...words].map((word) => `s.${quoted(word)}`).join(", ")})`,
    );
    assert.deepEqual(await harness.rows(`SELECT ${list} FROM t`), [rowOf(1, 2, words, 8)]);
    await harness.run(
      `UPDATE t SET ${words.map((word) => `${quoted(word)} = ${quoted(word)} + 1`).join(", ")} WHERE ${words
        .slice(0, 200)
        .map((word) => `${quoted(word)} = 8`)
        .join(" AND ")};
       INSERT INTO t BY NAME SELECT ${list} FROM source WHERE \`order\` = 1;
       DELETE FROM t WHERE ${words
         .slice(-200)
         .map((word) => `${quoted(word)} = 7`)
         .join(" AND ")}`,
    );
    assert.deepEqual(await harness.rows(`SELECT ${list} FROM t`), [rowOf(1, 2, words, 9)]);
    assert.deepEqual(
      await harness.rows(
        `SELECT ${words.map((word) => `sum(${quoted(word)}) AS ${quoted(word)}`).join(", ")} FROM t GROUP BY \`key\` HAVING ${words
          .slice(0, 40)
          .map((word) => `max(${quoted(word)}) > 0`)
          .join(" AND ")} ORDER BY \`key\``,
      ),
      [words.map(() => 9).join(" ")],
    );
  });

  test("a stream over a table with a column rowid has all rows, each once", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(
      "CREATE TABLE source (id INT, rowid INT); INSERT INTO source VALUES (1, NULL), (2, -7), (3, 900)",
    );
    const sql = "CREATE OR REFRESH STREAMING TABLE d AS SELECT * FROM STREAM(source)";
    await harness.update(sql);
    await harness.run("INSERT INTO source VALUES (4, NULL), (5, 1)");
    await harness.update(sql);
    assert.deepEqual(await harness.rows("SELECT id, rowid FROM d"), ["1 ", "2 -7", "3 900", "4 ", "5 1"]);
  });

  for (const scd of [1, 2]) {
    test(`AUTO CDC into a table with a column rowid, SCD type ${scd}`, async (t) => {
      const harness = await openPipelineHarness(t);
      await harness.run(
        "CREATE TABLE source (id INT, rowid INT, n INT); INSERT INTO source VALUES (1, NULL, 1), (2, 0, 1), (3, 0, 1)",
      );
      const sql = `CREATE OR REFRESH STREAMING TABLE d;
        CREATE FLOW f AS AUTO CDC INTO d FROM STREAM(source) KEYS (id) SEQUENCE BY n STORED AS SCD TYPE ${scd}`;
      await harness.update(sql);
      await harness.run("INSERT INTO source VALUES (1, 2, 2), (3, NULL, 2), (4, 1, 1)");
      await harness.update(sql);
      const current = scd === 2 ? " WHERE __END_AT IS NULL" : "";
      assert.deepEqual(await harness.rows(`SELECT id, rowid FROM d${current}`), ["1 2", "2 0", "3 ", "4 1"]);
      assert.deepEqual(await harness.rows("SELECT count(*) FROM d"), [scd === 2 ? "6" : "4"]);
    });
  }

  test("a MERGE into a table with a column rowid", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(
      "CREATE TABLE t (id INT, rowid INT); INSERT INTO t VALUES (1, 7), (2, 7), (3, NULL), (4, NULL)",
    );
    const merge = (source: string) =>
      harness.run(
        `MERGE INTO t USING (${source}) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET rowid = s.n`,
      );
    await merge("SELECT id, id * 10 AS n FROM t");
    assert.deepEqual(await harness.rows("SELECT id, rowid FROM t"), ["1 10", "2 20", "3 30", "4 40"]);
    await assert.rejects(merge("SELECT 1 AS id, 1 AS n UNION ALL SELECT 1, 2"), /matches more than one row/);
  });

  test("tables, views, aliases and CTEs", async (t) => {
    const harness = await openPipelineHarness(t);
    const words = await wordsOf(harness);
    const chosen = someOf(words, 4);
    for (let at = 0; at < chosen.length; at += atOnce) {
      const some = chosen.slice(at, at + atOnce).map((word) => ({ word, name: quoted(word) }));
      const statements = (of: (one: { readonly word: string; readonly name: string }) => string) =>
        some.map(of).join(";\n");
      await harness.run(
        statements(
          ({ name }) =>
            `CREATE OR REPLACE TABLE ${name} AS SELECT 1 AS ${name}; INSERT INTO ${name} VALUES (2)`,
        ),
      );
      const sql = statements(
        ({ word, name }) => `
          CREATE OR REFRESH MATERIALIZED VIEW out_${word} AS WITH ${name} AS (SELECT ${name} FROM sales.${name}) SELECT ${name}.${name} FROM ${name};
          CREATE OR REFRESH STREAMING TABLE s_${word} AS SELECT ${name}.* FROM STREAM(${name}) AS ${name}`,
      );
      await harness.update(sql, { pipeline: `words_${at}` });
      for (const { word, name } of some)
        for (const from of [`out_${word}`, `s_${word}`, name])
          assert.deepEqual(await harness.rows(`SELECT ${name} FROM ${from} AS ${name}`), ["1", "2"], word);
      await harness.run(statements(({ name }) => `DROP TABLE ${name}`));
    }
  });
});
