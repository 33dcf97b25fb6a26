-- Cleans the imported tables. `npm run demo` runs this file as the pipeline "sales".

CREATE OR REFRESH MATERIALIZED VIEW shop.clean.orders (
  CONSTRAINT has_customer EXPECT (customer_id IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT usual_amount EXPECT (amount BETWEEN 0.01 AND 5000)
)
COMMENT 'Orders with their day'
AS SELECT order_id, customer_id, to_date(ordered_at) AS ordered_on, amount
FROM ${orders};

-- Returns are only ever added, so each update reads only the new ones.
CREATE OR REFRESH STREAMING TABLE shop.clean.returns (
  CONSTRAINT has_refund EXPECT (refund >= 0) ON VIOLATION DROP ROW
)
COMMENT 'Returns with typed amounts and days'
AS SELECT return_id, order_id, to_date(returned_on) AS returned_on, CAST(refund AS DECIMAL(10,2)) AS refund, reason
FROM STREAM ${returns};

CREATE OR REFRESH MATERIALIZED VIEW shop.clean.sales_by_day
COMMENT 'Orders, revenue and refunds by day of the order'
AS SELECT o.ordered_on AS day, count(DISTINCT o.order_id) AS orders, sum(o.amount) AS revenue,
  nvl(sum(r.refund), 0) AS refunded
FROM shop.clean.orders AS o
LEFT JOIN (
  SELECT order_id, sum(refund) AS refund FROM shop.clean.returns GROUP BY order_id
) AS r ON r.order_id = o.order_id
GROUP BY o.ordered_on;
