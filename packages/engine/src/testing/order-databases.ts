import type { TestMysql } from "@lakehelm/testing";
import mysql from "mysql2/promise";
import pg from "pg";
import { orderOf, type TestOrder, timeText } from "./orders.ts";

/** A table `orders` in a database server, filled and read with a driver, not with the engine. */
export interface OrderTable {
  /** The engine's connection settings. */
  readonly config: Readonly<Record<string, unknown>>;
  put(orders: readonly TestOrder[]): Promise<void>;
  read(): Promise<TestOrder[]>;
  close(): Promise<void>;
}

/** A table in a new schema of the test run's PostgreSQL. */
export async function postgresTable(schema: string): Promise<OrderTable> {
  const address = process.env.TEST_POSTGRES_URL;
  if (address === undefined)
    throw new Error("TEST_POSTGRES_URL is not set: run the tests with npm run test:engines");
  const client = new pg.Client({ connectionString: address, options: "-c TimeZone=UTC" });
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  const { hostname, port, username, password, pathname } = new URL(address);
  return {
    config: {
      host: hostname,
      port: Number(port),
      database: pathname.slice(1),
      user: username,
      password,
      schema,
    },
    async put(orders) {
      await client.query("BEGIN");
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${schema}.orders (id bigint PRIMARY KEY, name text, amount numeric(18,2), updated_at timestamptz)`,
      );
      await client.query(`DELETE FROM ${schema}.orders`);
      for (const order of orders) {
        await client.query(`INSERT INTO ${schema}.orders VALUES ($1, $2, $3, $4)`, [
          order.id,
          order.name,
          order.amount,
          timeText(order),
        ]);
      }
      await client.query("COMMIT");
    },
    async read() {
      const { rows } = await client.query(
        `SELECT id, name, amount, updated_at::text AS updated_at FROM ${schema}.orders`,
      );
      return rows.map(orderOf);
    },
    async close() {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** A table in a new database. */
export async function mysqlTable(server: TestMysql, database: string): Promise<OrderTable> {
  const { host, port, user, password } = server;
  const session = await mysql.createConnection({
    host,
    port,
    user,
    password,
    timezone: "Z",
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  await session.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  await session.query(`USE ${database}`);
  return {
    config: { host, port, user, password, database },
    async put(orders) {
      await session.query(
        "CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY, name TEXT, amount DECIMAL(18,2), updated_at DATETIME(6))",
      );
      await session.beginTransaction();
      await session.query("DELETE FROM orders");
      const rows = orders.map((order) => [order.id, order.name, order.amount, timeText(order)]);
      await session.query("INSERT INTO orders VALUES ?", [rows]);
      await session.commit();
    },
    async read() {
      const [rows] = await session.query<mysql.RowDataPacket[]>("SELECT * FROM orders");
      return rows.map(orderOf);
    },
    async close() {
      await session.query(`DROP DATABASE ${database}`);
      await session.end();
    },
  };
}
