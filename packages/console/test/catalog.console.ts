import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { checkAccessibility, noBrowser, picture, type Rig, startRig, watchProblems } from "./rig.ts";

const sales = `CREATE OR REFRESH MATERIALIZED VIEW orders (
  order_id COMMENT 'Number on the receipt', country, amount
)
COMMENT 'One row for each order of the web shop'
AS SELECT * FROM VALUES (1, 'DE', 10.50), (2, 'FR', 20.00), (3, 'DE', 5.00) AS t (order_id, country, amount);
`;
const revenue =
  "CREATE OR REFRESH MATERIALIZED VIEW revenue AS SELECT country, sum(amount) AS total FROM orders GROUP BY country;";

suite("the catalog", () => {
  let rig: Rig | undefined;
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client } = rig.server;
    for (const [name, body] of Object.entries({ sales, revenue })) {
      await client.putFile({ params: { path: `${name}.sql` }, body });
      const { pipeline_id } = await client.createPipeline({
        body: { name, libraries: [{ file: { path: `${name}.sql` } }] },
      });
      const { update_id } = await client.startPipelineUpdate({ params: { pipeline_id } });
      const update = () => client.getPipelineUpdate({ params: { pipeline_id, update_id } });
      await until(async () => (await update()).end_time !== null, 50);
      assert.equal((await update()).error, null);
    }
  });
  after(() => rig?.close());
  const table = "/catalog/main/default/orders";

  test("the tree leads to a table: columns, who writes it, rows, and what depends on it", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/catalog");
    const problems = watchProblems(page);
    const tree = page.getByRole("navigation", { name: "Tables" });
    await tree.getByRole("button", { name: "default" }).click();
    await tree.getByRole("link", { name: "orders" }).click();
    await page.getByText("One row for each order of the web shop").waitFor();
    await page.getByRole("row", { name: /order_id INT.*Number on the receipt/ }).waitFor();
    await page.getByRole("link", { name: "sales" }).waitFor();
    await page.getByText("3 rows").waitFor();
    await tree.getByRole("link", { name: "revenue" }).waitFor();
    await checkAccessibility(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await checkAccessibility(page);
    await page.emulateMedia({ colorScheme: "light" });
    await picture(page, "catalog");
    await page.getByRole("link", { name: "Sample" }).click();
    await page.getByRole("cell", { name: "20.00" }).waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Lineage" }).click();
    const graph = page.getByRole("group", { name: "Lineage" });
    await graph.getByRole("button", { name: /^revenue main.default/ }).waitFor();
    await checkAccessibility(page);
    await graph.getByRole("button", { name: /^revenue main.default/ }).click();
    await page.getByRole("heading", { name: "revenue", level: 1 }).waitFor();
    await tree.getByLabel("Search tables").fill("ORD");
    await page.waitForURL(/search=ORD/);
    await tree.getByRole("link", { name: "orders main.default" }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("a column's description is changed after a review, and the change is undone", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const commentOf = async () => {
      const { tables } = await client.readCatalog({ query: { table: "orders" } });
      const column = tables[0]?.columns.find(({ name }) => name === "amount");
      return [column?.comment, column?.tags];
    };
    const page = await rig.open(table);
    const problems = watchProblems(page);
    await page.getByRole("button", { name: "Edit amount" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Description").fill("In euros, with tax");
    await dialog.getByLabel("Tags").fill("unit=EUR");
    await checkAccessibility(page);
    await dialog.getByRole("button", { name: "Add to the change" }).click();
    await page.getByText("2 changes not applied yet").waitFor();
    assert.deepEqual(await commentOf(), [null, {}]);
    await page.getByRole("button", { name: "Review" }).click();
    await dialog.getByText(/COMMENT .*In euros, with tax/).waitFor();
    await checkAccessibility(page);
    await picture(page, "catalog-review");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByText("The change is applied").waitFor();
    assert.deepEqual(await commentOf(), ["In euros, with tax", { unit: "EUR" }]);
    await page.getByRole("row", { name: /amount .*In euros, with tax unit: EUR/ }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The change is applied").waitFor({ state: "detached" });
    await page.getByRole("row", { name: /amount .*–/ }).waitFor();
    assert.deepEqual(await commentOf(), [null, {}]);
    assert.deepEqual(problems, []);
  });

  test("a column is altered after its plan, and what a pipeline writes is refused", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const flow = await client.createFlow({
      body: {
        flow_name: "big_orders",
        source_tables: ["orders"],
        target_name: "big_orders",
        trigger_type: "manual",
        matched_sql: "select order_id, country, amount from orders",
        target_schema: {
          description: "Orders",
          columns: [
            { name: "order_id", type: "INT", pk: true },
            { name: "country", type: "STRING" },
            { name: "amount", type: "DECIMAL(10,2)" },
          ],
        },
        requested_by: "ada@example.test",
      },
    });
    const run = await client.runJob({ params: { job_id: `flow-${flow.id}` }, body: {} });
    await until(async () => (await client.getRun({ params: { run_id: run.id } })).status === "succeeded", 50);
    const columns = async () =>
      (await client.readCatalog({ query: { table: "big_orders" } })).tables[0]?.columns.map(
        ({ name }) => name,
      );

    const page = await rig.open("/catalog/main/default/big_orders");
    const problems = watchProblems(page);
    await page.getByRole("button", { name: "Alter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Change").selectOption("drop");
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByText(/The flow big_orders writes order_id: remove it/).waitFor();
    const apply = dialog.getByRole("button", { name: "Apply" });
    assert.equal(await apply.getAttribute("aria-disabled"), "true");
    await checkAccessibility(page);
    await dialog.getByLabel("Column").selectOption("amount");
    await dialog.getByLabel("Change").selectOption("move");
    assert.equal(await apply.getAttribute("aria-disabled"), "true");
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByText("The order of the columns is amount, order_id, country.").waitFor();
    await apply.click();
    await page.getByText("The columns of big_orders are changed.").waitFor();
    assert.deepEqual(await columns(), ["amount", "order_id", "country"]);
    await page.getByRole("row", { name: /amount DECIMAL/ }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("a viewer finds no enabled button", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const user = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
    const page = await rig.open(table, token);
    for (const name of ["Edit description and tags", "Alter", "Edit amount"]) {
      const button = page.getByRole("button", { name });
      await button.waitFor();
      assert.equal(await button.getAttribute("aria-disabled"), "true");
      assert.match((await button.getAttribute("title")) ?? "", /requires the role operator/);
    }
  });
});
