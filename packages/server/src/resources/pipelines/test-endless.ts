/** More rows than anybody waits for: three orders, multiplied with themselves. */
export const endless = `CREATE OR REFRESH MATERIALIZED VIEW endless AS
  SELECT count(*) AS n FROM ${Array.from({ length: 40 }, (_, n) => `orders o${n}`).join(" CROSS JOIN ")}`;
