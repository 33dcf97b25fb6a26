import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { emptyDatabase as makeDatabase } from "@lakehelm/testing";
import pg from "pg";

/** An empty database on the real PostgreSQL of this test run, dropped after the test. */
export interface EmptyDatabase {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

export async function emptyDatabase(t: Pick<TestContext, "after">): Promise<EmptyDatabase> {
  const { url, drop } = await makeDatabase(`spark_${randomUUID().replaceAll("-", "")}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await drop();
  });
  const { hostname, port, pathname, username, password } = new URL(url);
  return {
    ...{ host: hostname, port: Number(port), database: pathname.slice(1), user: username, password },
    query: async (sql, values = []) => (await client.query(sql, [...values])).rows,
  };
}
