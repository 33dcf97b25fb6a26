import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readSettings } from "../../settings.ts";
import { firstServiceToken, secretKey } from "./first-credential.ts";
import { testFolder, testSystem } from "./test-dependencies.ts";

const none = readSettings({});

test("in development a service token is created once, readable by its owner only", async (t) => {
  const folder = join(await testFolder(t), "data");
  const { randomBytes } = testSystem();
  const first = await firstServiceToken(none, folder, randomBytes);
  assert.ok(first);
  assert.equal(first.path, join(folder, "service-token"));
  assert.match(first.token, /^lhs_[\w-]{43}$/);
  assert.equal(await readFile(first.path, "utf8"), `${first.token}\n`);
  assert.equal((await stat(first.path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["service-token"]);
  assert.deepEqual(await firstServiceToken(none, folder, randomBytes), first);
});

test("servers that start concurrently use the same token", async (t) => {
  const folder = await testFolder(t);
  const { randomBytes } = testSystem();
  const made = await Promise.all(
    Array.from({ length: 8 }, () => firstServiceToken(none, folder, randomBytes)),
  );
  assert.equal(new Set(made.map((one) => one?.token)).size, 1);
  assert.deepEqual(await readdir(folder), ["service-token"]);
});

const credentials = [
  { PLATFORM_SERVICE_AUTH_TOKEN: "svc_Hq4vTz8nWk2bYx6RmP9dLc" },
  { PLATFORM_CLIENT_ID: "ci", PLATFORM_CLIENT_SECRET: "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret" },
  { PLATFORM_WORKSPACE_URL: "https://my.workspace" },
];
for (const credential of credentials) {
  test(`with ${Object.keys(credential)} set, no token is created`, async (t) => {
    for (const PLATFORM_ENV of ["development", "production"]) {
      const settings = readSettings({ ...credential, PLATFORM_ENV });
      assert.equal(
        await firstServiceToken(settings, await testFolder(t), testSystem().randomBytes),
        undefined,
      );
    }
  });
}

test("in production the server does not start without a credential and names the settings", async (t) => {
  const folder = await testFolder(t);
  for (const half of [{}, { PLATFORM_CLIENT_ID: "ci" }]) {
    const settings = readSettings({ PLATFORM_ENV: "production", ...half });
    await assert.rejects(firstServiceToken(settings, folder, testSystem().randomBytes), {
      message: /PLATFORM_SERVICE_AUTH_TOKEN.*PLATFORM_CLIENT_SECRET.*PLATFORM_WORKSPACE_URL/,
    });
  }
});

test("the secret key is configured or created once, also in production", async (t) => {
  const folder = await testFolder(t);
  const { randomBytes } = testSystem();
  const set = readSettings({ PLATFORM_SECRET_KEY: "sixteen or more characters" });
  assert.equal(await secretKey(set, folder, randomBytes), "sixteen or more characters");
  assert.deepEqual(await readdir(folder), []);

  const production = readSettings({ PLATFORM_ENV: "production" });
  const key = await secretKey(production, folder, randomBytes);
  assert.match(key, /^[\w-]{43}$/);
  assert.equal((await stat(join(folder, "secret-key"))).mode & 0o777, 0o600);
  assert.equal(await secretKey(production, folder, randomBytes), key);
});

test("an empty file is an error, a missing one is created", async (t) => {
  const folder = await testFolder(t);
  await writeFile(join(folder, "secret-key"), "\n");
  await assert.rejects(secretKey(none, folder, testSystem().randomBytes), /secret-key is empty/);
});
