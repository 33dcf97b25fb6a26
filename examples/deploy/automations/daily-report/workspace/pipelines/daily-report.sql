CREATE OR REFRESH MATERIALIZED VIEW main.reports.daily (
  CONSTRAINT has_day EXPECT (day IS NOT NULL) ON VIOLATION DROP ROW
)
COMMENT 'Number and sum of the orders, by day'
AS SELECT ordered_on AS day, count(*) AS orders, sum(amount) AS revenue
FROM main.shop.orders
GROUP BY ordered_on;
