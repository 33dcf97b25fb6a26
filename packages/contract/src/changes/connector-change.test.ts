import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConnectorDefinition, connectorConsequences } from "./connector-change.ts";

const importer = (length: number): ConnectorDefinition => ({
  name: "orders-in",
  target_type: "warehouse",
  target_config: { connection: { type: "sqlite", config: { path: "/srv/shop.db" } } },
  datasets: Array.from({ length }, (_, n) => ({
    ...{ source_dataset: `orders_${n}`, target_name: `raw.orders_${n}`, primary_keys: null },
    ...{ write_strategy: "append" as const, custom_config: null },
  })),
});

test("a connector with many datasets reads the name of each table a few times", () => {
  const most = 3_000;
  for (const [before, after, tables] of [
    [most, most + 1, [`raw.orders_${most}`]],
    [most, most - 1, [`raw.orders_${most - 1}`]],
  ] as const) {
    let named = 0;
    const found = connectorConsequences(importer(before), importer(after), {
      fullName(table) {
        named += 1;
        return table;
      },
    });
    assert.deepEqual(
      found.map(({ table }) => table),
      tables,
    );
    assert.ok(named < 4 * most, `${named} times`);
  }
});
