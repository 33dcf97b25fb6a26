import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CredentialPath,
  createRedaction,
  credentialsIn,
  httpFields,
  isCredential,
  isTargetCredential,
  readConfig,
  restFields,
} from "./index.ts";

test("no kind of connection lets a caller set headers of the connection", () => {
  const names = [
    "Host",
    "hOST",
    "Content-Length",
    "Transfer-Encoding",
    "Connection",
    "TE",
    "Upgrade",
    "Proxy-X",
  ];
  for (const fields of [restFields, httpFields]) {
    for (const name of names) {
      const config = { url: "https://api.example.test", headers: { [name]: "x" } };
      const { problems } = readConfig(fields, config, "config");
      assert.match(problems.join(), new RegExp(`headers: "${name}" is set by the connector itself`), name);
    }
    const ordinary = { url: "https://api.example.test", headers: { "X-Key": "x", Accept: "text/plain" } };
    assert.deepEqual(readConfig(fields, ordinary, "config").problems, []);
  }
});

test("a kind's schema declares its credential fields", () => {
  const credentials: [string, CredentialPath][] = [
    ["postgresql", ["password"]],
    ["Postgres", ["password"]],
    ["mysql", ["password"]],
    ["sqlserver", ["options", "sslPassword"]],
    ["rest", ["headers", "Authorization"]],
    ["rest", ["headers", "Cookie"]],
    ["http", ["headers", "Ocp-Apim-Subscription-Key"]],
  ];
  for (const [kind, path] of credentials) assert.ok(isCredential(kind, path), `${kind} ${path}`);
});

test("every other field is not a credential field, whatever its name", () => {
  const others: [string, CredentialPath][] = [
    ["postgresql", []],
    ["postgresql", ["user"]],
    ["postgresql", ["host"]],
    ["postgresql", ["database"]],
    ["postgresql", ["token"]],
    ["postgresql", ["options", "application_name"]],
    ["postgresql", ["primary_keys", "password"]],
    ["postgresql", ["__proto__"]],
    ["sqlite", ["path"]],
    ["sqlite", ["password"]],
    ["files", ["path"]],
    ["csv", ["headers", "Authorization"]],
    ["rest", ["url"]],
    ["rest", ["headers"]],
    ["rest", ["headers", "ACCEPT"]],
    ["http", ["url"]],
    ["http", ["headers", "Content-Type"]],
  ];
  for (const [kind, path] of others) assert.ok(!isCredential(kind, path), `${kind} ${path}`);
});

test("the names of keys decide for a kind without a schema", () => {
  assert.ok(isCredential("salesforce", ["auth", "client_secret"]));
  assert.ok(isCredential("constructor", ["password"]));
  assert.ok(!isCredential("salesforce", ["url"]));
});

test("the connection of a connector that writes to the warehouse has its own kind", () => {
  const config = { connection: { type: "rest", config: {} } };
  const at = (...path: string[]) => isTargetCredential("warehouse", config, path);
  assert.ok(at("connection", "config", "headers", "X-Api-Key"));
  assert.ok(!at("connection", "config", "password"));
  assert.ok(!at("connection", "type"));
  assert.ok(!at("password"));
  assert.ok(!isTargetCredential("warehouse", { connection: null }, ["connection", "config", "password"]));
  assert.ok(isTargetCredential("mysql", {}, ["password"]));
});

test("the credentials of a config are those of its schema, of secret names and of addresses", () => {
  const basic = `Basic ${Buffer.from("ada:pä:ss").toString("base64")}`;
  const config = {
    url: "https://ada:p%40ss@api.test/v1?token=t0ken&page=2",
    headers: { Authorization: basic, Cookie: "Bearer abcdef", Accept: "text/plain", "X-Tenant": "a b c" },
    client_secret: ["one", { two: 2222 }],
    primary_keys: { tokens: ["token"] },
    records_path: "data",
  };
  assert.deepEqual(credentialsIn("rest", config), [
    ...["p%40ss", "p@ss", "t0ken"],
    ...[basic, basic.slice(6), "pä:ss", "Bearer abcdef", "abcdef", "a b c", "one", "2222"],
  ]);
  assert.deepEqual(credentialsIn("postgresql", { user: "postgres", password: "postgres" }), []);
});

test("the address of a token endpoint and the id of a client are not hidden in messages, their secrets are", () => {
  const auth = {
    type: "client_credentials",
    token_url: "https://api.example.test/oauth/token?api_key=k3y-of-url",
    client_id: "lakehelm",
    client_secret: "s3cret-of-client",
    scope: "orders:read",
  };
  const config = { url: "https://api.example.test/v1", auth };
  assert.deepEqual(credentialsIn("rest", config), ["k3y-of-url", "s3cret-of-client"]);
  const redaction = createRedaction(credentialsIn("rest", config));
  assert.equal(redaction.text(`can reach ${config.url}`), "can reach https://api.example.test/v1");
});
