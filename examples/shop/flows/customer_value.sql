-- One row for each customer.
WITH bought AS (
  SELECT customer_id, count(*) AS orders, sum(amount) AS revenue, max(ordered_on) AS last_order_on
  FROM ${pipelines.sales.tables.orders}
  GROUP BY customer_id
),
returned AS (
  SELECT o.customer_id, sum(r.refund) AS refunded
  FROM ${pipelines.sales.tables.returns} AS r
  JOIN ${pipelines.sales.tables.orders} AS o ON o.order_id = r.order_id
  GROUP BY o.customer_id
)
SELECT c.customer_id, c.name, nvl(c.segment, 'unknown') AS segment, c.note, nvl(b.orders, 0) AS orders,
  nvl(b.revenue, 0) AS revenue, nvl(r.refunded, 0) AS refunded, b.last_order_on
FROM ${connectors.orders-in.tables.customers} AS c
LEFT JOIN bought AS b ON b.customer_id = c.customer_id
LEFT JOIN returned AS r ON r.customer_id = c.customer_id
