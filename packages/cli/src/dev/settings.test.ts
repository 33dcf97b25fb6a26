import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsOf } from "./server.ts";

test("a server of dev gets the settings of the shell, without those of another server", () => {
  const given = {
    PLATFORM_PRIVATE_ADDRESSES: "10.0.0.0/8",
    APPS_PORT: "8101",
    PLATFORM_PROCESS_TASKS: "off",
  };
  const others = {
    DATABASE_URL: "postgres://db.example.test/lakehelm",
    HOST: "0.0.0.0",
    PORT: "8000",
    PLATFORM_ENV: "production",
    PLATFORM_DATA_DIR: "/var/lib/lakehelm",
    PLATFORM_SECRET_KEY_FILE: "/run/secrets/key",
    PLATFORM_SERVICE_AUTH_TOKEN: "of another server",
    PLATFORM_BACKUP_DIR: "/backup",
    PATH: "/bin",
  };
  assert.deepEqual(settingsOf({ ...given, ...others }), given);
});
