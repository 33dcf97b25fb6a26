import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { engines } from "../packages/server/src/testing/server.ts";
import { type Caller, startTarget, type Target } from "./target.ts";

const mask = "********";
const value = (n: number) => `hunter-${n}-s3cret`;

/** Configs with a secret whose name, location or form a list of names can miss. */
const secretConfigs: Record<string, unknown>[] = [
  ...["password", "pwd", "pass", "dbPwd", "PGPASSWORD", "passphrase", "passcode", "pin", "connectionString"],
  ...["connection_string", "dsn", "sas", "sas_token", "account_key", "AccountKey", "SharedAccessSignature"],
  ...[
    "subscription_key",
    "Ocp-Apim-Subscription-Key",
    "x-api-key",
    "apikey",
    "private_key",
    "ssh_key",
    "sslkey",
  ],
  ...[
    "jwt",
    "bearer",
    "session_id",
    "sessionId",
    "JSESSIONID",
    "Cookie",
    "Set-Cookie",
    "webhook_url",
    "hook_url",
  ],
  ...[
    "client_secret",
    "clientSecret",
    "auth",
    "authToken",
    "refreshtoken",
    "credentials",
    "signature",
    "otp",
  ],
].map((name) => ({ [name]: "?" }));
secretConfigs.push(
  { headers: { Cookie: "sid=?", Accept: "text/csv" } },
  { headers: { "X-Anything-At-All": "?" } },
  { headers: [{ name: "Cookie", value: "?" }] },
  { headers: ["Cookie: sid=?"] },
  { headers: [["X-Session", "?"]] },
  { cookies: { id: "?" } },
  { auth: { type: "basic", username: "ada", anything: "?" } },
  { tokens: ["?", { deep: ["?"] }] },
  { list: [{ deep: [{ password: "?" }] }] },
  { env: [{ name: "DB_PASSWORD", value: "?" }] },
  { args: ["--password", "?"] },
  { args: ["--token=?"] },
  { url: "https://api.example.com/v1?token=?" },
  { url: "https://api.example.com/v1?unknown=?" },
  { url: "https://api.example.com/v1#access_token=?" },
  { url: "https://ada:?@api.example.com/v1" },
  { url: "https://?@github.example.com/x.git" },
  { url: "postgres://ada:p/?@db.example.com/shop" },
  { note: "see https://api.example.com/v1?key=? for more" },
  { jdbc: "jdbc:sqlserver://db.example.com:1433;databaseName=shop;password=?;encrypt=true" },
  { ado: "Server=db;User Id=ada;Pwd=?" },
  { libpq: "host=db.example.com password='?' user=ada" },
  { hook: "https://hooks.slack.com/services/T000/B000/?" },
  { body: '{"user":"ada","password":"?"}' },
  { pem: "-----BEGIN RSA PRIVATE KEY-----\n?\n-----END RSA PRIVATE KEY-----" },
  { anything: "Bearer ?" },
  { "fs.azure.account.key.shop.dfs.core.windows.net": "?" },
);

const filled = (config: unknown, secret: string): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(config)
      .replaceAll('?"', `${secret}"`)
      .replaceAll("?@", `${secret}@`)
      .replaceAll("=?", `=${secret}`)
      .replaceAll("'?'", `'${secret}'`)
      .replaceAll("\\n?", `\\n${secret}`)
      .replaceAll('?\\"', `${secret}\\"`),
  );

const plainConfig = {
  host: "db.example.com",
  port: 5432,
  database: "shop",
  schema: "sales",
  user: "loader",
  path: "orders/2026",
  batch_size: 500,
  key_columns: ["id"],
  primary_key: "id",
  primary_keys: { tokens: ["id"] },
  token_url: "https://login.example.com/token",
  max_tokens: 4096,
  secret_scope: "crm",
  api_key_header: "X-Api-Key",
  url: "https://api.example.com/v1/orders?page=2&limit=50",
  columns: { password: "varchar" },
  query: "select token from sessions where token = 'x'",
  description: "a=b, and Basic plan",
};

/** Everything that a viewer can read about a resource. */
async function readable({ viewer }: Target, paths: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    [...paths, "/api/v1/events?limit=1000", "/api/v1/jobs", "/api/v1/environments"].map(async (path) => {
      const answer = await viewer.fetch(path);
      assert.equal(answer.status, 200, path);
      return answer.text();
    }),
  );
  return texts.join("\n");
}

/** Every file of the data folder, as bytes. */
const stored = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

async function send(caller: Caller, method: string, path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const answer = await caller.fetch(path, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Record<string, never> };
}

let names = 0;
const connector = (target_type: string, target_config: unknown) => ({
  name: `c-${++names}`,
  target_type,
  target_config,
  created_by: "ada",
});

async function create(target: Target, target_type: string, target_config: unknown) {
  const made = await send(
    target.operator,
    "POST",
    "/api/v1/connectors/",
    connector(target_type, target_config),
  );
  assert.equal(made.status, 200, made.text);
  return made.body as unknown as { id: string; target_config: Record<string, unknown> };
}

suite("masking", () => {
  test("no secret of a connector or an environment is readable or stored in the clear", async (t: TestContext) => {
    const target = await startTarget(t);
    for (const [at, config] of secretConfigs.entries()) {
      const target_config = filled(config, value(at));
      assert.match(JSON.stringify(target_config), /hunter-/, JSON.stringify(config));
      for (const kind of ["postgresql", "http", "unheard-of"]) {
        const made = await create(target, kind, target_config);
        assert.doesNotMatch(JSON.stringify(made), /hunter/, JSON.stringify(config));
      }
      const environment = { name: `e-${at}`, configuration: target_config };
      const made = await send(target.admin, "POST", "/api/v1/environments", environment);
      assert.equal(made.status, 200, made.text);
      assert.doesNotMatch(made.text, /hunter/, JSON.stringify(config));
    }
    const texts = await readable(target, ["/api/v1/connectors/?limit=1000"]);
    assert.doesNotMatch(texts, /hunter-\d/);
    assert.doesNotMatch(stored(target.dataDir), /hunter-\d/);
  });

  test("what a user needs to see is shown", async (t) => {
    const target = await startTarget(t);
    const { id } = await create(target, "unheard-of", plainConfig);
    const read = await target.viewer.client.getConnector({ params: { connector_id: id } });
    assert.deepEqual(read.target_config, plainConfig);
  });
});

/** A config with a secret, and changes that would send the secret elsewhere. */
const redirections: [string, Record<string, unknown>, Record<string, unknown>[]][] = [
  [
    "http",
    { url: "https://api.example.com/v1", headers: { Authorization: "hunter", Accept: "text/csv" } },
    [
      { url: "https://evil.example.com/v1" },
      { url: "https://api.example.com/other" },
      { url: "http://api.example.com/v1" },
      { url: "https://api.example.com:8443/v1" },
      { url: "https://api.example.com@evil.example.com/v1" },
      { proxy: "http://evil.example.com" },
      { headers: { Authorization: mask, Host: "evil.example.com" } },
    ],
  ],
  [
    "postgresql",
    { host: "db.example.com", port: 5432, database: "shop", user: "ada", password: "hunter" },
    [
      { host: "evil.example.com" },
      { port: 1 },
      { database: "other" },
      { port: undefined },
      { options: { host: "evil.example.com" } },
      { sslmode: "disable" },
      { hostaddr: "203.0.113.1" },
    ],
  ],
  [
    "unheard-of",
    {
      account: "shop",
      servers: [
        { host: "a", token: "hunter" },
        { host: "b", token: "hunter2" },
      ],
    },
    [
      { account: "evil" },
      {
        servers: [
          { host: "b", token: mask },
          { host: "b", token: mask },
        ],
      },
      {
        servers: [
          { host: "evil", token: mask },
          { host: "b", token: mask },
        ],
      },
      {
        servers: [
          { host: "a", token: mask },
          { host: "b", token: mask },
          { host: "c", token: mask },
        ],
      },
    ],
  ],
  [
    "warehouse",
    {
      connection: {
        type: "rest",
        config: { url: "https://api.example.com", headers: { "X-Key": "hunter" } },
      },
    },
    [
      {
        connection: { type: "rest", config: { url: "https://evil.example.com", headers: { "X-Key": mask } } },
      },
      {
        connection: { type: "http", config: { url: "https://api.example.com", headers: { "X-Key": mask } } },
      },
    ],
  ],
  [
    "http",
    { url: "https://api.example.com/v1?token=hunter" },
    [{ url: `https://evil.example.com/v1?token=${mask}` }],
  ],
];

for (const engine of engines) {
  suite(`masks that are sent back, on ${engine}`, () => {
    test("a stored secret is not sent to another destination", async (t) => {
      const target = await startTarget(t, { engine });
      for (const [kind, config, changes] of redirections) {
        const { id, target_config } = await create(target, kind, config);
        const path = `/api/v1/connectors/${id}`;
        for (const change of changes) {
          const sent = { target_config: { ...target_config, ...change } };
          const answer = await send(target.operator, "PATCH", path, sent);
          assert.equal(answer.status, 409, `${kind} ${JSON.stringify(change)}: ${answer.text}`);
          assert.match(answer.text, /target_config\.|target_config\[/, JSON.stringify(change));
          assert.doesNotMatch(answer.text, /hunter/);
        }
        const other = await send(target.operator, "PATCH", path, { target_type: "another-kind" });
        assert.equal(other.status, 409, other.text);
        // All of these are accepted: the config as read, with a harmless change, and with the secret itself.
        const settings = { ...target_config, batch_size: 10 };
        assert.equal((await send(target.operator, "PATCH", path, { target_config: settings })).status, 200);
        assert.equal((await send(target.operator, "PATCH", path, { target_config: config })).status, 200);
      }
    });

    test("a mask without a stored secret is refused", async (t) => {
      const target = await startTarget(t, { engine });
      for (const config of [
        { host: "db.example.com", password: mask },
        { headers: { Cookie: mask } },
        { url: `https://ada:${mask}@api.example.com` },
        { tokens: [mask] },
      ]) {
        const answer = await send(target.operator, "POST", "/api/v1/connectors/", connector("http", config));
        assert.equal(answer.status, 409, JSON.stringify(config));
        assert.match(answer.text, /no secret is stored there/);
      }
      const { id } = await create(target, "http", { password: "hunter" });
      const moved = { target_config: { token: mask } };
      assert.equal((await send(target.operator, "PATCH", `/api/v1/connectors/${id}`, moved)).status, 409);
    });

    test("environments, pipelines, automations and channels keep the same rule", async (t) => {
      const { admin, operator } = await startTarget(t, { engine });
      const configuration = { base_url: "https://api.example.com", api_token: "hunter", note: "a" };
      const made = await send(admin, "POST", "/api/v1/environments", { name: "shop", configuration });
      assert.equal(made.status, 200, made.text);
      const environment = (change: object, more: object = {}) =>
        send(admin, "PATCH", "/api/v1/environments/shop", {
          configuration: { ...configuration, api_token: mask, ...change },
          ...more,
        });
      assert.equal((await environment({ base_url: "https://evil.example.com" })).status, 409);
      assert.equal((await environment({ host: "evil.example.com" })).status, 409);
      assert.equal((await environment({ note: "b", catalog: "shop" })).status, 200);

      const task = (url: string, secret: string) => ({
        name: "call",
        kind: "http",
        url,
        parameters: { headers: { Authorization: secret, Accept: "text/csv" } },
      });
      const automation = {
        alias: "calls",
        definition: { tasks: [task("https://api.example.com/x", "hunter")] },
      };
      assert.equal((await send(operator, "POST", "/api/automations", automation)).status, 200);
      const define = (url: string) =>
        send(operator, "PUT", "/api/automations/calls/definition", {
          description: "new",
          tasks: [task(url, mask)],
        });
      const evil = await define("https://evil.example.com/x");
      assert.equal(evil.status, 409, evil.text);
      assert.match(evil.text, /tasks\.call\.headers\.Authorization/);
      const kept = await define("https://api.example.com/x");
      assert.equal(kept.status, 200, kept.text);

      const pipeline = {
        name: "nightly",
        libraries: [{ file: { path: "a.sql" } }],
        notifications: [{ url: "https://api.example.com/x", token: "hunter" }],
      };
      const { body } = await send(operator, "POST", "/api/v1/pipelines", pipeline);
      const notify = (url: string) =>
        send(operator, "PATCH", `/api/v1/pipelines/${body.pipeline_id}`, {
          notifications: [{ url, token: mask }],
        });
      assert.equal((await notify("https://evil.example.com/x")).status, 409);
      assert.equal((await notify("https://api.example.com/x")).status, 200);
    });
  });

  suite(`secret scopes, on ${engine}`, () => {
    test("an operator cannot use a scope that is limited to admins or to another environment", async (t) => {
      const { admin, operator, viewer } = await startTarget(t, { engine });
      for (const name of ["one", "two"]) {
        assert.equal((await send(admin, "POST", "/api/v1/environments", { name })).status, 200);
        const headers = { "x-environment-id": name, "content-type": "application/json" };
        const body = '{"value":"hunter"}';
        const put = await admin.fetch("/api/v1/secrets/crm/password", { method: "PUT", headers, body });
        assert.equal(put.status, 200);
      }
      const target_config = {
        host: "db.example.com",
        database: "shop",
        password: "{{secrets/crm/password}}",
      };
      const post = (caller: Caller, environment: string) =>
        caller.fetch("/api/v1/connectors/", {
          method: "POST",
          headers: { "x-environment-id": environment, "content-type": "application/json" },
          body: JSON.stringify(connector("postgresql", target_config)),
        });
      const limit = (caller: Caller, body: object) => send(caller, "PUT", "/api/v1/secrets/crm", body);
      // An admin must use the scope first.
      assert.equal((await post(operator, "one")).status, 403);
      assert.equal((await post(admin, "one")).status, 200);
      assert.equal((await post(operator, "one")).status, 200);
      assert.equal((await limit(operator, { roles: ["operator"] })).status, 403);
      assert.equal((await limit(viewer, {})).status, 403);
      assert.equal((await limit(admin, { roles: ["viewer"] })).status, 422);
      assert.equal((await limit(admin, { environments: ["one"], roles: ["admin"] })).status, 200);
      assert.equal((await post(operator, "one")).status, 403);
      assert.equal((await post(admin, "two")).status, 409);
      assert.equal((await post(admin, "one")).status, 200);
      assert.equal((await limit(admin, { environments: ["one"], roles: ["operator"] })).status, 200);
      assert.equal((await post(operator, "one")).status, 200);
    });
  });
}
