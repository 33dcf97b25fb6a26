-- The table shop.marts.open_orders, with its keys and tags. You can run it repeatedly.
-- Each run of the flow also creates the table if it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.open_orders (
  order_id BIGINT NOT NULL,
  customer_id BIGINT,
  ordered_on DATE NOT NULL,
  CONSTRAINT open_orders_pk PRIMARY KEY (order_id),
  CONSTRAINT open_orders_fk_customer_id FOREIGN KEY (customer_id) REFERENCES shop.sales.customers (customer_id)
)
USING DELTA
COMMENT 'Orders that are open';
