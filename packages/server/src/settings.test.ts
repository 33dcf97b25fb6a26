import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "./settings.ts";

test("every setting has a default", () => {
  const settings = readSettings({});
  assert.equal(settings.HOST, "127.0.0.1");
  assert.equal(settings.PORT, 8000);
  assert.equal(settings.PLATFORM_ENV, "development");
  assert.equal(settings.PLATFORM_DEFAULT_ENVIRONMENT, "local");
  assert.equal(settings.PLATFORM_DEFAULT_PLATFORM, "embedded");
  assert.equal(settings.PLATFORM_TOKEN_TTL_SECONDS, 3600);
  assert.equal(settings.PLATFORM_BODY_LIMIT_BYTES, 1024 * 1024);
  assert.equal(settings.PLATFORM_CODEGEN_BODY_LIMIT_BYTES, 16 * 1024 * 1024);
  assert.equal(settings.PLATFORM_RATE_LIMIT_PER_MINUTE, 0);
  assert.equal(settings.PLATFORM_SERVICE_AUTH_TOKEN, undefined);
  assert.deepEqual(settings.PLATFORM_ADMIN_USERS, []);
});

test("an empty value counts as unset", () => {
  const settings = readSettings({ PORT: "", PLATFORM_SERVICE_AUTH_TOKEN: "" });
  assert.equal(settings.PORT, 8000);
  assert.equal(settings.PLATFORM_SERVICE_AUTH_TOKEN, undefined);
});

test("names are separated by commas, and may have blanks around them", () => {
  assert.deepEqual(readSettings({ PLATFORM_ADMIN_USERS: " ada , bob,, " }).PLATFORM_ADMIN_USERS, [
    "ada",
    "bob",
  ]);
});

test("all invalid settings are named together, without their values", () => {
  const wrong = {
    PORT: "eighty",
    PLATFORM_ENV: "staging",
    PLATFORM_TOKEN_TTL_SECONDS: "0",
    PLATFORM_BODY_LIMIT_BYTES: "1.5",
    PLATFORM_SECRET_KEY: "short-s3cret",
    PLATFORM_WORKSPACE_URL: "nowhere",
    PLATFORM_APPS_URL: "https://apps.example.com/below",
    PLATFORM_APPS_DOMAIN: "https://apps.example.com",
  };
  assert.throws(
    () => readSettings(wrong),
    ({ message }: Error) => {
      for (const name of Object.keys(wrong)) assert.match(message, new RegExp(name));
      assert.doesNotMatch(message, /s3cret/);
      return true;
    },
  );
});
