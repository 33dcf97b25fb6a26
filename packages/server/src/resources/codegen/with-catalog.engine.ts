import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

test("with a platform's catalog the generated change has an undo script, and unknown columns are errors", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const { id } = await server.client.createEnvironment({ body: { name: "wh" } });
  await fillWarehouse(server, id, ...shop, "COMMENT ON TABLE shop.sales.orders IS 'Before'");
  const { artifacts } = await server.client.generateAlterMetadata({
    environment: "wh",
    body: {
      catalog_name: "shop",
      schema_name: "sales",
      table_name: "orders",
      change: { table_description: "After" },
    },
  });
  const { errors } = await server.client.generateAlterMetadata({
    environment: "wh",
    body: {
      ...{ catalog_name: "shop", schema_name: "sales", table_name: "orders" },
      change: { columns: [{ column: "amuont", description: "Net" }] },
    },
  });
  assert.match(
    errors.join(),
    /the table has no column "amuont". Its columns are order_id, customer_id, amount/,
  );
  const undo = artifacts.find(({ path }) => path.endsWith("/undo.sql"));
  assert.match(undo?.content ?? "", /COMMENT ON TABLE shop\.sales\.orders IS 'Before'/);
});

test("pii_suppressed leaves out the columns that the platform's catalog tags as personal", async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const { id } = await server.client.createEnvironment({
    body: { name: "wh", configuration: shopConfiguration },
  });
  await fillWarehouse(server, id, ...shop);
  await server.client.changeMetadata({
    environment: "wh",
    body: {
      ...{ catalog_name: "shop", schema_name: "sales", table_name: "customers" },
      change: { columns: [{ column: "email", column_tags: { pii: true } }] },
    },
  });
  const generate = (table: string) =>
    server.client.generateConnector({
      environment: "wh",
      body: {
        name: "crm",
        target_type: "postgresql",
        execution_mode: "manual",
        requested_by: "ada",
        target_config: { host: "db.example.test", database: "crm", user: "u" },
        table_configs: [{ source_dataset: table, target_name: "t", pii_suppressed: true }],
      },
    });
  const { artifacts } = await generate("customers");
  const described = artifacts.find(({ path }) => path.endsWith("connector.json"));
  assert.deepEqual(JSON.parse(described?.content ?? "{}").tables[0].columns_left_out, ["email"]);
  const { errors } = await generate("orders");
  assert.match(errors.join(), /no columns with personal data are known/);
});
