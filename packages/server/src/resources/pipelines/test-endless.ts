/** A query that never finishes: three orders, cross-joined many times. */
export const endless = `CREATE OR REFRESH MATERIALIZED VIEW endless AS
  SELECT count(*) AS n FROM ${Array.from({ length: 40 }, (_, n) => `orders o${n}`).join(" CROSS JOIN ")}`;
