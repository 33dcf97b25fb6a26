import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, suite, test } from "node:test";
import { checkAccessibility, noBrowser, picture, type Rig, startRig, watchProblems } from "./rig.ts";

suite("code generation", () => {
  let rig: Rig | undefined;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig?.close());

  test("a template is filled in, its mistake is underlined, and its files are shown and downloaded", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { templates } = await rig.server.client.listCodegenTemplates();
    const flow = templates.find(({ path }) => path === "/api/v1/codegen/consumption");
    assert.ok(flow);
    const page = await rig.open(`/codegen?template=${flow.name}`);
    const problems = watchProblems(page);
    const editor = page.getByRole("textbox", { name: "Matched SQL" });
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("select a frm b");
    await page.getByRole("button", { name: "Generate" }).click();
    await page.getByRole("alert").getByText("matched_sql, line 1").waitFor();
    await page.locator(".cm-lintRange-error").first().waitFor();
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(String(flow.example.matched_sql));
    await page.getByRole("button", { name: "Generate" }).click();
    const files = page.getByRole("region", { name: "Generated files" });
    await files
      .getByRole("button", { name: /ddl\.sql$/ })
      .first()
      .click();
    await files.getByText("SHA-256").waitFor();
    await checkAccessibility(page);
    await picture(page, "codegen");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      files.getByRole("button", { name: "Download all" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `${flow.name}.tar`);
    const archive = await readFile(await download.path(), "latin1");
    for (const path of flow.produces) assert.ok(archive.includes(path), path);
    const metadata = templates.find(({ path }) => path === "/api/v1/codegen/alter-metadata");
    await page.getByLabel("Template").selectOption(metadata?.name ?? "");
    const columns = page.getByRole("group", { name: "Columns", exact: true });
    await columns.getByRole("button", { name: "Remove column 2" }).click();
    await columns.getByRole("button", { name: "Add column" }).click();
    const added = columns.getByRole("group", { name: "Column 2" });
    await added.getByLabel("Column", { exact: true }).fill("country");
    await added.getByLabel("Description").fill("Where it was sold");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Generate" }).click();
    await page
      .getByRole("region", { name: "Generated files" })
      .getByText("Where it was sold")
      .first()
      .waitFor();
    assert.deepEqual(problems, []);
  });
});
