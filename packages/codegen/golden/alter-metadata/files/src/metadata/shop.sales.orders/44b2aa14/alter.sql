-- Descriptions and tags of shop.sales.orders. Running this again changes nothing.
-- For the environment "prod".
-- Databricks may fail to remove a tag that does not exist. You can ignore that error.

-- Table shop.sales.orders
COMMENT ON TABLE shop.sales.orders IS 'One row for each order, as the shop\'s cashier saw it';
ALTER TABLE shop.sales.orders UNSET TAGS ('draft');
ALTER TABLE shop.sales.orders SET TAGS ('domain' = 'sales');

-- Column customer_email
ALTER TABLE shop.sales.orders ALTER COLUMN customer_email COMMENT 'Where the receipt went';
ALTER TABLE shop.sales.orders ALTER COLUMN customer_email SET TAGS ('pii' = 'true');

-- Column legacy_code
ALTER TABLE shop.sales.orders ALTER COLUMN legacy_code COMMENT '';
