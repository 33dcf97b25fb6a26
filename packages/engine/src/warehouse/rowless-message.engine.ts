/**
 * DuckDB's messages about rows show no values of rows: each function and type is tried with values that can be
 * recognized.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { errorText } from "./duckdb-message.ts";
import { rowlessMessage } from "./rowless-message.ts";

/** No message of DuckDB has these parts by itself. */
const shown = /recognisable|4711|170141183|2093|9e208/;

const values = {
  text: "'recognisable-4711'",
  quoted: `'it''s "recognisable" 4711'' to INT32'`,
  number: "471147114711::BIGINT",
  small: "(-4711)::INTEGER",
  double: "4.9e208::DOUBLE",
  huge: "170141183460469231731687303715884105727::HUGEINT",
  time: "TIMESTAMP '2093-01-01 04:07:11'",
  list: "[471147114711, 4711]",
  texts: "['recognisable-4711']",
  struct: "{'a': 'recognisable-4711', 'b': 471147114711}",
  map: "MAP {'recognisable-4711': 471147114711}",
  blob: "'recognisable-4711'::BLOB",
  span: "INTERVAL '4711 days'",
  json: `'{"a": "recognisable-4711", "b": [471147114711]}'`,
} as const;

const types =
  "BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT UBIGINT FLOAT DOUBLE DECIMAL(4,2) DECIMAL(38,37) DATE TIME TIMESTAMP TIMESTAMPTZ TIMESTAMP_NS INTERVAL UUID BLOB BIT JSON INTEGER[] INTEGER[3] STRUCT(a_INTEGER) MAP(INTEGER,INTEGER) UNION(x_INTEGER,y_DATE) ENUM('one','two')"
    .split(" ")
    .map((type) => type.replaceAll("_INT", " INT").replaceAll("_DATE", " DATE"));

/** Tables that refuse each value. */
const constraints: readonly (readonly [columns: string, value: string])[] = [
  ["a VARCHAR PRIMARY KEY", "text"],
  ["a VARCHAR, b INTEGER, PRIMARY KEY (a, b)", "text, small"],
  ["a BIGINT UNIQUE", "number"],
  ["a TIMESTAMP UNIQUE", "time"],
  ["a VARCHAR UNIQUE", "quoted"],
  ["a BIGINT CHECK (a < 3)", "number"],
  ["a VARCHAR CHECK (length(a) < 3)", "text"],
  ["a VARCHAR REFERENCES parents (a)", "text"],
  ["a STRUCT(c INTEGER)", "{'c': text}"],
  ["a INTEGER[]", "texts"],
  ["a ENUM('one', 'two')", "text"],
  ["a TINYINT", "number"],
];

suite("messages of DuckDB about rows", () => {
  let connection: DuckDBConnection;
  before(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
    const columns = Object.entries(values).map(([name, value]) => `${value} AS ${name}`);
    await connection.run(`CREATE TABLE rows AS SELECT ${columns.join(", ")}`);
    await connection.run("CREATE TABLE parents (a VARCHAR PRIMARY KEY)");
  });
  after(() => connection.closeSync());

  const tried = new Map<string, string>();
  async function attempt(sql: string): Promise<void> {
    try {
      await (await connection.run(sql)).getRows();
    } catch (error) {
      const message = rowlessMessage(error);
      // These errors show only identifiers and literals of the statement, which its author wrote.
      if (!/^(?:Binder|Catalog|Parser|Not implemented) Error/.test(errorText(error)))
        tried.set(errorText(error), message);
    }
  }
  const requireNone = (least: number) => {
    const leaks = [...tried].filter(([, message]) => shown.test(message));
    assert.deepEqual(leaks, []);
    assert.ok(tried.size >= least, String(tried.size));
    tried.clear();
  };

  test("casts of every value to every type", async () => {
    for (const type of types)
      for (const name of Object.keys(values)) await attempt(`SELECT CAST(${name} AS ${type}) FROM rows`);
    requireNone(100);
  });

  test("every function of DuckDB with these values in every place", async () => {
    const found = await connection.runAndReadAll(
      `SELECT DISTINCT function_name, parameter_types FROM duckdb_functions()
       WHERE function_type = 'scalar' AND function_name ~ '^[a-z_0-9]+$' AND len(parameter_types) <= 4
         AND NOT starts_with(function_name, 'pg_') AND NOT contains(function_name, 'sleep') ORDER BY ALL`,
    );
    const ofType = (type: string | null): readonly string[] => {
      if (type === null || type === "ANY" || type === "T") return ["text", "number", "list"];
      if (type === "VARCHAR") return ["text", "json"];
      if (/^(?:TIME|DATE)/.test(type)) return [`time::${type}`];
      if (/INT$|INTEGER/.test(type))
        return type === "HUGEINT" ? ["huge"] : ["number", "small", `4711::${type}`];
      if (/DECIMAL|DOUBLE|FLOAT/.test(type)) return ["double", "-double"];
      if (type === "INTERVAL") return ["span", "span * 1000000"];
      if (type === "BLOB") return ["blob"];
      if (/\[\]$/.test(type)) return ["list", "texts"];
      if (/^(?:MAP|STRUCT)/.test(type)) return [type.startsWith("MAP") ? "map" : "struct"];
      return [`text::${type}`];
    };
    for (const [name, parameters] of found.getRowsJson() as [string, (string | null)[]][]) {
      const places = parameters.map(ofType);
      const widest = Math.max(1, ...places.map(({ length }) => length));
      for (let n = 0; n < widest; n += 1) {
        const list = places.map((place) => place[n % place.length]).join(", ");
        // The result would be gigabytes, or the text is the author's.
        if (!/^(?:repeat|error|range|generate_series|bar|lpad|rpad|list_resize|array_resize)$/.test(name))
          await attempt(`SELECT ${name}(${list}) FROM rows`);
      }
    }
    requireNone(40);
  });

  test("patterns, formats and paths that are values", async () => {
    for (const sql of [
      "regexp_matches('a', text || '(')",
      "regexp_replace('a', '[z-a' || text, 'b')",
      "strptime(text, '%Y-%m-%d')",
      "strptime('x', text)",
      "date_part(text, time)",
      "json_extract(json, text || '[')",
      `json_transform_strict(json, '{"a": "INTEGER"}')`,
      "(json::JSON ->> 'a')::INTEGER",
      "(json::JSON -> 'b' -> 0)::TINYINT",
      "from_base64(text)",
      "format(text || '{', number)",
      "printf('%d', text)",
      "number * number * number",
      "huge + 1",
      "time + span * 100000000",
      "make_date(number, 1, 1)",
      "make_date(2093, 13, 4711)",
      "time AT TIME ZONE text",
      "list[1]::TINYINT",
      "struct.a::INTEGER",
      "map[text]::TINYINT",
      "(SELECT unnest([number, small]))",
      "text::BLOB::UUID",
    ])
      await attempt(`SELECT ${sql} FROM rows`);
    requireNone(10);
  });

  test("constraints", async () => {
    for (const [columns, value] of constraints) {
      await connection.run(`CREATE OR REPLACE TABLE refusing (${columns})`);
      for (let n = 0; n < 2; n += 1) await attempt(`INSERT INTO refusing SELECT ${value} FROM rows`);
    }
    requireNone(8);
  });
});
