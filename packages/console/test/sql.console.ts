import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { fillWarehouse, shop, shopConfiguration } from "../../server/src/testing/warehouse.ts";
import { checkAccessibility, noBrowser, type Rig, startRig, watchProblems } from "./rig.ts";

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
    // Keys that are shortcuts elsewhere are text here.
    await page.keyboard.type("g r / ? ");
    assert.match(page.url(), /\/sql/);
    await page.keyboard.press(selectAll);
    await page.keyboard.type("select * from shop.sales.cust");
    await page.getByRole("option", { name: "customers" }).waitFor();
    await page.keyboard.press("Enter");
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
    // Tab leaves the editor.
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Result");
    assert.deepEqual(problems, []);
  });
});
