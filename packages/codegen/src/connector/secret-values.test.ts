import assert from "node:assert/strict";
import { test } from "node:test";
import { production } from "../testing/contexts.ts";
import { pythonConfig } from "./secret-references.ts";
import { withholdSecrets } from "./secret-values.ts";

const withhold = (config: Record<string, unknown>, name = "orders_to_crm") =>
  withholdSecrets(config, name, production, "target_config");

test("a secret value becomes a reference to a secret that must be created", () => {
  const result = withhold({
    user: "ada",
    password: "hunter2!",
    headers: { "X-Api-Key": "k", Accept: "json" },
  });
  assert.deepEqual(result.config, {
    user: "ada",
    password: "{{secrets/shop/orders_to_crm.password}}",
    headers: { "X-Api-Key": "{{secrets/shop/orders_to_crm.headers.x-api-key}}", Accept: "json" },
  });
  assert.deepEqual(result.secrets, [
    { scope: "shop", key: "orders_to_crm.password" },
    { scope: "shop", key: "orders_to_crm.headers.x-api-key" },
  ]);
  assert.deepEqual(result.withheld, ["hunter2!", "k"]);
  assert.deepEqual(result.problems, []);
});

test("a masked value becomes a reference, and nothing is withheld", () => {
  const result = withhold({ password: "********" });
  assert.deepEqual(result.config, { password: "{{secrets/shop/orders_to_crm.password}}" });
  assert.deepEqual(result.withheld, []);
});

test("a reference is kept, also after an authentication scheme", () => {
  const config = { user: "{{secrets/a/user}}", headers: { Authorization: "Bearer {{secrets/a/token}}" } };
  const result = withhold(config);
  assert.deepEqual(result.config, config);
  assert.deepEqual(result.secrets, [
    { scope: "a", key: "user" },
    { scope: "a", key: "token" },
  ]);
});

test("numbers and nested values under a secret's key are secrets, an empty password is not", () => {
  const result = withhold({
    options: { pin_token: 123456, credentials: { user: "u", list: ["x"] } },
    password: "",
  });
  assert.deepEqual(result.withheld, ["123456", "u", "x"]);
  assert.deepEqual(result.config.password, "");
});

test("more secret values than every file can be searched for are refused", () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-key-${n}`, `secret value ${n}`]));
  assert.deepEqual(withhold({ headers: headers(200) }).problems, []);
  assert.deepEqual(withhold({ headers: headers(201) }).problems, [
    "target_config: it has more than 200 secret values.",
  ]);
});

test("keys that would share a secret's name get different names", () => {
  const result = withhold({ headers: { "X-Token": "a", "x-token": "b", "x token": "c" } });
  assert.equal(new Set(result.secrets.map(({ key }) => key)).size, 3);
  for (const { key } of result.secrets) assert.match(key, /^[\w.-]{1,128}$/);
});

test("names of tables and columns are never secrets", () => {
  const config = {
    primary_keys: { tokens: ["secret"] },
    pii_columns: ["password"],
    watermark_columns: { token: "x" },
  };
  assert.deepEqual(withhold(config).config, config);
});

for (const address of [
  "https://user:word@api.example.com/v1",
  "https://ghp_abcdef@api.example.com",
  "https://api.example.com/v1?a=b&api_key=abc",
  "https://account.blob.core.windows.net/c?sv=1&sig=abc",
  "jdbc:postgresql://host/db?user=a&password=b",
]) {
  test(`credentials in an address are refused: ${address}`, () => {
    const { problems } = withhold({ url: address });
    assert.deepEqual(problems, [
      "target_config.url: a URL must not contain credentials. Put them into user and password, or into a header.",
    ]);
  });
}

test("the address of a storage account has no credentials", () => {
  assert.deepEqual(withhold({ path: "abfss://container@account.dfs.core.windows.net/in" }).problems, []);
});

test("a malformed reference, or one beside other text, is refused without repeating the value", () => {
  const { problems } = withhold({ user: "{{secrets/only-scope}}", password: "prefix-{{secrets/a/b}}" });
  assert.deepEqual(problems, [
    "target_config.user: a reference to a secret is written {{secrets/<scope>/<key>}}.",
    "target_config.password: it contains a reference to a secret and other text. Put the whole text into the secret.",
  ]);
});

test("in Python a reference is a call, everything else a literal", () => {
  const config = { url: "jdbc:x://{{secrets/a/host}}:1/db", n: 5, deep: { "it's": 'say "x"' }, empty: {} };
  assert.equal(
    pythonConfig(config),
    `{
    "url": "jdbc:x://" + secret("a", "host") + ":1/db",
    "n": 5,
    "deep": {
        "it's": "say \\"x\\"",
    },
    "empty": {},
}`,
  );
});
