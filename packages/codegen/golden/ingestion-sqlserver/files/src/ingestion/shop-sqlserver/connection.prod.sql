-- Run this once, before the job. You need CREATE CONNECTION on the metastore, and access to the secrets.
-- IF NOT EXISTS keeps a connection that is there: after a change, drop it first, or use ALTER CONNECTION.
CREATE CONNECTION IF NOT EXISTS lakehelm_prod_shop_sqlserver_1dc8d300 TYPE SQLSERVER
OPTIONS (
  host 'db.shop.example',
  port '1433',
  user 'reader',
  password secret('shop', 'reader_password')
);
GRANT USE CONNECTION ON CONNECTION lakehelm_prod_shop_sqlserver_1dc8d300
TO `5e1f0c9a-0d3b-4a57-9c55-2f1d7a3b8e64`;
