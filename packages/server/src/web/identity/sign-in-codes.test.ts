import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Problem } from "../../core/errors.ts";
import { createSignInCodes } from "./sign-in-codes.ts";

const isRefused = (error: unknown) => error instanceof Problem && error.kind === "unauthorized";

test("a sign-in code works once", () => {
  const codes = createSignInCodes({ monotonicMs: () => 0, randomBytes });
  const code = codes.create();
  assert.throws(() => codes.redeem(`${code}x`), isRefused);
  codes.redeem(code);
  assert.throws(() => codes.redeem(code), isRefused);
});

test("a sign-in code ends after 15 minutes, and with the next one", () => {
  let ms = 0;
  const codes = createSignInCodes({ monotonicMs: () => ms, randomBytes });
  const first = codes.create();
  const second = codes.create();
  assert.throws(() => codes.redeem(first), isRefused);
  ms = 15 * 60_000;
  assert.throws(() => codes.redeem(second), isRefused);
});
