-- The table shop.marts.customer_history, with its keys and tags. It can be run as often as you like.
-- Each run of the flow makes the table too, where it is missing.

CREATE SCHEMA IF NOT EXISTS shop.marts;

CREATE TABLE IF NOT EXISTS shop.marts.customer_history (
  customer_history_sk STRING NOT NULL COMMENT 'Surrogate key: a hash of the key and valid_from',
  customer_id BIGINT NOT NULL COMMENT 'The customer',
  email STRING COMMENT 'How to reach them',
  country STRING COMMENT 'Where they live',
  updated_at TIMESTAMP NOT NULL COMMENT 'Since when it was so',
  valid_from TIMESTAMP NOT NULL COMMENT 'Since when the row was so',
  valid_to TIMESTAMP COMMENT 'Until when; null while it is so',
  is_current BOOLEAN NOT NULL COMMENT 'Whether it is still so',
  CONSTRAINT customer_history_pk PRIMARY KEY (customer_id, valid_from),
  CONSTRAINT customer_history_fk_country FOREIGN KEY (country) REFERENCES shop.marts.countries (code)
)
USING DELTA
COMMENT 'Every state that a customer\'s record was in';

ALTER TABLE shop.marts.customer_history ALTER COLUMN email SET TAGS ('pii' = 'true');
