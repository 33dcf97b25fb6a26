-- The table shop.marts.revenue_by_day, with its keys and tags. It can be run as often as you like.
-- Each run of the flow makes the table too, where it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.revenue_by_day (
  order_date DATE NOT NULL COMMENT 'The day of the orders',
  revenue DECIMAL(18, 2) COMMENT 'What they come to'
)
USING DELTA
CLUSTER BY (order_date)
COMMENT 'Revenue by day';
