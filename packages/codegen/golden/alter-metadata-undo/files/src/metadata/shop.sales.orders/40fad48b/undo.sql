-- Undoes alter.sql: descriptions and tags of shop.sales.orders as they were before.
-- For the environment "prod".
-- Databricks may fail to remove a tag that does not exist. You can ignore that error.

-- Table shop.sales.orders
COMMENT ON TABLE shop.sales.orders IS 'All orders, since 2019';
ALTER TABLE shop.sales.orders UNSET TAGS ('owner');
ALTER TABLE shop.sales.orders SET TAGS ('draft' = 'yes', 'domain' = 'marketing');

-- Column amount
ALTER TABLE shop.sales.orders ALTER COLUMN amount COMMENT 'Net';
ALTER TABLE shop.sales.orders ALTER COLUMN amount UNSET TAGS ('unit');
