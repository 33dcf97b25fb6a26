import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { send } from "../http/test-requests.ts";
import { ada, appNamed, cookieOf, startTestGateway } from "./test-gateway.ts";

const at = "/apps/local/ui";

suite("admission to an app", () => {
  test("the front page does not list the apps", async (t) => {
    const { url } = await startTestGateway(t, (_, response) => response.end("in"));
    const front = await send(url, { path: "/" });
    assert.equal(front.status, 200);
    assert.doesNotMatch(front.text, /lakehelm|version|href/i);
    for (const path of ["/x", "/apps", "/apps/local", "/api/v1/environments/", "/health", "/apps/%zz/ui/"]) {
      assert.equal((await send(url, { path })).status, 404, path);
    }
    const known = await send(url, { path: `${at}/` });
    const unknown = await send(url, { path: "/apps/local/nobody/" });
    assert.deepEqual([known.status, known.text], [401, unknown.text]);
    assert.match(known.text, /POST \/api\/apps\/\{app_id\}\/tickets/);
    assert.match(String(known.headers["content-security-policy"]), /default-src 'none'/);
  });

  test("a ticket becomes a session cookie, once, and is removed from the address", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"));
    const { ticket } = gateway.tickets.issue(gateway.app, ada);
    const path = `${at}/orders/17?a=1&ticket=${ticket}&ticket=mine&b=%20`;
    const first = await send(gateway.url, { path });
    assert.deepEqual(
      [first.status, first.headers.location, first.headers["referrer-policy"]],
      [303, `${at}/orders/17?a=1&ticket=mine&b=%20`, "no-referrer"],
    );
    const [cookie = ""] = first.headers["set-cookie"] ?? [];
    assert.match(
      cookie,
      /^lakehelm_app=[\w.-]+; Path=\/apps\/local\/ui; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    );
    const headers = { cookie: cookieOf(first) };
    assert.equal((await send(gateway.url, { path: `${at}/`, headers })).text, "in");

    const again = await send(gateway.url, { path });
    assert.deepEqual([again.status, again.headers["set-cookie"]], [401, undefined]);
    const reopened = await send(gateway.url, { path, headers });
    assert.deepEqual([reopened.status, reopened.headers["set-cookie"]], [303, undefined]);
    assert.doesNotMatch(gateway.logged.join(""), new RegExp(ticket));
  });

  test("a ticket is valid for a minute, for its own app and only with GET", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"));
    const other = appNamed("other");
    gateway.apps.set("other", other);
    const late = gateway.tickets.issue(gateway.app, ada);
    assert.equal(late.expiresAt.getTime() - gateway.clock.getTime(), 60_000);
    gateway.clock = late.expiresAt;
    assert.equal((await send(gateway.url, { path: `${at}/?ticket=${late.ticket}` })).status, 401);

    const { ticket } = gateway.tickets.issue(other, ada);
    assert.equal((await send(gateway.url, { path: `${at}/?ticket=${ticket}` })).status, 401);
    const inTime = gateway.tickets.issue(gateway.app, ada);
    const path = `${at}/?ticket=${inTime.ticket}`;
    assert.equal((await send(gateway.url, { path, method: "POST" })).status, 401);
    assert.equal((await send(gateway.url, { path })).status, 303, "the POST has not used it up");
  });

  test("the ticket of another user replaces a session only after confirmation", async (t) => {
    const gateway = await startTestGateway(t, ({ headers }, response) =>
      response.end(String(headers["x-forwarded-user"])),
    );
    const mallory = { ...ada, name: `<b>"mallory"` };
    const cookie = await gateway.enter(ada);
    const { ticket } = gateway.tickets.issue(gateway.app, mallory);
    const path = `${at}/orders?a=1&ticket=${ticket}`;
    const ask = await send(gateway.url, { path, headers: { cookie, "sec-fetch-site": "cross-site" } });
    assert.deepEqual([ask.status, ask.headers["set-cookie"]], [409, undefined]);
    assert.match(ask.text, /You are signed in as ada@example\.com\./);
    assert.doesNotMatch(ask.text, /<b>|"mallory"/);
    const action = /<form method="post" action="([^"]+)">/.exec(ask.text)?.[1]?.replaceAll("&#38;", "&");
    assert.equal(action, path);
    // Otherwise a browser would send "null" as the origin of the button.
    assert.equal(ask.headers["referrer-policy"], "same-origin");

    const press = (headers: Record<string, string>) =>
      send(gateway.url, { method: "POST", path, headers: { cookie, ...headers } });
    assert.equal((await press({ origin: "http://evil.example" })).status, 403);
    const gone = await press({ origin: gateway.url });
    assert.deepEqual([gone.status, gone.headers.location], [303, `${at}/orders?a=1`]);
    const headers = { cookie: cookieOf(gone) };
    assert.match((await send(gateway.url, { path: `${at}/`, headers })).text, /mallory/);
    assert.equal((await press({ origin: gateway.url })).status, 401, "once");

    const own = gateway.tickets.issue(gateway.app, ada);
    const again = await send(gateway.url, { path: `${at}/?ticket=${own.ticket}`, headers: { cookie } });
    assert.equal(again.status, 303, "one's own needs no word");
  });

  test("an app never receives a ticket", async (t) => {
    const received: (string | undefined)[] = [];
    const gateway = await startTestGateway(t, ({ url }, response) => {
      received.push(url);
      response.end();
    });
    const cookie = await gateway.enter();
    const { ticket } = gateway.tickets.issue(gateway.app, ada);
    const path = `${at}/x?a=1&ticket=${ticket}&ticket=mine`;
    for (const method of ["HEAD", "PUT", "DELETE", "OPTIONS"]) {
      assert.equal((await send(gateway.url, { path, method, headers: { cookie } })).status, 200);
    }
    assert.deepEqual(new Set(received), new Set(["/x?a=1&ticket=mine"]));
    const bare = await send(gateway.url, {
      path: `${at}?ticket=${ticket}`,
      method: "PUT",
      headers: { cookie },
    });
    assert.deepEqual([bare.status, bare.headers.location], [308, `${at}/`]);
    assert.equal((await send(gateway.url, { path, method: "POST", headers: { cookie } })).status, 303);
    assert.equal(received.length, 4);
  });

  test("a session is valid for an hour, for its own app and with its signature", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"));
    gateway.apps.set("other", appNamed("other"));
    const cookie = await gateway.enter();
    const status = async (path: string, sent = cookie) =>
      (await send(gateway.url, { path, headers: { cookie: sent } })).status;
    assert.equal(await status(`${at}/`), 200);
    assert.equal(await status(`${at}/`, `theme=dark; lakehelm_app=forged; ${cookie}`), 200);
    assert.equal(await status("/apps/local/other/"), 401);
    const [name, value = ""] = cookie.split("=");
    const [body = "", signature = ""] = value.split(".");
    const fields = JSON.parse(Buffer.from(body, "base64url").toString());
    const forged = Buffer.from(JSON.stringify(fields.with(3, "admin"))).toString("base64url");
    for (const bad of [`${forged}.${signature}`, body, `${body}.`, `${value}.x`, "", "."]) {
      assert.equal(await status(`${at}/`, `${name}=${bad}`), 401, bad);
    }
    gateway.clock = new Date(gateway.clock.getTime() + 3_600_000);
    assert.equal(await status(`${at}/`), 401);
  });

  test("a session gets an error page if its app is stopped, deleted or replaced", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"));
    const headers = { cookie: await gateway.enter() };
    const look = () => send(gateway.url, { path: `${at}/`, headers });
    gateway.ports.clear();
    gateway.apps.set("ui", { ...gateway.app, observed_state: "failed" });
    const down = await look();
    assert.deepEqual([down.status, down.headers["retry-after"]], [503, "5"]);
    assert.match(down.text, /ui is not running.*It is failed\. To start it, call POST \/api\/apps\/start\./s);
    gateway.apps.set("ui", appNamed("ui"));
    assert.equal((await look()).status, 401);
    gateway.apps.clear();
    assert.equal((await look()).status, 404);
  });

  test("requests that change something must come from the app's own pages", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"));
    const cookie = await gateway.enter();
    const own = gateway.url;
    const status = async (method: string, headers: Record<string, string>) =>
      (await send(gateway.url, { path: `${at}/`, method, headers: { cookie, ...headers } })).status;
    for (const origin of ["http://evil.example", "null", own.replace("http:", "https:"), `${own}0`]) {
      assert.equal(await status("POST", { origin }), 403, origin);
      assert.equal(await status("GET", { origin }), 200, origin);
    }
    for (const site of ["cross-site", "same-site"]) {
      assert.equal(await status("DELETE", { "sec-fetch-site": site }), 403, site);
    }
    assert.equal(await status("POST", { origin: own, "sec-fetch-site": "same-origin" }), 200);
    assert.equal(await status("PUT", { "sec-fetch-site": "none" }), 200);
    assert.equal(await status("PATCH", {}), 200, "no browser");
    const stranger = await send(own, { path: `${at}/`, method: "POST", headers: { origin: "null" } });
    assert.equal(stranger.status, 401);
  });

  test("an address without a trailing slash redirects within a session", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"));
    assert.equal((await send(gateway.url, { path: at })).status, 401);
    const headers = { cookie: await gateway.enter() };
    const got = await send(gateway.url, { path: `${at}?a=1`, headers });
    assert.deepEqual([got.status, got.headers.location], [308, `${at}/?a=1`]);
  });
});

suite("an app at its own host", () => {
  const settings = {
    PLATFORM_APPS_DOMAIN: "Apps.example.com",
    PLATFORM_APPS_URL: "https://apps.example.com",
  };
  const host = "ui.apps.example.com";

  test("the cookie is limited to the host, and paths are unchanged", async (t) => {
    const gateway = await startTestGateway(t, ({ url }, response) => response.end(url), settings);
    const { ticket } = gateway.tickets.issue(gateway.app, ada);
    const first = await send(gateway.url, { path: `/a?ticket=${ticket}`, headers: { host } });
    assert.match(
      String(first.headers["set-cookie"]),
      /^__Host-lakehelm_app=[^;]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const cookie = cookieOf(first);
    const path = "/apps/local/ui/?b=1";
    assert.equal((await send(gateway.url, { path, headers: { host, cookie } })).text, path);
    const plain = cookie.replace("__Host-", "");
    assert.equal((await send(gateway.url, { path, headers: { host, cookie: plain } })).status, 401);
  });

  test("neither another host nor the path alone reaches the app", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"), settings);
    const cookie = await gateway.enter(ada, host);
    for (const other of ["apps.example.com", "127.0.0.1", "x.ui.apps.example.com", "uiapps.example.com"]) {
      const got = await send(gateway.url, { path: "/apps/local/ui/", headers: { host: other, cookie } });
      assert.equal(got.status, 404, other);
    }
    const elsewhere = { host: "ui--dev.apps.example.com", cookie };
    assert.equal((await send(gateway.url, { path: "/", headers: elsewhere })).status, 401);
    const post = async (origin: string) =>
      (await send(gateway.url, { path: "/", method: "POST", headers: { host, cookie, origin } })).status;
    assert.deepEqual(
      [await post(`https://${host}`), await post("https://other.apps.example.com")],
      [200, 403],
    );
  });

  test("the address of a ticket redirects to no other host", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end("in"), settings);
    for (const path of ["//evil.example/x", "/\\evil.example/x"]) {
      const { ticket } = gateway.tickets.issue(gateway.app, ada);
      const got = await send(gateway.url, { path: `${path}?ticket=${ticket}`, headers: { host } });
      assert.equal(got.headers.location, "/evil.example/x");
    }
  });
});
