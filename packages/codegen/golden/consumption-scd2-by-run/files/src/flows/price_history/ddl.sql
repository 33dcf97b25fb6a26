-- The table shop.marts.price_history, with its keys and tags. You can run it repeatedly.
-- Each run of the flow also creates the table if it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.price_history (
  sku STRING NOT NULL,
  price DECIMAL(10, 2) NOT NULL,
  valid_from TIMESTAMP NOT NULL COMMENT 'Start of validity',
  valid_to TIMESTAMP COMMENT 'End of validity; null for the current row',
  is_current BOOLEAN NOT NULL COMMENT 'Whether the row is current',
  CONSTRAINT price_history_pk PRIMARY KEY (sku, valid_from)
)
USING DELTA
COMMENT 'Prices as each run found them';
