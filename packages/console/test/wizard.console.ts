import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createDatabase, query } from "@lakehelm/testing";
import { checkAccessibility, noBrowser, type Rig, startRig, watchProblems } from "./rig.ts";

suite("the wizard for connectors", () => {
  let rig: Rig | undefined;
  let shop: Awaited<ReturnType<typeof createDatabase>> | undefined;
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    shop = await createDatabase("console_shop");
    const columns = "id int primary key, amount numeric(10, 2) not null, updated_at timestamptz not null";
    await query(shop.url, `create table orders (${columns})`);
    await query(shop.url, "insert into orders select n, n * 1.5, '2026-03-01' from generate_series(1, 40) n");
  });
  after(async () => {
    await rig?.close();
    await shop?.drop();
  });

  test("moves a table of a real PostgreSQL: kind, connection, tables, preview, schedule, first run", async (t) => {
    if (!rig || !shop) return t.skip(noBrowser);
    const page = await rig.open("/connectors/new");
    const problems = watchProblems(page);
    const { hostname, port, username, password, pathname } = new URL(shop.url);
    await checkAccessibility(page);
    await page.getByRole("button", { name: "PostgreSQL" }).click();
    await page.getByLabel("Name of the connector").fill("shop");
    await page.getByLabel("Host").fill(hostname);
    await page.getByLabel("Port").fill(port);
    await page.getByLabel("Database").fill("missing");
    await page.getByLabel("User", { exact: true }).fill(decodeURIComponent(username));
    await page.getByLabel("Password").fill(decodeURIComponent(password));
    await page.getByRole("button", { name: "Check the connection" }).click();
    const findings = page.getByRole("list", { name: "Result of the check" });
    await findings.getByText("✗").waitFor();
    // From now on it is checked as the user types.
    await page.getByLabel("Database").fill(pathname.slice(1));
    await findings.getByText("✓").first().waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Choose tables" }).click();
    await page.getByRole("checkbox", { name: /orders/ }).check();
    assert.equal(await page.getByLabel(/Key columns of .*orders/).inputValue(), "id");
    assert.equal(await page.getByLabel(/Watermark of .*orders/).inputValue(), "updated_at");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("40 to insert").waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Set the schedule" }).click();
    await page.getByRole("list", { name: "Next times" }).getByRole("listitem").nth(4).waitFor();
    await page.getByLabel("Run it").selectOption("weekday");
    await page.getByText('"0 6 * * 1-5"').waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Create and run now" }).click();
    await page.getByRole("heading", { name: "shop succeeded", level: 1 }).waitFor();
    await page.getByRole("row", { name: "rows inserted 40" }).waitFor();
    const { rows } = await rig.server.client.runQuery({ body: { sql: "select count(*) as n from orders" } });
    assert.deepEqual(rows, [[40]]);
    const [connector] = (await rig.server.client.listConnectors()).connectors;
    assert.equal(connector?.status, "active");
    assert.equal(connector?.schedule_cron, "0 6 * * 1-5");
    assert.deepEqual(problems, []);
  });
});
