-- Only for the bundle's target dev, which reads through a connection of its own.
-- Enter another server and other secrets here, unless it may read from the same database. Afterwards, grant
-- USE CONNECTION to whoever runs its jobs.
-- Run this once, before the job. You need CREATE CONNECTION on the metastore, and access to the secrets.
-- IF NOT EXISTS keeps a connection that is there: after a change, drop it first, or use ALTER CONNECTION.
CREATE CONNECTION IF NOT EXISTS lakehelm_prod__dev_shop_mysql_0fa9d53b TYPE MYSQL
OPTIONS (
  host 'db.shop.example',
  port '3306',
  user 'reader',
  password secret('shop', 'reader_password')
);
