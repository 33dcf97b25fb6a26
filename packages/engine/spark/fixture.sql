-- customers
SELECT * FROM VALUES ('ada', 'GB', 10), ('bob', 'US', 20), ('eve', 'DE', 30) AS t(name, country, rank)
-- orders
SELECT
  id, customer, CAST(amount AS DECIMAL(10, 2)) AS amount, qty, CAST(price AS DOUBLE) AS price, code, day, created, paid,
  tags, prefs, CAST(address AS STRUCT<city: STRING, zip: STRING>) AS address, payload, items
FROM VALUES
  (1, 'ada', 9.50, 2, 4.75, '10', DATE '2026-01-04', TIMESTAMP '2026-01-04 08:15:00', true,
   array('new', 'gift'), map('mail', 1, 'sms', 0), named_struct('city', 'London', 'zip', 'N1'),
   '{"name": "Ada", "total": 9.5, "lines": [{"sku": "a"}, {"sku": "b"}]}',
   array(named_struct('sku', 'a', 'count', 2), named_struct('sku', 'b', 'count', 1))),
  (2, 'bob', 12.00, 1, 12.0, '20', DATE '2026-01-05', TIMESTAMP '2026-01-05 23:59:59.5', false,
   array('gift'), map('mail', 0), named_struct('city', 'Boston', 'zip', NULL),
   '{"name": "Bob \\"B\\"", "total": 12, "lines": []}',
   array(named_struct('sku', 'c', 'count', 5))),
  (3, NULL, 0.99, 3, 0.33, '30', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, 'ada', NULL, 4, NULL, NULL, DATE '2025-12-31', TIMESTAMP '2025-12-31 00:00:00', true,
   array('old', 'new'), map('sms', 1), named_struct('city', NULL, 'zip', 'X'), '{"total": null}',
   array(named_struct('sku', 'd', 'count', 7))),
  (5, 'cid', 100.05, 4, 25.0125, '5', DATE '2026-02-28', TIMESTAMP '2026-02-28 12:00:00', false,
   array('sale'), map('mail', 2), named_struct('city', 'Rome', 'zip', '00100'), 'not json',
   array(named_struct('sku', 'a', 'count', NULL)))
AS t(id, customer, amount, qty, price, code, day, created, paid, tags, prefs, address, payload, items)
