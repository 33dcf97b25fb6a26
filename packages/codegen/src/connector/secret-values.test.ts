import assert from "node:assert/strict";
import { test } from "node:test";
import { production } from "../testing/contexts.ts";
import { pythonConfig } from "./secret-references.ts";
import { withholdSecrets } from "./secret-values.ts";

const withhold = (config: Record<string, unknown>, name = "orders_to_crm") =>
  withholdSecrets(config, name, production, "target_config");

test("a secret value becomes a reference to a secret that somebody has to create", () => {
  const held = withhold({ user: "ada", password: "hunter2!", headers: { "X-Api-Key": "k", Accept: "json" } });
  assert.deepEqual(held.config, {
    user: "ada",
    password: "{{secrets/shop/orders_to_crm.password}}",
    headers: { "X-Api-Key": "{{secrets/shop/orders_to_crm.headers.x-api-key}}", Accept: "json" },
  });
  assert.deepEqual(held.secrets, [
    { scope: "shop", key: "orders_to_crm.password" },
    { scope: "shop", key: "orders_to_crm.headers.x-api-key" },
  ]);
  assert.deepEqual(held.withheld, ["hunter2!", "k"]);
  assert.deepEqual(held.problems, []);
});

test("our mask stands for a value that was not sent: the secret must exist, and nothing is withheld", () => {
  const held = withhold({ password: "********" });
  assert.deepEqual(held.config, { password: "{{secrets/shop/orders_to_crm.password}}" });
  assert.deepEqual(held.withheld, []);
});

test("a reference stays what it is, also after the name of a scheme", () => {
  const config = { user: "{{secrets/a/user}}", headers: { Authorization: "Bearer {{secrets/a/token}}" } };
  const held = withhold(config);
  assert.deepEqual(held.config, config);
  assert.deepEqual(held.secrets, [
    { scope: "a", key: "user" },
    { scope: "a", key: "token" },
  ]);
});

test("numbers and nested values under a secret's key are secrets, an empty password is none", () => {
  const held = withhold({
    options: { pin_token: 123456, credentials: { user: "u", list: ["x"] } },
    password: "",
  });
  assert.deepEqual(held.withheld, ["123456", "u", "x"]);
  assert.deepEqual(held.config.password, "");
});

test("two keys that would get one name get two", () => {
  const held = withhold({ headers: { "X-Token": "a", "x-token": "b", "x token": "c" } });
  assert.equal(new Set(held.secrets.map(({ key }) => key)).size, 3);
  for (const { key } of held.secrets) assert.match(key, /^[\w.-]{1,128}$/);
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
      "target_config.url: an address may not carry credentials. Put them into user and password, or into a header.",
    ]);
  });
}

test("an ordinary address of a storage account is none of them", () => {
  assert.deepEqual(withhold({ path: "abfss://container@account.dfs.core.windows.net/in" }).problems, []);
});

test("a broken reference and one with a value beside it are refused, without repeating them", () => {
  const { problems } = withhold({ user: "{{secrets/only-scope}}", password: "prefix-{{secrets/a/b}}" });
  assert.deepEqual(problems, [
    "target_config.user: a reference to a secret is written {{secrets/<scope>/<key>}}.",
    "target_config.password: it holds a reference to a secret and other text. Put all of it into the secret.",
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
