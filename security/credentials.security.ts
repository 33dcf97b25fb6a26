/** Where credentials are sent: credentials of environments and users, and in answers. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { startTestServer } from "../packages/server/src/testing/server.ts";
import { createCaller, startTarget } from "./target.ts";

/** A server of the attacker that records the headers and bodies that it receives. */
async function startReceiver(t: TestContext) {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push(
      `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks)}`,
    );
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const secretValue = "s3cr3t-of-the-workspace-7741";

suite("credentials of an environment", () => {
  test("an operator cannot have them sent to a host of theirs", async (t) => {
    // In production a workspace must use TLS, so this is a development server.
    const server = await startTestServer({ settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" } });
    t.after(() => server.close());
    const [operator, admin] = await Promise.all([
      createCaller(server, "operator"),
      createCaller(server, "admin"),
    ]);
    const [workspace, attacker] = [await startReceiver(t), await startReceiver(t)];
    const { id } = await admin.client.createEnvironment({
      body: {
        name: "lake",
        platform: "databricks",
        secretScope: "workspace",
        dataPlatformClientIdKey: "id",
        dataPlatformClientSecretKey: "secret",
        configuration: { host: workspace.url },
      },
    });
    for (const key of ["id", "secret"])
      await admin.client.putSecret({
        params: { scope: "workspace", key },
        body: { value: secretValue },
        environment: "lake",
      });
    const params = { environment_id: id };
    const change = (body: object) => operator.client.updateEnvironment({ params, body });
    const remote = attacker.url.replace("http", "sc");
    for (const body of [
      { configuration: { host: attacker.url } },
      { configuration: { host: attacker.url, token: "{{secrets/workspace/secret}}" } },
      { platform: "spark", configuration: { remote, token: "{{secrets/workspace/secret}}" } },
      { platform: "spark", configuration: { remote, token_key: "secret" } },
      { secretScope: "other" },
    ]) {
      await assert.rejects(change(body), { status: 403 }, JSON.stringify(body));
    }
    // The same in a batch.
    const batch = await operator.fetch("/api/v1/batch", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        mode: "each",
        operations: [
          {
            method: "PATCH",
            path: `/api/v1/environments/${id}`,
            body: { configuration: { host: attacker.url } },
          },
        ],
      }),
    });
    assert.match(await batch.text(), /"status":403/);
    const { findings } = await operator.client.checkEnvironment({ params });
    assert.deepEqual(attacker.received, []);
    assert.ok(workspace.received.length > 0, JSON.stringify(findings));
    await change({ description: "the lake", configuration: { host: workspace.url, catalog: "shop" } });
    // An admin may, if the scope's list has the host: the first use also bound the scope to the port.
    const move = () =>
      admin.client.updateEnvironment({ params, body: { configuration: { host: attacker.url } } });
    await assert.rejects(move(), { status: 409, message: /may not be sent to/ });
    await admin.client.limitSecretScope({ params: { scope: "workspace" }, body: { hosts: ["127.0.0.1"] } });
    await move();
  });
});

suite("secrets of a scope", () => {
  test("an operator cannot send them to an address of theirs, in any way that sends one", async (t) => {
    const { admin, operator } = await startTarget(t, {
      settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1,localhost" },
    });
    const receiver = await startReceiver(t);
    const theirs = receiver.url;
    const granted = theirs.replace("127.0.0.1", "localhost");
    const scope = "crm";
    await admin.client.putSecret({ params: { scope, key: "key" }, body: { value: secretValue } });
    const reference = "{{secrets/crm/key}}";
    const headers = { Authorization: `Bearer ${reference}` };
    const rest = (url: string, more: object = {}) => ({
      target_type: "warehouse",
      target_config: { connection: { type: "rest", config: { url, ...more } } },
    });
    const auth = (token_url: string) => ({
      auth: { type: "client_credentials", token_url, client_id: "a", client_secret: reference },
    });
    const s3 = { path: "s3://rows", region: "eu-west-1", access_key_id: "a", secret_access_key: reference };
    const database = { host: "127.0.0.1", database: "a", user: "a", password: reference };
    /** The config of a database at the host and port of a URL. */
    const at = (url: string) => {
      const { hostname: host, port } = new URL(url);
      return { ...database, host, ...(port && { port: Number(port) }) };
    };
    const connectors = (url: string) => [
      rest(url, { headers }),
      rest(url, auth(url)),
      { target_type: "http", target_config: { url, headers } },
      { target_type: "postgresql", target_config: at(url) },
      { target_type: "mysql", target_config: at(url) },
      {
        target_type: "warehouse",
        target_config: { connection: { type: "files", config: { ...s3, endpoint: url } } },
      },
    ];
    const create = (by: typeof admin, one: object) =>
      by.client.createConnector({
        body: { name: crypto.randomUUID(), target_config: null, created_by: "ada", target_type: "", ...one },
      });
    const task = (url: string) => ({
      tasks: [{ name: "a", kind: "http" as const, url, parameters: { method: "GET", headers } }],
    });
    const automate = (by: typeof admin, url: string) =>
      by.client.createAutomation({ body: { alias: crypto.randomUUID(), definition: task(url) } });
    // The scope has not been used yet.
    for (const one of connectors(theirs)) await assert.rejects(create(operator, one), { status: 403 });
    await assert.rejects(automate(operator, theirs), { status: 403 });
    // An address that is not a string is unknown, and must not count as harmless.
    for (const url of [[], [theirs]])
      await assert.rejects(create(operator, { target_type: "http", target_config: { url, headers } }), {
        status: 403,
      });
    // The first use by an admin binds the scope to the host.
    await create(admin, rest(granted, { headers }));
    const { limits } = await admin.client.listSecrets({ params: { scope } });
    assert.deepEqual(limits.hosts, [new URL(granted).host]);
    // Another service on the same machine is another receiver.
    const others = [theirs, "http://2130706433/", granted.replace(/:\d+/, ":9000")];
    for (const one of others.flatMap(connectors))
      await assert.rejects(
        create(operator, one),
        { status: 409, message: /may not be sent to/ },
        JSON.stringify(one),
      );
    await assert.rejects(automate(operator, theirs), { status: 409 });
    await assert.rejects(create(operator, rest(granted, auth(theirs))), { status: 409 });
    // The token that is obtained with the secret is protected, too.
    await assert.rejects(create(operator, rest(theirs, auth(granted))), { status: 409 });
    for (const one of connectors(granted)) await create(operator, one);
    // A host that is filled in when the task runs.
    const alias = "filled";
    await operator.client.createAutomation({
      body: {
        alias,
        definition: {
          ...task("http://{{parameters.host}}/in"),
          parameters: { host: new URL(granted).host },
        },
      },
    });
    await operator.client.syncAutomationRelease({
      body: { automation_alias: alias, environment: "local" },
    });
    const run = async (host: string) => {
      const { id } = await operator.client.runAutomation({
        params: { automation_alias: alias },
        body: { parameters: { host } },
      });
      return until(async () => {
        const found = await operator.client.getRun({ params: { run_id: id } });
        return ["succeeded", "failed"].includes(found.status) && found;
      });
    };
    const refused = await run(new URL(theirs).host);
    assert.equal(refused.status, "failed");
    assert.match(refused.error ?? "", /may not be sent to 127\.0\.0\.1/);
    assert.deepEqual(receiver.received, []);
    assert.equal((await run(new URL(granted).host)).status, "succeeded");
    assert.match(receiver.received.join(), new RegExp(secretValue));
    // The limit also applies when the secret is sent: connectors created earlier stay, but fail.
    await admin.client.limitSecretScope({ params: { scope }, body: { hosts: ["crm.example.test"] } });
    const before = receiver.received.length;
    const { connectors: all } = await operator.client.listConnectors();
    for (const { id } of all) {
      const checked = await operator.client.checkConnector({ params: { connector_id: id } });
      assert.match(JSON.stringify(checked), /may not be sent to localhost/);
    }
    assert.equal((await run(new URL(granted).host)).status, "failed");
    assert.equal(receiver.received.length, before);
  });
});

suite("credentials of another environment", () => {
  test("an admin of one environment cannot say where the secrets of another one go", async (t) => {
    const { admin, url } = await startTarget(t, {
      settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" },
    });
    const attacker = await startReceiver(t);
    const [scope, key, username] = ["crm", "key", "eve"];
    const reference = `{{secrets/${scope}/${key}}}`;
    for (const name of ["dev", "prod"]) {
      await admin.client.createEnvironment({ body: { name } });
      const body = { value: name === "prod" ? secretValue : "of-dev" };
      await admin.client.putSecret({ params: { scope, key }, body, environment: name });
    }
    const { id: user_id } = await admin.client.createUser({ body: { username, role: "none" } });
    const roles = { dev: "admin", prod: "operator" } as const;
    for (const [environment_id, role] of Object.entries(roles))
      await admin.client.putEnvironmentRole({ params: { environment_id, username }, body: { role } });
    const { token } = await admin.client.createToken({ params: { user_id }, body: {} });
    const eve = createClient({ baseUrl: url, token, retries: 0 });
    const headers = { Authorization: `Bearer ${reference}` };
    const create = (environment: string, more: object) =>
      eve.createConnector({
        body: {
          name: crypto.randomUUID(),
          target_type: "http",
          target_config: { url: attacker.url, headers },
          created_by: "eve",
          ...more,
        },
        environment,
      });
    await create("dev", {});
    const auth = {
      type: "client_credentials",
      token_url: attacker.url,
      client_id: "a",
      client_secret: reference,
    };
    const connection = { type: "rest", config: { url: attacker.url, auth } };
    for (const more of [{}, { target_type: "warehouse", target_config: { connection } }])
      await assert.rejects(create("prod", more), { status: 403, message: /not bound to a host here yet/ });
    // An automation belongs to no environment, and only dev allows this host.
    const alias = "sent";
    const definition = {
      tasks: [
        { name: "a", kind: "http" as const, url: attacker.url, parameters: { method: "GET", headers } },
      ],
    };
    await admin.client.createAutomation({ body: { alias, definition } });
    for (const environment of ["dev", "prod"])
      await eve.syncAutomationRelease({ body: { automation_alias: alias, environment } });
    const run = async (environment: string) => {
      const params = { automation_alias: alias };
      const { id } = await eve.runAutomation({ params, body: {}, environment });
      return until(async () => {
        const found = await eve.getRun({ params: { run_id: id } });
        return ["succeeded", "failed"].includes(found.status) && found;
      });
    };
    assert.equal((await run("dev")).status, "succeeded");
    const inProd = await run("prod");
    assert.equal(inProd.status, "failed");
    assert.match(inProd.error ?? "", /not bound to a host here yet/);
    assert.match(attacker.received.join(), /of-dev/);
    assert.doesNotMatch(attacker.received.join(), new RegExp(secretValue));
    const hostsIn = async (environment: string) =>
      (await admin.client.listSecrets({ params: { scope }, environment })).limits.hosts;
    assert.deepEqual([await hostsIn("dev"), await hostsIn("prod")], [[new URL(attacker.url).host], null]);
  });
});

suite("credentials of users", () => {
  test("a personal token ends with the password, and a no-break space makes another token", async (t) => {
    const { admin, url } = await startTarget(t);
    const user = await admin.client.createUser({ body: { username: "ada", password: "correct horse" } });
    const params = { user_id: user.id };
    const { token } = await admin.client.createToken({ params, body: {} });
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(`${url}/api/v1/connectors/`, { headers })).status;
    assert.equal(await status({ authorization: `Bearer ${token}` }), 200);
    for (const blank of ["\u00a0", "\u00a0\u00a0", " \u00a0", "\u0085"]) {
      for (const value of [`Bearer ${blank}${token}`, `Bearer ${token}${blank}`, `${blank}Bearer ${token}`])
        assert.equal(await status({ authorization: value }), 401, JSON.stringify(value));
      assert.equal(await status({ "x-service-auth": `${blank}${token}` }), 401);
    }
    await admin.client.updateUser({ params, body: { password: "battery staple" } });
    assert.equal(await status({ authorization: `Bearer ${token}` }), 401);
  });

  test("a reduced role is 403 for every credential of the user", async (t) => {
    const { admin, url } = await startTarget(t);
    const password = "correct horse";
    const user = await admin.client.createUser({ body: { username: "ada", password, role: "operator" } });
    const params = { user_id: user.id };
    const { token } = await admin.client.createToken({ params, body: {} });
    const { access_token } = await admin.client.exchangeToken({ body: { username: "ada", password } });
    for (const role of ["viewer", "none"] as const) {
      await admin.client.updateUser({ params, body: { role } });
      for (const credential of [token, access_token]) {
        const init = { method: "DELETE", headers: { authorization: `Bearer ${credential}` } };
        assert.equal((await fetch(`${url}/api/v1/connectors/${user.id}`, init)).status, 403, role);
      }
    }
  });
});

suite("answers", () => {
  test("no answer of any operation is kept by a cache or sniffed, whatever its status", async (t) => {
    const { admin, viewer } = await startTarget(t);
    const all: [string, Endpoint][] = Object.entries(endpoints);
    const requests = all.map(([name, { method, path }]) => ({
      name,
      path: path.replaceAll(/\{[^}]+\}/g, "x"),
      init: {
        method,
        ...(method !== "GET" && { body: "{", headers: { "content-type": "application/json" } }),
      },
    }));
    requests.push({ name: "no such path", path: "/api/v1/nothing", init: { method: "GET" } });
    for (const { name, path, init } of requests) {
      for (const caller of [admin, viewer]) {
        const response = await caller.fetch(path, { ...init, signal: AbortSignal.timeout(20_000) });
        assert.equal(response.headers.get("x-content-type-options"), "nosniff", name);
        assert.match(response.headers.get("cache-control") ?? "", /no-store/, name);
        await response.body?.cancel();
      }
    }
  });
});
