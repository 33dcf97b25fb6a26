import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withDuckdb } from "@lakehelm/engine/testing";
import {
  type ExampleDatabase,
  openDuckdbExample,
  openPostgresExample,
  openSqliteExample,
} from "./docs-databases.ts";
import { serveInbox, serveOrders } from "./docs-endpoints.ts";
import { createOrders, insertOrders, type ShopOrder, sums } from "./docs-orders.ts";

/** The value of every secret that a page refers to. */
export const secret = "choose-one";

/** The external system of an example: a real one, on this machine. */
export interface ExternalSystem {
  /** Values in the pages, and their replacements on this machine. */
  readonly here: Readonly<Record<string, string>>;
  /** Writes orders, replacing those with the same key. */
  put?(orders: readonly ShopOrder[]): Promise<void>;
  /** The key and amount of each order that was received. */
  received?(): Promise<number[][]>;
  /** Deletes the received orders. */
  clear?(): Promise<void>;
  /** Runs the SQL that the page asks the administrator of the external system for. */
  prepare?(sql: string): Promise<void>;
  /** Creates a dataset whose columns `c0`, `c1` … have these types, or these values; returns its name. */
  kinds?(types: readonly string[]): Promise<string>;
  /** The type as the page writes it, if the system shows it differently. */
  readonly plain?: ((type: string) => string) | undefined;
  close(): Promise<void>;
}

/** Functions that open the systems, by the names of the examples. `folder` replaces `/srv/shop`. */
export const externalSystems: Readonly<Record<string, (folder: string) => Promise<ExternalSystem>>> = {
  "sqlite-in": async (folder) => sourceDatabase(openSqliteExample(join(folder, "shop.db"))),
  "sqlite-out": async (folder) => targetDatabase(openSqliteExample(join(folder, "crm.db"))),
  "duckdb-in": async (folder) => sourceDatabase(openDuckdbExample(join(folder, "shop.duckdb"))),
  "duckdb-out": async (folder) => targetDatabase(openDuckdbExample(join(folder, "marts.duckdb"))),
  "postgresql-in": async () => sourceDatabase(await openPostgresExample()),
  "postgresql-out": async () => targetDatabase(await openPostgresExample(), "crm.orders"),
  "files-csv": (folder) => fileDrop(folder, "csv"),
  "files-json": (folder) => fileDrop(folder, "json"),
  "files-parquet": (folder) => fileDrop(folder, "parquet"),
  rest: async () => {
    let there: readonly ShopOrder[] = [];
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
        .map((line) => JSON.parse(line) as ShopOrder),
    ),
  "parquet-out": async (folder) =>
    exported(folder, "parquet", (path) =>
      withDuckdb(async (duck) => {
        const read = await duck.runAndReadAll(`SELECT order_id, amount FROM '${path}'`);
        return read.getRowObjectsJson() as unknown as ShopOrder[];
      }),
    ),
  http: async () => {
    const { url, received, close } = await serveInbox(secret);
    return { here: { "https://crm.example.com": url }, received: async () => sums(received()), close };
  },
};

const isNotAmong =
  (orders: readonly ShopOrder[]) =>
  ({ order_id }: ShopOrder) =>
    !orders.some((one) => one.order_id === order_id);

export async function sourceDatabase(database: ExampleDatabase): Promise<ExternalSystem> {
  await database.run(createOrders);
  return {
    here: database.here,
    async put(orders) {
      await database.run(
        `DELETE FROM orders WHERE order_id IN (${orders.map((order) => order.order_id).join(", ")})`,
      );
      await database.run(insertOrders(orders));
    },
    prepare: database.run,
    async kinds(types) {
      await database.run(`CREATE TABLE kinds (${types.map((type, at) => `c${at} ${type}`).join(", ")})`);
      await database.show?.("kinds");
      return "kinds";
    },
    close: database.close,
  };
}

export const targetDatabase = (database: ExampleDatabase, table = "orders"): ExternalSystem => ({
  here: database.here,
  prepare: database.run,
  received: async () => {
    const rows = await database.rows(`SELECT order_id, amount FROM ${table} ORDER BY order_id`);
    return rows.map((row) => row.map(Number));
  },
  clear: () => database.run(`DROP TABLE ${table}`),
  plain: database.plain,
  close: database.close,
});

/** A folder that gets another file with every call of `put`. */
async function fileDrop(folder: string, format: "csv" | "json" | "parquet"): Promise<ExternalSystem> {
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
  read: (path: string) => Promise<readonly ShopOrder[]>,
): Promise<ExternalSystem> {
  const exports = join(folder, "exports");
  const path = join(exports, `orders.${format}`);
  await mkdir(exports);
  return {
    here: {},
    received: async () =>
      (await read(path))
        .map(({ order_id, amount }) => [Number(order_id), Number(amount)])
        .sort(([one = 0], [other = 0]) => one - other),
    clear: () => rm(path),
    async close() {},
  };
}

function csvOrders(text: string): ShopOrder[] {
  const [names = [], ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return rows.map(
    (row) => Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as ShopOrder,
  );
}
