-- The table shop.marts.price_history, with its keys and tags. It can be run as often as you like.
-- Each run of the flow makes the table too, where it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.price_history (
  sku STRING NOT NULL,
  price DECIMAL(10, 2) NOT NULL,
  valid_from TIMESTAMP NOT NULL COMMENT 'Since when the row was so',
  valid_to TIMESTAMP COMMENT 'Until when; null while it is so',
  is_current BOOLEAN NOT NULL COMMENT 'Whether it is still so',
  CONSTRAINT price_history_pk PRIMARY KEY (sku, valid_from)
)
USING DELTA
COMMENT 'Prices as each run found them';
