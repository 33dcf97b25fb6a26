import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "@lakehelm/contract/connections";
import { lineageOf } from "./connector-lineage.ts";

const scope = { environment: "e", catalog: "shop", schema: "sales" };

/** The source dataset of a transfer of `orders` into the warehouse. */
function sourceOf(type: string, config: Config, source = "orders"): string {
  const dataset = {
    id: "d",
    source,
    target: "orders",
    watermark: null,
    keys: [],
    strategy: "append",
    leftOut: [],
    maxRejectShare: 0,
    deletes: false,
    maxDeleteShare: 0.5,
    onMissingColumn: "keep",
  } as const;
  const { inputs, outputs } = lineageOf({
    scope,
    direction: "in",
    connection: { type, config },
    datasets: [dataset],
  });
  assert.deepEqual(outputs, [{ name: "shop.sales.orders" }]);
  return `${inputs[0]?.namespace} ${inputs[0]?.name}`;
}

test("datasets of other systems have the names that OpenLineage gives them", () => {
  const database = { host: "db.example.test", database: "crm" };
  assert.equal(sourceOf("postgresql", database), "postgres://db.example.test:5432 crm.public.orders");
  assert.equal(
    sourceOf("postgres", { ...database, schema: "s" }),
    "postgres://db.example.test:5432 crm.s.orders",
  );
  assert.equal(sourceOf("postgresql", database, "s.orders"), "postgres://db.example.test:5432 crm.s.orders");
  assert.equal(sourceOf("mariadb", { ...database, port: 13 }), "mysql://db.example.test:13 crm.orders");
  assert.equal(sourceOf("sqlite", { path: "/in/shop.db" }), "sqlite:///in/shop.db orders");
  assert.equal(sourceOf("files", { path: "/in/" }, "*.csv"), "file /in/*.csv");
});

test("a URL is named without its user and its query, which may be credentials", () => {
  const url = "https://ada:secret@api.example.test/v1?token=secret";
  assert.equal(sourceOf("rest", { url }), "https://api.example.test /v1#orders");
  assert.equal(sourceOf("http", { url }), "https://api.example.test /v1#orders");
});
