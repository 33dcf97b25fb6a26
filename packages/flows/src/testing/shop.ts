import type { FlowDuckDb } from "./duckdb.ts";

/** Order, customer, amount and time of the last change. */
export type OrderRow = readonly [
  id: number,
  customer: number,
  amount: number | null,
  updatedAt: string | null,
];
export type CustomerRow = readonly [id: number, country: string];

export const defaultCustomers: readonly CustomerRow[] = [
  [1, "DE"],
  [2, "FR"],
];

/** Creates the source tables with these rows. */
export async function fillShop(
  duck: FlowDuckDb,
  orders: readonly OrderRow[],
  customers: readonly CustomerRow[] = defaultCustomers,
) {
  for (const statement of fillStatements("TIMESTAMPTZ", "VARCHAR", "", orders, customers))
    await duck.run(statement);
}

export const fillStatements = (
  moment: string,
  text: string,
  stored: string,
  orders: readonly OrderRow[],
  customers: readonly CustomerRow[],
): string[] => [
  `CREATE OR REPLACE TABLE shop.sales.orders (order_id INT, customer_id INT, amount DOUBLE, updated_at ${moment}) ${stored}`,
  `CREATE OR REPLACE TABLE shop.sales.customers (customer_id INT, country ${text}) ${stored}`,
  ...fill("orders", orders, moment),
  ...fill("customers", customers, text),
];

function fill(
  table: string,
  rows: readonly (readonly (string | number | null)[])[],
  texts: string,
): string[] {
  const written = (value: string | number | null) =>
    typeof value === "string" ? `CAST('${value}' AS ${texts})` : String(value);
  const values = rows.map((row) => `(${row.map(written).join(", ")})`);
  return values.length > 0 ? [`INSERT INTO shop.sales.${table} VALUES ${values.join(", ")}`] : [];
}
