import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createDatabase, query } from "@lakehelm/testing";
import { serveHttp } from "@lakehelm/testing/http-server";
import type { Page } from "playwright-core";
import { checkAccessibility, noBrowser, picture, type Rig, startRig, watchProblems } from "./rig.ts";

const systems = (page: Page, direction: "Import" | "Export") =>
  page.getByRole("region", { name: new RegExp(`^${direction} tables`) });

suite("the wizard for connectors", () => {
  let rig: Rig | undefined;
  let shop: Awaited<ReturnType<typeof createDatabase>> | undefined;
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    shop = await createDatabase("console_shop");
    const columns = "id int primary key, amount numeric(10, 2) not null, updated_at timestamptz not null";
    await query(shop.url, `create table orders (${columns})`);
    await query(shop.url, "insert into orders select n, n * 1.5, '2026-03-01' from generate_series(1, 40) n");
  });
  after(async () => {
    await rig?.close();
    await shop?.drop();
  });

  test("moves a table of a real PostgreSQL: kind, connection, tables, preview, schedule, first run", async (t) => {
    if (!rig || !shop) return t.skip(noBrowser);
    const page = await rig.open("/connectors/new");
    const problems = watchProblems(page);
    const { hostname, port, username, password, pathname } = new URL(shop.url);
    await checkAccessibility(page);
    await picture(page, "wizard");
    await systems(page, "Import").getByRole("button", { name: "PostgreSQL" }).click();
    await page.getByLabel("Name of the connector").fill("shop");
    await page.getByLabel("Host").fill(hostname);
    await page.getByLabel("Port").fill(port);
    await page.getByLabel("Database").fill("missing");
    await page.getByLabel("User", { exact: true }).fill(decodeURIComponent(username));
    await page.getByLabel("Password").fill(decodeURIComponent(password));
    await page.getByRole("button", { name: "Check the connection" }).click();
    const findings = page.getByRole("list", { name: "Result of the check" });
    await findings.getByText("✗").waitFor();
    // From now on the connection is checked while the user types.
    await page.getByLabel("Database").fill(pathname.slice(1));
    await findings.getByText("✓").first().waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Choose tables" }).click();
    await page.getByRole("checkbox", { name: /orders/ }).check();
    assert.equal(await page.getByLabel(/Key columns of .*orders/).inputValue(), "id");
    assert.equal(await page.getByLabel(/Watermark of .*orders/).inputValue(), "updated_at");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("40 to insert").waitFor();
    await checkAccessibility(page);
    // Going back can change the choice of tables, and keeps the settings of a table that the page does not show.
    const { client } = rig.server;
    const draft = async () => (await client.listConnectors()).connectors[0];
    const { id: connector_id = "", datasets } = (await draft()) ?? {};
    const dataset_id = datasets?.[0]?.id ?? "";
    await client.updateDataset({
      params: { connector_id, dataset_id },
      body: { custom_config: { watermark_lag: 60 } },
    });
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByLabel(/Table in the warehouse for .*orders/).fill("orders");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("40 to insert").waitFor();
    const [kept, ...others] = (await draft())?.datasets ?? [];
    assert.deepEqual([kept?.id, kept?.custom_config?.watermark_lag, others], [dataset_id, 60, []]);
    await page.getByRole("button", { name: "Set the schedule" }).click();
    const times = page.getByRole("list", { name: "Next times" }).getByRole("listitem");
    await times.nth(4).waitFor();
    // 6:00 in UTC is 7:00 or 8:00 for the viewer in Berlin.
    assert.match((await times.first().textContent()) ?? "", /^[MTWFS]\w+day,? \d+ \w+ at 0[78]:00, in /);
    await page.getByLabel("Run it").selectOption("weekday");
    await page.getByText('Every weekday at 06:00. By the cron expression "0 6 * * 1-5" in UTC.').waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Create and run now" }).click();
    await page.getByRole("heading", { name: "shop succeeded", level: 1 }).waitFor();
    await page.getByRole("row", { name: "rows inserted 40" }).waitFor();
    const { rows } = await rig.server.client.runQuery({ body: { sql: "select count(*) as n from orders" } });
    assert.deepEqual(rows, [[40]]);
    const [connector] = (await rig.server.client.listConnectors()).connectors;
    assert.equal(connector?.status, "active");
    assert.equal(connector?.schedule_cron, "0 6 * * 1-5");
    assert.deepEqual(problems, []);
  });

  test("exports that table to PostgreSQL: the tables of the warehouse are offered", async (t) => {
    if (!rig || !shop) return t.skip(noBrowser);
    const page = await rig.open("/connectors/new");
    const { hostname, port, username, password, pathname } = new URL(shop.url);
    await systems(page, "Export").getByRole("button", { name: "PostgreSQL" }).click();
    await page.getByLabel("Name of the connector").fill("shop-out");
    await page.getByLabel("Host").fill(hostname);
    await page.getByLabel("Port").fill(port);
    await page.getByLabel("Database").fill(pathname.slice(1));
    await page.getByLabel("User", { exact: true }).fill(decodeURIComponent(username));
    await page.getByLabel("Password").fill(decodeURIComponent(password));
    await page.getByRole("button", { name: "Check the connection" }).click();
    await page.getByRole("list", { name: "Result of the check" }).getByText("✓").first().waitFor();
    await page.getByRole("button", { name: "Choose tables" }).click();
    await page.getByRole("checkbox", { name: /orders/ }).check();
    await page.getByLabel(/Name in the other system for .*orders/).fill("orders_out");
    await page.getByLabel(/Key columns of .*orders/).fill("id");
    await page.getByLabel(/Watermark of .*orders/).selectOption("updated_at");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("40 to insert").waitFor();
    await page.getByRole("button", { name: "Set the schedule" }).click();
    await page.getByRole("button", { name: "Create and run now" }).click();
    await page.getByRole("heading", { name: "shop-out succeeded", level: 1 }).waitFor();
    const written = await query(shop.url, "select count(*)::int as n from orders_out");
    assert.deepEqual(written.rows, [{ n: 40 }]);
  });

  test("reads a list of a REST API that is named by its path", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const url = await serveHttp(t, ({ url: path = "", headers }, response) => {
      const isAllowed = headers.authorization === "Bearer s3cret-of-the-api";
      response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
      const rows = path.startsWith("/v1/customers") ? [{ id: 1 }, { id: 2 }] : [];
      response.end(JSON.stringify({ data: isAllowed ? rows : [] }));
    });
    const page = await rig.open("/connectors/new?kind=rest&step=connection");
    await page.getByLabel("Name of the connector").fill("api");
    await page.getByLabel("URL").fill(`${url}/v1`);
    await page.getByLabel("Authorization header").fill("Bearer s3cret-of-the-api");
    await page.getByLabel("Place of the records").fill("data");
    await page.getByRole("button", { name: "Check the connection" }).click();
    await page.getByRole("list", { name: "Result of the check" }).getByText("✓").first().waitFor();
    await page.getByRole("button", { name: "Choose tables" }).click();
    await page.getByText("Name what to read").waitFor();
    await page.getByLabel("Path of a list").fill("customers");
    await page.keyboard.press("Enter");
    await page.getByLabel("Key columns of customers").fill("id");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("2 to insert").waitFor();
    await page.getByRole("button", { name: "Set the schedule" }).click();
    await page.getByRole("button", { name: "Create and run now" }).click();
    await page.getByRole("heading", { name: "api succeeded", level: 1 }).waitFor();
    const [connector] = (await rig.server.client.listConnectors({ query: { name: "api" } })).connectors;
    assert.doesNotMatch(JSON.stringify(connector), /s3cret/);
  });

  test("two tables exchange their targets in one step", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const url = await serveHttp(t, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end("[]");
    });
    const { client } = rig.server;
    const created = await client.createConnector({
      body: {
        name: "exchange",
        target_type: "warehouse",
        target_config: { connection: { type: "rest", config: { url } } },
        execution_mode: "manual",
        created_by: "ada",
        datasets: ["invoices", "payments"].map((name) => ({ source_dataset: name, target_name: name })),
      },
    });
    const page = await rig.open(`/connectors/new?kind=rest&draft=${created.id}&step=tables`);
    await page.getByLabel("Table in the warehouse for invoices").fill("payments");
    await page.getByLabel("Table in the warehouse for payments").fill("invoices");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.waitForURL(/step=preview/);
    const { datasets } = await client.getConnector({ params: { connector_id: created.id } });
    assert.deepEqual(
      datasets?.map(({ id, source_dataset, target_name }) => [id, source_dataset, target_name]),
      created.datasets?.map(({ id, source_dataset }) => [
        ...[id, source_dataset],
        source_dataset === "invoices" ? "payments" : "invoices",
      ]),
    );
  });

  test("reads a REST API with OAuth and a cursor; YAML has what the form does not; both can be changed later", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const asked: string[] = [];
    const url = await serveHttp(t, ({ url: path = "", method, headers }, response) => {
      const send = (status: number, body: unknown) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      };
      const { pathname, searchParams } = new URL(path, "http://api.example.test");
      if (pathname === "/token")
        return send(method === "POST" ? 200 : 405, { access_token: "t0", expires_in: 600 });
      if (headers.authorization !== "Bearer t0") return send(401, {});
      if (pathname !== "/v1/orders") return send(200, {});
      asked.push(searchParams.get("after") ?? "");
      return searchParams.has("after")
        ? send(200, { data: [{ id: 3 }], meta: { next: null } })
        : send(200, { data: [{ id: 1 }, { id: 2 }], meta: { next: "c2" } });
    });
    const page = await rig.open("/connectors/new?kind=rest&step=connection");
    await page.getByLabel("Name of the connector").fill("oauth-api");
    await page.getByLabel("URL", { exact: true }).fill(`${url}/v1`);
    await page.getByLabel("Sign-in").selectOption("OAuth client credentials");
    await page.getByLabel("Token URL").fill(`${url}/token`);
    await page.getByLabel("Client id", { exact: true }).fill("lakehelm");
    await page.getByLabel("Client secret").fill("s3cret-of-the-client");
    await page.getByLabel("Place of the records").fill("data");
    await page.getByRole("combobox", { name: "Pages" }).selectOption("By a cursor in the answer");
    await page.getByLabel("Place of the next cursor").fill("meta.next");
    await page.getByLabel("Parameter for the page").fill("after");
    await checkAccessibility(page);
    await page.getByText("YAML has further settings:").waitFor();
    await page.getByRole("button", { name: "YAML", exact: true }).click();
    const editor = page.getByRole("textbox", { name: "Connection as YAML" });
    await editor.getByText("token_url").waitFor();
    assert.doesNotMatch((await editor.textContent()) ?? "", /s3cret/);
    await editor.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("timeout: 30");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Check the connection" }).click();
    await page.getByRole("list", { name: "Result of the check" }).getByText("✓").first().waitFor();
    await page.getByRole("button", { name: "Choose tables" }).click();
    await page.getByLabel("Path of a list").fill("orders");
    await page.keyboard.press("Enter");
    await page.getByLabel("Key columns of orders").fill("id");
    await page.getByLabel("Table in the warehouse for orders").fill("api_orders");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("3 to insert").waitFor();
    assert.ok(asked.includes("c2"));
    await page.getByRole("button", { name: "Set the schedule" }).click();
    await page.getByRole("button", { name: "Create and run now" }).click();
    await page.getByRole("heading", { name: "oauth-api succeeded", level: 1 }).waitFor();
    const { client } = rig.server;
    const read = async () => {
      const [found] = (await client.listConnectors({ query: { name: "oauth-api" } })).connectors;
      assert.ok(found);
      return found;
    };
    const configOf = async () => {
      const { connection } = (await read()).target_config as {
        connection: { config: { timeout?: unknown } };
      };
      return connection.config;
    };
    assert.equal((await configOf()).timeout, 30);
    assert.doesNotMatch(JSON.stringify(await read()), /s3cret/);

    await page.getByRole("link", { name: "Open connector" }).click();
    await page.getByRole("link", { name: "Configuration" }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const whole = page.getByRole("textbox", { name: "Configuration as YAML" });
    await whole.getByText("write_strategy").waitFor();
    await whole.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("policy:\n  attempts: 0");
    await page
      .getByRole("region", { name: "Changes", exact: true })
      .last()
      .getByText("attempts: 0")
      .waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("attempts").first().waitFor();
    await page.getByRole("textbox", { name: "Configuration as YAML" }).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("2");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("oauth-api was changed.").waitFor();
    assert.deepEqual((await read()).policy, { attempts: 2 });
    assert.equal((await configOf()).timeout, 30);
  });
});
