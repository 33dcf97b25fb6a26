import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { shopPaths } from "./sources.ts";

export interface CrmCheck {
  readonly customers: number;
  /** The number of rows that are only in the sources or only in the CRM. */
  readonly differences: number;
  /** Revenue minus refunds of all customers in the CRM. */
  readonly netRevenue: string;
}

/**
 * Compares the CRM with the sources, row by row and without Lakehelm: SQLite reads the databases, the code below reads the CSV
 * files, and amounts are compared in cents.
 */
export function checkCrm(folder: string): CrmCheck {
  const paths = shopPaths(folder);
  using database = new DatabaseSync(":memory:");
  const attach = database.prepare("ATTACH ? AS ?");
  attach.run(paths.shop, "shop");
  attach.run(paths.crm, "crm");
  database.exec("CREATE TEMP TABLE returns (return_id PRIMARY KEY, order_id INTEGER, day, refund, reason)");
  const insert = database.prepare("INSERT OR REPLACE INTO returns VALUES (?, ?, ?, ?, ?)");
  for (const row of rowsOf(paths.returns)) insert.run(...row);
  database.exec(views);
  const [found] = database.prepare(comparison).all();
  return {
    customers: Number(found?.customers),
    differences: Number(found?.differences),
    netRevenue: String(found?.net_revenue),
  };
}

const cents = (amount: string): string => `CAST(round(${amount} * 100) AS INTEGER)`;

const views = `
  CREATE TEMP VIEW good AS
  SELECT *, ${cents("amount")} AS cents FROM shop.orders WHERE typeof(amount) <> 'text';

  CREATE TEMP VIEW expected AS
  SELECT c.customer_id, c.name, coalesce(c.segment, 'unknown'), c.note,
    (SELECT count(*) FROM good o WHERE o.customer_id = c.customer_id),
    (SELECT coalesce(sum(cents), 0) FROM good o WHERE o.customer_id = c.customer_id),
    (SELECT coalesce(sum(${cents("r.refund")}), 0) FROM returns r JOIN good o USING (order_id)
      WHERE o.customer_id = c.customer_id),
    (SELECT date(max(ordered_at)) FROM good o WHERE o.customer_id = c.customer_id)
  FROM shop.customers c;

  CREATE TEMP VIEW actual AS
  SELECT customer_id, name, segment, note, orders, ${cents("revenue")} AS revenue, ${cents("refunded")} AS refunded,
    last_order_on
  FROM crm.customer_value`;

const comparison = `
  SELECT
    (SELECT count(*) FROM actual) AS customers,
    (SELECT count(*) FROM (SELECT * FROM expected EXCEPT SELECT * FROM actual)) +
      (SELECT count(*) FROM (SELECT * FROM actual EXCEPT SELECT * FROM expected)) AS differences,
    (SELECT printf('%,d.%02d', cents / 100, cents % 100) FROM (SELECT sum(revenue - refunded) AS cents FROM actual)) AS net_revenue`;

/** Skips lines that do not have five values, because the connector rejects them. */
function rowsOf(returns: string): (string | null)[][] {
  const texts = globSync("*.csv", { cwd: returns })
    .sort()
    .map((name) => readFileSync(join(returns, name), "utf8"));
  return texts.flatMap((text) =>
    records(text)
      .slice(1)
      .filter((row) => row.length === 5),
  );
}

const value = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;

function records(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [[]];
  value.lastIndex = 0;
  while (value.lastIndex < text.length) {
    const [, quoted, bare, end] = value.exec(text) ?? [];
    if (end === undefined) throw new Error("A file of returns is not valid CSV.");
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (bare || null));
    if (end === "\n") rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
