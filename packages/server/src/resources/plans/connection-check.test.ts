/** A plan warns of connectors and agents that no run could succeed with, before they are applied. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionRule } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { startTestServer } from "../../testing/server.ts";

type Resource = NonNullable<Parameters<Client["createPlan"]>[0]["body"]["resources"]>[number];

const imported = (name: string, config: Record<string, unknown>, type = "postgresql"): Resource => ({
  kind: "connector",
  name,
  definition: {
    name,
    target_type: "warehouse",
    target_config: { connection: { name, type, config } },
    created_by: "ada@example.test",
    datasets: [{ source_dataset: "orders", target_name: name }],
  },
});
const exported = (name: string, custom: object): Resource => ({
  kind: "connector",
  name,
  definition: {
    name,
    target_type: "sqlite",
    target_config: { path: "/x/crm.db" },
    created_by: "ada@example.test",
    datasets: [{ source_dataset: "orders", target_name: name, custom_config: custom }],
  },
});

test("a plan warns of what its connections lack, and of secrets that are not stored", async (t) => {
  const { client, close } = await startTestServer();
  t.after(close);
  await client.putSecret({ params: { scope: "shop", key: "password" }, body: { value: "s3cret-value" } });
  const database = { host: "db.example.test", database: "shop" };
  const resources = [
    imported("right", { ...database, password: "{{secrets/shop/password}}" }),
    imported("misspelled", { hots: "db.example.test", database: "shop" }),
    imported("kind", database, "postgrsql"),
    imported("secret", { ...database, password: "{{secrets/shop/passwrod}}" }),
    exported("dataset", { watermark_colum: "at" }),
  ];
  const plan = await client.createPlan({
    body: { environment: "local", project: { name: "shop" }, resources },
  });
  const found = plan.findings.filter(({ policy }) => policy === connectionRule);
  assert.ok(found.every(({ level }) => level === "warn"));
  assert.deepEqual(found.map(({ name, message }) => `${name}: ${message}`).sort(), [
    'dataset: datasets[0].custom_config: the key "watermark_colum" is not known. Did you mean "watermark_column"?',
    "kind: target_config.connection.type: postgrsql is not known. Did you mean postgresql?",
    "misspelled: target_config.connection.config.host: it is required.",
    'misspelled: target_config.connection.config: the key "hots" is not known. Did you mean "host"?',
    "secret: There is no secret shop/passwrod in this environment. Did you mean shop/password? To store it: lakehelm secrets put --env local shop passwrod",
  ]);
  assert.equal(plan.status, "planned");
});
