import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { checkAccessibility, measure, noBrowser, picture, type Rig, startRig, watchProblems } from "./rig.ts";

const sales = `-- Orders of the web shop, checked and summed up.
CREATE OR REFRESH MATERIALIZED VIEW orders
COMMENT 'One row for each order'
AS SELECT * FROM VALUES (1, 'DE', 10.50), (2, 'FR', 20.00), (3, 'DE', 5.00), (4, 'FR', 2.00)
  AS t (order_id, country, amount);

CREATE OR REFRESH MATERIALIZED VIEW checked_orders (
  CONSTRAINT large EXPECT (amount >= 10) ON VIOLATION DROP ROW,
  CONSTRAINT known_country EXPECT (country IN ('DE', 'FR'))
)
AS SELECT * FROM orders;

CREATE OR REFRESH MATERIALIZED VIEW revenue
AS SELECT country, sum(amount) AS total, count(*) AS orders FROM checked_orders GROUP BY country;

CREATE OR REFRESH MATERIALIZED VIEW best_country
AS SELECT country, total FROM revenue WHERE total > 15;
`;

suite("pipelines", () => {
  let rig: Rig | undefined;
  let id = "";
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client } = rig.server;
    await client.putFile({ params: { path: "shop/sales.sql" }, body: sales });
    const spec = { name: "sales", libraries: [{ file: { path: "shop/sales.sql" } }] };
    id = (await client.createPipeline({ body: spec })).pipeline_id;
  });
  after(() => rig?.close());

  test("an update that is started finishes on the page, and shows the rows that an expectation dropped", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/pipelines");
    const problems = watchProblems(page);
    const check = measure(page);
    await page.getByRole("link", { name: "sales" }).click();
    const graph = page.getByRole("group", { name: "Tables of sales" });
    await graph.getByRole("button", { name: /^revenue/ }).waitFor();
    await check();
    await page.getByText("Nothing has run yet").waitFor();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    // There is no reload: events and the log of the update refresh the page.
    await page.getByRole("heading", { name: "sales healthy", level: 1 }).waitFor();
    await graph.getByRole("button", { name: /checked_orders.*2 dropped/ }).click();
    const panel = page.getByRole("complementary", { name: "Table checked_orders" });
    await panel.getByText("2 of 4 broke it").waitFor();
    await panel.getByText("0 of 4 broke it").waitFor();
    await checkAccessibility(page);
    await panel.getByRole("button", { name: /^amount/ }).click();
    await panel.getByRole("button", { name: "orders.amount" }).waitFor();
    await panel.getByRole("button", { name: "revenue.total" }).waitFor();
    await panel.getByRole("button", { name: "best_country.total" }).waitFor();
    assert.match(page.url(), /table=main\.default\.checked_orders&column=amount/);
    await page.emulateMedia({ colorScheme: "dark" });
    await checkAccessibility(page);
    await page.emulateMedia({ colorScheme: "light" });
    // The message that the update was started disappears by itself.
    await page.getByRole("button", { name: "Dismiss" }).waitFor({ state: "detached" });
    await picture(page, "pipeline");
    await page.getByRole("link", { name: "Updates" }).click();
    await page.getByRole("row", { name: /completed.*update/ }).waitFor();
    await checkAccessibility(page);
    assert.deepEqual(problems, []);
  });

  test("the graph is used by keyboard: arrows go along the edges, Enter chooses, Escape leaves", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open(`/pipelines/${id}`);
    const graph = page.getByRole("group", { name: "Tables of sales" });
    await graph.getByRole("button", { name: /^orders/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Table revenue" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary").filter({ hasText: "revenue" }).waitFor({ state: "detached" });
  });

  test("a full refresh of chosen tables does that, and nothing else", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open(`/pipelines/${id}`);
    await page.getByRole("button", { name: "Refresh…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Chosen tables").check();
    await dialog.getByLabel("revenue").check();
    await dialog.getByLabel("Reason").fill("new rule");
    await checkAccessibility(page);
    await dialog.getByRole("button", { name: "Full refresh of 1 table" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByLabel("Update", { exact: true }).filter({ hasText: "full refresh of 1 table" }).waitFor();
    await page.getByRole("link", { name: "Updates" }).click();
    await page.getByRole("row", { name: /completed.*full refresh of 1 table.*new rule/ }).waitFor();
    const { updates } = await rig.server.client.listPipelineUpdates({ params: { pipeline_id: id } });
    assert.deepEqual(updates[0]?.full_refresh_selection, ["main.default.revenue"]);
  });

  test("a mistake in the SQL is underlined at its place, and a validation says the same", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open(`/pipelines/${id}?tab=sql`);
    const problems = watchProblems(page);
    const editor = page.getByRole("textbox", { name: "shop/sales.sql" });
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText(
      "\nCREATE OR REFRESH MATERIALIZED VIEW wrong AS SELECT amuont FROM orders;\n",
    );
    await page.getByRole("button", { name: "Save" }).click();
    const list = page.getByRole("list", { name: "Problems" });
    await list.getByText("amuont is not a column").waitFor();
    assert.equal(await page.locator(".cm-lintRange-error").textContent(), "amuont");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Validate" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("The validation found problems").waitFor();
    await alert.getByText(/shop\/sales\.sql:\d+:\d+: amuont/).waitFor();
    await page.getByRole("link", { name: "SQL (1 problem)" }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("a viewer sees everything, and no button that changes something is enabled", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const user = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
    const page = await rig.open(`/pipelines/${id}?tab=sql`, token);
    await page.getByRole("textbox", { name: "shop/sales.sql" }).waitFor();
    for (const name of ["Start", "Validate", "Refresh…", "Stop", "Save"]) {
      const button = page.getByRole("button", { name, exact: true });
      assert.equal(await button.getAttribute("aria-disabled"), "true", name);
      assert.match((await button.getAttribute("title")) ?? "", /requires the role operator/, name);
    }
  });
});
