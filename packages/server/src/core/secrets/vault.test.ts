import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createEncryptedMaps } from "./encrypted-map.ts";
import { openVault } from "./vault.ts";

const vault = openVault("a long enough secret", randomBytes);

test("a value decrypts to itself, and each encryption of it differs", () => {
  for (const plain of ["", "p", "ü 😀 \0", "x".repeat(100_000)]) {
    const [one, two] = [vault.encrypt(plain), vault.encrypt(plain)];
    assert.equal(vault.decrypt(one), plain);
    assert.notEqual(one, two);
    if (plain !== "") assert.doesNotMatch(Buffer.from(one, "base64").toString("latin1"), /xxxx/);
  }
});

test("a changed or truncated ciphertext is rejected", () => {
  const sealed = Buffer.from(vault.encrypt("the secret"), "base64");
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => vault.decrypt(changed.toString("base64")), `byte ${at}`);
  }
  for (const length of [0, 11, 12, 20, 27, 28, sealed.length - 1]) {
    assert.throws(() => vault.decrypt(sealed.subarray(0, length).toString("base64")), `${length} bytes`);
  }
});

test("another key decrypts nothing and has another fingerprint", () => {
  const other = openVault("another long secret!", randomBytes);
  assert.throws(() => other.decrypt(vault.encrypt("p")), /authenticate/);
  assert.notEqual(other.fingerprint, vault.fingerprint);
  assert.equal(openVault("a long enough secret", randomBytes).fingerprint, vault.fingerprint);
});

test("each purpose has its own key", () => {
  assert.deepEqual(vault.deriveKey("a"), vault.deriveKey("a"));
  assert.notDeepEqual(vault.deriveKey("a"), vault.deriveKey("b"));
  assert.equal(vault.deriveKey("a").length, 32);
});

test("an encrypted map decrypts to the original; a map without secrets has no ciphertext", () => {
  const maps = createEncryptedMaps(vault);
  const sent = { host: "h", password: "p" };
  const { masked, sealed } = maps.seal(sent);
  assert.deepEqual(masked, { host: "h", password: "********" });
  assert.deepEqual(maps.open(masked, sealed), sent);
  const again = maps.seal({ ...masked, user: "other" }, { masked, sealed });
  assert.deepEqual(maps.open(again.masked, again.sealed), { host: "h", user: "other", password: "p" });
  const open = maps.seal({ host: "h" });
  assert.deepEqual([open.masked, open.sealed, open.open()], [{ host: "h" }, null, { host: "h" }]);
  assert.deepEqual(maps.open({ host: "h" }, null), { host: "h" });
});
