/** Addresses that a caller must not reach through the server. Nothing is sent beyond loopback. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { emptyDatabase } from "@lakehelm/testing";
import { serveHttp } from "@lakehelm/testing/http-server";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { startProcess, testHome } from "../packages/server/src/testing/process.ts";
import { startTestServer, unique } from "../packages/server/src/testing/server.ts";
import { putTinyApp } from "../packages/server/src/testing/tiny-app.ts";
import { send } from "../packages/server/src/web/http/test-requests.ts";
import { startTarget } from "./target.ts";

/** An HTTP server on loopback that records its requests. */
async function startStandIn(t: TestContext, listener?: RequestListener) {
  const received: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders }[] = [];
  const url = await serveHttp(t, (request, response) => {
    received.push({ url: request.url, headers: request.headers });
    if (listener) listener(request, response);
    else response.writeHead(200, { "content-type": "application/json" }).end('[{"id": 1}]');
  });
  return { received, port: Number(new URL(url).port), url };
}

/** Hosts in URLs that no setting allows, and why. */
const forbidden = [
  "169.254.169.254",
  "2852039166",
  "0xa9.0xfe.0xa9.0xfe",
  "[::ffff:169.254.169.254]",
  "[64:ff9b::a9fe:a9fe]",
  "[2002:a9fe:a9fe::]",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "100.100.100.200",
  "168.63.129.16",
  "0.0.0.0",
  "[::]",
  "224.0.0.1",
];
/** Hosts in URLs that a setting can allow. */
const privateHosts = [
  "127.0.0.1",
  "127.0.0.2",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "10.255.255.1",
  "172.16.0.1",
  "192.168.255.1",
  "[fd12::1]",
];
const bare = (host: string) => host.replace(/^\[(.*)\]$/, "$1");
const isForbidden = /no setting allows|its own port/;
const isPrivate = /is in a private network\. PLATFORM_PRIVATE_ADDRESSES/;

const restSource = (url: string, more: object = {}) => ({
  target_type: "warehouse",
  target_config: { connection: { name: "shop", type: "rest", config: { url, retries: 0, ...more } } },
});
/** A source whose API is never called, because its token comes from another address. */
const oauthSource = (token_url: string) =>
  restSource("https://203.0.113.1/orders", {
    auth: { type: "client_credentials", token_url, client_id: "lakehelm", client_secret: "none" },
  });
const bucket = (endpoint: string) => ({
  path: "s3://shop/drop",
  format: "csv",
  endpoint,
  access_key_id: "none",
  secret_access_key: "none",
});
const bucketSource = (endpoint: string) => ({
  target_type: "warehouse",
  target_config: { connection: { name: "lake", type: "files", config: bucket(endpoint) } },
});
const bucketTarget = (endpoint: string) => ({ target_type: "csv", target_config: bucket(endpoint) });
const httpTarget = (url: string) => ({ target_type: "http", target_config: { url } });
const databaseConfig = (host: string, port: number) => ({
  host,
  port,
  database: "shop",
  user: "ada",
  password: "none",
});
const databaseSource = (type: string, host: string, port: number) => ({
  target_type: "warehouse",
  target_config: { connection: { name: "shop", type, config: databaseConfig(host, port) } },
});
const databaseTarget = (type: string, host: string, port: number) => ({
  target_type: type,
  target_config: databaseConfig(host, port),
});

type ConnectorParts = Pick<Parameters<Client["createConnector"]>[0]["body"], "target_type" | "target_config">;

/** Creates a connector and checks its connection. Returns the findings. */
async function findings(client: Client, parts: ConnectorParts): Promise<string> {
  const { id } = await createConnector(client, parts);
  const { findings: found } = await client.checkConnector({ params: { connector_id: id } });
  return found.map(({ ok, sentence }) => `${ok ? "ok" : "refused"}: ${sentence}`).join("\n");
}

const createConnector = (client: Client, parts: ConnectorParts, more: object = {}) =>
  client.createConnector({
    body: {
      name: unique("orders"),
      execution_mode: "manual",
      created_by: "ada",
      datasets: [{ source_dataset: "orders", target_name: unique("orders").replaceAll("-", "_") }],
      ...parts,
      ...more,
    },
  });

async function runToEnd(client: Client, parts: ConnectorParts): Promise<Run> {
  const { workflow_id } = await createConnector(client, parts);
  const { id } = await client.runJob({ params: { job_id: workflow_id ?? "" } });
  return until(async () => {
    const run = await client.getRun({ params: { run_id: id } });
    return run.ended_at === null ? undefined : run;
  }, 20);
}

/** A table `orders` in a real PostgreSQL on loopback. */
async function startDatabase(t: TestContext) {
  const database = await emptyDatabase(unique("shop").replaceAll("-", "_"));
  t.after(() => database.drop());
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1), (2)");
  await client.end();
  return {
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: username,
    ...(password && { password }),
  };
}

suite("connectors in production", () => {
  test("no private address is reached by default, in whatever form it is written", async (t) => {
    const { operator } = await startTarget(t);
    const standIn = await startStandIn(t);
    const { port } = standIn;
    for (const [hosts, why] of [
      [privateHosts, isPrivate],
      [forbidden, isForbidden],
    ] as const) {
      for (const host of hosts) {
        const url = `http://${host}:${port}`;
        for (const parts of [
          restSource(url),
          oauthSource(url),
          bucketSource(url),
          bucketTarget(url),
          httpTarget(url),
          databaseSource("postgresql", bare(host), port),
          databaseTarget("postgresql", bare(host), port),
          databaseSource("mysql", host, port),
          databaseTarget("mysql", bare(host), port),
        ]) {
          const said = await findings(operator.client, parts);
          assert.match(said, /^refused: /, `${host} ${JSON.stringify(parts)}: ${said}`);
          assert.match(said, why, `${host} ${JSON.stringify(parts)}`);
        }
      }
    }
    assert.deepEqual(standIn.received, []);
  });

  test("runs, previews and discovery are refused like checks, at once and for good", async (t) => {
    const { operator, viewer } = await startTarget(t);
    const { client } = operator;
    const standIn = await startStandIn(t);
    for (const parts of [
      restSource(standIn.url),
      restSource("http://169.254.169.254/latest/meta-data"),
      databaseSource("postgresql", "127.0.0.1", standIn.port),
      databaseSource("mysql", "127.0.0.1", standIn.port),
    ]) {
      const run = await runToEnd(client, parts);
      assert.deepEqual([run.status, run.attempt], ["failed", 1]);
      assert.match(run.error ?? "", /private network|no setting allows/);
      const { id } = await createConnector(client, parts);
      const params = { connector_id: id };
      await assert.rejects(
        client.previewConnector({ params, body: {} }),
        /private network|no setting allows/,
      );
      if (parts.target_config.connection.type !== "rest") {
        await assert.rejects(client.discoverConnector({ params }), /private network/);
      }
      assert.equal((await viewer.fetch(`/api/v1/connectors/${id}/check`, { method: "POST" })).status, 403);
    }
    assert.deepEqual(standIn.received, []);
  });

  test("a Unix socket is no host, whatever is allowed", async (t) => {
    const { operator } = await startTarget(t, { settings: { PLATFORM_PRIVATE_ADDRESSES: "*" } });
    for (const host of ["/var/run/postgresql", "/tmp", "//tmp", "@lakehelm"]) {
      for (const type of ["postgresql", "mysql"]) {
        const said = await findings(operator.client, databaseSource(type, host, 5432));
        assert.match(said, /refused: .*is not a host\. Sockets of this machine are not allowed\./, said);
      }
    }
  });

  test("the list allows a database and an API, and nothing else", async (t) => {
    const { operator, url } = await startTarget(t, { settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" } });
    const { client } = operator;
    const standIn = await startStandIn(t);
    const config = await startDatabase(t);
    const database = {
      target_type: "warehouse",
      target_config: { connection: { name: "shop", type: "postgresql", config } },
    };
    assert.match(await findings(client, database), /^ok: can connect to /);
    assert.equal((await runToEnd(client, database)).metrics.rows_inserted, 2);
    assert.equal((await runToEnd(client, restSource(standIn.url))).metrics.rows_inserted, 1);
    assert.match(await findings(client, httpTarget(standIn.url)), /^ok: /);

    for (const host of ["127.0.0.2", "10.255.255.1", "[::1]"]) {
      assert.match(await findings(client, restSource(`http://${host}:${standIn.port}`)), isPrivate, host);
    }
    for (const host of forbidden) {
      assert.match(await findings(client, restSource(`http://${host}/`)), isForbidden, host);
    }
    for (const parts of [restSource(url), httpTarget(url)]) {
      assert.match(await findings(client, parts), /its own port \d+ is not allowed/);
    }
  });

  test("redirects and links of an allowed API lead nowhere else", async (t) => {
    const { operator, url } = await startTarget(t, { settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" } });
    const { client } = operator;
    const stranger = await startStandIn(t);
    for (const to of [
      url,
      stranger.url,
      "http://169.254.169.254/",
      "http://localhost/",
      "//10.0.0.1/x",
      "file:///etc",
    ]) {
      const redirecting = await startStandIn(t, (_, response) =>
        response.writeHead(302, { location: to }).end(),
      );
      const headers = { Authorization: "Bearer s3cret" };
      const run = await runToEnd(client, restSource(redirecting.url, { headers }));
      assert.match(run.error ?? "", /links to another server/, to);
      const linking = await startStandIn(t, (_, response) =>
        response.writeHead(200, { link: `<${to}>; rel="next"` }).end('[{"id": 1}]'),
      );
      const linked = await runToEnd(client, restSource(linking.url, { headers, paging: "link" }));
      assert.match(linked.error ?? "", /links to another server/, to);
    }
    assert.deepEqual(stranger.received, []);
  });
});

suite("requests that the server sends", () => {
  /** The error of an automation whose only task calls this URL. */
  async function httpTask(client: Client, url: string): Promise<string> {
    const params = { automation_alias: unique("report") };
    const definition = { tasks: [{ name: "call", kind: "http" as const, url, retries: 0 }] };
    await client.createAutomation({ body: { alias: params.automation_alias, definition } });
    await client.syncAutomationRelease({ body: { ...params, environment: "local" } });
    const { id } = await client.runAutomation({ params, body: {} });
    const run = await until(async () => {
      const read = await client.getRun({ params: { run_id: id } });
      return read.ended_at === null ? undefined : read;
    }, 20);
    return `${run.status}: ${JSON.stringify([run.error, run.metrics])}`;
  }
  const bind = (client: Client, channel_url: string) =>
    client.bindChat({ body: { environment: "local", channel_id: unique("C"), channel_url } }).then(
      () => "bound",
      (error: Error) => error.message,
    );

  for (const [allowed, hosts, why] of [
    ["", privateHosts, isPrivate],
    ["*", forbidden, isForbidden],
  ] as const) {
    test(`http tasks and channels, allowing ${allowed || "nothing"}`, async (t) => {
      const target = await startTarget(t, { settings: { PLATFORM_PRIVATE_ADDRESSES: allowed } });
      const { client } = target.admin;
      const standIn = await startStandIn(t);
      for (const host of hosts) {
        const url = `http://${host}:${standIn.port}/`;
        assert.match(await bind(client, url), why, host);
      }
      for (const host of hosts.slice(0, 4)) {
        assert.match(await httpTask(client, `http://${host}:${standIn.port}/`), why, host);
      }
      assert.deepEqual(standIn.received, []);
      if (allowed === "") return;
      assert.match(await httpTask(client, standIn.url), /^succeeded/);
      assert.equal(await bind(client, standIn.url), "bound");
      assert.match(await httpTask(client, `${target.url}/health`), isForbidden);
      assert.match(await bind(client, `${target.url}/health`), isForbidden);
    });
  }
});

suite("connectors in development", () => {
  test("databases and APIs on loopback work; metadata addresses and the server's own ports do not", async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const { client } = server;
    const standIn = await startStandIn(t);
    const config = await startDatabase(t);
    const database = {
      target_type: "warehouse",
      target_config: { connection: { name: "shop", type: "postgresql", config } },
    };
    assert.equal((await runToEnd(client, database)).metrics.rows_inserted, 2);
    assert.equal((await runToEnd(client, restSource(standIn.url))).metrics.rows_inserted, 1);
    assert.match(await findings(client, restSource(standIn.url.replace("127.0.0.1", "localhost"))), /^ok: /);

    for (const host of forbidden) {
      assert.match(await findings(client, restSource(`http://${host}/`)), isForbidden, host);
      assert.match(await findings(client, databaseSource("postgresql", bare(host), 5432)), isForbidden, host);
    }

    const app = await client.createApp({
      body: { name: "ui", source_path: await putTinyApp(client, "local") },
    });
    await client.startApp({ body: { application_name: "ui" } });
    const log = await (await server.fetch(`/api/apps/${app.id}/log`)).text();
    const appPort = /starting with port (\d+)/.exec(log)?.[1];
    assert.ok(appPort);
    const ports = [server.url, server.server.appsUrl].map((own) => new URL(own).port);
    for (const port of [...ports, appPort]) {
      for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "127.9.9.9"]) {
        const said = await findings(client, restSource(`http://${host}:${port}`));
        assert.match(said, /its own port \d+ is not allowed/, `${host}:${port}`);
        const asDatabase = await findings(client, databaseTarget("postgresql", bare(host), Number(port)));
        assert.match(asDatabase, /its own port \d+ is not allowed/, `${host}:${port}`);
      }
    }
    await client.stopApp({ body: { application_name: "ui" } });
    const freed = await findings(client, restSource(`http://127.0.0.1:${appPort}`));
    assert.match(freed, /^refused: .*ECONNREFUSED/);
  });
});

suite("the relay between servers", () => {
  const settings = {
    PLATFORM_LEASE_SECONDS: "3",
    PLATFORM_SECRET_KEY: "one key for all servers of this test",
  };

  test("it reaches the lease holder alone, and only servers can claim to be a relay", async (t) => {
    const home = await testHome(t, "postgres");
    const elsewhere = { ...home, dataDir: await mkdtemp(join(tmpdir(), "lakehelm-elsewhere-")) };
    t.after(() => rm(elsewhere.dataDir, { recursive: true, force: true }));
    const holder = await startProcess(t, home, settings);
    const other = await startProcess(t, elsewhere, settings);
    const stranger = await startStandIn(t);
    const authorization = `Bearer ${holder.token}`;
    const readFiles = (path: string, headers: Record<string, string> = {}) =>
      send(other.url, { path, headers: { authorization, ...headers } });

    await t.test("a path is forwarded", async () => {
      await until(async () => (await readFiles("/api/v1/files")).status === 200, 30);
      assert.equal((await send(other.url, { path: "/api/v1/files" })).status, 401);
    });

    await t.test("a request line with a whole URL stays at the lease holder", async () => {
      const { host } = new URL(stranger.url);
      const expected = (await readFiles("/api/v1/files")).text;
      for (const path of [
        `${stranger.url}/api/v1/files`,
        `HTTP://${host}/api/v1/files`,
        `http://ada:secret@${host}/api/v1/files`,
        "http://169.254.169.254/api/v1/files",
        `https://${host}/api/v1/files`,
      ]) {
        const { status, text } = await readFiles(path);
        assert.deepEqual([status, text], [200, expected], path);
      }
      for (const path of [`//${host}/api/v1/files`, `/\\${host}/api/v1/files`, `/@${host}/api/v1/files`]) {
        assert.equal((await readFiles(path)).status, 404, path);
      }
      const withHost = await readFiles("/api/v1/files", {
        host,
        "x-forwarded-host": host,
        forwarded: `host=${host}`,
      });
      assert.equal(withHost.status, 200);
      assert.deepEqual(stranger.received, []);
    });

    await t.test("a caller cannot claim to be a relay", async () => {
      for (const server of [holder, other]) {
        for (const claim of [
          "1",
          `${Date.now()} 10.0.0.1 AAAA`,
          `${Date.now()} 10.0.0.1 ${"A".repeat(43)}`,
        ]) {
          for (const path of ["/api/v1/files", "/health", "/no/such/path"]) {
            const headers = { authorization, "x-lakehelm-relay": claim };
            assert.equal((await send(server.url, { path, headers })).status, 403, `${path} ${claim}`);
          }
        }
      }
    });

    await t.test(
      "an address that a writer of the database puts into the lease gets no request",
      async (t) => {
        const client = new pg.Client({ connectionString: home.databaseUrl });
        await client.connect();
        t.after(() => client.end());
        const { rows } = await client.query("SELECT address FROM leases WHERE name = 'embedded data'");
        const [, mac] = String(rows[0].address).split(" ");
        holder.child.kill("SIGKILL");
        await holder.ended;
        for (const address of [stranger.url, `${stranger.url} ${mac}`]) {
          await client.query(
            "UPDATE leases SET address = $1, until = '9999-01-01T00:00:00.000Z' WHERE name = 'embedded data'",
            [address],
          );
          // The server reads the lease twice per second.
          await pause(1200);
          assert.equal((await readFiles("/api/v1/files")).status, 503);
        }
        assert.deepEqual(stranger.received, []);
      },
    );
  });
});
