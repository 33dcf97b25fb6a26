import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import pg from "pg";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { deliver } from "../../transfer/delivery.ts";
import { ingest } from "../../transfer/ingest.ts";
import { freshSchema } from "./testing/schema.ts";

const decimal = (precision: number, scale: number) =>
  fc.bigInt({ min: -(10n ** BigInt(precision)) + 1n, max: 10n ** BigInt(precision) - 1n }).map((digits) => {
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
    const point = text.length - scale;
    return `${digits < 0n ? "-" : ""}${text.slice(0, point)}${scale > 0 ? "." : ""}${text.slice(point)}`;
  });
const integer = (bits: number) =>
  fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }).map(String);
/** Text that PostgreSQL can store, without U+0000. Many lengths are near twelve bytes, up to which DuckDB stores text inline. */
const text = fc
  .oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme-ascii", minLength: 10, maxLength: 15 }))
  .map((value) => value.replaceAll("\0", ""));
const day = fc.oneof(
  fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  fc.constantFrom("infinity", "-infinity", "4713-01-01 BC", "5874897-12-31"),
);
const moment = fc.oneof(
  fc
    .tuple(
      fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
      fc.integer({ min: 0, max: 999 }),
    )
    .map(([date, micros]) => date.toISOString().replace("Z", `${String(micros).padStart(3, "0")}Z`)),
  fc.constantFrom("infinity", "-infinity", "4713-01-01 00:00:00 BC", "294246-12-31 23:59:59.999999"),
);
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value).replaceAll("\\u0000", ""));
const list = (element: fc.Arbitrary<string>) =>
  fc
    .array(fc.option(element), { maxLength: 4 })
    .map(
      (items) =>
        `{${items.map((item) => (item === null ? "NULL" : `"${item.replace(/["\\]/g, "\\$&")}"`)).join(",")}}`,
    );

/** Values of each type, in PostgreSQL's text form. */
const types: Readonly<Record<string, fc.Arbitrary<string>>> = {
  boolean: fc.boolean().map(String),
  smallint: integer(16),
  integer: integer(32),
  bigint: integer(64),
  real: fc.float().map(String),
  "double precision": fc.double().map(String),
  "numeric(4,2)": decimal(4, 2),
  "numeric(9,0)": decimal(9, 0),
  "numeric(15,7)": decimal(15, 7),
  "numeric(18,3)": decimal(18, 3),
  "numeric(38,10)": decimal(38, 10),
  numeric: decimal(60, 20),
  text,
  "varchar(40)": text.map((value) => [...value].slice(0, 40).join("").trimEnd()),
  date: day,
  time: fc
    .integer({ min: 0, max: 86_399 })
    .map((second) => new Date(second * 1000).toISOString().slice(11, 19)),
  timestamp: moment,
  timestamptz: moment,
  interval: fc
    .tuple(fc.integer(), fc.integer(), integer(50))
    .map(([months, days, micros]) => `${months} mons ${days} days ${micros} us`),
  uuid: fc.uuid(),
  bytea: fc.uint8Array().map((bytes) => `\\x${Buffer.from(bytes).toString("hex")}`),
  json,
  jsonb: json,
  "integer[]": list(integer(32)),
  "text[]": list(text),
  "numeric(20,4)[]": list(decimal(20, 4)),
  "timestamptz[]": list(fc.constantFrom("2024-01-01 00:00:00.000001+00", "1969-12-31 23:59:59.999999+00")),
};

test("random rows of every type are unchanged after an ingest and a delivery", async (t) => {
  const harness = await startTransferHarness(t);
  const { client, connection, drop } = await freshSchema();
  t.after(drop);
  const columns = Object.keys(types).map((type, index) => `c${index} ${type}`);
  await client.query(
    `CREATE TABLE original (n int, ${columns.join(", ")}); CREATE TABLE back (LIKE original)`,
  );
  const row = fc.tuple(...Object.values(types).map((values) => fc.option(values, { freq: 8 })));
  const dataset = { keys: [], strategy: "replace", watermark: null, maxDeleteShare: 1 } as const;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      await client.query("TRUNCATE original");
      const values = rows.map((cells, n) => `(${[n, ...cells.map(literal)].join(", ")})`);
      await client.query(`INSERT INTO original VALUES ${values.join(", ")}`);
      const id = `orders-${runs++}`;
      const ingestRequest = harness.request(
        { ...dataset, id, source: "original", target: "between" },
        { connection },
      );
      const ingested = await ingest(ingestRequest, harness.context);
      assert.deepEqual([ingested.read, ingested.rejected], [rows.length, 0]);
      const deliveryRequest = harness.request(
        { ...dataset, id, source: "between", target: "back" },
        { connection, direction: "out" },
      );
      const delivered = await deliver(deliveryRequest, harness.context);
      assert.deepEqual([delivered.inserted, delivered.rejected], [rows.length, 0]);
      assert.deepEqual(await textsOf(client, "back"), await textsOf(client, "original"));
    }),
    { numRuns: 6, seed: 20_261_115 },
  );
});

const literal = (cell: string | null): string => (cell === null ? "NULL" : pg.escapeLiteral(cell));

const textsOf = async (client: pg.Client, table: string): Promise<string[]> =>
  (await client.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY n`)).rows.map(
    ({ row }) => row,
  );
