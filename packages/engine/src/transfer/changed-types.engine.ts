import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, suite, type TestContext, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { startLogServer } from "../testing/capture-harness.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { literal, sqlName } from "../warehouse/names.ts";
import { ingest } from "./ingest.ts";

const { connection, client } = await startLogServer({ after }, []);

/** Texts of which every type of the catalog accepts some. */
const samples = [
  ...["0", "1", "-1", "7", "200", "40000", "3000000000", "1.5", "0.25", "99999.99", "1e3", "NaN", "t", "f"],
  ...["2026-01-02", "2026-01-02 03:04:05", "2026-01-02 03:04:05.123456+02", "10:11:12", "1 day", "infinity"],
  ...["a", "abc", "{}", "[]", "{1,2}", "{a,b}", '{"a": 1}', "null", "(1,2)", "((1,2),(3,4))", "<(1,2),3>"],
  ...[
    "{1,2,3}",
    "192.168.0.1",
    "10.0.0.0/8",
    "08:00:2b:01:02:03",
    "08:00:2b:01:02:03:04:05",
    "101",
    "\\x6162",
  ],
  ...[
    "b3f1a2c4-0000-4000-8000-000000000001",
    "[1,5)",
    "empty",
    "0/16B3748",
    "10:20:10",
    "<a/>",
    "$.a",
    "1 2",
  ],
  ...[
    "'a' & 'b'",
    "12.34",
    "$12.34",
    "(0,1)",
    "[2026-01-01,2026-02-01)",
    "postgres",
    "pg_class",
    "int4",
    "english",
  ],
];
/** Variants of types with parameters. */
const variants = ["numeric(5,0)", "numeric(10,2)", "numeric(12,4)", "numeric(38,0)", "numeric(38,10)"].concat(
  [
    "varchar(8)",
    "varchar(300)",
    "char(9)",
    "bit(3)",
    "varbit(12)",
    "timestamp(0)",
    "timestamptz(3)",
    "time(0)",
  ],
);

/** The types of the catalog that a column can have, with the samples that they accept. */
async function catalogTypes(): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format_type(oid, NULL) AS name FROM pg_type WHERE typtype IN ('b', 'r', 'm') AND typnamespace = 'pg_catalog'::regnamespace
       AND typname NOT LIKE '\\_%' AND typname NOT LIKE 'reg%' AND typname NOT LIKE 'pg\\_%' AND typname NOT IN ('aclitem', 'gtsvector', '"char"', 'char', 'refcursor')
     UNION ALL SELECT format_type(typarray, NULL) FROM pg_type WHERE typname IN ('int2', 'int4', 'int8', 'float4', 'float8', 'text', 'date', 'timestamp', 'bool', 'uuid')
     ORDER BY 1`,
  );
  return accepted(
    [...rows.map(({ name }) => name), ...variants].map((name) => ({ name, from: "text", to: name })),
  );
}

/** For each name, the samples that convert from one type to the other as text. One query: there are thousands. */
async function accepted(
  conversions: readonly { readonly name: string; readonly from: string; readonly to: string }[],
): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; texts: string[] }>(
    `SELECT c.name, array_agg(s.text ORDER BY s.at) AS texts FROM jsonb_to_recordset($1) AS c(name text, "from" text, "to" text),
       unnest($2::text[]) WITH ORDINALITY AS s(text, at) WHERE converts(s.text, c."from", c."to") GROUP BY c.name`,
    [JSON.stringify(conversions), samples],
  );
  return new Map(rows.map(({ name, texts }) => [name, texts]));
}

await client.query(`CREATE FUNCTION converts(value text, first text, second text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN EXECUTE format('SELECT CAST(CAST(%L AS %s)::text AS %s)', value, first, second); RETURN true;
  EXCEPTION WHEN OTHERS THEN RETURN false; END $$`);
const types = await catalogTypes();
const names = [...types.keys()];
const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const));
/** Changes that PostgreSQL makes without a USING clause: always tried. */
const casts = new Set(
  (
    await client.query<{ pair: string }>(
      "SELECT format_type(castsource, NULL) || ' to ' || format_type(casttarget, NULL) AS pair FROM pg_cast WHERE castcontext <> 'e' AND castsource <> casttarget",
    )
  ).rows.map(({ pair }) => pair),
);
const isCast = ([from, to]: readonly [string, string]) => {
  const plain = (type: string) => type.replace(/\(.*?\)/, "");
  return casts.has(`${plain(from)} to ${plain(to)}`) || plain(from) === plain(to);
};

/** How often each outcome occurred: a test that finds no pair of a kind tests nothing. */
const outcomes = { same: 0, widened: 0, refused: 0 };

async function changeType(t: TestContext, group: string, changed: readonly (readonly [string, string])[]) {
  const harness = await startTransferHarness(t);
  const schema = `changed_${group}`;
  await client.query(`CREATE SCHEMA ${schema}`);
  const from = { ...connection, config: { ...connection.config, schema } };
  const values = await accepted(
    changed.map(([before, after]) => ({ name: `${before} to ${after}`, from: before, to: after })),
  );
  for (const [at, [before, after]] of changed.entries()) {
    const about = `${before} to ${after}`;
    const texts = values.get(about);
    if (!texts) continue;
    const table = `t${at}`;
    const source = `${schema}.${table}`;
    await client.query(
      `CREATE TABLE ${source} (id int PRIMARY KEY, v ${before}, changed int DEFAULT 1); INSERT INTO ${source} (id, v) VALUES ${texts.map((text, id) => `(${id}, CAST(${literal(text)} AS ${before}))`).join(", ")}, (100, NULL)`,
    );
    const run = (target: string, refresh = false) =>
      ingest(
        harness.request(
          { id: target, source: table, target, watermark: "changed", maxRejectShare: 1, deletes: refresh },
          { connection: from, ...(refresh && { fromStart: true, changesTypes: true }) },
        ),
        harness.context,
      );
    await run(table);
    await client.query(
      `ALTER TABLE ${source} ALTER COLUMN v TYPE ${after} USING v::text::${after}; INSERT INTO ${source} (id, v, changed) SELECT id + 1000, v, 2 FROM ${source} WHERE id < 100`,
    );
    const second = await run(table).catch((error: unknown) => error as Error);
    if (second instanceof Error) {
      outcomes.refused += 1;
      const command = `lakehelm connectors run shop --set 'parameters.datasets=["${table}"]' --set parameters.full_refresh=true`;
      assert.ok(second.message.endsWith(command), `${about}: ${second.message}`);
      await run(table, true);
    } else {
      const [change] = second.schema_changes ?? [];
      outcomes[change ? "widened" : "same"] += 1;
      if (change) assert.deepEqual([change.change, change.column], ["column_widened", "v"], about);
    }
    await run(`fresh_${table}`);
    await expectSame(harness, table, `fresh_${table}`, about);
    // The metadata of thousands of tables would need the memory of the test.
    for (const done of [table, `fresh_${table}`])
      await harness.rows(`DROP TABLE ${sqlName({ catalog: "main", schema: "default", table: done })}`);
    await client.query(`DROP TABLE ${source}`);
  }
}

/** A row that a new table would reject may be in the old one, whose type still holds its value. */
async function expectSame(
  { rows }: Awaited<ReturnType<typeof startTransferHarness>>,
  one: string,
  other: string,
  about: string,
) {
  const [stored = "", fresh = ""] = [one, other].map((table) =>
    sqlName({ catalog: "main", schema: "default", table }),
  );
  const [[type] = []] = await rows(`SELECT typeof(v) FROM ${stored} LIMIT 1`);
  const values = `id, CAST(CAST(v AS ${String(type)}) AS VARCHAR), changed`;
  assert.deepEqual(
    await rows(`SELECT ${values} FROM ${stored} WHERE id IN (SELECT id FROM ${fresh}) ORDER BY id`),
    await rows(`SELECT ${values} FROM ${fresh} ORDER BY id`),
    about,
  );
}

suite("a type that changes at the source", () => {
  const always = someOf(pairs.filter(isCast), 12);
  const sampled = someOf(
    pairs.filter((pair) => !isCast(pair)),
    20,
    1_000,
  );
  test(`${always.length} pairs of types that PostgreSQL converts by itself: widened, or a command that helps`, (t) =>
    changeType(t, "casts", always));
  test(`${sampled.length} of the other pairs of types of its catalog`, (t) =>
    changeType(t, "others", sampled));
  test("files: numbers with a fraction widen the column; a text does not", async (t) => {
    const harness = await startTransferHarness(t);
    const run = () =>
      ingest(
        harness.request(
          { source: "*.csv", keys: ["id"], watermark: "_file_modified" },
          { connection: { type: "files", config: { path: join(harness.folder, "in"), format: "csv" } } },
        ),
        harness.context,
      );
    const put = (name: string, text: string) => writeFile(join(harness.folder, "in", name), text);
    await mkdir(join(harness.folder, "in"));
    await put("a.csv", "id,amount\n1,5\n2,6\n");
    await run();
    await put("b.csv", "id,amount\n3,1.5\n");
    const { schema_changes = [], rejected } = await run();
    assert.deepEqual(
      [schema_changes.map(({ change, column }) => [change, column]), rejected],
      [[["column_widened", "amount"]], 0],
    );
    await put("c.csv", "id,amount\n4,n/a\n5,2\n");
    assert.equal((await run()).rejected, 1);
    assert.deepEqual(
      await harness.rows('SELECT id, amount::DOUBLE FROM _main."default".orders ORDER BY id'),
      [
        ["1", 5],
        ["2", 6],
        ["3", 1.5],
        ["5", 2],
      ],
    );
  });
  test("every kind of answer was given", () => {
    for (const [kind, count] of Object.entries(outcomes))
      assert.ok(count > (isNightly ? 2 : 0), `${kind}: ${count}`);
  });
});
