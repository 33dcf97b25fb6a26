/**
 * Rows that a flow keeps until they match are removed by their key, regardless of the type of the key in the table and
 * in the SELECT.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { column, ordersRequest } from "@lakehelm/flows/testing";
import { someOf } from "@lakehelm/testing/nightly";
import { prepareQuery } from "../warehouse/queries/prepared-query.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import { runFlow } from "./flow-run.ts";

const scope = { environment: "test", catalog: "shop", schema: "sales" };
let warehouse: Warehouse;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "lakehelm-recheck-"));
  warehouse = await Warehouse.open({ folder, memoryMb: 256, threads: 2 });
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "" });
});
after(async () => {
  warehouse.close();
  await rm(folder, { recursive: true });
});

const numbers = {
  boolean: "true",
  tinyint: "7Y",
  smallint: "7S",
  int: "7",
  bigint: "7L",
  float: "CAST(7.7 AS FLOAT)",
  double: "1.005D",
  large: "1.5E20D",
  decimal: "CAST('7.995' AS DECIMAL(10, 3))",
  digits: "' 7 '",
};
const texts = { text: "'ab'", blanks: "'ab   '", long: "'abcdefghi'" };
const times = {
  date: "DATE'2026-01-31'",
  timestamp: "TIMESTAMP'2026-01-31 10:20:30.123456'",
  local: "CAST('2026-01-31 10:20:30.5' AS TIMESTAMP_NTZ)",
  day: "' 2026-01-31 '",
};
const without = <Value>(from: Readonly<Record<string, Value>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

const whole = without(numbers, "large");
/** By type of the key: the values that a SELECT returns for the key. */
const keys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  boolean: { boolean: "true", int: "1", decimal: "1.00", text: "'true'" },
  tinyint: whole,
  smallint: whole,
  int: whole,
  bigint: whole,
  float: numbers,
  double: numbers,
  "decimal(10,2)": whole,
  "decimal(38,0)": numbers,
  string: { ...numbers, ...texts, ...times, binary: "X'6162'" },
  "char(40)": { ...numbers, ...texts, ...times, binary: "X'6162'" },
  "varchar(40)": { ...numbers, ...texts, ...times, binary: "X'6162'" },
  binary: { binary: "X'6162'", text: "'ab'" },
  date: times,
  timestamp: times,
  timestamp_ntz: times,
};

/** Types for which DuckDB's own casts return other values than Spark's. */
const published: Readonly<Record<string, string>> = {
  int: "1 | 7 | 7 | 7 | 7 | 7 | 1 | 7 | 7",
  "decimal(10,2)": "1.00 | 7.00 | 7.00 | 7.00 | 7.00 | 7.70 | 1.01 | 8.00 | 7.00",
  "char(40)":
    "true | 7 | 7 | 7 | 7 | 7.7 | 1.005 | 1.5E20 | 7.995 |  7 | ab | ab | abcdefghi | 2026-01-31 | 2026-01-31 10:20:30.123456 | 2026-01-31 10:20:30.5 |  2026-01-31 | ab",
};

const run = (key: string, values: Readonly<Record<string, string>>, isMatched: boolean) => {
  const names = Object.keys(values).map((name) => `k_${name}`);
  const listed = names.join(", ");
  return runFlow(
    warehouse,
    {
      scope,
      flow: ordersRequest({
        source_tables: ["waiting", "matches"],
        target_name: "shop.marts.orders",
        matched_sql: `SELECT ${listed}, 1 AS n FROM waiting JOIN matches ON false`,
        unmatched_sql: `SELECT ${listed} FROM waiting LEFT JOIN matches ON matches.n = 1 WHERE matches.n IS NULL`,
        recheck_sql: `SELECT ${listed}, m.n FROM marts.orders_unmatched CROSS JOIN matches AS m`,
        target_schema: {
          description: "",
          columns: [...names.map((name) => column(name, key, { pk: true })), column("n", "int")],
          foreign_keys: [],
        },
      }),
      businessDate: null,
      maxDrift: 1,
      run: `run-${isMatched}`,
    },
    {
      signal: new AbortController().signal,
      crashPoint: () => {},
      log: () => {},
      now: () => "2026-03-01T12:00:00.000Z",
    },
  );
};

async function execute(...statements: string[]): Promise<readonly string[]> {
  const connection = await warehouse.connect();
  try {
    let rows: readonly string[] = [];
    for (const statement of statements)
      rows = (await connection.runAndReadAll(statement)).getRowsJson().map((row) => row.join(" | "));
    return rows;
  } finally {
    connection.closeSync();
  }
}

suite("a row that waited leaves when it is published", () => {
  for (const [key, values] of someOf(Object.entries(keys), 6)) {
    test(`with keys of the type ${key}`, async () => {
      const connection = await warehouse.connect();
      const sql = `SELECT ${Object.entries(values)
        .map(([name, value]) => `${value} AS k_${name}`)
        .join(", ")}`;
      const prepared = await prepareQuery(warehouse, connection, { scope, sql, dialect: "databricks" });
      connection.closeSync();
      await execute(
        "DROP SCHEMA IF EXISTS shop.marts CASCADE",
        `CREATE OR REPLACE TABLE shop.sales.waiting AS ${prepared.sql}`,
        "CREATE OR REPLACE TABLE shop.sales.matches (n INTEGER)",
      );
      assert.equal((await run(key, values, false)).unmatched, 1);
      await execute("INSERT INTO shop.sales.matches VALUES (1)");
      assert.equal((await run(key, values, true)).inserted, 1);
      const [stored] = await execute("SELECT * EXCLUDE (n) FROM shop.marts.orders");
      if (published[key]) assert.equal(stored, published[key]);
      assert.deepEqual(await execute("SELECT * FROM shop.marts.orders_unmatched"), []);
    });
  }
});
