/** The catalog through the API, on the real engine. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

suite("the catalog", () => {
  let server: TestServer;
  let environment: string;
  before(async () => {
    server = await startTestServer();
    const created = await server.client.createEnvironment({
      body: { name: "shop", configuration: shopConfiguration },
    });
    environment = created.id;
    await fillWarehouse(server, environment, ...shop);
  });
  after(() => server.close());

  const read = (query: object = {}) => server.client.readCatalog({ query, environment });
  const table = async (name: string) =>
    (await read({ catalog: "shop", schema: "sales", table: name })).tables[0];
  const change = (table_name: string, change: object) =>
    server.client.changeMetadata({
      body: { catalog_name: "shop", schema_name: "sales", table_name, change },
      environment,
    });

  test("the catalog lists catalogs, schemas, tables and columns", async () => {
    const { catalogs, schemas, tables, total } = await read();
    assert.deepEqual(catalogs, ["shop"]);
    assert.deepEqual(schemas, [{ catalog: "shop", name: "sales" }]);
    assert.deepEqual(
      tables.map(({ name, kind, rows }) => [name, kind, rows]),
      [
        ["customers", "table", 2],
        ["orders", "table", 3],
      ],
    );
    assert.equal(total, 2);
    assert.deepEqual(tables[0]?.columns[0], {
      name: "customer_id",
      type: "BIGINT",
      nullable: false,
      comment: null,
      tags: {},
    });
  });

  test("the catalog can be paged and filtered", async () => {
    const page = await read({ skip: 1, limit: 1 });
    assert.deepEqual([page.tables.map(({ name }) => name), page.total], [["orders"], 2]);
    assert.equal((await read({ catalog: "nowhere" })).total, 0);
    assert.equal((await table("Orders"))?.name, "orders");
    const names = async (query: object) => (await read(query)).tables.map(({ name }) => name);
    assert.deepEqual(await names({ search: "ORD" }), ["orders"]);
    assert.deepEqual(await names({ name: "orders" }), ["orders"]);
    assert.deepEqual(await names({ status: "view" }), []);
    const sorted = await read({ sort: "-name", limit: 1 });
    assert.deepEqual([sorted.tables[0]?.name, sorted.total], ["orders", 2]);
    const rest = await read({ sort: "-name", cursor: sorted.next_cursor });
    assert.deepEqual([rest.tables.map(({ name }) => name), rest.next_cursor], [["customers"], null]);
  });

  test("each environment has its own catalog", async () => {
    assert.deepEqual((await server.client.readCatalog()).tables, []);
  });

  test("descriptions and tags are changed; repeating the change has no effect", async () => {
    const changes = {
      table_description: "Who buys",
      table_tags: { domain: "sales", level: 3 },
      columns: [{ column: "email", description: "Where the receipt goes", column_tags: { pii: true } }],
    };
    assert.equal((await change("customers", changes)).changed, true);
    const there = await table("customers");
    assert.deepEqual([there?.comment, there?.tags], ["Who buys", { domain: "sales", level: "3" }]);
    const email = there?.columns.find(({ name }) => name === "email");
    assert.deepEqual([email?.comment, email?.tags], ["Where the receipt goes", { pii: "true" }]);
    assert.equal((await change("customers", changes)).changed, false);
    await change("customers", { table_description: "", table_tags: { level: null }, columns: [] });
    const after = await table("customers");
    assert.deepEqual([after?.comment, after?.tags], [null, { domain: "sales" }]);
  });

  test("a generated artifact can be applied, and its undo restores the previous state", async () => {
    const before = await table("orders");
    const { artifacts } = await server.client.generateAlterMetadata({
      body: {
        catalog_name: "shop",
        schema_name: "sales",
        table_name: "orders",
        change: { table_description: "It's one row an order", table_tags: { domain: "sales" } },
      },
      environment,
    });
    const artifact = (name: string) => artifacts.find(({ path }) => path.endsWith(name))?.content ?? "";
    const apply = (text: string) => server.client.changeMetadata({ body: { artifact: text }, environment });
    assert.equal((await apply(artifact("/alter.sql"))).changed, true);
    const there = await table("orders");
    assert.deepEqual([there?.comment, there?.tags], ["It's one row an order", { domain: "sales" }]);
    assert.equal((await apply(artifact("/undo.sql"))).changed, true);
    assert.deepEqual(await table("orders"), before);
  });

  test("an artifact with any other statement changes nothing", async () => {
    const before = await table("orders");
    const artifact = "COMMENT ON TABLE shop.sales.orders IS 'x';\nDROP TABLE shop.sales.customers;";
    await refused(
      server.client.changeMetadata({ body: { artifact }, environment }),
      409,
      /^Line 2, column 1/,
    );
    assert.deepEqual(await table("orders"), before);
    assert.ok(await table("customers"));
  });

  test("unknown names and invalid tags are errors", async () => {
    await refused(change("ordrs", { table_description: "x" }), 409, /no table.*Did you mean/);
    await refused(
      change("orders", { columns: [{ column: "amuont", description: "x" }] }),
      409,
      /no column "amuont".*Did you mean amount\?/,
    );
    await refused(
      change("orders", { table_tags: { "a.b": "x" } }),
      409,
      /change\.table_tags: the key "a\.b" contains "\."/,
    );
    await refused(change("orders", {}), 409, /nothing is changed/);
  });
});
