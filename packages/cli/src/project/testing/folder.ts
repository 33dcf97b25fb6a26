import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

/** Makes a folder with these files, which the end of the test deletes. */
export async function folderOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-project-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** A connector that imports two tables. */
export const ordersIn = `target_type: warehouse
target_config:
  catalog: shop
  schema: sales
  connection: { name: shop, type: sqlite, config: { path: /srv/shop.db } }
datasets:
  - { source_dataset: orders, target_name: orders, primary_keys: [order_id] }
  - { source_dataset: customers, target_name: customers }
`;

/** A flow that publishes what a SELECT returns. */
export const revenue = (sql: string) => `source_tables: ["\${connectors.orders-in.tables.orders}"]
target_name: shop.marts.revenue
trigger_type: manual
matched_sql: ${sql}
target_schema:
  description: Revenue by day
  columns:
    - { name: day, type: date, description: The day, pk: true }
    - { name: revenue, type: "decimal(18,2)", description: The sum }
`;
