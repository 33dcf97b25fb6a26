-- Takes alter.sql back: descriptions and tags of shop.sales.orders as they were before.
-- For the environment "prod".
-- Databricks may call it a mistake to remove a tag that is already gone: then nothing is left to do.

-- Table shop.sales.orders
COMMENT ON TABLE shop.sales.orders IS 'All orders, since 2019';
ALTER TABLE shop.sales.orders UNSET TAGS ('owner');
ALTER TABLE shop.sales.orders SET TAGS ('draft' = 'yes', 'domain' = 'marketing');

-- Column amount
ALTER TABLE shop.sales.orders ALTER COLUMN amount COMMENT 'Net';
ALTER TABLE shop.sales.orders ALTER COLUMN amount UNSET TAGS ('unit');
