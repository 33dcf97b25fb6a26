import assert from "node:assert/strict";
import { test } from "node:test";
import { createPasswords } from "./passwords.ts";
import { cheap, testSystem } from "./test-dependencies.ts";

test("a hash contains its cost and a unique salt and matches only its password", async () => {
  const passwords = createPasswords(testSystem().randomBytes);
  const [one, two] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")]);
  assert.match(one, /^scrypt\$16384\$8\$5\$[\w+/]{22}==\$[\w+/]{43}=$/);
  assert.notEqual(one, two);
  assert.equal(await passwords.matches("correct horse", one), true);
  assert.equal(await passwords.matches("correct horsf", one), false);
});

test("a hash with another cost still matches", async () => {
  const { randomBytes } = testSystem();
  const before = await createPasswords(randomBytes, cheap).hash("correct horse");
  const after = createPasswords(randomBytes, { ...cheap, N: 32 });
  assert.equal(await after.matches("correct horse", before), true);
});

test("a password matches in any Unicode normalization form", async () => {
  const passwords = createPasswords(testSystem().randomBytes, cheap);
  assert.equal(await passwords.matches("u\u0308bermut", await passwords.hash("\u00fcbermut")), true);
});

test("without a hash the comparison takes as long and returns false", async () => {
  const passwords = createPasswords(testSystem().randomBytes);
  const hash = await passwords.hash("correct horse");
  const timed = async (against: string | undefined) => {
    const start = process.cpuUsage();
    assert.equal(await passwords.matches("wrong horse", against), false);
    return process.cpuUsage(start).user;
  };
  const [known, unknown] = [await timed(hash), await timed(undefined)];
  assert.ok(unknown > known / 3 && unknown < known * 3, `${unknown} µs beside ${known} µs`);
});
