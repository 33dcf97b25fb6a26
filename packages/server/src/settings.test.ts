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
  assert.equal(settings.PLATFORM_RATE_LIMIT_PER_MINUTE, 30_000);
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

test("programs are separated by colons, and are absolute paths", () => {
  const read = (value: string) => readSettings({ PLATFORM_SPARK_PYTHON: value }).PLATFORM_SPARK_PYTHON;
  assert.deepEqual(read(""), []);
  assert.deepEqual(read("/opt/a/bin/python"), ["/opt/a/bin/python"]);
  assert.deepEqual(read("/opt/a/bin/python:/opt/b/bin/python:"), ["/opt/a/bin/python", "/opt/b/bin/python"]);
  assert.throws(() => read("/opt/a/bin/python:python3"), {
    message:
      "Lakehelm did not start. PLATFORM_SPARK_PYTHON must be an absolute path, such as /opt/spark-client/bin/python, or several separated by colons.",
  });
});

test("all invalid settings are named together, without their values", () => {
  const wrong = {
    PORT: "eighty",
    DATABASE_URL: "mysql://lakehelm:s3cret@db.internal/lakehelm",
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

test("a port has at most 65535", () => {
  assert.throws(() => readSettings({ PORT: "65536" }), {
    message: "Lakehelm did not start. PORT must be an integer from 0 to 65535.",
  });
  assert.throws(() => readSettings({ APPS_PORT: "65536" }), /APPS_PORT/);
});

test("a misspelled setting is refused; other variables with the prefix are ignored", () => {
  assert.throws(() => readSettings({ PLATFORM_DEFAULT_ROLES: "none", PLATFORM_SECRETKEY_FILE: "/key" }), {
    message:
      "Lakehelm did not start. PLATFORM_DEFAULT_ROLES is not a setting. Did you mean PLATFORM_DEFAULT_ROLE? " +
      "PLATFORM_SECRETKEY_FILE is not a setting. Did you mean PLATFORM_SECRET_KEY?",
  });
  const others = {
    PLATFORM_PORT: "tcp://10.0.0.1:80",
    PLATFORM_SERVICE_HOST: "10.0.0.1",
    PLATFORM_NAME: "x",
  };
  assert.equal(readSettings({ ...others, PLATFORM_SECRET_KEY_FILE: "/key" }).PORT, 8000);
});

test("credentials that are easy to guess are refused together, with the way to make one", () => {
  const weak = {
    PLATFORM_SERVICE_AUTH_TOKEN: "changeme",
    PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS: "test-service-token-test-service-token",
    PLATFORM_CLIENT_SECRET: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    PLATFORM_JWT_SECRET: "Hq4vTz8nWk2bYx6RmP9dLc",
  };
  for (const PLATFORM_ENV of ["development", "production"]) {
    assert.throws(
      () => readSettings({ ...weak, PLATFORM_ENV }),
      ({ message }: Error) => {
        for (const [name, value] of Object.entries(weak)) {
          assert.match(message, new RegExp(`${name} is easy to guess`));
          assert.ok(!message.includes(value));
        }
        assert.match(message, /openssl rand -base64 32/);
        return true;
      },
    );
  }
});
