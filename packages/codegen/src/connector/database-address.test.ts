import assert from "node:assert/strict";
import test from "node:test";
import { responseTo } from "../testing/responses.ts";

const tables = [{ source_dataset: "gold.customers", target_name: "customers", primary_keys: ["id"] }];
const ask = (request: object) => responseTo("/api/v1/codegen/connector", request);

test("a request that does not say where its database is reads it from the secret scope", async () => {
  const requests = [
    { target_type: "postgresql", requested_by: "ada@example.com" },
    { connection_ref: "crm", connection: { name: "crm", type: "sqlserver", config: {} } },
  ];
  for (const request of requests) {
    const { errors, artifacts } = await ask({
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

test("one that says a part of it must say the rest", async () => {
  const { errors } = await ask({
    name: "crm",
    target_type: "postgresql",
    execution_mode: "manual",
    requested_by: "ada@example.com",
    target_config: { host: "db" },
    table_configs: tables,
  });
  assert.deepEqual(errors, ["target_config.database: it is required."]);
});

test("MySQL's database is part of its tables' names", async () => {
  const { errors } = await ask({
    name: "crm",
    target_type: "mysql",
    execution_mode: "manual",
    requested_by: "ada@example.com",
    table_configs: tables,
  });
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? "", /^target_config\.database: it must be given as it is/);
});
