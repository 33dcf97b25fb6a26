import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, suite, test } from "node:test";
import { fillWarehouse, shop, shopConfiguration } from "../../server/src/testing/warehouse.ts";
import { checkAccessibility, noBrowser, picture, type Rig, startRig, watchProblems } from "./rig.ts";

const selectAll = "ControlOrMeta+a";

suite("the SQL page", () => {
  let rig: Rig | undefined;
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client } = rig.server;
    const { id } = await client.createEnvironment({
      body: { name: "shop", configuration: shopConfiguration },
    });
    await fillWarehouse(rig.server, id, ...shop);
  });
  after(() => rig?.close());

  test("completion knows the catalog; a mistake is underlined with the suggestion; then the rows appear", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/sql?env=shop");
    const problems = watchProblems(page);
    const editor = page.getByRole("textbox", { name: "Query" });
    await editor.click();
    // Keys that are shortcuts on other pages are text in the editor.
    await page.keyboard.type("g r / ? ");
    assert.match(page.url(), /\/sql/);
    await page.keyboard.press(selectAll);
    await page.keyboard.type("select * from shop.sales.cust");
    // For a moment after the list has opened, the editor ignores Enter.
    await page.getByRole("option", { name: "customers" }).click();
    assert.equal(await editor.textContent(), "select * from shop.sales.customers");
    await page.keyboard.type(" c where c.co");
    await page.getByRole("option", { name: /^country/ }).waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press(selectAll);
    await page.keyboard.type("select order_id, amuont\nfrom orders order by 1");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("Did you mean amount?").waitFor();
    assert.equal(await page.locator(".cm-lintRange-error").textContent(), "amuont");
    await checkAccessibility(page);
    await page.keyboard.press(selectAll);
    await page.keyboard.type("select order_id, amount from orders order by 1");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("row", { name: "3 3 90071992547409.93" }).waitFor();
    assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await checkAccessibility(page);
    }
    // Tab moves the focus out of the editor.
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Result");
    assert.deepEqual(problems, []);
  });

  test("a long query is cancelled; a large result scrolls by pages, is drawn, and downloaded", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const endless = "select count(*) from range(1000000000) a, range(1000000000) b";
    const page = await rig.open(
      `/sql?${new URLSearchParams({ env: "shop", dialect: "duckdb", sql: endless })}`,
    );
    const editor = page.getByRole("textbox", { name: "Query" });
    await editor.click();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Cancelled" }).waitFor();

    // 100 columns and 10,000 rows are a million cells.
    const columns = Array.from({ length: 99 }, (_, at) => `range * ${at} as c${at}`).join(", ");
    await editor.click();
    await page.keyboard.press(selectAll);
    await page.keyboard.insertText(
      `select 'r' || range as name, ${columns} from range(10000) order by range`,
    );
    await page.keyboard.press("Control+Enter");
    await page.getByText("The first 1,000 rows").waitFor();
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("menuitem", { name: /Arrow.*the first 10,000 rows/ }).waitFor();
    await page.keyboard.press("Escape");
    const grid = page.getByRole("region", { name: "Result" });
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByText("10,000 rows · 100 columns").waitFor();
    await grid.evaluate((element) => element.scrollTo(element.scrollWidth, element.scrollHeight));
    await grid.getByText(String(9_999 * 98)).waitFor();
    assert.ok((await grid.getByRole("cell").count()) < 1_500);
    await checkAccessibility(page);

    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("menuitem", { name: /Arrow.*all rows/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    assert.equal(lines.length, 10_001);
    assert.match(lines.at(-1) ?? "", /^r9999,0,9999,19998,/);

    await editor.click();
    await page.keyboard.press(selectAll);
    await page.keyboard.insertText(
      "select country, count(*) as customers from customers group by 1 order by 1",
    );
    await page.keyboard.press("Control+Enter");
    await page.getByText("2 rows").waitFor();
    for (const name of ["JSON", "Arrow", "Parquet"]) {
      await page.getByRole("button", { name: "Download" }).click();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name }).click(),
      ]);
      const bytes = await readFile(await file.path());
      if (name === "Arrow") assert.equal(bytes.subarray(0, 4).toString("hex"), "ffffffff");
      else if (name === "Parquet") assert.equal(bytes.toString("latin1", 0, 4), "PAR1");
      else assert.deepEqual(JSON.parse(bytes.toString())[0], { country: "DE", customers: 1 });
    }
    await page.getByRole("link", { name: "Chart" }).click();
    await page.getByRole("img", { name: "customers over country, 2 values" }).waitFor();
    await checkAccessibility(page);
    await picture(page, "sql");
    await page.getByRole("link", { name: "Plan", exact: true }).click();
    const plan = page.getByRole("list", { name: "Plan" });
    await plan.getByText("shop.sales.customers").waitFor();
    await page.getByText("Nothing was run.").waitFor();
    await checkAccessibility(page);
    await picture(page, "sql-plan");
    await editor.click();
    await page.keyboard.press(selectAll);
    await page.keyboard.insertText("select amuont from orders");
    await page.getByRole("button", { name: "Plan the changed query" }).click();
    await page.getByRole("alert").getByText("Did you mean amount?").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("row", { name: /cancelled select count/ }).waitFor();
    await checkAccessibility(page);
  });
});
