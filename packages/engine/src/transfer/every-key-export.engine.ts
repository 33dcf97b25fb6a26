import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { openMysql, startMysql } from "@lakehelm/testing";
import { someOf } from "@lakehelm/testing/nightly";
import { duckdbDeclarations } from "../testing/every-type/duckdb.ts";
import { exportByKey, type KeyedTarget } from "../testing/every-type/export-key-suite.ts";
import { mysqlTypes } from "../testing/every-type/mysql.ts";
import { postgresTypes } from "../testing/every-type/postgresql.ts";
import { sqliteTypes } from "../testing/every-type/sqlite.ts";
import type { OrderedType } from "../testing/every-type/watermark-suite.ts";
import { startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";

/** At night every type. Otherwise some types, and types for which different values are known to be the same key. */
async function exportTypes(
  harness: TransferHarness,
  target: KeyedTarget,
  types: readonly OrderedType[],
  loose: RegExp,
): Promise<void> {
  const known = types.filter(({ declared }) => loose.test(declared));
  assert.ok(known.length > 0);
  const tried = new Set([...someOf(types, 3), ...someOf(known, 2)]);
  let rejects = 0;
  for (const [n, type] of [...tried].entries())
    rejects += (await exportByKey(harness, target, type, `x${n}`)) ?? 0;
  assert.ok(rejects > 0, "no type took two keys for the same");
}

suite("every type of a target's catalog, as the key of an export", () => {
  test("PostgreSQL", async (t) => {
    const source = await postgresTypes();
    t.after(() => source.drop());
    const { client } = source;
    const target: KeyedTarget = {
      ...source,
      async createKeyed(table, declared) {
        await client.query(`CREATE TABLE ${table} (id int, v ${declared} PRIMARY KEY)`);
      },
      ids: async (table) => (await client.query(`SELECT id FROM ${table}`)).rows.map(({ id }) => Number(id)),
    };
    const types = await source.types();
    const isKind = (kind: RegExp) => types.filter(({ declared }) => kind.test(declared));
    // A domain is written as its base type, an array as its elements: of these, every eighth.
    const left = [/^domain_/, /\[\]$/].flatMap((kind) => isKind(kind).filter((_, n) => n % 8 !== 0));
    const tried = types.filter((type) => !left.includes(type));
    await exportTypes(await startTransferHarness(t), target, tried, /citext|loose/);
  });

  test("MySQL", async (t) => {
    const server = await startMysql(t);
    if (server === undefined) return t.skip("neither mariadbd nor mysqld is installed");
    const source = await mysqlTypes(server);
    t.after(() => source.close());
    const client = await openMysql(server);
    t.after(() => client.end());
    await client.query("USE shop");
    const target: KeyedTarget = {
      ...source,
      async createKeyed(table, declared) {
        await client.query(`CREATE TABLE ${table} (id INT, v ${declared} NOT NULL PRIMARY KEY)`);
      },
      async ids(table) {
        const [rows] = await client.query({ sql: `SELECT id FROM ${table}`, rowsAsArray: true });
        return (rows as unknown[][]).map(([id]) => Number(id));
      },
    };
    await exportTypes(await startTransferHarness(t), target, await source.types(), /varchar.*_ci|_bin/);
  });

  test("SQLite", async (t) => {
    const harness = await startTransferHarness(t);
    const path = join(harness.folder, "types.db");
    const source = sqliteTypes(path, await duckdbDeclarations());
    t.after(() => source.close());
    const within = <Result>(work: (database: DatabaseSync) => Result): Result => {
      using database = new DatabaseSync(path);
      return work(database);
    };
    const target: KeyedTarget = {
      ...source,
      createKeyed: async (table, declared) =>
        within((database) => database.exec(`CREATE TABLE ${table} (id INT, v ${declared} PRIMARY KEY)`)),
      ids: async (table) =>
        within((database) => database.prepare(`SELECT id FROM ${table}`).all()).map(({ id }) => Number(id)),
    };
    await exportTypes(harness, target, source.types(), /NOCASE|RTRIM/);
  });
});
