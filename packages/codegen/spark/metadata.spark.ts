import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { generateMetadata } from "../src/metadata/metadata-generator.ts";
import { production } from "../src/testing/contexts.ts";
import { type SparkEngine, startSpark } from "./spark-engine.ts";

const hostile = [
  'It\'s \\ "odd" `quoted` \\n not a line end',
  "line\nend\ttab\r\u2028",
  "${env:HOME} ${x} {{job.id}} $1 :x ? %s",
  "'; DROP TABLE shop.sales.orders; --",
  "*/ /* ''' \"\"\" # COMMAND ----------",
  "\u202e right to left, \u{1f600}, \u0000 nothing",
];

function change(columns: readonly string[]): string {
  const result = generateMetadata(
    {
      catalog_name: "shop",
      schema_name: "sales",
      table_name: "orders",
      change: {
        table_description: hostile.join(" "),
        table_tags: { domain: "sales", draft: null },
        columns: columns.map((description, at) => ({ column: `c${at}`, description })),
      },
    },
    production,
    undefined,
  );
  const notebook = result.artifacts?.find(({ path }) => path.endsWith("/alter.py"));
  return notebook?.content ?? "";
}

describe("descriptions on Spark", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["shop"] });
    await engine.sql("CREATE SCHEMA shop.sales");
    const columns = hostile.map((_, at) => `c${at} INT`).join(", ");
    await engine.sql(`CREATE TABLE shop.sales.orders (${columns}) USING DELTA`);
  });
  after(() => engine.stop());

  const comments = async () => {
    const rows = await engine.sql("DESCRIBE TABLE shop.sales.orders");
    return rows.slice(0, hostile.length).map(({ comment }) => comment);
  };

  it("are stored exactly as sent, also when the notebook runs again", async () => {
    for (let run = 0; run < 2; run++) {
      const { output } = await engine.completes(change(hostile));
      assert.match(output, /Skipped, because there are no tags here: ALTER TABLE .* SET TAGS/);
      assert.deepEqual(await comments(), hostile);
      const [, comment] = (await engine.sql("DESCRIBE TABLE EXTENDED shop.sales.orders"))
        .map(({ col_name, data_type }) => [col_name, data_type])
        .find(([name]) => name === "Comment") ?? [undefined, undefined];
      assert.equal(comment, hostile.join(" "));
    }
  });

  it("are cleared by an empty text", async () => {
    await engine.completes(change(hostile.map(() => "")));
    assert.deepEqual(
      (await comments()).map((comment) => comment || ""),
      hostile.map(() => ""),
    );
  });
});
