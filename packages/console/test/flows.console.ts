import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Flow } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { checkAccessibility, measure, noBrowser, picture, type Rig, startRig, watchProblems } from "./rig.ts";

suite("flows", () => {
  let rig: Rig | undefined;
  let folder = "";
  let flow: Flow | undefined;
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client } = rig.server;
    folder = await mkdtemp(join(tmpdir(), "lakehelm-flows-"));
    await writeFile(join(folder, "orders.csv"), "id,country,amount\n1,DE,10\n2,FR,20\n3,DE,5\n");
    const connector = await client.createConnector({
      body: {
        name: "orders-in",
        target_type: "warehouse",
        target_config: { connection: { type: "files", config: { path: folder, format: "csv" } } },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [{ source_dataset: "orders.csv", target_name: "orders", primary_keys: ["id"] }],
      },
    });
    const run = await client.runJob({ params: { job_id: connector.workflow_id ?? "" } });
    const status = async () => (await client.getRun({ params: { run_id: run.id } })).status;
    await until(async () => !["queued", "running"].includes(await status()), 50);
    flow = await client.createFlow({
      body: {
        flow_name: "revenue",
        source_tables: ["orders"],
        target_name: "revenue_by_country",
        trigger_type: "manual",
        matched_sql: "SELECT country, sum(amount) AS total\nFROM orders\nGROUP BY country",
        target_schema: {
          description: "Revenue by country",
          columns: [
            { name: "country", type: "string", pk: true, description: "Where the customer lives" },
            { name: "total", type: "bigint" },
          ],
        },
        requested_by: "ada",
      },
    });
  });
  after(async () => {
    await rig?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("a flow is run, and its page shows the run, the columns and where its table comes from", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/flows");
    const problems = watchProblems(page);
    const flow = page.getByRole("link", { name: "revenue" });
    // The requests of the list must end before the page is measured.
    await flow.waitFor();
    const check = measure(page);
    await flow.click();
    await page.getByText("It has not run yet").waitFor();
    await check();
    await page.getByText("keeps the current row of each country").waitFor();
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("heading", { name: "revenue succeeded", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Open flow" }).click();
    await page.getByRole("row", { name: /succeeded/ }).waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Columns" }).click();
    await page.getByRole("row", { name: /country string key Where the customer lives/ }).waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Lineage" }).click();
    const graph = page.getByRole("group", { name: "Lineage" });
    await graph.getByRole("button", { name: /^orders-in/ }).waitFor();
    await checkAccessibility(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await checkAccessibility(page);
    await page.emulateMedia({ colorScheme: "light" });
    await picture(page, "flow");
    await graph.getByRole("button", { name: /^orders main/ }).click();
    await page.getByRole("heading", { name: "orders", level: 1 }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("a mistake in the SELECT is refused and underlined at its place", async (t) => {
    if (!rig || !flow) return t.skip(noBrowser);
    const page = await rig.open(`/flows/${flow.id}?tab=sql`);
    const editor = page.getByRole("textbox", { name: "matched_sql" });
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("SELECT country, sum(amount) AS total\nFROM orders\nGROPU BY country");
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("alert")
      .getByText(/matched_sql, line 3, column/)
      .waitFor();
    await page.locator(".cm-lintRange-error").first().waitFor();
    await checkAccessibility(page);
    const { definition } = await rig.server.client.getFlow({ params: { flow_id: flow.id } });
    assert.match(definition.matched_sql, /GROUP BY/);
  });

  test("a pause shows with its reason, and a viewer finds no enabled button", async (t) => {
    if (!rig || !flow) return t.skip(noBrowser);
    const { client } = rig.server;
    await client.pauseFlow({ params: { flow_id: flow.id }, body: { reason: "migration" } });
    const user = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
    const page = await rig.open(`/flows/${flow.id}?tab=sql`, token);
    await page.getByText("paused by internal-service: migration").waitFor();
    for (const name of ["Resume", "Run now", "Save"]) {
      const button = page.getByRole("button", { name, exact: true });
      await button.waitFor();
      assert.equal(await button.getAttribute("aria-disabled"), "true", name);
      assert.match((await button.getAttribute("title")) ?? "", /requires the role operator/, name);
    }
  });
});
