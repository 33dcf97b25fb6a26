import assert from "node:assert/strict";
import { test } from "node:test";
import { createPasswords } from "./passwords.ts";
import { cheap, testSystem } from "./test-dependencies.ts";

test("a hash tells its cost, has a salt of its own, and matches its password alone", async () => {
  const passwords = createPasswords(testSystem().randomBytes);
  const [one, two] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")]);
  assert.match(one, /^scrypt\$16384\$8\$5\$[\w+/]{22}==\$[\w+/]{43}=$/);
  assert.notEqual(one, two);
  assert.equal(await passwords.matches("correct horse", one), true);
  assert.equal(await passwords.matches("correct horsf", one), false);
});

test("a hash made at another cost still matches", async () => {
  const { randomBytes } = testSystem();
  const before = await createPasswords(randomBytes, cheap).hash("correct horse");
  const after = createPasswords(randomBytes, { ...cheap, N: 32 });
  assert.equal(await after.matches("correct horse", before), true);
});

test("a password matches however its letters were composed", async () => {
  const passwords = createPasswords(testSystem().randomBytes, cheap);
  assert.equal(await passwords.matches("u\u0308bermut", await passwords.hash("\u00fcbermut")), true);
});

test("without a hash the work is the same and the answer is no", async () => {
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
