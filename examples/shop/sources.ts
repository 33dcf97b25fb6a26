import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ShopReturn, shopRecords } from "./records.ts";

/** The files and folders of the shop. */
export const shopPaths = (folder: string) => ({
  shop: join(folder, "shop.db"),
  returns: join(folder, "returns"),
  crm: join(folder, "crm.db"),
  lakehelm: join(folder, "lakehelm"),
  /** The folder for staging rows for a Spark cluster. */
  staging: join(folder, "staging"),
});

/** Creates the shop's database and its CSV files of returns if they do not exist. */
export async function createSources(folder: string): Promise<void> {
  const paths = shopPaths(folder);
  await mkdir(paths.returns, { recursive: true });
  if (!existsSync(paths.shop)) createDatabase(paths.shop);
  const { returns } = shopRecords();
  for (const [month, some] of Map.groupBy(returns, ({ day }) => day.slice(0, 7))) {
    const path = join(paths.returns, `returns-${month}.csv`);
    if (!existsSync(path)) await createFile(path, month, some);
  }
}

function createDatabase(path: string): void {
  const { customers, orders } = shopRecords();
  using database = new DatabaseSync(path);
  database.exec(`
    BEGIN;
    CREATE TABLE customers (
      customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, segment TEXT, note TEXT, updated_at TIMESTAMP NOT NULL
    );
    CREATE TABLE orders (
      order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, ordered_at TIMESTAMP NOT NULL,
      amount DECIMAL(10,2) NOT NULL, updated_at TIMESTAMP NOT NULL
    );`);
  const customer = database.prepare("INSERT INTO customers VALUES (?, ?, ?, ?, ?)");
  for (const { id, name, segment, note, updatedAt } of customers)
    customer.run(id, name, segment, note, updatedAt);
  const order = database.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?)");
  for (const { id, customer: of, orderedAt, amount, updatedAt } of orders)
    order.run(id, of, orderedAt, amount, updatedAt);
  database.exec("COMMIT");
}

async function createFile(path: string, month: string, returns: readonly ShopReturn[]): Promise<void> {
  const lines = returns.map(({ id, order, day, refund, reason }) =>
    [id, order, day, refund, cell(reason)].join(","),
  );
  // An incomplete line, which the connector rejects.
  if (month === "2026-02") lines.splice(20, 0, "R-9999,17");
  await writeFile(path, ["return_id,order_id,returned_on,refund,reason", ...lines, ""].join("\n"));
  const written = new Date(`${month}-28T18:00:00Z`);
  await utimes(path, written, written);
}

/** NULL is an empty cell; an empty string is a pair of quotes. */
const cell = (text: string | null): string =>
  text === null ? "" : text === "" || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
