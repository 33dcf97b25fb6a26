-- Returns of orders that the shop does not know.
SELECT r.return_id, r.order_id, r.refund
FROM ${pipelines.sales.tables.returns} AS r
LEFT JOIN ${pipelines.sales.tables.orders} AS o ON o.order_id = r.order_id
WHERE o.order_id IS NULL
