import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { literal } from "../warehouse/names.ts";
import { orderOf, type TestOrder, timeText } from "./orders.ts";

export const columns = "id BIGINT, name VARCHAR, amount DECIMAL(18,2), updated_at TIMESTAMPTZ";

/** Runs the work with a separate DuckDB instance, and closes it afterwards. */
export async function withDuckdb<Result>(work: (duck: DuckDBConnection) => Promise<Result>): Promise<Result> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const duck = await instance.connect();
  try {
    await duck.run("SET GLOBAL TimeZone = 'UTC'");
    return await work(duck);
  } finally {
    duck.closeSync();
    instance.closeSync();
  }
}

export const valuesOf = (orders: readonly TestOrder[]): string =>
  orders
    .map((order) => {
      const name = order.name === null ? "NULL" : literal(order.name);
      const time = timeText(order);
      const changed = time === null ? "NULL::TIMESTAMPTZ" : `TIMESTAMPTZ '${time}+00'`;
      return `(${order.id}, ${name}, ${order.amount}, ${changed})`;
    })
    .join(", ");

/** All rows of a table or table function. */
export async function ordersIn(duck: DuckDBConnection, relation: string): Promise<TestOrder[]> {
  const found = await duck.runAndReadAll(
    `SELECT id::VARCHAR AS id, name::VARCHAR AS name, amount::VARCHAR AS amount, updated_at::VARCHAR AS updated_at FROM ${relation}`,
  );
  return found.getRowObjectsJson().map(orderOf);
}

/** Replaces the rows of a table in a DuckDB file. Creates the table if necessary. */
export const fillFile = (
  file: string,
  schema: string,
  table: string,
  orders: readonly TestOrder[],
): Promise<void> =>
  withDuckdb(async (duck) => {
    await duck.run(`ATTACH ${literal(file)} AS there`);
    await duck.run(`CREATE SCHEMA IF NOT EXISTS there."${schema}"`);
    await duck.run(`CREATE TABLE IF NOT EXISTS there."${schema}"."${table}" (${columns})`);
    await duck.run("BEGIN");
    await duck.run(`DELETE FROM there."${schema}"."${table}"`);
    await duck.run(`INSERT INTO there."${schema}"."${table}" VALUES ${valuesOf(orders)}`);
    await duck.run("COMMIT");
  });

export const readFile = (file: string, schema: string, table: string): Promise<TestOrder[]> =>
  withDuckdb(async (duck) => {
    await duck.run(`ATTACH ${literal(file)} AS there (READ_ONLY)`);
    return ordersIn(duck, `there."${schema}"."${table}"`);
  });
