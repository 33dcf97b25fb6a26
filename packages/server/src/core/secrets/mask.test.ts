import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { extractSecrets, isSecretKey, mask, restoreSecrets } from "./mask.ts";

test("a key one of whose words means a secret is one", () => {
  for (const key of [
    "password",
    "Password",
    "PASSWORD",
    "passwd",
    "passphrase",
    "dbPassword",
    "db_password",
    "db-password",
    "password_hash",
    "secret",
    "secrets",
    "client_secret",
    "clientSecret",
    "CLIENT_SECRET",
    "token",
    "access_token",
    "accessToken",
    "bearer.token",
    "token2.token",
    "credential",
    "credentials",
    "gcpCredentials",
    "authorization",
    "Authorization",
    "Proxy-Authorization",
    "api_key",
    "apiKey",
    "apikey",
    "APIKey",
    "X-Api-Key",
    "access_key",
    "aws_access_key_id",
    "awsSecretAccessKey",
    "private_key",
    "privateKey",
    "ssh-private-key",
    "account_key",
    "shared_key",
    "sas_key",
    "signing_key",
    "encryption_key",
    "master_key",
  ]) {
    assert.ok(isSecretKey(key), key);
  }
});

test("a key that only looks like one is none", () => {
  for (const key of [
    "",
    "key",
    "keys",
    "primary_key",
    "primary_keys",
    "primaryKeys",
    "foreign_key",
    "partition_key",
    "key_column",
    "sort_keys",
    "monkey",
    "keyboard",
    "tokenizer",
    "tokenize",
    "max_tokens",
    "author",
    "authority",
    "authorized_views",
    "passport",
    "pass",
    "bypass",
    "secretary",
    "api",
    "access",
    "api_version",
    "private",
    "private_endpoint",
    "keystone_api",
    "user",
    "host",
    "__proto__",
    "constructor",
  ]) {
    assert.ok(!isSecretKey(key), key);
  }
});

test("secret strings are taken out wherever they are; everything else stays as it is", () => {
  const { masked, secrets } = extractSecrets({
    host: "db",
    password: "p",
    list: [{ token: "t" }, "token", [{ api_key: "k" }]],
    headers: { "X-Api-Key": "x", Accept: "json" },
    primary_keys: { orders: ["id"] },
  });
  assert.deepEqual(masked, {
    host: "db",
    password: mask,
    list: [{ token: mask }, "token", [{ api_key: mask }]],
    headers: { "X-Api-Key": mask, Accept: "json" },
    primary_keys: { orders: ["id"] },
  });
  assert.deepEqual(secrets, {
    '["password"]': "p",
    '["list",0,"token"]': "t",
    '["list",2,0,"api_key"]': "k",
    '["headers","X-Api-Key"]': "x",
  });
});

test("only a string is a secret value: no number, null, empty text, list of names or reference", () => {
  const plain = {
    password: 5,
    token: null,
    secret: "",
    credentials: ["a", "b"],
    api_key: { name: "n", value: true },
    access_token: "{{secrets/shop/token}}",
  };
  assert.deepEqual(extractSecrets(plain), { masked: plain, secrets: {} });
  // What merely begins like a reference is a value.
  const { masked } = extractSecrets({ token: "{{secrets/shop/token}} and more" });
  assert.deepEqual(masked, { token: mask });
});

test("the mask keeps what is stored at its place, and nothing where nothing is", () => {
  const before = extractSecrets({ a: { password: "old" }, token: "t", list: [{ token: "one" }] });
  const after = extractSecrets(
    { a: { password: mask }, token: "new", list: [{ token: mask }, { token: mask }], password: mask },
    before.secrets,
  );
  assert.deepEqual(after.secrets, {
    '["a","password"]': "old",
    '["token"]': "new",
    '["list",0,"token"]': "one",
  });
});

test("restoring gives back what was taken out, for any map", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom("password", "api_key", "token", "__proto__", "a"));
  const few = { maxKeys: 4, noNullPrototype: true };
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("list"), tie("tree")), few),
    list: fc.array(fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("tree")), { maxLength: 3 }),
    leaf: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean()),
  }));
  fc.assert(
    fc.property(tree, (sent) => {
      const map = sent as Record<string, unknown>;
      const { masked, secrets } = extractSecrets(map);
      assert.deepEqual(restoreSecrets(masked, secrets), { ...map });
      for (const value of Object.values(secrets)) assert.notEqual(value, "");
      assert.deepEqual(extractSecrets(masked, secrets), { masked, secrets });
    }),
    { numRuns: 200, seed: 1 },
  );
});
