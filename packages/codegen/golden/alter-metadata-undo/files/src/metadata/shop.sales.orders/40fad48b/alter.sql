-- Descriptions and tags of shop.sales.orders. Running this again changes nothing.
-- For the environment "prod".
-- Databricks may fail to remove a tag that does not exist. You can ignore that error.

-- Table shop.sales.orders
COMMENT ON TABLE shop.sales.orders IS 'Orders';
ALTER TABLE shop.sales.orders UNSET TAGS ('draft');
ALTER TABLE shop.sales.orders SET TAGS ('domain' = 'sales', 'owner' = 'ada');

-- Column amount
ALTER TABLE shop.sales.orders ALTER COLUMN amount COMMENT '';
ALTER TABLE shop.sales.orders ALTER COLUMN amount SET TAGS ('unit' = 'EUR');
