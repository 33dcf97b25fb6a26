import assert from "node:assert/strict";
import { test } from "node:test";
import { secretMask } from "@lakehelm/contract/connections";
import fc from "@lakehelm/testing/random-cases";
import { extractSecrets, secretTextsIn } from "./secret-extraction.ts";
import type { Extracted, FreeFormMap } from "./secret-path.ts";
import { restoreSecrets } from "./secret-restoration.ts";

test("secret strings are extracted at any depth; everything else is unchanged", () => {
  const { masked, secrets } = extractSecrets({
    host: "db",
    password: "p",
    list: [{ token: "t" }, "token", [{ api_key: "k" }]],
    headers: { "X-Api-Key": "x", Accept: "json" },
    primary_keys: { orders: ["id"] },
  });
  assert.deepEqual(masked, {
    host: "db",
    password: secretMask,
    list: [{ token: secretMask }, "token", [{ api_key: secretMask }]],
    headers: { "X-Api-Key": secretMask, Accept: "json" },
    primary_keys: { orders: ["id"] },
  });
  assert.deepEqual(secrets, {
    '["password"]': "p",
    '["list",0,"token"]': "t",
    '["list",2,0,"api_key"]': "k",
    '["headers","X-Api-Key"]': "x",
  });
});

test("booleans, null, empty texts, references and names beside a secret are not secrets", () => {
  const plain = {
    password: true,
    token: null,
    secret: "",
    max_tokens: 4096,
    tokens: 12,
    api_key: { name: "n", value: true },
    access_token: "{{secrets/shop/token}}",
    headers: { Accept: "text/csv", Authorization: "Bearer {{secrets/shop/token}}" },
    auth: "basic",
    columns: { password: "varchar", token: "varchar" },
    primary_keys: { tokens: ["id"] },
    query: "select * from users where token = 'x'",
  };
  assert.deepEqual(extracted(plain), { masked: plain, secrets: {} });
  // A text that only begins like a reference is a plain value.
  const { masked } = extractSecrets({ token: "{{secrets/shop/token}} and more" });
  assert.deepEqual(masked, { token: secretMask });
});

test("secrets in lists, maps, pairs and arguments are extracted, and so are numbers", () => {
  const { masked, secrets } = extractSecrets({
    pin: 1234,
    tokens: ["a", ["b"], { value: "c" }],
    credentials: { user: "ada", password: "p", extra: { deep: "d" } },
    headers: [
      { name: "Cookie", value: "c" },
      { name: "Accept", value: "json" },
      "X-Session: s",
      ["X-Auth", "x"],
    ],
    env: [{ name: "DB_PASSWORD", value: "p" }, { name: "REGION", value: "eu" }, "API_TOKEN=t"],
    args: ["--password", "p", "--verbose", "yes", "--token=t"],
    auth: { type: "basic", username: "ada", anything: "p" },
  });
  assert.deepEqual(masked, {
    pin: secretMask,
    tokens: [secretMask, [secretMask], { value: secretMask }],
    credentials: { user: "ada", password: secretMask, extra: { deep: secretMask } },
    headers: [
      { name: "Cookie", value: secretMask },
      { name: "Accept", value: "json" },
      secretMask,
      ["X-Auth", secretMask],
    ],
    env: [
      { name: "DB_PASSWORD", value: secretMask },
      { name: "REGION", value: "eu" },
      `API_TOKEN=${secretMask}`,
    ],
    args: ["--password", secretMask, "--verbose", "yes", `--token=${secretMask}`],
    auth: { type: "basic", username: "ada", anything: secretMask },
  });
  assert.equal(secrets['["pin"]'], 1234);
});

test("secrets inside texts are masked there: URLs, connection strings, JSON, keys and tokens", () => {
  const texts: [string, string][] = [
    ["https://api.example.com/v1?token=abc&page=2", "https://api.example.com/v1?token=********&page=2"],
    ["https://api.example.com/v1?x=opaque", "https://api.example.com/v1?x=********"],
    [
      "postgres://ada:p/w@db:5432/shop?sslmode=require",
      "postgres://ada:********@db:5432/shop?sslmode=require",
    ],
    ["see redis://:pw@cache/0 first", "see redis://:********@cache/0 first"],
    ["https://ghp_abc@github.com/x.git", "https://********@github.com/x.git"],
    [
      "jdbc:sqlserver://db:1433;databaseName=shop;password=p w;",
      "jdbc:sqlserver://db:1433;databaseName=shop;password=********;",
    ],
    ["Server=db;User Id=ada;Pwd=p;Encrypt=true", "Server=db;User Id=ada;Pwd=********;Encrypt=true"],
    ["host=db password='p w' user=ada", "host=db password=******** user=ada"],
    ["https://hooks.slack.com/services/T/B/x", "https://hooks.slack.com/********"],
    ['{"user":"ada","password":"p"}', '{"user":"ada","password":"********"}'],
    ["-----BEGIN RSA PRIVATE KEY-----\nabc", secretMask],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", secretMask],
    ["Bearer abcdef123", secretMask],
    ["Basic YWRhOnNlY3JldA==", secretMask],
    ["ghp_0123456789abcdefghij0123456789", secretMask],
  ];
  for (const [text, shown] of texts) {
    const { masked, secrets } = extractSecrets({ note: text });
    assert.deepEqual(masked, { note: shown });
    assert.deepEqual(restoreSecrets(masked, secrets), { note: text });
  }
  const harmless = [
    ...[
      "abfss://data@account.dfs.core.windows.net/x",
      "s3://bucket/orders/",
      "https://medium.com/@ada",
      "Basic plan",
    ],
    ...[
      "postgres://db:5432/shop?sslmode=require",
      "ssh://git@github.com/x.git",
      "{{secrets/a/b}}",
      "a=b;c=d",
    ],
    ...["https://api.example.com/orders?page=2&limit=50&sort=name", "https://x/?id={{parameters.id}}"],
    ...[
      "ratio = 5",
      "select a as token from t",
      "Token bucket limits",
      "sk-learn pipeline",
      "2026-01-01T00:00:00Z",
    ],
  ];
  for (const text of harmless) assert.deepEqual(extracted({ note: text }).masked, { note: text });
});

test("texts that leak a secret on their own are listed for redaction", () => {
  const texts = secretTextsIn({ url: "https://ada:hunter1@x/?key=hunter2&page=1", password: "hunter3" });
  assert.deepEqual(texts, ["https://ada:hunter1@x/?key=hunter2&page=1", "hunter1", "hunter2", "hunter3"]);
});

test("the mask keeps the secret stored at the same path; without a stored secret it is reported", () => {
  const before = extractSecrets({ a: { password: "old" }, token: "t", list: [{ token: "one" }], pin: 7 });
  const after = extractSecrets(
    {
      a: { password: secretMask },
      token: "new",
      list: [{ token: secretMask }, { token: secretMask }],
      password: secretMask,
      url: `https://x/?token=${secretMask}`,
      pin: secretMask,
      note: `${secretMask} is the mask`,
    },
    before.secrets,
  );
  assert.deepEqual(after.secrets, {
    '["a","password"]': "old",
    '["token"]': "new",
    '["list",0,"token"]': "one",
    '["pin"]': 7,
  });
  assert.deepEqual(after.keptPaths, [["a", "password"], ["list", 0, "token"], ["pin"]]);
  assert.deepEqual(after.unknownPaths, [["list", 1, "token"], ["password"], ["url"]]);
});

test("restoring the secrets yields the original map, for any map", () => {
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom("password", "api_key", "token", "headers", "__proto__", "a"),
  );
  const few = { maxKeys: 4, noNullPrototype: true };
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("list"), tie("tree")), few),
    list: fc.array(fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("tree")), { maxLength: 3 }),
    leaf: fc.oneof(
      fc.string(),
      fc.constantFrom("https://x/?a=opaque", "db://u:p@h", "Pwd=1;a=b", "[1]", "{}"),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
    ),
  }));
  fc.assert(
    fc.property(tree, (sent) => {
      const map = sent as Record<string, unknown>;
      const { masked, secrets } = extracted(map);
      assert.deepEqual(restoreSecrets(masked, secrets), { ...map });
      for (const value of Object.values(secrets)) assert.notEqual(value, "");
      assert.deepEqual(extracted(masked, secrets), { masked, secrets });
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("a caller's text is scanned in linear time", () => {
  const megabyte = 1 << 20;
  for (const unit of [
    "a=",
    "://",
    "x://a:b@",
    "?a=",
    "&",
    "{",
    "A",
    "=",
    "token=",
    "-----BEGIN ",
    "eyJ",
    "@",
    ":",
    " ",
    "x-",
    "\n",
  ]) {
    const text = `https://${unit.repeat(megabyte / unit.length)}`;
    const started = performance.now();
    extractSecrets({ note: text, [text]: "x", headers: [text] });
    assert.ok(performance.now() - started < 2_000, unit);
  }
});

function extracted(map: FreeFormMap, kept?: Extracted) {
  const { masked, secrets } = extractSecrets(map, kept);
  return { masked, secrets };
}
