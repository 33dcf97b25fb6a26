import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import { eventKey, macOf } from "./chain.ts";

test("the MAC is HMAC-SHA256, for short and long texts in any script", () => {
  for (const size of [0, 16, 32, 64]) {
    const bytes = Buffer.alloc(size, 7);
    const key = eventKey(bytes);
    for (const text of ["", "a", "x".repeat(5_461), "x".repeat(5_462), "é€𝄞".repeat(40_000), "\ud800", "a"]) {
      const expected = createHmac("sha256", bytes).update(text).digest("base64url");
      assert.equal(macOf(key, text), expected, `${size} bytes, ${text.length} characters`);
    }
  }
});
