import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { run } from "../../server/src/testing/store.ts";
import { checkAccessibility, measure, noBrowser, picture, type Rig, startRig } from "./rig.ts";

suite("events and deployments", () => {
  let rig: Rig | undefined;
  let ada = "";
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client } = rig.server;
    await client.createEnvironment({ body: { name: "staging", description: "Before production" } });
    const user = await client.createUser({ body: { username: "ada", role: "admin" } });
    ada = (await client.createToken({ params: { user_id: user.id }, body: {} })).token;
  });
  after(() => rig?.close());

  test("events are filtered by who and what, and a new one appears by itself", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/events?since=24h");
    const table = page.getByRole("table", { name: "Events" });
    await table.getByRole("link", { name: "user.created" }).waitFor();
    await page.getByLabel("Kind").fill("environment.*");
    await table.getByRole("link", { name: "user.created" }).waitFor({ state: "detached" });
    await table.getByRole("link", { name: "environment.created" }).first().waitFor();
    await page.getByLabel("By", { exact: true }).fill("ada");
    await page.getByText("No event fits these filters").waitFor();
    assert.match(page.url(), /kind=environment.*actor=ada/);
    const client = createClient({ baseUrl: rig.server.url, token: ada });
    await client.updateEnvironment({
      params: { environment_id: "staging" },
      body: { description: "Every night", protected: true },
    });
    await table.getByRole("link", { name: "environment.updated" }).click();
    await page.getByRole("heading", { name: "environment.updated", level: 1 }).waitFor();
    const facts = page.getByRole("region", { name: "Facts" });
    await facts.getByRole("link", { name: "ada" }).waitFor();
    // The viewer's time zone is Berlin; the tooltip also has the time in UTC.
    const time = facts.getByRole("time");
    const at = (await time.getAttribute("datetime")) ?? "";
    const inBerlin = new Intl.DateTimeFormat("en-GB", {
      dateStyle: "medium",
      timeStyle: "medium",
      timeZone: "Europe/Berlin",
    }).format(Date.parse(at));
    assert.equal(await time.textContent(), inBerlin);
    assert.equal(await time.getAttribute("title"), `${inBerlin}\n${at} (UTC)`);
    assert.match(at, /Z$/);
    await page.getByRole("row", { name: "description Before production Every night" }).waitFor();
    await page.getByRole("row", { name: "protected false true" }).waitFor();
    await page.getByRole("region", { name: "Events of staging" }).getByText("environment.created").waitFor();
    await checkAccessibility(page);
    await picture(page, "event");
    await page.getByRole("link", { name: "Event before" }).click();
    await page.getByRole("heading", { name: "token.created", level: 1 }).waitFor();
  });

  test("a list that does not follow stays as it is", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/events?kind=file.*");
    await page.getByText("No event fits these filters").waitFor();
    await page.getByRole("button", { name: "Stop following" }).click();
    await rig.server.client.putFile({ params: { path: "a.txt" }, body: new TextEncoder().encode("a") });
    await rig.server.events();
    const follow = page.getByRole("button", { name: "Follow", exact: true });
    await follow.waitFor();
    assert.equal(await page.getByRole("table", { name: "Events" }).count(), 0);
    await follow.click();
    await page.getByRole("table", { name: "Events" }).getByText("file.written").waitFor();
  });

  test("a deployment says what is different from the one before, and shows its log", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const client = createClient({ baseUrl: rig.server.url, token: ada });
    const deploy = async (name: string, sha: string, status: "succeeded" | "failed") => {
      const { id } = await client.createDeployment({
        body: { deployment_name: name, git_branch: "main", git_commit_sha: sha },
        environment: "staging",
      });
      const params = { deployment_id: id };
      await client.startDeployment({ params });
      const error_message =
        status === "failed" ? "The flow revenue reads a table that does not exist." : null;
      await client.finishDeployment({
        params,
        body: { status, error_message, log_chunk: "uploading\nvalidating 14 resources\n" },
      });
    };
    const [first, second] = ["8ac41f0c9b", "3f9c1d2a07"].map((start) => start.padEnd(40, "e")) as [
      string,
      string,
    ];
    await deploy("orders 1.4.0", first, "succeeded");
    await client.updateEnvironment({
      params: { environment_id: "staging" },
      body: { description: "After the first" },
    });
    await deploy(`orders 1.5.0 ${second}`, second, "failed");
    const page = await rig.open("/deployments");
    await page.getByLabel("Status", { exact: true }).selectOption("failed");
    await page.getByText("1 deployment", { exact: true }).waitFor();
    // Hashes of commits are shortened.
    const row = page.getByRole("row", { name: /orders 1\.5\.0/ });
    assert.match((await row.textContent()) ?? "", /orders 1\.5\.0 3f9c1d2a07staging.*3f9c1d2a07(?!e)/);
    assert.doesNotMatch((await row.textContent()) ?? "", /3f9c1d2a07e/);
    const check = measure(page);
    await page.getByRole("link", { name: "orders 1.5.0 3f9c1d2a07", exact: true }).click();
    await page.getByRole("alert").getByText("reads a table that does not exist").waitFor();
    await page.getByRole("row", { name: `commit ${first} ${second}` }).waitFor();
    await page.getByText("validating 14 resources").waitFor();
    await page.getByRole("link", { name: "environment.updated" }).waitFor();
    await check();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Deployments", level: 1 }).waitFor();
    await page.getByRole("link", { name: "orders 1.4.0" }).waitFor();
    // The list may be the old one until the event of the deletion arrives.
    await page.getByRole("link", { name: "orders 1.5.0" }).waitFor({ state: "detached" });
  });

  test("a viewer sees the events, and why only admins may verify them", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const { id } = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: id }, body: {} });
    const page = await rig.open("/events", token);
    await page.getByRole("table", { name: "Events" }).getByText("user.created").first().waitFor();
    const button = page.getByRole("button", { name: "Verify the log" });
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    assert.match((await button.getAttribute("title")) ?? "", /requires the role admin/);
  });

  test("the verification says plainly whether the log is intact", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/events");
    const verify = page.getByRole("button", { name: "Verify the log" });
    await verify.click();
    const result = page.getByRole("status", { name: "Verification" });
    await result.getByText("The event log is intact").waitFor();
    await result.getByText(/\d+ events verified: none was changed/).waitFor();
    await checkAccessibility(page);
    await picture(page, "events");
    // An attacker with access to the database changes the history.
    await run(
      rig.server.deps.store,
      "update events set body = replace(body, 'ada', 'eve') where sequence = 3",
    );
    await verify.click();
    await result.getByText("The event log is not intact").waitFor();
    await result.getByText("Event 3 was changed.").waitFor();
    await checkAccessibility(page);
  });
});
