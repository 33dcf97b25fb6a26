/** The table that is moved: thirteen columns of the usual types, some NULL and some empty, the same at every run. */
export const createOrders = (rows: number): string => `
CREATE TABLE orders (
  id bigint NOT NULL, customer_id int NOT NULL, product_id int NOT NULL, quantity int NOT NULL,
  price numeric(12,2) NOT NULL, discount numeric(12,2), status text NOT NULL, email text NOT NULL, note text,
  is_gift boolean NOT NULL, ordered_on date NOT NULL, updated_at timestamptz NOT NULL, details jsonb);
INSERT INTO orders
SELECT n, n * 7919 % 100003, n * 104729 % 5003, 1 + n % 9,
  (n * 31337 % 10000000)::numeric / 100, CASE WHEN n % 4 = 0 THEN NULL ELSE (n * 17 % 3000)::numeric / 100 END,
  (ARRAY['new', 'paid', 'shipped', 'returned', 'cancelled'])[1 + n % 5],
  'customer' || n * 7919 % 100003 || '@example.com',
  CASE n % 10 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'Leave it at the door, no. ' || n END,
  n % 13 = 0, date '2020-01-01' + (n % 2000)::int,
  timestamptz '2024-01-01 00:00:00+00' + n * interval '7.000013 seconds',
  CASE WHEN n % 20 = 0 THEN NULL
       ELSE jsonb_build_object('channel', CASE WHEN n % 2 = 0 THEN 'web' ELSE 'shop' END, 'items', n % 7) END
FROM generate_series(1::bigint, ${rows}) AS n;
ALTER TABLE orders ADD PRIMARY KEY (id);
CREATE INDEX orders_updated_at ON orders (updated_at);`;

/** Changes one row in a hundred and adds one in a thousand, all with later times than existing rows. */
export const changeOrders = (rows: number): string => `
UPDATE orders SET quantity = quantity + 1, note = 'changed ' || id, updated_at = timestamptz '2040-01-01 00:00:00+00' + id * interval '1 second'
WHERE id % 111 = 0;
INSERT INTO orders
SELECT n, 1, 1, 1, 1.00, NULL, 'new', 'new' || n || '@example.com', NULL, false, date '2026-01-01',
  timestamptz '2041-01-01 00:00:00+00' + n * interval '1 second', NULL
FROM generate_series(${rows} + 1::bigint, ${rows} + ${Math.floor(rows / 1000)}) AS n;
ANALYZE orders;`;
