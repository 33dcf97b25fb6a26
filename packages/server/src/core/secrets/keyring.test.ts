import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../../settings.ts";
import { testParts } from "../../web/identity/test-parts.ts";
import { checkFingerprint, jwtKey } from "./keyring.ts";
import { openVault } from "./vault.ts";

test("the JWT key is made once, and servers that start at once end with the same one", async (t) => {
  const parts = await testParts(t);
  const keys = await Promise.all([jwtKey(parts), jwtKey(parts), jwtKey(parts)]);
  assert.equal(keys[0].length, 32);
  assert.equal(new Set(keys.map((key) => key.toString("hex"))).size, 1);
  assert.deepEqual(await jwtKey(parts), keys[0]);
});

test("in the store the JWT key is encrypted", async (t) => {
  const parts = await testParts(t);
  const key = await jwtKey(parts);
  const [row] = await parts.store.engine.read({ sql: "select value from keyring", parameters: [] });
  const value = String(row?.value);
  assert.ok(!Buffer.from(value, "base64").includes(key));
  assert.equal(parts.vault.decrypt(value), key.toString("base64"));
});

test("a set JWT secret is used as it is, and nothing is kept", async (t) => {
  const parts = { ...(await testParts(t)), settings: readSettings({ PLATFORM_JWT_SECRET: "shared" }) };
  assert.equal((await jwtKey(parts)).toString(), "shared");
  assert.deepEqual(await parts.store.engine.read({ sql: "select * from keyring", parameters: [] }), []);
});

test("a database is used with one secret key, and another one is refused", async (t) => {
  const { store, vault, system } = await testParts(t);
  await checkFingerprint(store, vault);
  await checkFingerprint(store, vault);
  const other = openVault("quite another secret key", system.randomBytes);
  await assert.rejects(
    checkFingerprint(store, other),
    /written with another secret key.*PLATFORM_SECRET_KEY/,
  );
});
