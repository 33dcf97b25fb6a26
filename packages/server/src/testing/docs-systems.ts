import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withDuckdb } from "@lakehelm/engine/testing";
import { type Met, meetDuckdb, meetPostgres, meetSqlite } from "./docs-databases.ts";
import { serveInbox, serveOrders } from "./docs-endpoints.ts";
import { createOrders, insertOrders, type Order, sums } from "./docs-orders.ts";

/** The value of every secret that a page refers to. */
export const secret = "choose-one";

/** The external system of an example: real, and on this machine. */
export interface Place {
  /** Values in the pages, and their replacements here. */
  readonly here: Readonly<Record<string, string>>;
  /** Writes orders, replacing those with the same key. */
  put?(orders: readonly Order[]): Promise<void>;
  /** The orders that have arrived, by key and amount. */
  arrived?(): Promise<number[][]>;
  /** Deletes what has arrived. */
  lose?(): Promise<void>;
  /** Runs the SQL that the page asks the administrator of the external system for. */
  prepare?(sql: string): Promise<void>;
  /** Creates a dataset whose columns `c0`, `c1` … have these types, or these values; returns its name. */
  kinds?(types: readonly string[]): Promise<string>;
  /** A type as the page writes it, if that may differ. */
  readonly plain?: ((type: string) => string) | undefined;
  close(): Promise<void>;
}

/** By the names of the examples. `folder` replaces `/srv/shop`. */
export const places: Readonly<Record<string, (folder: string) => Promise<Place>>> = {
  "sqlite-in": async (folder) => sourceDatabase(meetSqlite(join(folder, "shop.db"))),
  "sqlite-out": async (folder) => targetDatabase(meetSqlite(join(folder, "crm.db"))),
  "duckdb-in": async (folder) => sourceDatabase(meetDuckdb(join(folder, "shop.duckdb"))),
  "duckdb-out": async (folder) => targetDatabase(meetDuckdb(join(folder, "marts.duckdb"))),
  "postgresql-in": async () => sourceDatabase(await meetPostgres()),
  "postgresql-out": async () => targetDatabase(await meetPostgres(), "crm.orders"),
  "files-csv": (folder) => drops(folder, "csv"),
  "files-json": (folder) => drops(folder, "json"),
  "files-parquet": (folder) => drops(folder, "parquet"),
  rest: async () => {
    let there: readonly Order[] = [];
    const { url, close } = await serveOrders(secret, () => there);
    return {
      here: { "https://api.example.com": url },
      async put(orders) {
        there = [...there.filter(isNotAmong(orders)), ...orders];
      },
      close,
    };
  },
  "csv-out": async (folder) =>
    exported(folder, "csv", async (path) => csvOrders(await readFile(path, "utf8"))),
  "jsonl-out": async (folder) =>
    exported(folder, "jsonl", async (path) =>
      (await readFile(path, "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Order),
    ),
  "parquet-out": async (folder) =>
    exported(folder, "parquet", (path) =>
      withDuckdb(async (duck) => {
        const read = await duck.runAndReadAll(`SELECT order_id, amount FROM '${path}'`);
        return read.getRowObjectsJson() as unknown as Order[];
      }),
    ),
  http: async () => {
    const { url, arrived, close } = await serveInbox(secret);
    return { here: { "https://crm.example.com": url }, arrived: async () => sums(arrived()), close };
  },
};

const isNotAmong =
  (orders: readonly Order[]) =>
  ({ order_id }: Order) =>
    !orders.some((one) => one.order_id === order_id);

export async function sourceDatabase(met: Met): Promise<Place> {
  await met.run(createOrders);
  return {
    here: met.here,
    async put(orders) {
      await met.run(
        `DELETE FROM orders WHERE order_id IN (${orders.map((order) => order.order_id).join(", ")})`,
      );
      await met.run(insertOrders(orders));
    },
    prepare: met.run,
    async kinds(types) {
      await met.run(`CREATE TABLE kinds (${types.map((type, at) => `c${at} ${type}`).join(", ")})`);
      await met.show?.("kinds");
      return "kinds";
    },
    close: met.close,
  };
}

export const targetDatabase = (met: Met, table = "orders"): Place => ({
  here: met.here,
  prepare: met.run,
  arrived: async () => {
    const rows = await met.rows(`SELECT order_id, amount FROM ${table} ORDER BY order_id`);
    return rows.map((row) => row.map(Number));
  },
  lose: () => met.run(`DROP TABLE ${table}`),
  plain: met.plain,
  close: met.close,
});

/** A folder that gets another file with every delivery. */
async function drops(folder: string, format: "csv" | "json" | "parquet"): Promise<Place> {
  const drop = join(folder, "drop");
  await mkdir(join(drop, "orders"), { recursive: true });
  let delivery = 0;
  return {
    here: {},
    async put(orders) {
      delivery += 1;
      const path = join(drop, "orders", `2026-0${delivery}.${format}`);
      const lines = orders.map((order) => JSON.stringify(order)).join("\n");
      if (format === "json") await writeFile(path, lines);
      else {
        const records = join(folder, "records.jsonl");
        await writeFile(records, lines);
        await withDuckdb((duck) =>
          duck.run(`COPY (FROM read_json('${records}')) TO '${path}' (FORMAT ${format})`),
        );
      }
    },
    async kinds(values) {
      const names = values.map((_, at) => `c${at}`);
      const text =
        format === "csv"
          ? `${names.join(",")}\n${values.join(",")}\n`
          : `{${values.map((value, at) => `"c${at}": ${value}`).join(", ")}}`;
      await writeFile(join(drop, `kinds.${format}`), text);
      return `kinds.${format}`;
    },
    async close() {},
  };
}

async function exported(
  folder: string,
  format: string,
  read: (path: string) => Promise<readonly Order[]>,
): Promise<Place> {
  const exports = join(folder, "exports");
  const path = join(exports, `orders.${format}`);
  await mkdir(exports);
  return {
    here: {},
    arrived: async () =>
      (await read(path))
        .map(({ order_id, amount }) => [Number(order_id), Number(amount)])
        .sort(([one = 0], [other = 0]) => one - other),
    lose: () => rm(path),
    async close() {},
  };
}

function csvOrders(text: string): Order[] {
  const [names = [], ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as Order);
}
