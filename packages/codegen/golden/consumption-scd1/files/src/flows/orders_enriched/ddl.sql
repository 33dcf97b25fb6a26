-- The table shop.marts.orders_enriched, with its keys and tags. You can run it repeatedly.
-- Each run of the flow also creates the table if it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.orders_enriched (
  orders_enriched_sk STRING NOT NULL COMMENT 'Surrogate key: a hash of the key',
  order_id BIGINT NOT NULL COMMENT 'The order',
  amount DECIMAL(18, 2) COMMENT 'What it cost',
  country STRING COMMENT 'Where the customer lives',
  updated_at TIMESTAMP COMMENT 'When the order last changed',
  CONSTRAINT orders_enriched_pk PRIMARY KEY (order_id)
)
USING DELTA
COMMENT 'Orders with their customer\'s country';

ALTER TABLE shop.marts.orders_enriched ALTER COLUMN amount SET TAGS ('glossary_terms' = 'Revenue');

ALTER TABLE shop.marts.orders_enriched ALTER COLUMN country SET TAGS ('pii' = 'true');
