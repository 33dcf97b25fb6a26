import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { checkAccessibility, noBrowser, type Rig, startRig, watchProblems } from "./rig.ts";

suite("the console in a browser", () => {
  let rig: Rig | undefined;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig?.close());

  test("the link of the start signs in once, and only its fragment has the code", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.page();
    const problems = watchProblems(page);
    const link = rig.server.server.consoleLink ?? "";
    await page.goto(link);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    assert.equal(new URL(page.url()).hash, "");
    await page.getByText("Nothing is set up here yet").waitFor();
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await checkAccessibility(page);

    const again = await rig.page();
    await again.goto(link);
    await again.getByRole("alert").filter({ hasText: "was used before" }).waitFor();
    await checkAccessibility(again);
    assert.deepEqual(problems, []);
  });

  test("a connector that somebody creates appears by itself", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/connectors");
    await rig.server.client.createConnector({
      body: { name: "orders", target_type: "csv", target_config: null, created_by: "ada" },
    });
    await page.getByRole("link", { name: "orders" }).click();
    await page.getByRole("heading", { name: "orders" }).waitFor();
    assert.match(page.url(), /\/console\/connectors\/[\w-]+$/);
  });
});
