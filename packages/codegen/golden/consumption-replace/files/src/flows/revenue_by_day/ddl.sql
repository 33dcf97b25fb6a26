-- The table shop.marts.revenue_by_day, with its keys and tags. You can run it repeatedly.
-- Each run of the flow also creates the table if it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.revenue_by_day (
  order_date DATE NOT NULL COMMENT 'The day of the orders',
  revenue DECIMAL(18, 2) COMMENT 'What they come to'
)
USING DELTA
CLUSTER BY (order_date)
COMMENT 'Revenue by day';
