import assert from "node:assert/strict";
import test from "node:test";
import { production } from "../testing/contexts.ts";
import { mayBeSecret } from "./secret-keys.ts";
import { withholdSecrets } from "./secret-values.ts";

const secret = [
  ...["password", "sslpassword", "dbpassword", "pwd", "passcode", "accesstoken", "sslkey", "sas", "sasToken"],
  ...["keyVaultProviderClientKey", "clientSecret", "private_key", "credentials"],
];
const harmless = [
  "host",
  "user",
  "database",
  "fetchsize",
  "warehouse",
  "path",
  "keyspace",
  "escape",
  "header",
];

test("keys whose values may be secrets are recognized", () => {
  for (const key of secret) assert.ok(mayBeSecret(["options", key]), key);
  for (const key of harmless) assert.ok(!mayBeSecret(["options", key]), key);
});

test("a header is a secret unless it is known to be harmless", () => {
  for (const name of ["Authorization", "Cookie", "X-Auth", "Ocp-Apim-Subscription-Key", "X-Session"]) {
    assert.ok(mayBeSecret(["headers", name]), name);
  }
  for (const name of ["Accept", "content-type", "User-Agent"])
    assert.ok(!mayBeSecret(["headers", name]), name);
});

test("private keys and passwords inside other values are withheld too", () => {
  const values = ["-----BEGIN PRIVATE KEY-----\nabc", "Server=db;Password=ppp999;", "AccountKey=abc123=="];
  for (const value of values) {
    const result = withholdSecrets({ options: { note: value } }, "crm", production, "target_config");
    assert.deepEqual(result.withheld, [value]);
    assert.deepEqual(result.config, { options: { note: "{{secrets/shop/crm.options.note}}" } });
  }
});

test("an address with a key in its query is refused", () => {
  for (const parameter of ["code", "token", "api_key", "sig", "subscription-key"]) {
    const url = `https://api.example.com/v1?${parameter}=abc123`;
    const result = withholdSecrets({ url }, "crm", production, "target_config");
    assert.match(
      result.problems.join(),
      /^target_config\.url: a URL must not contain credentials/,
      parameter,
    );
  }
});
