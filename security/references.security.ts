/** Stored secrets: where references are accepted, and that no text from a run contains a secret's value. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { suite, type TestContext, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { emptyDatabase, query } from "@lakehelm/testing";
import { serveHttp } from "@lakehelm/testing/http-server";
import { until } from "@lakehelm/testing/until";
import { startTarget, type Target } from "./target.ts";

const reference = "{{secrets/shop/key}}";
const refusal = /A reference to a secret is accepted only/;

/** The real program with a stored secret, and everything that it logs. */
async function given(t: TestContext, secret = `Zq%3 "v'T8<kL&${randomBytes(12).toString("base64url")}`) {
  const target = await startTarget(t, { settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" } });
  const logged: string[] = [];
  target.server.child.stdout?.on("data", (chunk) => logged.push(String(chunk)));
  target.server.child.stderr?.on("data", (chunk) => logged.push(String(chunk)));
  const store = (value: string, key = "key") =>
    target.admin.client.putSecret({ params: { scope: "shop", key }, body: { value } });
  await store(secret);
  // credentials.security.ts tests where secrets may be sent.
  await target.admin.client.limitSecretScope({ params: { scope: "shop" }, body: { hosts: ["*"] } });
  return { ...target, secret, logged, store };
}
type Given = Awaited<ReturnType<typeof given>>;

/** An HTTP server on loopback that records the headers and bodies that it receives. */
async function startHttp(t: TestContext, listener: RequestListener) {
  const received: Record<string, unknown>[] = [];
  const url = await serveHttp(t, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ ...request.headers, url: request.url, body: Buffer.concat(chunks).toString() });
      listener(request, response);
    });
  });
  return { received, url };
}

/** The forms in which a hostile or careless system may repeat a secret. */
const forms = (secret: string) => [
  secret,
  secret.toUpperCase(),
  encodeURIComponent(secret),
  encodeURIComponent(secret).toLowerCase(),
  new URLSearchParams({ q: secret }).toString(),
  Buffer.from(secret).toString("base64"),
  Buffer.from(`ada:${secret}`).toString("base64"),
  Buffer.from(`x${secret}y`).toString("base64url"),
  Buffer.from(secret).toString("hex"),
  Buffer.from(secret).toString("hex").toUpperCase(),
  JSON.stringify(secret).slice(1, -1),
  secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  `${secret.slice(0, 14)}…`,
];

/** Fails if a text contains 10 characters in a row of any form of the secret. */
function assertHidden(secret: string, ...texts: unknown[]): void {
  const text = texts.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  for (const form of new Set(forms(secret).map((one) => one.replace(/^q=/, "")))) {
    const inner = form.slice(form.length > 30 ? 6 : 0, form.length > 30 ? -6 : form.length);
    for (let at = 0; at + 10 <= inner.length; at++) {
      const excerpt = inner.slice(at, at + 10);
      assert.ok(!text.includes(excerpt), `${excerpt} of ${form} in: ${text.slice(0, 2000)}`);
    }
  }
}

/** Everything that a viewer can read about runs, and the server's log. */
async function visible({ viewer, logged }: Pick<Given, "viewer" | "logged">): Promise<string> {
  const { runs } = await viewer.client.listRuns({});
  const logs = await Promise.all(runs.map(({ id }) => viewer.client.readRunLog({ params: { run_id: id } })));
  const paths = [
    "/api/v1/events?limit=1000",
    "/api/v1/connectors/",
    "/api/v1/runs",
    "/api/v1/jobs",
    "/api/apps",
  ];
  const answers = await Promise.all(paths.map(async (path) => (await viewer.fetch(path)).text()));
  return JSON.stringify([runs, logs, answers, logged]);
}

async function ended({ operator }: Target, { id }: Run): Promise<Run> {
  const read = () => operator.client.getRun({ params: { run_id: id } });
  await until(async () => !["queued", "running"].includes((await read()).status), 100);
  return read();
}

const post = (body: unknown, method = "POST"): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const inbound = (type: string, config: object, more: object = {}) => ({
  name: `in-${randomBytes(6).toString("hex")}`,
  target_type: "warehouse",
  target_config: { connection: { type, config } },
  execution_mode: "manual" as const,
  created_by: "ada",
  datasets: [{ source_dataset: "orders", target_name: "orders" }],
  ...more,
});

suite("references outside credential fields", () => {
  test("connectors refuse them when they are created and when they are changed", async (t) => {
    const { operator, secret } = await given(t);
    const database = { host: "127.0.0.1", port: 5432, database: "shop", user: "ada", password: reference };
    const api = { url: "https://api.example.test", headers: { Authorization: `Bearer ${reference}` } };
    const out = (target_type: string, target_config: object) => ({
      ...inbound("", {}),
      target_type,
      target_config,
    });
    const attacks = [
      ...["sqlite", "duckdb", "files"].flatMap((type) => [
        inbound(type, { path: `/x/${reference}` }),
        inbound(type, { path: reference, format: "csv" }),
        inbound(type, { path: "/x", password: reference }),
        inbound(type, { path: "/x", options: { token: reference } }),
      ]),
      ...["host", "database", "user", "schema", "port", "token", "note"].flatMap((field) => [
        inbound("postgresql", { ...database, [field]: reference }),
        inbound("mysql", { ...database, [field]: `x${reference}` }),
        out("postgresql", { ...database, [field]: reference }),
      ]),
      inbound("postgresql", { ...database, options: { application_name: reference } }),
      inbound("postgresql", { ...database, [`k${reference}`]: "x" }),
      inbound("rest", { ...api, url: `https://${reference}.example.test` }),
      inbound("rest", { ...api, url: reference }),
      inbound("rest", { ...api, url: `https://api.example.test/?k=${reference}` }),
      inbound("rest", { ...api, records_path: reference }),
      inbound("rest", { ...api, watermark_param: reference }),
      inbound("rest", { ...api, paging: { type: "page", parameter: reference } }),
      inbound("rest", { ...api, headers: { Accept: reference } }),
      inbound("rest", { ...api, headers: { [reference]: "x" } }),
      inbound("rest", api, {
        datasets: [{ source_dataset: `orders?x=${reference}`, target_name: "orders" }],
      }),
      inbound("rest", api, { datasets: [{ source_dataset: "orders", target_name: reference }] }),
      inbound("rest", api, {
        datasets: [{ source_dataset: "a", target_name: "b", custom_config: { watermark_column: reference } }],
      }),
      inbound("rest", api, { name: `x ${reference}` }),
      inbound("rest", api, { file_arrival_config: { path: `/x/${reference}` } }),
      inbound("REST", { ...api, url: reference }),
      out("http", { url: reference }),
      out("http", { url: `https://x.example.test/${reference}`, headers: {} }),
      out("csv", { path: `/x/${reference}` }),
      out("csv", { path: "/x", headers: { Authorization: reference } }),
      out("sqlite", { path: `/x/${reference}` }),
      { ...inbound("rest", api), target_config: { connection: { type: reference, config: api } } },
      {
        ...inbound("rest", api),
        target_config: { connection: { type: "rest", config: api }, password: reference },
      },
    ];
    for (const body of attacks) {
      const answer = await operator.fetch("/api/v1/connectors/", post(body));
      const text = await answer.text();
      assert.equal(answer.status, 409, `${JSON.stringify(body)}: ${text}`);
      assert.match(text, refusal);
      assertHidden(secret, text);
    }
    for (const body of [inbound("postgresql", database), inbound("rest", api), out("http", api)]) {
      const { id } = await operator.client.createConnector({ body: body as never });
      for (const { target_type, target_config } of attacks.slice(0, 12)) {
        const change = post({ target_type, target_config }, "PATCH");
        assert.equal((await operator.fetch(`/api/v1/connectors/${id}`, change)).status, 409);
      }
      const dataset = post({ source_dataset: reference, target_name: "x" });
      assert.equal((await operator.fetch(`/api/v1/connectors/${id}/datasets`, dataset)).status, 409);
      const renamed = post({ name: `still ${id}` }, "PATCH");
      assert.equal((await operator.fetch(`/api/v1/connectors/${id}`, renamed)).status, 200);
    }
  });

  test("automations, runs, pipelines and channels refuse them", async (t) => {
    const { operator, secret } = await given(t);
    const http = { name: "t", kind: "http", url: "https://x.example.test" };
    const sql = { name: "t", kind: "sql", query: "select :p" };
    const attacks: [string, object][] = [
      ...[
        { ...sql, parameters: { p: reference } },
        { ...sql, parameters: { password: reference } },
        { ...sql, query: `select '${reference}'` },
        { ...http, url: `https://x.example.test/?k=${reference}` },
        { ...http, url: `https://${reference}` },
        { ...http, parameters: { body: reference } },
        { ...http, parameters: { body: { text: reference } } },
        { ...http, parameters: { headers: { Accept: reference } } },
        { name: "t", kind: "agent", reference: "a", parameters: { note: reference } },
        { name: "t", kind: "connector", reference },
      ].map((task, at): [string, object] => [
        "/api/automations",
        { alias: `attack-${at}`, definition: { tasks: [task] } },
      ]),
      [
        "/api/automations",
        { alias: "attack", definition: { tasks: [http], parameters: { note: reference } } },
      ],
      ...[
        { configuration: { salt: reference } },
        { configuration: { password: reference } },
        { name: reference },
      ].map((more): [string, object] => [
        "/api/v1/pipelines",
        { name: "p", libraries: [{ file: { path: "/a.sql" } }], ...more },
      ]),
      ...[
        { channel_url: `http://127.0.0.1:9/${reference}` },
        { channel_url: `http://${reference}.example.test` },
        { channel_name: reference },
        { channel_url: reference, metadata: { kind: "webhook", note: reference } },
        { channel_url: reference, metadata: { signing_secret: `x${reference}` } },
      ].map((more): [string, object] => [
        "/api/automations/chat/bind",
        { environment: "local", channel_id: "c", ...more },
      ]),
    ];
    for (const [path, body] of attacks) {
      const answer = await operator.fetch(path, post(body));
      const text = await answer.text();
      assert.equal(answer.status, 409, `${path} ${JSON.stringify(body)}: ${text}`);
      assertHidden(secret, text);
    }

    // A parameter of a run reaches SQL only as a value, and never as the secret.
    const echo = { tasks: [{ ...sql, parameters: { p: "{{parameters.db_password}}" } }] };
    const definition = { ...echo, parameters: { db_password: "" } };
    await operator.client.createAutomation({ body: { alias: "echo", definition } as never });
    const params = { automation_alias: "echo" };
    await operator.client.syncAutomationRelease({ body: { ...params, environment: "local" } });
    const run = (parameters: object) => operator.fetch("/api/automations/echo/runs", post({ parameters }));
    assert.equal((await run({ note: reference })).status, 409);
    const started = await run({ db_password: reference });
    assert.equal(started.status, 200, await started.clone().text());
    const failed = await ended({ operator } as Target, (await started.json()) as Run);
    assert.equal(failed.status, "failed");
    assert.match(failed.error ?? "", refusal);
    assertHidden(secret, failed);
  });
});

suite("values that were resolved for a run", () => {
  test("a PostgreSQL connector with a reference as its password works, and a failure does not show it", async (t) => {
    const password = `pw-${randomBytes(12).toString("hex")}`;
    const server = await given(t, password);
    const { operator, store } = server;
    const role = `loader_${randomBytes(6).toString("hex")}`;
    const { url, drop } = await emptyDatabase(`refs_${randomBytes(6).toString("hex")}`);
    await query(url, `create role ${role} login password '${password}'`);
    await query(url, "create table orders as select 1 as id, 'first' as note");
    await query(url, `grant select on orders to ${role}`);
    t.after(async () => {
      await query(url, `drop owned by ${role}`);
      await query(url, `drop role ${role}`);
      await drop();
    });
    const { hostname, port, pathname } = new URL(url);
    const config = { host: hostname, port, database: pathname.slice(1), user: role, password: reference };
    const { id } = await operator.client.createConnector({
      body: inbound("postgresql", config, {
        datasets: [{ source_dataset: "public.orders", target_name: "orders" }],
      }) as never,
    });
    const params = { connector_id: id };
    const checked = await operator.client.checkConnector({ params });
    assert.equal(checked.ok, true, JSON.stringify(checked));
    const start = () => operator.client.runJob({ params: { job_id: `connector-${id}` } });
    const done = await ended(server, await start());
    assert.equal(done.status, "succeeded", done.error ?? "");
    const { rows } = await operator.client.runQuery({ body: { sql: "select id, note from orders" } });
    assert.deepEqual(rows, [[1, "first"]]);

    const wrong = `no-${randomBytes(12).toString("hex")}`;
    await store(wrong);
    const refusedCheck = await operator.client.checkConnector({ params });
    assert.equal(refusedCheck.ok, false);
    assert.equal((await ended(server, await start())).status, "failed");
    assertHidden(wrong, refusedCheck, await visible(server));
    assertHidden(password, refusedCheck, await visible(server));
  });

  test("a PostgreSQL server that repeats the password does not make it visible", async (t) => {
    const server = await given(t);
    const { operator, secret } = server;
    const port = await startEchoingPostgres(t);
    const config = { host: "127.0.0.1", port, database: "shop", user: "ada", password: reference };
    const { id } = await operator.client.createConnector({ body: inbound("postgresql", config) as never });
    const params = { connector_id: id };
    const checked = await operator.client.checkConnector({ params });
    assert.match(JSON.stringify(checked), /\*{8}/);
    const run = await ended(server, await operator.client.runJob({ params: { job_id: `connector-${id}` } }));
    assert.equal(run.status, "failed");
    const answers = ["check", "discover", "preview"].map(async (what) =>
      (await operator.fetch(`/api/v1/connectors/${id}/${what}`, { method: "POST" })).text(),
    );
    assertHidden(secret, checked, run, await Promise.all(answers), await visible(server));
  });

  test("a REST source gets the header, and what it repeats is hidden", async (t) => {
    const server = await given(t, `tok-${randomBytes(18).toString("base64url")}`);
    const { operator, secret } = server;
    let isHostile = false;
    const { received, url } = await startHttp(t, ({ headers }, response) => {
      const token = String(headers.authorization).replace("Bearer ", "");
      const rows = isHostile ? forms(token).map((note, id) => ({ id, note })) : [{ id: 1, note: "first" }];
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(rows));
    });
    const config = { url, headers: { Authorization: `Bearer ${reference}` } };
    const { id } = await operator.client.createConnector({ body: inbound("rest", config) as never });
    const params = { connector_id: id };
    const run = await ended(server, await operator.client.runJob({ params: { job_id: `connector-${id}` } }));
    assert.equal(run.status, "succeeded", run.error ?? "");
    assert.equal(received.at(-1)?.authorization, `Bearer ${secret}`);
    const { rows } = await operator.client.runQuery({ body: { sql: "select note from orders" } });
    assert.deepEqual(rows, [["first"]]);
    isHostile = true;
    const preview = await operator.client.previewConnector({ params });
    assert.match(JSON.stringify(preview), /\*{8}/);
    assertHidden(secret, preview, await visible(server));
  });

  test("an HTTP target gets the header, and its refusals are stored without it", async (t) => {
    const server = await given(t);
    const { operator, viewer, secret } = server;
    const { received, url } = await startHttp(t, ({ headers }, response) => {
      response.writeHead(422).end(forms(decodeURIComponent(String(headers["x-key"]))).join(" | "));
    });
    await server.store(encodeURIComponent(secret), "encoded");
    const sql = "create table orders as select 1 as id";
    const definition = { tasks: [{ name: "make", kind: "sql", query: sql }] };
    await operator.client.createAutomation({ body: { alias: "make", definition } as never });
    await operator.client.syncAutomationRelease({
      body: { automation_alias: "make", environment: "local" },
    });
    const made = await operator.client.runAutomation({ params: { automation_alias: "make" }, body: {} });
    assert.equal((await ended(server, made)).status, "succeeded");
    const { id } = await operator.client.createConnector({
      body: {
        ...inbound("", {}),
        target_type: "http",
        target_config: {
          url,
          headers: { "X-Key": "{{secrets/shop/encoded}}", Authorization: `Basic ${reference}` },
        },
        datasets: [
          { source_dataset: "orders", target_name: "orders", custom_config: { max_reject_share: 1 } },
        ],
      } as never,
    });
    const run = await ended(server, await operator.client.runJob({ params: { job_id: `connector-${id}` } }));
    assert.equal(received.at(-1)?.["x-key"], encodeURIComponent(secret));
    const rejects = await viewer.client.listRejects({ params: { connector_id: id } });
    assert.equal(rejects.total, 1, JSON.stringify([run, rejects]));
    assert.match(rejects.rejects[0]?.reason ?? "", /^422 .*\*{8}/);
    assertHidden(secret, run, rejects, await visible(server));
  });

  test("an http task sends the secret, and its output, errors and log do not show it", async (t) => {
    const server = await given(t, `key-${randomBytes(18).toString("base64url")}`);
    const { operator, secret } = server;
    const { received, url } = await startHttp(t, ({ url: path, headers }, response) => {
      const token = String(headers.authorization).replace("Bearer ", "");
      const body = JSON.stringify({ [token]: forms(token), nested: { [`k-${token}`]: token } });
      response.writeHead(path === "/ok" ? 200 : 403, { "content-type": "application/json" }).end(body);
    });
    const headers = { Authorization: `Bearer ${reference}`, "X-Other": "{{parameters.api_key}}" };
    const body = { client_secret: reference, note: "plain" };
    const definition = {
      parameters: { api_key: reference },
      tasks: [
        { name: "ok", kind: "http", url: `${url}/ok`, parameters: { headers, body } },
        {
          name: "again",
          kind: "http",
          url: `${url}/ok`,
          depends_on: ["ok"],
          parameters: { headers, body: { was: "{{tasks.ok.value}}" } },
        },
        { name: "no", kind: "http", url: `${url}/no`, depends_on: ["again"], parameters: { headers } },
      ],
    };
    await operator.client.createAutomation({ body: { alias: "call", definition } as never });
    const params = { automation_alias: "call" };
    await operator.client.syncAutomationRelease({ body: { ...params, environment: "local" } });
    const run = await ended(server, await operator.client.runAutomation({ params, body: {} }));
    const [ok] = received;
    assert.equal(ok?.authorization, `Bearer ${secret}`);
    assert.equal(ok?.["x-other"], secret);
    assert.deepEqual(JSON.parse(String(ok?.body)), { client_secret: secret, note: "plain" });
    assert.equal(run.status, "failed");
    assert.match(run.error ?? "", /403/);
    assert.match(JSON.stringify(run), /\*{8}/);
    assertHidden(secret, run, await visible(server));
  });

  test("a channel gets its message at the secret address, and a failure does not show it", async (t) => {
    const server = await given(t);
    const { operator, viewer, store } = server;
    let status = 200;
    const { received, url } = await startHttp(t, (_, response) => response.writeHead(status).end());
    const address = `${url}/hooks/${randomBytes(12).toString("hex")}`;
    await store(address);
    const metadata = { kind: "webhook", signing_secret: "{{secrets/shop/signing}}" };
    await store("a-signing-secret-of-the-hook", "signing");
    const bound = await operator.client.bindChat({
      body: { environment: "local", channel_id: "ops", channel_url: reference, metadata },
    });
    const binding_id = bound.binding.id;
    const sent = await operator.client.testBinding({ params: { binding_id } });
    assert.equal(received.length, 1, JSON.stringify(sent));
    status = 500;
    const attempt = async () =>
      (await operator.fetch(`/api/automations/chat/bindings/${binding_id}/test`, post({}))).text();
    const failed = [await attempt()];
    // The secret may be anything, for example another address or a password.
    const key = randomBytes(12).toString("hex");
    for (const value of [
      `http://169.254.169.254/${key}`,
      `http://10.1.2.3/${key}`,
      `https://${key}.invalid/${key}`,
      `http://user:${key}@127.0.0.1:1/`,
      `http://[${key}`,
      `file:///${key}`,
      key,
    ]) {
      await store(value);
      failed.push(await attempt());
    }
    assertHidden(key, ...failed);
    const lists = await Promise.all(
      ["/api/automations/chat/bindings", "/api/automations/chat/deliveries"].map(async (path) =>
        (await viewer.fetch(path)).text(),
      ),
    );
    assertHidden(address, sent, ...failed, lists, await visible(server));
  });

  test("an app gets the secret as a variable, and its log and exit message do not show it", async (t) => {
    const server = await given(t);
    const { admin, operator, viewer, secret } = server;
    const put = (path: string, content: string) =>
      admin.fetch(`/api/v1/files/${path}`, { method: "PUT", body: content });
    const manifest = 'command: [node, app.mjs]\nenv:\n  - { name: KEY, valueFrom: "shop/key" }\n';
    const print = `
      const secret = process.env.KEY;
      const forms = ${forms.toString()};
      console.log("length", secret.length);
      for (const form of forms(secret)) console.log("key", form);
      process.stdout.write("x".repeat(1024 * 1024 - 20) + secret + "\\n");`;
    const serve = `
      import { createServer } from "node:http";
      createServer((_, response) => response.end("ok")).listen(process.env.PORT, "127.0.0.1");`;
    await put("good/app.yaml", manifest);
    await put("good/app.mjs", `${serve}${print}`);
    await put("bad/app.yaml", manifest);
    await put(
      "bad/app.mjs",
      `${print.replace(/process\.stdout.*/, "")}\nthrow new Error("no entry with " + secret);`,
    );
    const create = (name: string) => admin.client.createApp({ body: { name, source_path: name } });
    const [good, bad] = [await create("good"), await create("bad")];
    const started = await operator.client.startApp({ body: { application_name: "good" } });
    assert.equal(started.app.observed_state, "running");
    const refusedStart = await operator.fetch("/api/apps/start", post({ application_name: "bad" }));
    assert.equal(refusedStart.status, 409);
    const message = await refusedStart.text();
    assert.match(message, /no entry with \*{8}/);

    const log = await viewer.client.readAppLog({
      params: { app_id: good.id },
      query: { after: 0, limit: 1000 },
    });
    assert.ok(log.lines.some(({ line }) => line === `length ${secret.length}`));
    assert.ok(log.lines.some(({ line }) => line === "key ********"));
    const texts: unknown[] = [message, log, await visible(server)];
    for (let after = 0; after < 700; after += 31) {
      texts.push(await viewer.client.readAppLog({ params: { app_id: good.id }, query: { after, limit: 5 } }));
    }
    texts.push(await viewer.client.readAppLog({ params: { app_id: bad.id }, query: {} }));
    const stop = new AbortController();
    const stream = await viewer.fetch(`/api/apps/${good.id}/log?after=0`, {
      headers: { accept: "text/event-stream" },
      signal: stop.signal,
    });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    stop.abort();
    assert.ok(value && value.length > 0);
    assertHidden(secret, ...texts, Buffer.from(value).toString());
    await operator.client.stopApp({ body: { application_name: "good" } });
  });
});

/** Asks for the password in plain text, and repeats it in every field of an error. */
async function startEchoingPostgres(t: TestContext): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      if (bytes[0] !== 0x70) return void socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      const password = bytes.toString("utf8", 5, bytes.length - 1);
      const text = forms(password).join(" | ");
      const fields = ["SFATAL", "C28P01", `M${text}`, `D${text}`, `H${text}`, `W${text}`].map(
        (one) => `${one}\0`,
      );
      const body = Buffer.from(`${fields.join("")}\0`);
      const head = Buffer.alloc(5);
      head.write("E");
      head.writeUInt32BE(body.length + 4, 1);
      socket.end(Buffer.concat([head, body]));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}
