import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { checkAccessibility, measure, noBrowser, type Rig, startRig, watchProblems } from "./rig.ts";

/** Every page that needs no resource, with its heading. Add yours. */
const pages = [
  ["/", "Home"],
  ["/connectors", "Connectors"],
  ["/connectors/new", "New connector"],
  ["/agents", "Agents"],
  ["/apps", "Apps"],
  ["/pipelines", "Pipelines"],
  ["/flows", "Flows"],
  ["/catalog", "Catalog"],
  ["/runs", "Runs"],
  ["/deployments", "Deployments"],
  ["/events", "Events"],
  ["/sql", "SQL"],
  ["/automations", "Automations"],
  ["/codegen", "Code generation"],
  ["/drift", "Drift"],
  ["/plans", "Plans"],
  ["/environments", "Environments"],
  ["/users", "Users"],
  ["/tokens", "Tokens"],
  ["/secrets", "Secrets"],
  ["/settings", "Settings"],
] as const;

suite("pages of the console", () => {
  let rig: Rig | undefined;
  /** Milliseconds until a page was first painted. */
  const paints: number[] = [];
  before(async () => {
    rig = await startRig();
  });
  after(() => rig?.close());

  for (const [path, heading] of pages) {
    test(`${path}: few requests, little to load, no accessibility problem, no violated policy`, async (t) => {
      if (!rig) return t.skip(noBrowser);
      const page = await rig.page();
      const problems = watchProblems(page);
      await page.goto(`${rig.server.url}/console${path}`);
      await page.getByRole("button", { name: "Use a token instead" }).click();
      await page.getByLabel("Token").fill(rig.server.token);
      const check = measure(page);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
      // A page may load several things: a locator of two elements cannot be waited for.
      const loading = page.getByRole("status").filter({ hasText: "Loading" });
      await until(async () => (await loading.count()) === 0);
      await check();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await checkAccessibility(page);
      }
      paints.push(
        (await page.evaluate(
          "performance.getEntriesByName('first-contentful-paint')[0].startTime",
        )) as number,
      );
      // Wide content scrolls in its own box.
      await page.setViewportSize({ width: 900, height: 850 });
      const width = "[document.documentElement.scrollWidth, document.querySelector('main').scrollWidth]";
      const [whole, main] = (await page.evaluate(width)) as [number, number];
      assert.ok(whole <= 900 && main <= 900, `${whole} and ${main} pixels`);
      assert.deepEqual(problems, []);
    });
  }

  // All measurements load the same page first. On a busy machine most are slow, so the fastest counts.
  test("the first paint takes less than a second", (t) => {
    if (!rig) return t.skip(noBrowser);
    const fastest = Math.min(...paints);
    assert.ok(fastest < 1_000, `${fastest} ms`);
  });

  test("the palette finds a page by its name, with the keyboard alone", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("runs");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.getByRole("heading", { name: "Connectors", level: 1 }).waitFor();
  });

  test("the sign-in says what the server says, with the id of the request", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.page();
    await page.goto(`${rig.server.url}/console/runs`);
    await page.getByLabel("User").fill("nobody");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match((await alert.textContent()) ?? "", /wrong[\s\S]*Request [\w-]+/);
  });
});
