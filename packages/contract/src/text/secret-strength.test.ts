import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { weaknessOf } from "./secret-strength.ts";

test("random secrets are accepted in every usual form", () => {
  for (let n = 0; n < 200; n++) {
    const bytes = randomBytes(32);
    for (const form of ["base64", "base64url", "hex"] as const) {
      assert.equal(weaknessOf(bytes.toString(form), 32), undefined, bytes.toString(form));
    }
  }
  for (const phrase of ["correct horse", "battery staple", "long enough, is it"]) {
    assert.equal(weaknessOf(phrase, 12), undefined, phrase);
  }
});

test("a short secret is refused with the length that it must have", () => {
  assert.equal(weaknessOf("Vq8RwYk2mHc", 12), "have at least 12 characters");
});

test("repetitions, sequences and common words are refused at any length", () => {
  const weak = [
    "a".repeat(64),
    "abababababababababababababababababab",
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "987654321098765432109876543210987654321",
    "changeme-changeme-changeme-changeme",
    "Ch4ngeMe!".replace("4", "a").repeat(4),
    "password-password-password-1234567890",
    "my-secret-service-token-2024-my-secret",
    "test-service-token-test-service-token",
    "                                        ",
    "----------------------------------------",
  ];
  for (const secret of weak) assert.ok(weaknessOf(secret, 12), secret);
});

test("a secret made of the user's name is refused", () => {
  const names = ["ada.lovelace@example.com"];
  assert.ok(weaknessOf("ada.lovelace@example.com", 12, names));
  assert.ok(weaknessOf("Lovelace-Ada-1234", 12, names));
  assert.equal(weaknessOf("ada likes blue tulips", 12, names), undefined);
});

test("the check of a secret takes time in proportion to its length", () => {
  const cpuMs = (length: number) => {
    const before = process.threadCpuUsage();
    weaknessOf("pass".repeat(length / 4), 12, ["passpass"]);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  cpuMs(100_000);
  // A quadratic algorithm would take a hundred times as long.
  assert.ok(cpuMs(1_000_000) < 40 * Math.max(5, cpuMs(100_000)));
});
