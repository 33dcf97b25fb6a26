import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { startMysql } from "@lakehelm/testing";
import { someOf } from "@lakehelm/testing/nightly";
import { duckdbDeclarations, duckdbTypes } from "../testing/every-type/duckdb.ts";
import { loadByKey } from "../testing/every-type/key-suite.ts";
import { mysqlTypes } from "../testing/every-type/mysql.ts";
import { postgresTypes } from "../testing/every-type/postgresql.ts";
import { sqliteTypes } from "../testing/every-type/sqlite.ts";
import {
  loadInIncrements,
  type OrderedType,
  type TypedSource,
} from "../testing/every-type/watermark-suite.ts";
import { startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";
import { ingest } from "./ingest.ts";

/** Every type as a watermark, and as a key. At night all of them, otherwise some. */
async function tryTypes(harness: TransferHarness, source: TypedSource, types: readonly OrderedType[]) {
  assert.ok(types.length > 30, `${types.length} types`);
  for (const [n, type] of someOf(types, 3).entries()) {
    await loadInIncrements(harness, source, type, `t${n}`);
    await loadByKey(harness, source, type, `k${n}`);
  }
}

suite("every type of a source's catalog, as a watermark and as a key", () => {
  test("PostgreSQL", async (t) => {
    const source = await postgresTypes();
    t.after(() => source.drop());
    const types = await source.types();
    const harness = await startTransferHarness(t);
    await tryTypes(harness, source, types);
    const found: string[] = [];
    for (const type of types) {
      const pair = await source.synonyms(type);
      if (!pair) continue;
      found.push(type.declared);
      if (someOf(types, 5).includes(type)) await respell(harness, source, type, pair, `s${found.length}`);
    }
    assert.ok(found.length > 5, `${found}`);
  });

  test("MySQL", async (t) => {
    const server = await startMysql(t);
    if (server === undefined) return t.skip("neither mariadbd nor mysqld is installed");
    const source = await mysqlTypes(server);
    t.after(() => source.close());
    await tryTypes(await startTransferHarness(t), source, await source.types());
  });

  test("SQLite", async (t) => {
    const harness = await startTransferHarness(t);
    const source = sqliteTypes(join(harness.folder, "types.db"), await duckdbDeclarations());
    t.after(() => source.close());
    await tryTypes(harness, source, source.types());
  });

  test("DuckDB", async (t) => {
    const harness = await startTransferHarness(t);
    const source = duckdbTypes(join(harness.folder, "types.duckdb"));
    await tryTypes(harness, source, await source.types());
  });
});

/**
 * A key that is written in another way, and that the source takes for the same key, replaces its row, or a warning says
 * that it does not.
 */
async function respell(
  harness: TransferHarness,
  source: TypedSource,
  { declared }: OrderedType,
  [one, other]: readonly [string, string],
  table: string,
) {
  const results = [];
  for (const [at, value] of [one, other].entries()) {
    await source.create(`${table}_${at}`, declared);
    await source.insert(`${table}_${at}`, [[1, value]]);
    const dataset = { id: table, source: `${table}_${at}`, target: table, keys: ["v"], watermark: null };
    const request = harness.request({ ...dataset, maxRejectShare: 1 }, { connection: source.connection });
    results.push(await ingest(request, harness.context));
  }
  const [[rows] = []] = await harness.rows(`SELECT count(*) FROM _main."default".${table}`);
  const isSaid = /only in the spelling of "v"/.test(results[1]?.warnings.join("\n") ?? "");
  const isRejected = results.some(({ rejected }) => rejected > 0);
  assert.ok(Number(rows) === 1 || isSaid || isRejected, `${declared}: ${one} and ${other}`);
}
