import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { suite, type TestContext, test } from "node:test";
import { type Client, createClient } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { spawnServer, startProcess, testHome } from "../packages/server/src/testing/process.ts";
import { startTarget } from "./target.ts";

const password = "correct horse";
const strongKey = "Jx7cNf3sQw9tVb5GkR2hMzJx8vTq4nWk2bYx6RmP9dLc";

const clientWith = (url: string, token: string): Client => createClient({ baseUrl: url, token, retries: 0 });

async function statusOf(url: string, token: string, path = "/api/v1/connectors/"): Promise<number> {
  return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
}

suite("strength of credentials", () => {
  test("a server with weak credentials does not start, names all of them, and says how to make one", async (t) => {
    const attacks = [
      { PLATFORM_SERVICE_AUTH_TOKEN: "changeme" },
      { PLATFORM_SERVICE_AUTH_TOKEN: "changeme".repeat(8) },
      { PLATFORM_CLIENT_ID: "ci", PLATFORM_CLIENT_SECRET: "password-password-password-2026" },
      { PLATFORM_JWT_SECRET: "secret", PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS: "a".repeat(64) },
    ];
    for (const settings of attacks) {
      for (const PLATFORM_ENV of ["production", "development"]) {
        const child = spawnServer(t, await testHome(t, "sqlite"), { ...settings, PLATFORM_ENV });
        assert.ok(child.stderr);
        const [[code], message] = await Promise.all([once(child, "exit"), text(child.stderr)]);
        assert.equal(code, 1, message);
        for (const [name, value] of Object.entries(settings)) {
          if (name === "PLATFORM_CLIENT_ID") continue;
          assert.match(message, new RegExp(`${name} is easy to guess`));
          assert.ok(!message.includes(value), "the message does not repeat the value");
        }
        assert.match(message, /openssl rand -base64 32/);
      }
    }
  });

  test("a weak password is refused, a passphrase is not", async (t) => {
    const { admin } = await startTarget(t);
    const create = (username: string, secret: string) =>
      admin.fetch("/api/v1/users", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: secret }),
      });
    for (const weak of ["short", "aaaaaaaaaaaaaaaa", "123456789012", "password1234", "Changeme-2026"]) {
      assert.equal((await create("eve", weak)).status, 422, weak);
    }
    assert.equal((await create("eve.malory@example.test", "Malory-Eve-2026")).status, 409);
    assert.equal((await create("eve", password)).status, 200);
  });
});

suite("names of system actors", () => {
  test("no user takes a name that looks like the server in events", async (t) => {
    const { admin, server } = await startTarget(t, {
      settings: { PLATFORM_CLIENT_ID: "ci-runner", PLATFORM_CLIENT_SECRET: strongKey },
    });
    const names = [
      "internal-service",
      "Internal-Service",
      " internal-service ",
      "internal_service",
      "ｓｃｈｅｄｕｌｅｒ",
      "sched\u200Buler",
      "wоrker",
      "LAKEHELM",
      "platform\u00a0",
      "anonymous",
      "app/orders",
      "agent/orders",
      "CI-Runner",
    ];
    for (const username of names) {
      const error = await admin.client.createUser({ body: { username } }).then(
        () => undefined,
        (refusal) => refusal,
      );
      assert.equal(error?.status, 409, `${JSON.stringify(username)} is reserved`);
    }
    await admin.client.createUser({ body: { username: "scheduling-team" } });
    // The author in a request does not change the actor of the event.
    await admin.client.createEnvironment({ body: { name: "forged", createdBy: "scheduler" } });
    const actor = await until(async () => {
      const { events } = await server.client.readEvents({ query: { kind: "environment.*", limit: 1000 } });
      return events.find(({ data }) => data.name === "forged")?.actor;
    });
    assert.equal(actor, "admin@example.test");
  });
});

/** Two servers on one database. */
async function twoServers(t: TestContext) {
  const settings = { PLATFORM_SECRET_KEY: strongKey };
  const home = await testHome(t, "postgres");
  const first = await startProcess(t, home, settings);
  const other = await testHome(t, "sqlite");
  const second = await startProcess(t, { ...other, databaseUrl: home.databaseUrl }, settings);
  return [first, second] as const;
}

suite("sessions", () => {
  test("a change of a user ends JWTs and tokens, or says what they may, also on another server", async (t) => {
    const [first, second] = await twoServers(t);
    const { id } = await first.client.createUser({ body: { username: "ada", password, role: "operator" } });
    const params = { user_id: id };
    const exchange = async (secret = password) =>
      (await second.client.exchangeToken({ body: { username: "ada", password: secret } })).access_token;
    const { token } = await first.client.createToken({ params, body: {} });
    const changes = [
      { password: "battery staple", revoke_tokens: false },
      { active: false },
      { active: true },
    ] as const;
    let current = password;
    for (const body of changes) {
      const isInactive = "active" in body && body.active;
      const stale = isInactive ? undefined : await exchange(current);
      if (stale !== undefined) {
        assert.equal(await statusOf(second.url, stale), 200, "it works before the change");
        assert.equal(await statusOf(second.url, token), 200);
      }
      await first.client.updateUser({ params, body });
      if ("password" in body) current = body.password;
      if (stale !== undefined) {
        for (const { url } of [first, second]) {
          const status = await statusOf(url, stale);
          assert.ok(status === 401 || status === 403, `${JSON.stringify(body)}: ${status}`);
        }
      }
    }
    assert.equal(await statusOf(second.url, token), 200, "the token outlives these changes");
    const last = await exchange(current);
    await first.client.updateUser({ params, body: { role: "none" } });
    for (const credential of [token, last])
      assert.equal(await statusOf(second.url, credential), 403, "a reduced role");
    await first.client.updateUser({ params, body: { role: "viewer" } });
    for (const credential of [token, last]) assert.equal(await statusOf(second.url, credential), 200);
    await first.client.updateUser({ params, body: { revoke_tokens: true } });
    for (const { url } of [first, second]) {
      assert.equal(await statusOf(url, token), 401, "a revoked token");
      assert.equal(await statusOf(url, last), 401, "a JWT from before");
    }
    assert.equal(await statusOf(second.url, await exchange(current)), 200, "a new login works");
  });

  test("an open stream ends within seconds after its user was deactivated", async (t) => {
    const { admin, viewer, url } = await startTarget(t);
    const { users } = await admin.client.listUsers();
    const target = users.find(({ username }) => username === "viewer@example.test");
    const open = (token: string) =>
      fetch(`${url}/api/v1/events`, {
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
        signal: AbortSignal.timeout(30_000),
      });
    const [doomed, kept] = await Promise.all([open(viewer.token), open(admin.token)]);
    assert.deepEqual([doomed.status, kept.status], [200, 200]);
    await admin.client.updateUser({ params: { user_id: target?.id ?? "" }, body: { active: false } });
    const began = Date.now();
    await doomed.text().catch((error: Error) => assert.notEqual(error.name, "TimeoutError"));
    assert.ok(Date.now() - began < 15_000);
    const reader = kept.body?.getReader();
    assert.equal((await reader?.read())?.done, false, "other streams stay");
    await reader?.cancel();
    assert.equal((await open(viewer.token)).status, 403);
  });
});

/** An app that writes how its caller was admitted, and then keeps the response open for as long as it can. */
const endlessApp = `
import { createServer } from "node:http";
const endless = (role, write) => {
  write("role " + role + ";");
  setInterval(() => write("tick;"), 200);
};
const server = createServer(({ url, headers }, response) => {
  if (url === "/short") return response.end("short");
  response.writeHead(200, { "content-type": url === "/events" ? "Text/Event-Stream" : "application/x-ndjson" });
  endless(headers["x-forwarded-role"], (text) => response.write(text));
});
server.on("upgrade", ({ headers }, socket) => {
  socket.on("error", () => {});
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n");
  endless(headers["x-forwarded-role"], (text) => socket.write(text));
});
server.listen(process.env.PORT, "127.0.0.1");
`;

/** A connection to an app that the client never closes. */
function openConnection(t: TestContext, { hostname, port, pathname }: URL, cookie: string, kind: string) {
  const socket = connect({ host: hostname, port: Number(port) });
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  const upgrade = kind === "socket" ? "Connection: Upgrade\r\nUpgrade: websocket\r\n" : "";
  socket.write(`GET ${pathname}${kind} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n${upgrade}\r\n`);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
  });
  return { text: () => text, isOpen: () => !socket.closed && !socket.readableEnded };
}

suite("open connections to an app", () => {
  test("they end within seconds after their user was deactivated, or lost or changed its role", async (t) => {
    const { admin, server } = await startTarget(t);
    const { client } = admin;
    // In production, without a domain for apps, only apps of this environment can be opened.
    const environment = "local";
    const { id: environment_id } = await client.getEnvironment({ params: { environment_id: environment } });
    await client.putFile({
      params: { path: "ui/app.yaml" },
      body: "command: [node, app.mjs]\n",
      environment,
    });
    await client.putFile({ params: { path: "ui/app.mjs" }, body: endlessApp, environment });
    const { id: app_id } = await client.createApp({ body: { name: "ui", source_path: "ui" }, environment });
    await client.startApp({ body: { application_name: "ui" }, environment });
    const grant = (username: string, role: "viewer" | "operator" | "admin") =>
      client.putEnvironmentRole({ params: { environment_id, username }, body: { role } });

    /** A user with a session and a connection of each kind. */
    async function visitor(username: string, role: "viewer" | "operator" | "admin") {
      const user = await client.createUser({ body: { username, role: "none" } });
      await grant(username, role);
      const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
      const ticket = await clientWith(server.url, token).createTicket({ params: { app_id } });
      const entered = await fetch(ticket.url, { redirect: "manual" });
      const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
      const url = new URL(entered.headers.get("location") ?? "", ticket.url);
      const opened = ["socket", "events", "lines"].map((kind) => openConnection(t, url, cookie, kind));
      for (const one of opened) await until(() => one.text().includes(`role ${role};`));
      return { id: user.id, url, cookie, opened };
    }

    const names = ["deactivated", "removed", "lowered", "deleted", "kept"] as const;
    const [deactivated, removed, lowered, deleted, kept] = await Promise.all(
      names.map((name) => visitor(name, "operator")),
    );
    assert.ok(deactivated && removed && lowered && deleted && kept);
    await client.updateUser({ params: { user_id: deactivated.id }, body: { active: false } });
    await client.deleteEnvironmentRole({ params: { environment_id, username: "removed" } });
    await grant("lowered", "viewer");
    await client.deleteUser({ params: { user_id: deleted.id } });
    for (const [name, { opened }] of Object.entries({ deactivated, removed, lowered, deleted })) {
      await until(() => opened.every(({ isOpen }) => !isOpen()), 50, 30_000).catch(() => {
        assert.deepEqual(
          opened.map(({ isOpen }) => isOpen()),
          [false, false, false],
          name,
        );
      });
    }
    // Other connections stay open, and the next connection has the changed role.
    assert.deepEqual(
      kept.opened.map(({ isOpen }) => isOpen()),
      [true, true, true],
    );
    const before = kept.opened.map(({ text }) => text().length);
    await until(() => kept.opened.every(({ text }, n) => text().length > (before[n] ?? 0)));
    const again = openConnection(t, lowered.url, lowered.cookie, "events");
    await until(() => again.text().includes("role viewer;"));
    for (const [name, { url, cookie }] of Object.entries({ deactivated, removed, deleted })) {
      const response = await fetch(new URL("short", url), { headers: { cookie } });
      assert.equal(response.status, 401, name);
    }
  });
});

suite("roles in environments", () => {
  test("an admin of an environment does not limit an admin of the server", async (t) => {
    const { admin, url } = await startTarget(t);
    const { client } = admin;
    const { id: environment_id } = await client.createEnvironment({ body: { name: "dev" } });
    const { id: user_id } = await client.createUser({ body: { username: "dora", role: "none" } });
    const { token } = await client.createToken({ params: { user_id }, body: {} });
    const at = (username: string) => ({ params: { environment_id, username } });
    await client.putEnvironmentRole({ ...at("dora"), body: { role: "admin" } });
    const dora = clientWith(url, token);
    await dora.putEnvironmentRole({ ...at("admin@example.test"), body: { role: "viewer" } });
    await dora.putEnvironmentRole({ ...at("operator@example.test"), body: { role: "viewer" } });
    const body = { name: "crm", target_type: "warehouse", target_config: null, created_by: "ada" };
    assert.equal((await client.createConnector({ body, environment: "dev" })).name, "crm");
    await client.deleteEnvironmentRole(at("dora"));
    await assert.rejects(dora.putEnvironmentRole({ ...at("dora"), body: { role: "admin" } }), {
      status: 403,
    });
  });

  for (const engine of ["sqlite", "postgres"] as const) {
    test(`an operator of dev reads and changes nothing of prod, on ${engine}`, async (t) => {
      const { admin, url } = await startTarget(t, { engine });
      const { client } = admin;
      const made = async (name: string) => {
        const { id } = await client.createEnvironment({ body: { name } });
        const connector = await client.createConnector({
          body: { name: `crm-${name}`, target_type: "warehouse", target_config: null, created_by: "ada" },
          environment: name,
        });
        await client.putFile({ params: { path: "notes.txt" }, body: `notes of ${name}`, environment: name });
        await client.putSecret({
          params: { scope: "shop", key: "password" },
          body: { value: `the secret of ${name}` },
          environment: name,
        });
        return { id, connector };
      };
      const [dev, prod] = [await made("dev"), await made("prod")];
      const user = await client.createUser({ body: { username: "dora", role: "none" } });
      await client.putEnvironmentRole({
        params: { environment_id: "dev", username: "dora" },
        body: { role: "operator" },
      });
      const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
      const dora = clientWith(url, token);
      const refusedWith = async (call: Promise<unknown>, ...statuses: number[]) => {
        const error = await call.then(
          () => assert.fail("it succeeded"),
          (refusal) => refusal,
        );
        assert.ok(statuses.includes(error.status), `${error.status} ${error.detail}`);
      };
      const hidden = { params: { connector_id: prod.connector.id } };
      const job = { params: { job_id: prod.connector.workflow_id ?? "" } };
      const environment = "prod";

      // By id, by job, by header, by file path, by code generation, and by a query.
      await refusedWith(dora.getConnector(hidden), 404);
      await refusedWith(dora.updateConnector({ ...hidden, body: { updated_by: "scheduler" } }), 404);
      await refusedWith(dora.deleteConnector(hidden), 404);
      await refusedWith(dora.pauseConnector({ ...hidden, body: {} }), 404);
      await refusedWith(dora.previewConnector({ ...hidden, body: {} }), 404);
      await refusedWith(dora.runJob({ ...job, body: {} }), 404);
      await refusedWith(dora.getJob(job), 404);
      for (const reference of ["prod", prod.id]) {
        await refusedWith(dora.listConnectors({ environment: reference }), 404);
        await refusedWith(dora.listRuns({ environment: reference }), 404);
        await refusedWith(dora.getFile({ params: { path: "notes.txt" }, environment: reference }), 404);
      }
      await refusedWith(dora.putFile({ params: { path: "notes.txt" }, body: "x", environment }), 404);
      await refusedWith(dora.runQuery({ body: { sql: "select 1" }, environment }), 404);
      await refusedWith(dora.readCatalog({ environment }), 404);
      await refusedWith(dora.getEnvironment({ params: { environment_id: "prod" } }), 404);
      await refusedWith(dora.bindChat({ body: { environment, channel_id: "c" } }), 404);
      await refusedWith(dora.createEnvironment({ body: { name: "mine" } }), 403);
      const raise = { params: { environment_id: "dev", username: "dora" }, body: { role: "admin" } } as const;
      await refusedWith(dora.putEnvironmentRole(raise), 403);
      await refusedWith(
        dora.putEnvironmentRole({ ...raise, params: { ...raise.params, environment_id: "prod" } }),
        404,
        403,
      );
      // Paths that leave the environment's folder.
      for (const path of ["../prod/notes.txt", "..%2fprod%2fnotes.txt", `../${prod.id}/notes.txt`]) {
        const response = await fetch(`${url}/api/v1/files/${path}`, {
          headers: { authorization: `Bearer ${token}`, "x-environment-id": "dev" },
        });
        assert.ok(!(await response.text()).includes("notes of prod"), path);
      }
      // Two environments in a header, and headers with blanks or in upper case.
      for (const value of ["dev, prod", "prod ", "PROD"]) {
        const response = await fetch(`${url}/api/v1/connectors/`, {
          headers: { authorization: `Bearer ${token}`, "x-environment-id": value },
        });
        assert.ok(!(await response.text()).includes(prod.connector.id), value);
      }

      // Legitimate use at the same time.
      assert.equal((await dora.getConnector({ params: { connector_id: dev.connector.id } })).name, "crm-dev");
      assert.equal((await dora.listConnectors()).total, 1);
      assert.equal((await dora.listConnectors({ environment: "dev" })).total, 1);
      assert.deepEqual(
        (await dora.listEnvironments()).environments.map(({ name }) => name),
        ["dev"],
      );
      await dora.pauseConnector({ params: { connector_id: dev.connector.id }, body: {} });
      await dora.putFile({ params: { path: "mine.txt" }, body: "x", environment: "dev" });
      // An event can be read once it is sealed.
      const events = await until(async () => {
        const page = await dora.readEvents({ query: { limit: 1000 } });
        return page.events.some(({ kind }) => kind === "connector.paused") && page.events;
      });
      assert.ok(!JSON.stringify(events).includes(prod.id));
      assert.ok(!JSON.stringify(events).includes(prod.connector.id));

      // Paging over two visible environments is complete.
      for (let n = 0; n < 5; n++) {
        for (const where of ["dev", "prod"]) {
          const body = {
            name: `more-${where}-${n}`,
            target_type: "warehouse",
            target_config: null,
            created_by: "ada",
          };
          await client.createConnector({ body, environment: where });
        }
      }
      const { id: stage } = await client.createEnvironment({ body: { name: "stage" } });
      await client.createConnector({
        body: { name: "crm-stage", target_type: "warehouse", target_config: null, created_by: "ada" },
        environment: stage,
      });
      await client.putEnvironmentRole({
        params: { environment_id: stage, username: "dora" },
        body: { role: "viewer" },
      });
      const names: string[] = [];
      for (let skip = 0; ; skip += 2) {
        const page = await dora.listConnectors({ query: { skip, limit: 2 } });
        assert.equal(page.total, 7);
        if (page.connectors.length === 0) break;
        names.push(...page.connectors.map(({ name }) => name));
      }
      const more = ["more-dev-0", "more-dev-1", "more-dev-2", "more-dev-3", "more-dev-4"];
      assert.deepEqual(names, ["crm-dev", ...more, "crm-stage"]);

      // Revoking a role takes effect at once.
      await client.deleteEnvironmentRole({ params: { environment_id: "dev", username: "dora" } });
      await refusedWith(dora.getConnector({ params: { connector_id: dev.connector.id } }), 404);
    });
  }

  test("a protected environment takes changes from its admins alone", async (t) => {
    const { admin, operator, viewer } = await startTarget(t);
    await admin.client.createEnvironment({ body: { name: "prod", protected: true } });
    const environment = "prod";
    const body = { name: "crm", target_type: "warehouse", target_config: null, created_by: "ada" };
    const forbidden = { status: 403 };
    await assert.rejects(operator.client.createConnector({ body, environment }), forbidden);
    const { id, workflow_id } = await admin.client.createConnector({ body, environment });
    const params = { connector_id: id };
    await assert.rejects(operator.client.pauseConnector({ params, body: {} }), forbidden);
    await assert.rejects(
      operator.client.runJob({ params: { job_id: workflow_id ?? "" }, body: {} }),
      forbidden,
    );
    const unprotect = { params: { environment_id: "prod" }, body: { protected: false } };
    await assert.rejects(operator.client.updateEnvironment(unprotect), forbidden);
    await assert.rejects(
      operator.client.deleteEnvironment({ params: { environment_id: "prod" }, query: { force: true } }),
      forbidden,
    );
    await assert.rejects(
      operator.client.putFile({ params: { path: "a.txt" }, body: "x", environment }),
      forbidden,
    );
    assert.equal((await viewer.client.getConnector({ params })).name, "crm");
    assert.equal((await operator.client.listConnectors({ environment })).total, 1);
    await admin.client.updateEnvironment(unprotect);
    await operator.client.pauseConnector({ params, body: {} });
  });
});
