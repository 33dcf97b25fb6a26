import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { checkAccessibility, noBrowser, picture, type Rig, startRig, watchProblems } from "./rig.ts";

const faulty = `description: Refresh the orders every morning
tasks:
  - name: load
    kind: sql
    query: select 1 as n
  - name: count
    kind: sql
    query: select 2 as n
    depends_on: [lod]
  - name: tell
    kind: sql
    query: select 3 as n
    depends_on: [load]
schedule:
  cron: "0 6 * * *"
  timezone: Europe/Berlin
`;

suite("automations", () => {
  let rig: Rig | undefined;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig?.close());

  test("a mistake in a definition is underlined; mended it is released, runs, and is paused until tomorrow", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const page = await rig.open("/automations");
    const problems = watchProblems(page);
    await page.getByRole("button", { name: "New automation" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("orders-daily");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    const editor = page.getByRole("textbox", { name: "Definition" });
    await page.getByRole("status").filter({ hasText: "No problems" }).waitFor();
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(faulty);
    const findings = page.getByRole("region", { name: "Findings" });
    await findings.getByText("lod").first().waitFor();
    assert.equal(await page.locator(".cm-lintRange-error").first().textContent(), "lod");
    const release = page.getByRole("button", { name: "Release…" });
    assert.equal(await release.getAttribute("title"), "Mend the problems first.");
    await checkAccessibility(page);
    await picture(page, "automation-mistake");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(faulty.replace("lod]", "load]"));
    await findings.getByText("It would run").waitFor();
    await page.getByRole("button", { name: "Show changes" }).click();
    await page.getByRole("region", { name: "Changes" }).getByText("name: count").waitFor();
    await checkAccessibility(page);
    await release.click();
    await checkAccessibility(page);
    await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
    await page.getByRole("heading", { name: "orders-daily active", level: 1 }).waitFor();
    const params = { automation_alias: "orders-daily" };
    const { automation, releases } = await client.getAutomation({ params });
    assert.equal(releases[0]?.version, "1.0.0");
    assert.equal(automation.definition?.description, "Refresh the orders every morning");

    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("heading", { name: "orders-daily succeeded", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Open automation" }).click();
    const graph = page.getByRole("group", { name: "Tasks" });
    await graph.getByRole("button", { name: /tell.*succeeded/ }).click();
    await page.getByRole("region", { name: "Task tell" }).getByText("select 3 as n").waitFor();
    await checkAccessibility(page);
    await picture(page, "automation");

    await page.getByRole("button", { name: "Pause" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("migration");
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel("Until").fill(`${tomorrow}T08:00`);
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.getByText("paused by internal-service: migration").waitFor();
    const { schedules } = await client.getAutomation({ params });
    assert.match(schedules[0]?.override?.until ?? "", new RegExp(`^${tomorrow}T0[67]:00`));
    await page.getByRole("link", { name: "Releases" }).click();
    await page.getByRole("row", { name: /1\.0\.0 current paused/ }).waitFor();
    await checkAccessibility(page);
    const changes = page.getByRole("region", { name: "Compare" });
    await changes.getByText("Nothing is changed.").waitFor();
    // Releases another version, then changes the definition without a release.
    const next = (query: string) => ({
      ...automation.definition,
      tasks: [{ name: "load", kind: "sql", query }],
    });
    await client.setDefinition({ params, body: next("select 7 as n") as never });
    await client.syncAutomationRelease({
      body: { ...params, environment: releases[0]?.environment ?? "", metadata: { version: "1.1.0" } },
    });
    await client.setDefinition({ params, body: next("select 8 as n") as never });
    await changes.getByText("added: query: select 8 as n").waitFor();
    await changes.getByText("removed: query: select 7 as n").waitFor();
    await changes.getByLabel("Before").selectOption(releases[0]?.id ?? "");
    await changes.getByText("removed: - name: tell").waitFor();
    const current = (await client.getAutomation({ params })).releases[0]?.id ?? "";
    await changes.getByLabel("After").selectOption(current);
    await changes.getByText("added: query: select 7 as n").waitFor();
    assert.match(page.url(), new RegExp(`from=${releases[0]?.id}&to=${current}`));
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Runs", exact: true }).last().click();
    await page.getByRole("row", { name: /succeeded orders-daily/ }).waitFor();

    await page.getByRole("link", { name: "Home" }).click();
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("Paused by internal-service: migration.").waitFor();
    await attention.getByRole("button", { name: "Resume" }).click();
    await attention.getByText("Nothing fails, nothing is late, nothing is paused.").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("pause orders-daily");
    await page.getByRole("option", { name: "Pause orders-daily automation in local" }).waitFor();
    await page.keyboard.press("Enter");
    await attention.getByText("Paused by internal-service.").waitFor();
    await page.getByRole("link", { name: "Events" }).click();
    await page
      .getByRole("table", { name: "Events" })
      .getByRole("link", { name: "orders-daily" })
      .first()
      .click();
    await page.getByRole("heading", { name: "orders-daily paused", level: 1 }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("a viewer reads the definition, and finds no enabled button", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const user = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
    const page = await rig.open("/automations/orders-daily?tab=definition", token);
    await page.getByRole("textbox", { name: "Definition" }).getByText("Refresh the orders").waitFor();
    for (const name of ["Resume", "Run now", "Release…"])
      assert.equal(await page.getByRole("button", { name }).getAttribute("aria-disabled"), "true");
  });
});
