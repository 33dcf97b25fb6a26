import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { cookieOf } from "../../web/gateway/test-gateway.ts";
import { createTickets } from "../../web/gateway/tickets.ts";
import { send } from "../../web/http/test-requests.ts";

test("a caller keeps only the newest 100 tickets", () => {
  const tickets = createTickets({
    now: () => new Date(0),
    monotonicMs: () => 0,
    newId: () => "",
    randomBytes,
  });
  const issue = (name: string) =>
    tickets.issue({ id: "app" }, { name, role: "viewer", authType: "user_token" }).ticket;
  const ada = issue("ada");
  const veras = Array.from({ length: 300 }, () => issue("vera"));
  const good = veras.filter((ticket) => tickets.holder(ticket) === "vera");
  assert.deepEqual(good, veras.slice(-100));
  assert.deepEqual(tickets.take(ada)?.caller, { name: "ada", role: "viewer", authType: "user_token" });
  assert.deepEqual([tickets.holder(ada), tickets.take(ada)], [undefined, undefined]);
});

suite("tickets for apps", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.client.createApp({ body: { name: "ui" } });
  });
  after(() => server.close());

  const appId = async () => (await server.client.listApps()).apps[0]?.id ?? "";

  test("a viewer enters an app with a ticket, on another origin than the API", async () => {
    const { client, server: running } = server;
    await client.createUser({ body: { username: "vera", password: "long enough, is it", role: "viewer" } });
    const { access_token } = await client.exchangeToken({
      body: { username: "vera", password: "long enough, is it" },
    });
    const vera = createClient({ baseUrl: server.url, token: access_token, retries: 0 });
    const { url, expires_at } = await vera.createTicket({ params: { app_id: await appId() } });
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 60_000) < 10_000);
    const address = new URL(url);
    assert.equal(address.origin, running.appsUrl);
    assert.notEqual(address.origin, server.url);
    assert.equal(address.pathname, "/apps/local/ui/");

    const entered = await send(running.appsUrl, { path: address.pathname + address.search });
    const cookie = cookieOf(entered);
    assert.equal(entered.status, 303);
    const look = (path: string) => send(running.appsUrl, { path, headers: { cookie } });
    assert.match((await look("/apps/local/ui/")).text, /ui is not running.*It is stopped/s);
    // The API accepts only tokens, whatever else a browser sends.
    const value = cookie.slice(cookie.indexOf("=") + 1);
    for (const headers of [{ cookie }, { authorization: `Bearer ${value}` }, { "x-service-auth": value }]) {
      const got = await send(server.url, { path: "/api/v1/environments/", headers });
      assert.equal(got.status, 401);
    }
  });

  test("an unknown app is 404; a request without a token is 401", async () => {
    await refused(server.client.createTicket({ params: { app_id: "nothing" } }), 404);
    const path = `/api/apps/${await appId()}/tickets`;
    assert.equal((await send(server.url, { path, method: "POST" })).status, 401);
  });

  test("tickets end with a restart; sessions continue", async () => {
    const issue = async () =>
      new URL((await server.client.createTicket({ params: { app_id: await appId() } })).url);
    const enter = (address: URL) => send(server.server.appsUrl, { path: address.pathname + address.search });
    const cookie = cookieOf(await enter(await issue()));
    const unused = await issue();
    assert.doesNotMatch(JSON.stringify(await server.rows()), /lht_/);
    assert.doesNotMatch(server.logged.join(""), /lht_/);
    server = await server.restart();
    assert.equal((await enter(unused)).status, 401);
    const got = await send(server.server.appsUrl, { path: "/apps/local/ui/x", headers: { cookie } });
    assert.equal(got.status, 503);
  });
});
