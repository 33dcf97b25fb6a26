SELECT to_date(ordered_on) AS day, count(*) AS orders, CAST(sum(CAST(amount AS DECIMAL(18,2))) AS DECIMAL(18,2)) AS revenue
FROM ${connectors.orders-in.tables.orders}
GROUP BY to_date(ordered_on)
