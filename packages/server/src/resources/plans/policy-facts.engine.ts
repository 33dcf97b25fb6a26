/**
 * Policies about the columns of tables, the owner of a pipeline and its SQL. Facts that are not known count as
 * violated.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, createClient } from "@lakehelm/contract/client";
import { startTestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shopConfiguration } from "../../testing/warehouse.ts";

type PlanBody = Parameters<Client["createPlan"]>[0]["body"];
type Resource = NonNullable<PlanBody["resources"]>[number];

const deny = (name: string, rule: string) => ({
  name,
  level: "deny" as const,
  rule,
  message: `{name}: ${name}`,
});

const policies = [
  deny(
    "personal",
    'resource.kind == "connector" && tables.exists(t, t.reads && t.columns.exists(c, has(c.tags.pii)))',
  ),
  deny("writes", 'resource.kind == "flow" && tables.exists(t, t.writes && t.name.startsWith("shop.raw."))'),
  deny("unknown", 'resource.kind == "pipeline" && size(tables) > 100'),
  deny("star", 'sql.exists(file, file.text.contains("SELECT *"))'),
  deny("owner", 'resource.kind == "pipeline" && resource.owner != "internal-service"'),
];

const exporting = (table: string): Resource => ({
  kind: "connector",
  name: `out-${table}`,
  definition: {
    target_type: "csv",
    target_config: { path: "/exports" },
    execution_mode: "manual",
    datasets: [{ source_dataset: table, target_name: `${table}.csv` }],
  },
});

const flow = (target: string, pii: boolean): Resource => ({
  kind: "flow",
  name: "mails",
  definition: {
    source_tables: ["plain"],
    target_name: target,
    trigger_type: "manual",
    matched_sql: "select id from plain",
    target_schema: { description: "Ids", columns: [{ name: "id", type: "BIGINT", pk: true, pii }] },
    requested_by: "ada@example.test",
  },
});

const pipeline: Resource = {
  kind: "pipeline",
  name: "views",
  definition: { libraries: [{ file: { path: "views.sql" } }] },
};

test("policies see the columns of tables with their tags, and the owner and SQL of pipelines", async (t) => {
  const server = await startTestServer();
  t.after(server.close);
  const { client } = server;
  const environment = unique("env");
  const { id } = await client.createEnvironment({
    body: { name: environment, configuration: shopConfiguration },
  });
  await fillWarehouse(
    server,
    id,
    "CREATE TABLE shop.sales.people (id BIGINT, email VARCHAR)",
    "CREATE TABLE shop.sales.plain (id BIGINT)",
  );
  await client.changeMetadata({
    environment,
    body: {
      ...{ catalog_name: "shop", schema_name: "sales", table_name: "people" },
      change: { columns: [{ column: "email", column_tags: { pii: "true" } }] },
    },
  });
  const findings = async (resources: Resource[], text?: string) => {
    const files = text === undefined ? [] : [{ path: "views.sql", text }];
    const { status, findings } = await client.createPlan({
      body: { environment, project: { name: unique("shop") }, resources, files, policies },
    });
    const found = findings.filter(({ policy }) => policies.some(({ name }) => name === policy));
    assert.equal(status, found.length > 0 ? "refused" : "planned");
    return found.map(({ message }) => message);
  };

  assert.deepEqual(await findings([exporting("people")]), ["out-people: personal"]);
  assert.deepEqual(await findings([exporting("plain")]), []);
  // The next run of the flow creates the table.
  assert.deepEqual(await findings([flow("mails", true), exporting("mails")]), ["out-mails: personal"]);
  assert.deepEqual(await findings([flow("mails", false), exporting("mails")]), []);
  assert.deepEqual(await findings([flow("raw.mails", false)]), ["mails: writes"]);

  const view = (list: string) => `CREATE OR REFRESH MATERIALIZED VIEW top AS SELECT ${list} FROM plain;`;
  assert.deepEqual(await findings([pipeline], view("id")), []);
  assert.deepEqual(await findings([pipeline], view("*")), ["views: star"]);
  assert.deepEqual(await findings([pipeline]), [
    "The rule could not be evaluated: It is not known which tables pipeline views uses, because its code cannot be read.",
    "The rule could not be evaluated: The SQL of pipeline views is not known: a file of it cannot be read.",
  ]);

  await client.putFile({ params: { path: "views.sql" }, environment, body: view("id") });
  const user = await client.createUser({ body: { username: "ada", role: "operator" } });
  const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
  const asUser = createClient({ baseUrl: server.url, token, retries: 0 });
  await asUser.createPipeline({
    body: { name: "views", libraries: [{ file: { path: "views.sql" } }] },
    environment,
  });
  assert.deepEqual(
    await findings([{ ...pipeline, definition: { ...pipeline.definition, development: true } }]),
    ["views: owner"],
  );
});
