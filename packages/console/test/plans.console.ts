import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Plan } from "@lakehelm/contract";
import { endedPlan } from "../../server/src/resources/plans/test-plans.ts";
import { checkAccessibility, measure, noBrowser, picture, type Rig, startRig } from "./rig.ts";

suite("plans and drift", () => {
  let rig: Rig | undefined;
  let ada = "";
  const connector = (name: string, schedule_cron = "0 6 * * *") => ({
    kind: "connector" as const,
    name,
    definition: {
      target_type: "csv",
      target_config: { path: "/srv/shop" },
      execution_mode: "batch",
      schedule_cron,
    },
    file: { path: `connectors/${name}.yaml`, line: 1 },
  });
  const daily = {
    kind: "automation" as const,
    name: "daily",
    definition: { definition: { tasks: [{ name: "load", kind: "connector", reference: "orders-out" }] } },
  };
  const plan = (resources: readonly object[], policies: readonly object[] = []) =>
    rig?.server.client.createPlan({
      body: {
        environment: "local",
        project: { name: "shop", commit: "3f9c1d2", branch: "main" },
        resources: resources as never,
        policies: policies as never,
      },
    }) as Promise<Plan>;
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client } = rig.server;
    const { id } = await client.createUser({ body: { username: "ada", role: "admin" } });
    ada = (await client.createToken({ params: { user_id: id }, body: {} })).token;
    const first = await plan([daily, connector("orders-out"), connector("customers-out")]);
    await client.applyPlan({ params: { plan_id: first.id } });
    await endedPlan(client, first.id);
  });
  after(() => rig?.close());

  test("a plan that needs an approval: another admin approves it, applies it and sees it progress", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const resources = [daily, connector("orders-out", "0 5 * * *"), connector("customers-out")];
    const rule = {
      name: "review-schedules",
      level: "approve",
      rule: "action == 'update'",
      message: "{name} changes its schedule: ask its owner.",
    };
    const made = await plan([...resources, connector("invoices-out")], [rule]);
    const author = await rig.open(`/plans/${made.id}`);
    const approve = author.getByRole("button", { name: "Approve" });
    assert.match((await approve.getAttribute("title")) ?? "", /another admin must approve/);
    const apply = author.getByRole("button", { name: "Apply" });
    assert.match((await apply.getAttribute("title")) ?? "", /approve it first/);

    const page = await rig.open("/plans?status=needs_approval", ada);
    const check = measure(page);
    await page.getByRole("link", { name: "shop" }).click();
    await page.getByRole("status", { name: "State" }).getByText("ask its owner").waitFor();
    await page
      .getByRole("table", { name: "Steps" })
      .getByRole("link", { name: /orders-out/ })
      .click();
    const step = page.getByRole("region", { name: /update connector orders-out/ });
    await step.getByRole("row", { name: "schedule_cron 0 6 * * * 0 5 * * *" }).waitFor();
    await step.getByText("1 resource downstream").waitFor();
    await check();
    await checkAccessibility(page);
    await picture(page, "plan");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("region", { name: "Facts" }).getByText("by ada").waitFor();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByRole("heading", { name: "shop in local applied" }).waitFor();
    // The author's page is refreshed, too.
    await author.getByRole("heading", { name: "shop in local applied" }).waitFor();
  });

  test("a plan that is stale says so, and cannot be applied", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const made = await plan([daily, connector("orders-out"), connector("customers-out")]);
    const page = await rig.open(`/plans/${made.id}`);
    await page.getByRole("button", { name: "Apply" }).click();
    const [first] = (await rig.server.client.listConnectors({ query: { name: "customers-out" } })).connectors;
    await rig.server.client.updateConnector({
      params: { connector_id: first?.id ?? "" },
      body: { schedule_cron: "30 7 * * *" },
    });
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("Make a new plan").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("status", { name: "State" }).getByText("It is stale").waitFor();
    const apply = page.getByRole("button", { name: "Apply" });
    assert.match((await apply.getAttribute("title")) ?? "", /Make a new plan/);
  });

  test("drift: who changed what, and a revert puts it back", async (t) => {
    if (!rig) return t.skip(noBrowser);
    await rig.server.events();
    const page = await rig.open("/drift");
    await page.getByRole("button", { name: "Check now" }).click();
    const row = page.getByRole("row", { name: /customers-out/ });
    await row.getByText("30 7 * * *").waitFor();
    await row.getByText("internal-service").waitFor();
    await checkAccessibility(page);
    assert.match(
      (await row.getByRole("button", { name: "Adopt schedule_cron" }).getAttribute("title")) ?? "",
      /project/,
    );
    await row.getByRole("button", { name: "Revert schedule_cron" }).click();
    await checkAccessibility(page);
    await page.getByRole("dialog").getByRole("button", { name: "Revert" }).click();
    await page.getByText("There is no drift").waitFor();
    const [put] = (await rig.server.client.listConnectors({ query: { name: "customers-out" } })).connectors;
    assert.equal(put?.schedule_cron, "0 6 * * *");
  });

  test("a viewer sees plans and drift, and why nothing can be decided", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const { id } = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: id }, body: {} });
    const made = await plan([connector("orders-out")]);
    const page = await rig.open(`/plans/${made.id}`, token);
    const apply = page.getByRole("button", { name: "Apply" });
    assert.match((await apply.getAttribute("title")) ?? "", /requires the role operator/);
    await page.getByRole("link", { name: "Drift", exact: true }).click();
    const check = page.getByRole("button", { name: "Check now" });
    assert.equal(await check.getAttribute("aria-disabled"), "true");
  });
});
