-- The table shop.marts.customer_history, with its keys and tags. You can run it repeatedly.
-- Each run of the flow also creates the table if it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.customer_history (
  customer_history_sk STRING NOT NULL COMMENT 'Surrogate key: a hash of the key and valid_from',
  customer_id BIGINT NOT NULL COMMENT 'The customer',
  email STRING COMMENT 'How to reach them',
  country STRING COMMENT 'Where they live',
  updated_at TIMESTAMP NOT NULL COMMENT 'Since when it was so',
  valid_from TIMESTAMP NOT NULL COMMENT 'Start of validity',
  valid_to TIMESTAMP COMMENT 'End of validity; null for the current row',
  is_current BOOLEAN NOT NULL COMMENT 'Whether the row is current',
  CONSTRAINT customer_history_pk PRIMARY KEY (customer_id, valid_from),
  CONSTRAINT customer_history_fk_country FOREIGN KEY (country) REFERENCES shop.marts.countries (code)
)
USING DELTA
COMMENT 'Every state that a customer\'s record was in';

ALTER TABLE shop.marts.customer_history ALTER COLUMN email SET TAGS ('pii' = 'true');
