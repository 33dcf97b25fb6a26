/**
 * Uses every keyword of PostgreSQL and Spark, and every function without parentheses, as a column name and a table name
 * in every template.
 */
import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import pg from "pg";
import { templates } from "./templates.ts";
import { responseTo } from "./testing/responses.ts";
import { sparkKeywords } from "./testing/spark-keywords.ts";

const functions =
  "current_date current_time current_timestamp current_user session_user current_catalog current_schema localtimestamp localtime user current_role curdate getdate now pi".split(
    " ",
  );

/** Fields of a request whose value is the name of a column or of a table. */
const columnFields = ["column", "watermark_column", "business_date_column", "sequence_by"];
const tableFields = ["target_name", "table_name", "source_dataset"];

/**
 * The request with the word as the name of each column and table. Lists keep only their first item, because names must
 * be unique.
 */
function renamed(value: unknown, word: string): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => renamed(one, word));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "primary_keys") return [key, [word]];
      const isColumn = columnFields.includes(key) && typeof inner === "string" && inner !== "";
      const isTable = tableFields.includes(key) && /^[\w.]+$/.test(String(inner));
      if (isColumn) return [key, word];
      return [key, isTable ? String(inner).replace(/\w+$/, word) : renamed(inner, word)];
    }),
  );
}

suite("names that are keywords", () => {
  let words: string[] = [];
  before(async () => {
    const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
    await client.connect();
    const { rows } = await client.query("SELECT word FROM pg_get_keywords()");
    await client.end();
    words = [...new Set([...functions, ...sparkKeywords, ...rows.map(({ word }) => String(word))])].sort();
    assert.ok(words.length > 600);
    for (const word of ["anti", "semi", "minus"]) assert.ok(words.includes(word), word);
  });

  for (const { name, path, example } of templates.filter((one) => !one.path.endsWith("consumption"))) {
    test(name, async () => {
      for (const word of someOf(words, 8)) {
        const { status, errors } = await responseTo(path, renamed(example, word) as object);
        assert.deepEqual([status, errors], ["success", []], word);
      }
    });
  }

  test("columns of a flow", async () => {
    const [flow] = templates.filter(({ path }) => path.endsWith("consumption"));
    assert.ok(flow);
    const column = (name: string, more: object = {}) => ({ name, type: "INT", description: "", ...more });
    const quoted = (word: string) => `\`${word}\``;
    for (let first = 0; first < words.length; first += 250) {
      const some = words.slice(first, first + 250);
      const { status, errors } = await responseTo(flow.path, {
        flow_name: "words",
        source_tables: ["sales.words"],
        target_name: "marts.words",
        trigger_type: "manual",
        matched_sql: `SELECT id, ${some.map(quoted).join(", ")} FROM sales.words`,
        unmatched_sql: `SELECT id, ${some.map((word) => `w.${quoted(word)} AS ${quoted(word)}`).join(", ")} FROM sales.words AS w WHERE false`,
        target_schema: {
          description: "",
          columns: [column("id", { pk: true }), ...some.map((word) => column(word))],
        },
        requested_by: "ada",
      });
      assert.deepEqual([status, errors], ["success", []]);
    }
  });
});
