import { join } from "node:path";
import { Warehouse } from "@lakehelm/engine/testing";
import type { TestServer } from "./server.ts";

/**
 * Creates tables in the warehouse of an environment. Call it before the first request that uses the engine, which then
 * has the warehouse open.
 */
export async function fillWarehouse(
  { dataDir }: Pick<TestServer, "dataDir">,
  environmentId: string,
  ...statements: readonly string[]
): Promise<void> {
  const folder = join(dataDir, "warehouse", environmentId);
  const warehouse = await Warehouse.open({ folder, memoryMb: 128, threads: 1 });
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "" });
  const connection = await warehouse.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  warehouse.close();
}

/** Two customers and three orders, in `shop.sales`. */
export const shop: readonly string[] = [
  "CREATE TABLE shop.sales.customers (customer_id BIGINT NOT NULL, email VARCHAR, country VARCHAR)",
  "INSERT INTO shop.sales.customers VALUES (1, 'ada@example.com', 'DE'), (2, 'bob@example.com', 'FR')",
  "CREATE TABLE shop.sales.orders (order_id BIGINT NOT NULL, customer_id BIGINT, amount DECIMAL(18,2), updated_at TIMESTAMPTZ)",
  `INSERT INTO shop.sales.orders VALUES (1, 1, 10.50, '2026-01-01 00:00:00Z'), (2, 2, 20, '2026-01-02 00:00:00Z'),
    (3, 1, 90071992547409.93, '2026-01-03 00:00:00.000001Z')`,
];

/** The default catalog and schema are the shop's. */
export const shopConfiguration = { catalog: "shop", schema: "sales" };
