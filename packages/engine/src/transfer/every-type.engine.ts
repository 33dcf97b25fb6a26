import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { startMysql } from "@lakehelm/testing";
import { someOf } from "@lakehelm/testing/nightly";
import { duckdbDeclarations, duckdbTypes } from "../testing/every-type/duckdb.ts";
import { mysqlTypes } from "../testing/every-type/mysql.ts";
import { postgresTypes } from "../testing/every-type/postgresql.ts";
import { sqliteTypes } from "../testing/every-type/sqlite.ts";
import {
  loadInIncrements,
  type OrderedType,
  type TypedSource,
} from "../testing/every-type/watermark-suite.ts";
import { startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";

/** Loads or refuses every type. At night all of them, otherwise some. */
async function tryTypes(harness: TransferHarness, source: TypedSource, types: readonly OrderedType[]) {
  assert.ok(types.length > 30, `${types.length} types`);
  for (const [n, type] of someOf(types, 16).entries()) await loadInIncrements(harness, source, type, `t${n}`);
}

suite("every type of a source's catalog as a watermark", () => {
  test("PostgreSQL", async (t) => {
    const source = await postgresTypes();
    t.after(() => source.drop());
    await tryTypes(await startTransferHarness(t), source, await source.types());
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
