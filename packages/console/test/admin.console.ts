import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import type { Page } from "playwright-core";
import { checkAccessibility, measure, noBrowser, picture, type Rig, startRig } from "./rig.ts";

suite("administration", () => {
  let rig: Rig | undefined;
  let page: Page | undefined;
  before(async () => {
    rig = await startRig();
    page = await rig?.open("/environments");
  });
  after(() => rig?.close());

  const button = (name: string) => page?.getByRole("button", { name, exact: true });
  const inDialog = () => (page as Page).getByRole("dialog");

  test("an environment is created, checked, protected, and cannot be edited then", async (t) => {
    if (!rig || !page) return t.skip(noBrowser);
    await button("New environment")?.click();
    await inDialog().getByLabel("Name", { exact: true }).fill("staging");
    await inDialog().getByLabel("Platform").selectOption("databricks");
    await inDialog().getByLabel("Workspace").waitFor();
    await inDialog().getByLabel("Name to add to Tags").fill("team");
    await inDialog().getByLabel("Name to add to Tags").press("Enter");
    await inDialog().getByLabel("team", { exact: true }).fill("data");
    await checkAccessibility(page);
    await inDialog().getByLabel("Platform").selectOption("embedded");
    await inDialog().getByLabel("Catalog").fill("shop");
    await inDialog().getByRole("button", { name: "Edit as JSON" }).click();
    const json = inDialog().getByLabel("Configuration", { exact: true }).last();
    assert.deepEqual(JSON.parse(await json.inputValue()), { catalog: "shop", tags: { team: "data" } });
    await json.fill('{"catalog": "shop", "api_token": "s3cret-value",}');
    await inDialog().getByRole("button", { name: "Create" }).click();
    await inDialog().getByRole("alert").getByText("The configuration is not JSON").waitFor();
    await json.fill('{"catalog": "shop", "api_token": "s3cret-value"}');
    await inDialog().getByRole("button", { name: "Edit as fields" }).click();
    await inDialog().getByText("Also set, as JSON: api_token.").waitFor();
    await checkAccessibility(page);
    await inDialog().getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "staging active", level: 1 }).waitFor();
    const configuration = page.getByRole("region", { name: "Configuration" });
    await configuration.getByText("shop").waitFor();
    assert.doesNotMatch((await configuration.textContent()) ?? "", /s3cret/);
    // The environment is checked as soon as it is saved.
    const checked = page.getByRole("region", { name: "Does it work?" });
    await checked.getByText("warehouse", { exact: true }).waitFor();
    await checkAccessibility(page);

    await button("Edit")?.click();
    await inDialog().getByLabel("Description").fill("Before production");
    await inDialog().getByRole("button", { name: "Save" }).click();
    await page.getByText("Before production").waitFor();
    const { configuration: kept } = await rig.server.client.getEnvironment({
      params: { environment_id: "staging" },
    });
    assert.deepEqual(kept, { catalog: "shop", api_token: "********" });

    await button("Protect")?.click();
    await inDialog().getByRole("button", { name: "Protect" }).click();
    await page.getByRole("heading", { name: "staging active protected", level: 1 }).waitFor();
    assert.match((await button("Edit")?.getAttribute("title")) ?? "", /protected: remove the protection/);
    assert.equal(await button("Delete")?.getAttribute("aria-disabled"), "true");
  });

  test("a user gets a role in an environment, and a token that is shown once and revoked", async (t) => {
    if (!rig || !page) return t.skip(noBrowser);
    await page.getByRole("link", { name: "Users", exact: true }).click();
    await button("New user")?.click();
    await inDialog().getByLabel("User name").fill("oscar");
    await inDialog().getByLabel("Password").fill("short");
    await inDialog().getByRole("button", { name: "Create" }).click();
    // The server's message is shown at its field.
    await inDialog().locator(".field", { hasText: "Password" }).locator(".problem").waitFor();
    await inDialog().getByLabel("Password").fill("");
    await inDialog().getByRole("button", { name: "Create" }).click();
    await page.getByRole("row", { name: /oscar viewer/ }).waitFor();
    await checkAccessibility(page);

    await page.getByRole("link", { name: "Tokens of oscar" }).click();
    await page.getByText("oscar has no token").waitFor();
    await button("New token")?.click();
    await inDialog().getByLabel("What it is for").fill("laptop");
    await inDialog().getByRole("button", { name: "Create" }).click();
    const token = await inDialog().getByLabel("Token", { exact: true }).inputValue();
    await inDialog().getByRole("button", { name: "Copy" }).waitFor();
    await checkAccessibility(page);
    await inDialog().getByRole("button", { name: "Done" }).click();
    const oscar = createClient({ baseUrl: rig.server.url, token, retries: 0 });
    assert.equal((await oscar.getSession()).name, "oscar");
    await page.getByRole("row", { name: /laptop/ }).waitFor();
    assert.doesNotMatch(await page.content(), new RegExp(token));

    await page.getByRole("link", { name: "Environments", exact: true }).click();
    await page.getByRole("link", { name: "local" }).click();
    await page.getByRole("link", { name: "Roles" }).click();
    await button("Give a role")?.click();
    await inDialog().getByLabel("User").fill("oscar");
    await inDialog().getByRole("button", { name: "Give the role" }).click();
    await page.getByRole("row", { name: /oscar operator/ }).waitFor();
    await checkAccessibility(page);
    assert.equal((await oscar.getSession()).environments[0]?.role, "operator");

    await page.getByRole("link", { name: "Tokens", exact: true }).click();
    await button("Revoke laptop")?.click();
    await inDialog().getByRole("button", { name: "Revoke" }).click();
    await page.getByText("oscar has no token").waitFor();
    await assert.rejects(oscar.getSession());
  });

  test("a secret is set: only its name is seen, and it is deleted", async (t) => {
    if (!rig || !page) return t.skip(noBrowser);
    await page.getByRole("link", { name: "Secrets", exact: true }).click();
    await page.getByText("There is no secret yet").waitFor();
    await button("Set a secret")?.click();
    await inDialog().getByLabel("Scope").fill("crm");
    await inDialog().getByLabel("Name").fill("password");
    await inDialog().getByLabel("Value").fill("s3cret-of-the-crm");
    await inDialog().getByRole("button", { name: "Store" }).click();
    const row = page.getByRole("row", { name: /password/ });
    await row.getByText("{{secrets/crm/password}}").waitFor();
    assert.doesNotMatch(await page.content(), /s3cret-of-the-crm/);
    await button("Limits…")?.click();
    await inDialog().getByLabel("Only admins may refer to it").check();
    await inDialog().getByRole("button", { name: "Save" }).click();
    await page.getByText("New references may be written by admins.").waitFor();
    await checkAccessibility(page);
    await row.getByRole("button", { name: "Delete password" }).click();
    await inDialog().getByRole("button", { name: "Delete" }).click();
    await page.getByText("crm has no secret in local").waitFor();
  });

  test("settings say what the server is, and where they are made", async (t) => {
    if (!rig || !page) return t.skip(noBrowser);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("region", { name: "Server", exact: true }).getByText("SQLite").waitFor();
    await page.getByLabel("Theme").selectOption("dark");
    assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
    const settings = page.getByRole("table", { name: "Settings" });
    await settings.getByRole("row", { name: /PLATFORM_DATA_DIR.*environment/ }).waitFor();
    await settings.getByRole("row", { name: /PLATFORM_SERVICE_AUTH_TOKEN set, hidden/ }).waitFor();
    await page.getByLabel("Source").selectOption("default");
    await settings.getByRole("row", { name: /HOST 127\.0\.0\.1 127\.0\.0\.1 default/ }).waitFor();
    await checkAccessibility(page);
    await picture(page, "settings");
  });

  test("a viewer finds no enabled button, and sees why", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const { id } = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: id }, body: {} });
    const own = await rig.open("/users", token);
    for (const [name, reason] of [
      ["Users", "You cannot manage users here"],
      ["Tokens", "You cannot manage tokens here"],
      ["Secrets", "You cannot see secrets here"],
      ["Settings", "You cannot see the settings here"],
      ["Environments", "2 environments"],
    ] as const) {
      await own.getByRole("link", { name, exact: true }).click();
      await own.getByText(reason).waitFor();
      assert.deepEqual(await enabledButtons(own), []);
    }
    const check = measure(own);
    await own.getByRole("link", { name: "local" }).click();
    await own.getByText("Nothing was deployed successfully yet.").waitFor();
    await check();
    assert.deepEqual(await enabledButtons(own), []);
    const why = await own.getByRole("button", { name: "Check" }).getAttribute("title");
    assert.match(why ?? "", /requires the role operator .* grace has the role viewer/);
  });
});

const enabledButtons = (page: Page) =>
  page.locator(".page button:not([aria-disabled=true])").allTextContents();
