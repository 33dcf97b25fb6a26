import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestMysql } from "@lakehelm/testing";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import { literal } from "../warehouse/names.ts";
import { fillFile, valuesOf, withDuckdb } from "./duckdb.ts";
import { mysqlTable, type OrderTable, postgresTable } from "./order-databases.ts";
import { serveRecords } from "./order-endpoints.ts";
import { type TestOrder, timeText } from "./orders.ts";
import type { TestS3 } from "./s3-server.ts";

/** A source of orders. */
export interface OrderSource {
  readonly connection: ConnectionConfig;
  /** As written in `source_dataset`. */
  readonly dataset: string;
  put(orders: readonly TestOrder[]): Promise<void>;
  close?(): Promise<void>;
}

/** Creates a source in the folder of a test. `name` is unique. */
export type OpenOrderSource = (folder: string, name: string) => Promise<OrderSource>;

export const orderSources = (
  server: TestMysql | undefined,
  s3?: TestS3,
): Readonly<Record<string, OpenOrderSource>> => ({
  postgresql: async (_, name) => served("postgresql", await postgresTable(name)),
  ...(server && {
    mysql: async (_: string, name: string) => served("mysql", await mysqlTable(server, `shop_${name}`)),
  }),
  sqlite,
  duckdb,
  "files: CSV": (folder) => files(folder, "csv", (file, orders) => writeFile(file, csvOf(orders))),
  "files: JSON": (folder) =>
    files(folder, "json", (file, orders) =>
      writeFile(file, orders.map((one) => JSON.stringify(recordOf(one))).join("\n")),
    ),
  "files: Parquet": (folder) => files(folder, "parquet", writeParquet),
  rest,
  ...(s3 && { "s3: CSV": (_: string, name: string) => objects(s3, name) }),
});

async function objects(s3: TestS3, name: string): Promise<OrderSource> {
  const bucket = name.replaceAll("_", "-");
  await s3.createBucket(bucket);
  return {
    connection: { type: "files", config: { ...s3.config, path: `s3://${bucket}/shop`, format: "csv" } },
    dataset: "orders.csv",
    put: (orders) => s3.put(`${bucket}/shop/orders.csv`, csvOf(orders)),
  };
}

const served = (type: string, { config, put, close }: OrderTable): OrderSource => ({
  connection: { type, config },
  dataset: "orders",
  put,
  close,
});

const sqlite: OpenOrderSource = async (folder) => {
  const path = join(folder, "shop.db");
  return {
    connection: { type: "sqlite", config: { path } },
    dataset: "orders",
    async put(orders) {
      const db = new DatabaseSync(path);
      db.exec(
        "begin; create table if not exists orders (id integer primary key, name text, amount decimal(18,2), updated_at datetime); delete from orders",
      );
      const insert = db.prepare("insert into orders values (?, ?, ?, ?)");
      for (const order of orders) insert.run(order.id, order.name, order.amount, timeText(order));
      db.exec("commit");
      db.close();
    },
  };
};

const duckdb: OpenOrderSource = async (folder) => {
  const path = join(folder, "shop.duckdb");
  return {
    connection: { type: "duckdb", config: { path } },
    dataset: "orders",
    put: (orders) => fillFile(path, "main", "orders", orders),
  };
};

async function files(
  folder: string,
  format: string,
  write: (file: string, orders: readonly TestOrder[]) => Promise<unknown>,
): Promise<OrderSource> {
  const path = join(folder, "shop");
  await mkdir(path);
  return {
    connection: { type: "files", config: { path, format } },
    dataset: `orders.${format}`,
    async put(orders) {
      await write(join(folder, "new"), orders);
      await rename(join(folder, "new"), join(path, `orders.${format}`));
    },
  };
}

const rest: OpenOrderSource = async () => {
  let orders: readonly TestOrder[] = [];
  const { url, close } = await serveRecords(() => orders.map(recordOf));
  return {
    connection: { type: "rest", config: { url } },
    dataset: "orders",
    put: async (rows) => {
      orders = rows;
    },
    close,
  };
};

const recordOf = (order: TestOrder) => ({
  id: order.id,
  name: order.name,
  amount: order.amount,
  updated_at: timeText(order)?.replace(/ (.*)/, "T$1Z") ?? null,
});

const csvOf = (orders: readonly TestOrder[]): string => {
  const cell = (value: string | null) => (value === null ? "" : `"${value.replaceAll('"', '""')}"`);
  const lines = orders.map((one) => [one.id, cell(one.name), one.amount, timeText(one)].join(","));
  return `id,name,amount,updated_at\n${lines.join("\n")}\n`;
};

const writeParquet = (file: string, orders: readonly TestOrder[]): Promise<unknown> =>
  withDuckdb((duck) =>
    duck.run(
      `COPY (SELECT id::BIGINT AS id, name::VARCHAR AS name, amount::DECIMAL(18,2) AS amount, updated_at FROM (VALUES ${valuesOf(orders)}) v(id, name, amount, updated_at)) TO ${literal(file)} (FORMAT parquet)`,
    ),
  );
