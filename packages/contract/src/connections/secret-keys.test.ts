import assert from "node:assert/strict";
import { test } from "node:test";
import { isSecretKey } from "./index.ts";

test("a key with a word for secrets is a secret key", () => {
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

test("a key that only looks similar is not", () => {
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

test("the result does not depend on the cache", () => {
  for (let at = 0; at < 5000; at++) assert.equal(isSecretKey(`column_${at}`), false);
  for (const _ of [1, 2]) {
    assert.equal(isSecretKey(`${"x".repeat(200)}_password`), true);
    assert.equal(isSecretKey("brand_new_token"), true);
  }
});
