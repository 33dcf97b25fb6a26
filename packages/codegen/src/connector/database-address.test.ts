import assert from "node:assert/strict";
import test from "node:test";
import { responseTo } from "../testing/responses.ts";

const tables = [{ source_dataset: "gold.customers", target_name: "customers", primary_keys: ["id"] }];
const generate = (request: object) => responseTo("/api/v1/codegen/connector", request);

test("without a database address, the connector reads the address from the secret scope", async () => {
  const requests = [
    { target_type: "postgresql", requested_by: "ada@example.com" },
    {
      connection_ref: "crm",
      connection: { name: "crm", type: "sqlserver", config: {} },
      cluster_config: { spark_version: "17.3.x-scala2.13", node_type_id: "m5.large", num_workers: 1 },
    },
  ];
  for (const request of requests) {
    const { errors, artifacts } = await generate({
      ...request,
      name: "crm",
      execution_mode: "manual",
      table_configs: tables,
    });
    assert.deepEqual(errors, []);
    const secrets = artifacts[0]?.metadata?.secrets as { scope: string; key: string }[];
    assert.deepEqual(
      secrets.map(({ scope, key }) => `${scope}/${key}`),
      ["shop/crm.host", "shop/crm.database", "shop/crm.user", "shop/crm.password"],
    );
    assert.match(artifacts[0]?.content ?? "", /secret\("shop", "crm\.host"\)/);
  }
});

test("an incomplete database address is an error", async () => {
  const { errors } = await generate({
    name: "crm",
    target_type: "postgresql",
    execution_mode: "manual",
    requested_by: "ada@example.com",
    target_config: { host: "db" },
    table_configs: tables,
  });
  assert.deepEqual(errors, ["target_config.database: it is required."]);
});

test("a MySQL target must name its database, because table names contain it", async () => {
  const { errors } = await generate({
    name: "crm",
    target_type: "mysql",
    execution_mode: "manual",
    requested_by: "ada@example.com",
    table_configs: tables,
  });
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? "", /^target_config\.database: it cannot be a reference to a secret/);
});
