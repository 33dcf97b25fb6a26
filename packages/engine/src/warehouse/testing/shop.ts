import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QueryRequest, QueryResult } from "../../protocol/query.ts";
import type { WarehouseScope } from "../../protocol/scope.ts";
import { runQuery } from "../queries/query.ts";
import { Warehouse, type WarehouseOptions } from "../warehouse.ts";

export const scope: WarehouseScope = { environment: "dev", catalog: "shop", schema: "sales" };

/** A result with its rows as values. */
export interface ShopResult extends Omit<QueryResult, "rows"> {
  readonly rows?: readonly (readonly unknown[])[];
}

export interface TestShop extends AsyncDisposable {
  readonly warehouse: Warehouse;
  /** Runs a statement in DuckDB's dialect, without any checks. */
  run(sql: string): Promise<void>;
  query(sql: string, how?: Partial<QueryRequest>, signal?: AbortSignal): Promise<ShopResult>;
  /** The error message of a query that fails. */
  errorMessage(sql: string, how?: Partial<QueryRequest>): Promise<string>;
}

/** A warehouse in a temporary folder. `shop.sales.orders` has three rows. */
export async function openShop(options: Partial<WarehouseOptions> = {}): Promise<TestShop> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-shop-"));
  const warehouse = await Warehouse.open({ folder, memoryMb: 128, threads: 2, ...options });
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "orders" });
  const connection = await warehouse.connect();
  await connection.run(
    `CREATE TABLE shop.sales.orders AS
     SELECT * FROM (VALUES (1, 'ada', 9.50, DATE '2026-01-04'), (2, 'bob', 12.00, DATE '2026-01-05'), (3, NULL, 0.99, NULL))
       AS orders(id, customer, amount, day)`,
  );
  const query: TestShop["query"] = async (sql, how = {}, signal = new AbortController().signal) => {
    const { rows, ...result } = await runQuery(
      warehouse,
      { scope, sql, dialect: "databricks", skip: 0, limit: 100, timeoutMs: 10_000, format: "json", ...how },
      signal,
    );
    return { ...result, ...(rows && { rows: JSON.parse(Buffer.from(rows).toString()) }) };
  };
  return {
    warehouse,
    run: async (sql) => void (await connection.run(sql)),
    query,
    errorMessage: (sql, how) =>
      query(sql, how).then(
        (result) => `It ran: ${JSON.stringify(result)}`,
        (error) => (error instanceof Error ? error.message : String(error)),
      ),
    async [Symbol.asyncDispose]() {
      connection.closeSync();
      warehouse.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
