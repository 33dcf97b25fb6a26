/** The orders of the shop in the pages. */
export interface ShopOrder {
  readonly order_id: number;
  readonly customer_id: number;
  readonly amount: number;
  readonly updated_at: string;
}

const order = (order_id: number, customer_id: number, amount: number, updated_at: string): ShopOrder => ({
  order_id,
  customer_id,
  amount,
  updated_at,
});

export const before: readonly ShopOrder[] = [
  order(1, 1, 10.5, "2026-01-01T00:00:00Z"),
  order(2, 2, 20, "2026-01-02T00:00:00Z"),
  order(3, 1, 5.25, "2026-01-03T00:00:00Z"),
];
/** One changed and one new order: the changes for the second run. */
export const changes: readonly ShopOrder[] = [
  order(1, 1, 11.75, "2026-01-04T00:00:00Z"),
  order(4, 2, 40, "2026-01-05T00:00:00Z"),
];
export const after: readonly ShopOrder[] = [...before.filter(({ order_id }) => order_id !== 1), ...changes];

/** SQL that is valid in SQLite, DuckDB, PostgreSQL and MySQL. */
export const createOrders = `CREATE TABLE orders (
  order_id BIGINT PRIMARY KEY, customer_id BIGINT, amount DECIMAL(18,2), updated_at TIMESTAMP)`;

export const insertOrders = (orders: readonly ShopOrder[]): string => {
  const rows = orders.map(({ order_id, customer_id, amount, updated_at }) => {
    const time = updated_at.replace("T", " ").replace("Z", "");
    return `(${order_id}, ${customer_id}, ${amount}, '${time}')`;
  });
  return `INSERT INTO orders VALUES ${rows.join(", ")}`;
};

/** The values to compare: the ids and amounts of the orders. */
export const sums = (orders: readonly ShopOrder[]): number[][] =>
  orders.map(({ order_id, amount }) => [order_id, amount]).sort(([one = 0], [other = 0]) => one - other);
