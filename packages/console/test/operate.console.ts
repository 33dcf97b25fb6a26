import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Connector } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { checkAccessibility, measure, noBrowser, picture, type Rig, signIn, startRig } from "./rig.ts";

suite("operating connectors", () => {
  let rig: Rig | undefined;
  let folder = "";
  let connector: Connector | undefined;
  before(async () => {
    rig = await startRig();
    folder = await mkdtemp(join(tmpdir(), "lakehelm-console-"));
    connector = await rig?.server.client.createConnector({
      body: {
        name: "orders",
        target_type: "warehouse",
        target_config: { connection: { type: "files", config: { path: folder, format: "csv" } } },
        schedule_cron: "0 6 * * *",
        created_by: "ada",
        datasets: [{ source_dataset: "orders.csv", target_name: "orders", primary_keys: ["id"] }],
      },
    });
    await rig?.server.client.createConnector({
      body: {
        name: "orders-to-crm",
        target_type: "csv",
        target_config: { path: folder },
        execution_mode: "table_update",
        created_by: "ada",
        datasets: [{ source_dataset: "orders", target_name: "crm.csv" }],
      },
    });
  });
  after(async () => {
    await rig?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("a failed run: home says what and why, and a retry after the repair succeeds", async (t) => {
    if (!rig || !connector) return t.skip(noBrowser);
    const page = await rig.open("/");
    const shown = { [folder]: "/data/shop" };
    const { client } = rig.server;
    const { id: run_id } = await client.runJob({ params: { job_id: connector.workflow_id ?? "" } });
    // The first run starts the engine, which on a busy machine takes longer than the page may take.
    await until(async () => (await client.getRun({ params: { run_id } })).ended_at !== null, 100);
    // There is no reload: the event of the failure refreshes the page.
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText('There is no file for "orders.csv"').waitFor();
    await attention.getByRole("link", { name: "orders-to-crm" }).waitFor();
    await page.getByRole("row", { name: /late .*orders/ }).waitFor();
    await checkAccessibility(page);
    await picture(page, "home", shown);
    const check = measure(page);
    await attention.getByRole("link", { name: "See why" }).click();
    await page.getByRole("alert").getByText("Why it failed").waitFor();
    await page.getByRole("log").getByText("orders.csv").first().waitFor();
    const affected = page.getByRole("region", { name: "What it affects" });
    await affected.getByRole("link", { name: "orders-to-crm" }).waitFor();
    await check();
    await checkAccessibility(page);
    await picture(page, "run", shown);
    await writeFile(join(folder, "orders.csv"), "id,amount\n1,10\n2,20\n");
    const failed = page.url();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "orders succeeded", level: 1 }).waitFor();
    assert.notEqual(page.url(), failed);
    await page.getByRole("row", { name: /rows inserted 2/ }).waitFor();
    // The failed run's page says that the failure is over.
    await page.goBack();
    await page.getByRole("heading", { name: "orders failed", level: 1 }).waitFor();
    const later = page.getByRole("status").filter({ hasText: "what depends on it is no longer affected" });
    await later.getByRole("link", { name: "succeeded" }).waitFor();
    assert.equal(await affected.count(), 0);
    await checkAccessibility(page);
    await later.getByRole("link", { name: "succeeded" }).click();
    await page.getByRole("heading", { name: "orders succeeded", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Open connector" }).click();
    await page.getByText("Rows changed by the last 2 runs").waitFor();
    await checkAccessibility(page);
    await picture(page, "connector", shown);
    await page.getByRole("link", { name: "Schema changes" }).click();
    await page.getByRole("row", { name: /The table was created/ }).waitFor();
    await writeFile(join(folder, "orders.csv"), "id,price,note\n1,10,a\n2,20,b\n");
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("heading", { name: "orders succeeded", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Open connector" }).click();
    await page.getByRole("link", { name: "Schema changes" }).click();
    await page.getByRole("row", { name: /The column note was added: STRING/ }).waitFor();
    await page.getByRole("row", { name: /no longer has the column amount/ }).waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Rejected rows" }).click();
    await page.getByText("No row was rejected").waitFor();
    await checkAccessibility(page);

    await writeFile(join(folder, "orders.csv"), "id,price,note\n1,10,a\n3,twelve,c\n");
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("heading", { name: "orders succeeded", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Open connector" }).click();
    await page.getByRole("link", { name: "Rejected rows" }).click();
    await page.getByRole("button", { name: /twelve/ }).click();
    const dialog = page.getByRole("dialog", { name: "Rejected row of orders" });
    await dialog
      .locator(".cause")
      .getByText(/price.*twelve/)
      .waitFor();
    await dialog.locator("pre").getByText("twelve").waitFor();
    await checkAccessibility(page);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Retry them" }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByRole("region", { name: "Facts" }).getByText("retry of rejected rows").waitFor();
  });

  test("a pause until tomorrow, with its reason, shows on the page and on the server", async (t) => {
    if (!rig || !connector) return t.skip(noBrowser);
    const page = await rig.open(`/connectors/${connector.id}`);
    await page.getByRole("button", { name: "Pause" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("migration");
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel("Until").fill(`${tomorrow}T08:00`);
    await checkAccessibility(page);
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.getByText("paused by internal-service: migration").waitFor();
    const job = await rig.server.client.getJob({ params: { job_id: connector.workflow_id ?? "" } });
    assert.equal(job.paused?.reason, "migration");
    // The browser of the tests is in Berlin.
    assert.match(job.paused?.until ?? "", new RegExp(`^${tomorrow}T0[67]:00`));
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("heading", { name: "orders active", level: 1 }).waitFor();
  });

  test("the configuration is YAML, with who has changed what; the palette runs, pauses and retries", async (t) => {
    if (!rig || !connector) return t.skip(noBrowser);
    const page = await rig.open(`/connectors/${connector.id}?tab=configuration`);
    await page.getByText("source_dataset: orders.csv").waitFor();
    await rig.server.client.updateConnector({
      params: { connector_id: connector.id },
      body: { schedule_cron: "0 7 * * *" },
    });
    // There is no reload: the event refreshes the page.
    await page.getByText("schedule_cron: 0 7 * * *").waitFor();
    const history = page.getByRole("region", { name: "History" });
    await history.getByText("schedule_cron").first().waitFor();
    await history.getByText("1 changed field").first().click();
    const row = history.getByRole("row", { name: /schedule_cron/ });
    await row.getByText("0 7 * * *").waitFor();
    await checkAccessibility(page);
    const act = async (text: string, option: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill(text);
      await page.getByRole("option", { name: option }).first().waitFor();
      await page.keyboard.press("Enter");
    };
    await act("pause orders", "Pause orders connector in local");
    await page.getByRole("heading", { name: "orders paused", level: 1 }).waitFor();
    await act("resume orders", "Resume orders connector in local");
    await page.getByRole("heading", { name: "orders active", level: 1 }).waitFor();
    await rm(join(folder, "orders.csv"));
    await act("run orders", "Run orders connector in local");
    await page.getByRole("heading", { name: "orders failed", level: 1 }).waitFor();
    const failed = page.url();
    await writeFile(join(folder, "orders.csv"), "id,price,note\n1,10,a\n");
    await act("retry orders", "Retry orders connector in local");
    await page.getByRole("heading", { name: "orders succeeded", level: 1 }).waitFor();
    assert.notEqual(page.url(), failed);
  });

  test("flows that the platform refuses need attention, after what fails, and are counted", async (t) => {
    if (!rig || !connector) return t.skip(noBrowser);
    const { client } = rig.server;
    for (const name of ["prices", "costs", "taxes", "fees"])
      await client.createFlow({
        body: {
          source_tables: ["orders"],
          flow_name: name,
          target_name: name,
          trigger_type: "manual",
          matched_sql: "select skewness(id) as id from orders",
          target_schema: { description: "Prices", columns: [{ name: "id", type: "bigint", pk: true }] },
          requested_by: "ada@example.test",
        },
      });
    await rm(join(folder, "orders.csv"));
    const { id: run_id } = await client.runJob({ params: { job_id: connector.workflow_id ?? "" } });
    await until(async () => (await client.getRun({ params: { run_id } })).ended_at !== null, 100);
    const page = await rig.open("/");
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("4 resources were refused by the platform").waitFor();
    const items = attention.getByRole("listitem");
    await items.first().getByText('There is no file for "orders.csv"').waitFor();
    await checkAccessibility(page);
    await attention.getByRole("button", { name: "Show all 5" }).click();
    const refused = items.filter({ hasText: "flow in local, refused by the platform" });
    await refused.nth(3).waitFor();
    const item = refused.filter({ has: page.getByRole("link", { name: "prices" }) });
    await item.getByText(/there is no function skewness/).waitFor();
    await item.getByRole("link").click();
    await page.waitForURL(/\/flows\//);
    await page.goBack();
    await attention.getByRole("link", { name: "See the refused flows" }).click();
    await page.getByRole("status").filter({ hasText: "4 flows" }).waitFor();
  });

  test("a viewer sees everything, and why nothing can be started", async (t) => {
    if (!rig || !connector) return t.skip(noBrowser);
    const { client } = rig.server;
    const user = await client.createUser({ body: { username: "grace", role: "viewer" } });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
    const page = await rig.open(`/connectors/${connector.id}`, token);
    const button = page.getByRole("button", { name: "Run now" });
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    assert.match(
      (await button.getAttribute("title")) ?? "",
      /requires the role operator.*grace has the role viewer/,
    );
    await button.click({ force: true });
    assert.match(page.url(), /\/connectors\//);
    await page.goto(`${rig.server.url}/console/connectors/new`);
    await signIn(page, token);
    await page.getByText("You may not create a connector here").waitFor();
  });

  test("when the connection is lost, the page says so, and goes on when it is back", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const proxy = await startProxy(Number(new URL(rig.server.url).port));
    t.after(() => proxy.close());
    const page = await rig.page();
    await page.goto(`http://127.0.0.1:${proxy.port}/console/connectors`);
    await signIn(page, rig.server.token);
    const timing = page.getByRole("row", { name: / orders / }).getByText("every day at 07:00");
    assert.equal(await timing.getAttribute("title"), "0 7 * * *, in the time zone of the environment");
    proxy.refuse(true);
    await page.getByRole("status").filter({ hasText: "Reconnecting" }).waitFor();
    await rig.server.client.createConnector({
      body: { name: "meanwhile", target_type: "csv", target_config: null, created_by: "ada" },
    });
    proxy.refuse(false);
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await page.getByRole("link", { name: "meanwhile" }).waitFor();
  });
});

/** A proxy in front of the server that can end its connections and refuse new ones. */
async function startProxy(target: number) {
  const sockets = new Set<Socket>();
  let refuses = false;
  const server = createServer((socket) => {
    if (refuses) return void socket.destroy();
    const upstream = connect(target, "127.0.0.1");
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    refuse(value: boolean) {
      refuses = value;
      if (value) end();
    },
    close() {
      end();
      server.close();
    },
  };
}
