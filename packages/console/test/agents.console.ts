import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { putTestAgent, testAgentPath } from "../../server/src/resources/agents/test-agent.ts";
import { putTinyApp } from "../../server/src/testing/tiny-app.ts";
import {
  checkAccessibility,
  enabledButtons,
  measure,
  noBrowser,
  type Rig,
  startRig,
  watchProblems,
} from "./rig.ts";

suite("agents and apps", () => {
  let rig: Rig | undefined;
  let agentId = "";
  let appId = "";
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client } = rig.server;
    await putTestAgent(client, "local");
    const agent = await client.createAgent({
      body: {
        name: "order-desk",
        aliases: ["orders-bot"],
        description: "Answers questions about orders",
        source_path: testAgentPath,
      },
    });
    agentId = agent.id;
    for (const version of ["1.0.0", "1.1.0"])
      await client.createAgentVersion({ params: { agent_id: agentId }, body: { version } });
    const source_path = await putTinyApp(client, "local", { code: "console.log('a line of the app');" });
    const app = await client.createApp({ body: { name: "order-desk-ui", agent: "order-desk", source_path } });
    appId = app.id;
  });
  after(() => rig?.close());

  test("an agent is started, answers in the chat as a stream, and its log follows", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/agents");
    const problems = watchProblems(page);
    const check = measure(page);
    await page.getByRole("link", { name: "order-desk" }).click();
    const endpoint = page.getByRole("listitem", { name: "Endpoint" });
    await endpoint.getByText("stopped", { exact: true }).waitFor();
    await check();
    await page.getByRole("link", { name: "Chat" }).click();
    const send = page.getByRole("button", { name: "Send" });
    assert.match((await send.getAttribute("title")) ?? "", /does not run in local: start it first/);
    await page.getByRole("link", { name: "Components" }).click();
    await page.getByRole("button", { name: "Start: Endpoint" }).click();
    await endpoint.getByText("running", { exact: true }).waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Activate in local: 1.0.0" }).click();
    await page.getByRole("button", { name: "Remove from local: 1.0.0" }).waitFor();
    await checkAccessibility(page);
    assert.deepEqual(
      (await rig.server.client.getAgent({ params: { agent_id: agentId } })).releases.map(
        ({ version }) => version,
      ),
      ["1.0.0"],
    );
    await page.getByRole("link", { name: "Chat" }).click();
    const message = page.getByLabel("Message to order-desk");
    await message.fill("How many orders are there?");
    await page.keyboard.press("Enter");
    await page.getByText(/^How many orders are there\? \d+ /).waitFor();
    // The agent of the test answers only the first message of a conversation.
    const startOver = page.getByRole("button", { name: "Start over" });
    await startOver.click();
    // This answer never ends: the text so far is shown, and the user can stop it.
    await message.fill("events");
    await page.keyboard.press("Enter");
    await page.locator(".chat [aria-busy]").getByText("1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await startOver.click();
    await message.fill("fail");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("no idea").waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.getByRole("log").getByText("the caller disconnected").waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Components" }).click();
    await page.getByRole("button", { name: "Stop: Endpoint" }).click();
    await endpoint.getByText("stopped", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("an app is started, opened in a new tab with a ticket, and stopped", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open(`/apps/${appId}`);
    const open = page.getByRole("button", { name: "Open order-desk-ui" });
    assert.equal(await open.getAttribute("title"), "It does not run.");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "order-desk-ui running", level: 1 }).waitFor();
    await page.getByRole("log").getByText("a line of the app").waitFor();
    await checkAccessibility(page);
    const [tab] = await Promise.all([page.waitForEvent("popup"), open.click()]);
    await tab.waitForURL(/\/apps\/local\/order-desk-ui\//);
    await tab.close();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("heading", { name: "order-desk-ui stopped", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByRole("link", { name: "order-desk-ui" }).waitFor();
    await checkAccessibility(page);
  });

  test("a viewer can start and stop nothing", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const user = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
    const page = await rig.open(`/agents/${agentId}`, token);
    await page.getByRole("listitem", { name: "Endpoint" }).waitFor();
    assert.deepEqual(await enabledButtons(page), []);
    await page.getByRole("link", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Activate in local: 1.1.0" }).waitFor();
    assert.deepEqual(await enabledButtons(page), []);
    const other = await rig.open(`/apps/${appId}`, token);
    await other.getByRole("log").getByText("a line of the app").waitFor();
    assert.deepEqual(await enabledButtons(other), ["Download"]);
  });
});
