import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { openMysql, type TestMysql } from "@lakehelm/testing";
import { syncTo } from "./reverse-etl-requests.ts";

/** An empty database on a real MariaDB or MySQL, dropped after the test. */
export interface MysqlDatabase extends TestMysql {
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
}

export async function emptyMysql(t: Pick<TestContext, "after">, server: TestMysql): Promise<MysqlDatabase> {
  const database = `shop_${randomUUID().replaceAll("-", "")}`;
  const session = await openMysql(server);
  await session.query(`CREATE DATABASE ${database}`);
  await session.query(`USE ${database}`);
  t.after(async () => {
    await session.query(`DROP DATABASE ${database}`);
    await session.end();
  });
  return {
    ...server,
    database,
    async query(sql) {
      const [rows] = await session.query(sql);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    },
  };
}

export const mysqlSecrets = ({ password }: TestMysql) => ({ "lakehelm/mysql": password });

/** The generated notebook of a reverse ETL to the database. */
export function syncToMysql({ host, port, database, user }: TestMysql, tables: readonly object[]): string {
  const config = { host, port, database, user, password: "{{secrets/lakehelm/mysql}}" };
  return syncTo("mysql", config, tables);
}
