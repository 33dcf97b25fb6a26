import { globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestMysql } from "@lakehelm/testing";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import { literal } from "../warehouse/names.ts";
import { ordersIn, readFile, withDuckdb } from "./duckdb.ts";
import { mysqlTable, type OrderTable, postgresTable } from "./order-databases.ts";
import { serveInbox } from "./order-endpoints.ts";
import { orderOf, type TestOrder } from "./orders.ts";
import type { TestS3 } from "./s3-server.ts";

/** A target whose table or file `orders` is written. */
export interface OrderTarget {
  readonly connection: ConnectionConfig;
  /** Reads the target with its own driver, not with the engine. */
  read(): Promise<TestOrder[]>;
  close?(): Promise<void>;
}

export type OpenOrderTarget = (folder: string, name: string) => Promise<OrderTarget>;

export const orderTargets = (
  server: TestMysql | undefined,
  s3?: TestS3,
): Readonly<Record<string, OpenOrderTarget>> => ({
  postgresql: async (_, name) => served("postgresql", await postgresTable(name)),
  ...(server && {
    mysql: async (_: string, name: string) => served("mysql", await mysqlTable(server, `shop_${name}`)),
  }),
  sqlite,
  duckdb,
  csv: (folder) => files(folder, "csv", scanCsv),
  jsonl: (folder) => files(folder, "jsonl", (list) => `read_json(${list}, format = 'newline_delimited')`),
  parquet: (folder) => files(folder, "parquet", (list) => `read_parquet(${list})`),
  http,
  ...(s3 && { "s3: CSV": (_: string, name: string) => objects(s3, name) }),
});

const scanCsv = (list: string): string =>
  `read_csv(${list}, header = true, all_varchar = true, delim = ',', quote = '"', escape = '"')`;

/** The server keeps each object as a file. */
async function objects(s3: TestS3, name: string): Promise<OrderTarget> {
  const bucket = name.replaceAll("_", "-");
  await s3.createBucket(bucket);
  return {
    connection: { type: "csv", config: { ...s3.config, path: `s3://${bucket}/out` } },
    read: () => ordersBelow(join(s3.folder, bucket, "out"), "csv", scanCsv),
  };
}

const served = (type: string, { config, read, close }: OrderTable): OrderTarget => ({
  connection: { type, config },
  read,
  close,
});

const sqlite: OpenOrderTarget = async (folder) => {
  const path = join(folder, "crm.db");
  return {
    connection: { type: "sqlite", config: { path } },
    async read() {
      const db = new DatabaseSync(path, { readOnly: true });
      const rows = db.prepare("select * from orders").all();
      db.close();
      return rows.map(orderOf);
    },
  };
};

const duckdb: OpenOrderTarget = async (folder) => {
  const path = join(folder, "crm.duckdb");
  return { connection: { type: "duckdb", config: { path } }, read: () => readFile(path, "main", "orders") };
};

async function files(folder: string, type: string, scan: (list: string) => string): Promise<OrderTarget> {
  const path = join(folder, "out");
  await mkdir(path);
  return {
    connection: { type, config: { path } },
    read: () => ordersBelow(path, type, scan),
  };
}

/** One file, or one per append. */
function ordersBelow(path: string, type: string, scan: (list: string) => string): Promise<TestOrder[]> {
  const found = globSync([join(path, `orders.${type}`), join(path, "orders", `*.${type}`)]);
  return withDuckdb((duck) => ordersIn(duck, scan(`[${found.map(literal).join(", ")}]`)));
}

const http: OpenOrderTarget = async () => {
  const { url, orders, close } = await serveInbox();
  return { connection: { type: "http", config: { url, batch_size: 2 } }, read: async () => orders(), close };
};
