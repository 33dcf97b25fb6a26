import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { startTestServer, type TestServer } from "../../packages/server/src/testing/server.ts";
import { fillWarehouse } from "../../packages/server/src/testing/warehouse.ts";
import { applyProject } from "./apply-project.ts";
import { readProject } from "./definitions.ts";
import { type OrderDesk, startOrderDesk } from "./order-desk.ts";

/** A few rows of the shop, in the column types that its connectors create. */
const tables = [
  "CREATE TABLE shop.sales.customers (customer_id BIGINT, name VARCHAR)",
  `INSERT INTO shop.sales.customers VALUES (1, 'Zoë Müller'), (2, 'Seán O''Connor'), (3, '李小龍')`,
  "CREATE TABLE shop.sales.orders (order_id BIGINT, customer_id BIGINT, ordered_at TIMESTAMP, amount DECIMAL(10,2))",
  `INSERT INTO shop.sales.orders VALUES (17, 1, '2026-01-02 09:00:00', 1200.50), (18, 2, '2026-01-02 10:00:00', 20),
    (19, 2, '2026-03-01 08:00:00', 5)`,
  "CREATE TABLE shop.sales.returns (return_id VARCHAR, order_id BIGINT, refund VARCHAR, reason VARCHAR)",
  "INSERT INTO shop.sales.returns VALUES ('R-1', 18, '7.25', 'too small'), ('R-2', 900001, '1.00', NULL)",
  "CREATE SCHEMA shop.marts",
  `CREATE TABLE shop.marts.customer_value (customer_id BIGINT, name VARCHAR, orders BIGINT, revenue DECIMAL(18,2),
    refunded DECIMAL(18,2))`,
  `INSERT INTO shop.marts.customer_value VALUES (1, 'Zoë Müller', 1, 1200.50, 0), (2, 'Seán O''Connor', 2, 25, 7.25),
    (3, '李小龍', 0, 0, 0)`,
];

suite("the order desk", () => {
  let server: TestServer;
  let desk: OrderDesk;
  before(async () => {
    server = await startTestServer();
    const { client, url, token } = server;
    const local = await client.getEnvironment({ params: { environment_id: "local" } });
    await fillWarehouse(server, local.id, ...tables);
    const demo = {
      client,
      url,
      token,
      environment: "local",
      tokenPath: "",
      consoleLink: undefined,
      stop: async () => {},
    };
    const project = await readProject(import.meta.dirname);
    // Only these kinds are applied, because connectors and flows would change the tables.
    const resources = project.resources.filter(({ kind }) => ["agent", "app"].includes(kind.kind));
    await applyProject(demo, { ...project, resources });
    desk = await startOrderDesk(demo);
  });
  after(() => server.close());

  const ask = async (content: string) => {
    const body = JSON.stringify({ messages: [{ role: "user", content }] });
    const call = { params: { agent_name: "order-desk" }, body };
    return (await server.client.invokeAgent(call)) as {
      output_text: string;
      table?: { columns: string[]; rows: string[][] };
    };
  };

  test("the agent answers questions about orders from the warehouse, and lists what you can ask", async () => {
    assert.equal(desk.answer, "There are 3 orders, from 2026-01-02 to 2026-03-01. The total is 1,225.50.");
    for (const [question, answer] of [
      ["How many orders today?", "No orders today. The last order is from 2026-03-01."],
      ["how many orders were there on 2026-01-02", "2 orders on 2026-01-02, for 1,220.50."],
      ["orders on 2026-99-99", "There are no orders on 2026-99-99."],
      [
        "What is the status of order 17?",
        "Order 17: 1,200.50, ordered on 2026-01-02 by Zoë Müller. It was not returned.",
      ],
      [
        "order #18",
        "Order 18: 20.00, ordered on 2026-01-02 by Seán O'Connor. 7.25 was refunded for returns.",
      ],
      ["order 99", "There is no order 99."],
      ["How many returns?", "2 returns, 8.25 refunded."],
      ["returns of order 18", "1 return of order 18, 7.25 refunded: R-1."],
      ["Returns of O'Connor?", "1 return of customers named “O'Connor”, 7.25 refunded: R-1."],
      ["returns of '; DROP TABLE orders; --", /^There are no returns of customers named/],
      ["Who are the best 2 customers?", /: Zoë Müller \(1,200\.50\), Seán O'Connor \(17\.75\)\.$/],
      ["Tell me a joke", /^I answer questions about the shop's orders\./],
    ] as const) {
      const { output_text } = await ask(question);
      if (typeof answer === "string") assert.equal(output_text, answer, question);
      else assert.match(output_text, answer, question);
    }
    const { table } = await ask("best customers");
    assert.deepEqual(table?.columns, ["Customer", "Orders", "Net revenue"]);
    assert.deepEqual(table?.rows[1], ["Seán O'Connor", "2", "17.75"]);
    const call = { params: { agent_name: "order-desk" }, body: "no JSON" };
    await assert.rejects(server.client.invokeAgent(call), { status: 400 });
  });

  test("a browser enters with the ticket, loads the page, and asks a question", async () => {
    const entered = await fetch(desk.appUrl, { redirect: "manual" });
    assert.equal(entered.status, 303);
    const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
    const page = new URL(entered.headers.get("location") ?? "", desk.appUrl);
    assert.equal(page.search, "");
    const get = (path: string) => fetch(new URL(path, page), { headers: { cookie } });
    const html = await (await get("")).text();
    assert.match(html, /<title>Order desk<\/title>/);
    for (const [, path = ""] of html.matchAll(/(?:href|src)="([^":]+)"/g)) {
      assert.equal((await get(path)).status, 200, path);
    }
    assert.deepEqual(await (await get("me")).json(), { name: "internal-service" });

    const post = (origin: string) =>
      fetch(new URL("ask", page), {
        method: "POST",
        headers: { cookie, origin, "content-type": "application/json" },
        body: JSON.stringify({ question: "order 17" }),
      });
    const answered = (await (await post(page.origin)).json()) as { answer: string };
    assert.match(answered.answer, /^Order 17: 1,200\.50/);
    assert.equal((await post("http://elsewhere.example")).status, 403);
    assert.equal((await fetch(page)).status, 401);
  });
});
