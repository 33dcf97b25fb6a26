import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../../settings.ts";
import { testDependencies } from "../../web/identity/test-dependencies.ts";
import { checkFingerprint, jwtKey, secretKeyWeakness } from "./keyring.ts";
import { openVault } from "./vault.ts";

test("the JWT key is created once, and servers that start concurrently use the same one", async (t) => {
  const deps = await testDependencies(t);
  const keys = await Promise.all([jwtKey(deps), jwtKey(deps), jwtKey(deps)]);
  assert.equal(keys[0].length, 32);
  assert.equal(new Set(keys.map((key) => key.toString("hex"))).size, 1);
  assert.deepEqual(await jwtKey(deps), keys[0]);
});

test("the JWT key is stored encrypted", async (t) => {
  const deps = await testDependencies(t);
  const key = await jwtKey(deps);
  const [row] = await deps.store.engine.read({ sql: "select value from keyring", parameters: [] });
  const value = String(row?.value);
  assert.ok(!Buffer.from(value, "base64").includes(key));
  assert.equal(deps.vault.decrypt(value), key.toString("base64"));
});

test("a configured JWT secret is used as is, and nothing is stored", async (t) => {
  const deps = {
    ...(await testDependencies(t)),
    settings: readSettings({ PLATFORM_JWT_SECRET: "jwt_Zk4vTq8nWk2bYx6RmP9dLcHs3gFa7u" }),
  };
  assert.equal((await jwtKey(deps)).toString(), "jwt_Zk4vTq8nWk2bYx6RmP9dLcHs3gFa7u");
  assert.deepEqual(await deps.store.engine.read({ sql: "select * from keyring", parameters: [] }), []);
});

test("a database is rejected if it was written with another secret key", async (t) => {
  const { store, vault, system } = await testDependencies(t);
  await checkFingerprint(store, vault);
  await checkFingerprint(store, vault);
  const other = openVault("quite another secret key", system.randomBytes);
  await assert.rejects(
    checkFingerprint(store, other),
    /written with another secret key.*PLATFORM_SECRET_KEY/,
  );
});

test("a new database rejects a secret key that is easy to guess, an existing one keeps it", async (t) => {
  const { store, vault } = await testDependencies(t);
  const weak = "changeme-changeme";
  await assert.rejects(secretKeyWeakness(store, weak), /easy to guess.*openssl rand -base64 32/);
  assert.equal(await secretKeyWeakness(store, undefined), undefined);
  assert.equal(await secretKeyWeakness(store, "one key for all servers of this test"), undefined);
  await checkFingerprint(store, vault);
  assert.match((await secretKeyWeakness(store, weak)) ?? "", /easy to guess/);
});
