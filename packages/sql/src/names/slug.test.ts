import assert from "node:assert/strict";
import test from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { hostileName } from "../testing/hostile.ts";
import { fileSlug, tableSlug } from "./slug.ts";

test("a plain name is its own slug; any other slug has eight digits of a hash", () => {
  assert.equal(fileSlug("orders-2024"), "orders-2024");
  assert.match(fileSlug("Orders"), /^orders-[0-9a-f]{8}$/);
  assert.match(fileSlug("../../etc/passwd"), /^etc-passwd-[0-9a-f]{8}$/);
  assert.match(fileSlug("数量"), /^n-[0-9a-f]{8}$/);
  assert.match(tableSlug("Daily orders"), /^daily_orders_[0-9a-f]{8}$/);
  assert.equal(tableSlug("daily_orders"), "daily_orders");
});

test("slugs are safe file names, and different names have different slugs", () => {
  // Pairs with small differences: case, spaces, characters that a slug drops, or a name that is a slug itself.
  const whole = hostileName().filter((text) => text.isWellFormed());
  const near = fc.constantFrom<(name: string) => string>(
    (name) => name.toUpperCase(),
    (name) => `${name} `,
    (name) => `${name}-`,
    (name) => name.replaceAll("-", "_"),
    (name) => name.replace(/[^a-z0-9]/g, ""),
    (name) => name.normalize("NFD"),
    (name) => fileSlug(name),
    (name) => tableSlug(name),
    (name) => `${name}${"x".repeat(70)}`,
  );
  fc.assert(
    fc.property(whole, near, whole, (one, change, other) => {
      for (const two of [change(one), other]) {
        for (const [slug, form] of [
          [fileSlug, /^[a-z0-9][a-z0-9_-]{0,63}$/],
          [tableSlug, /^[a-z][a-z0-9_]{0,63}$/],
        ] as const) {
          assert.match(slug(one), form);
          if (one !== two) assert.notEqual(slug(one), slug(two));
        }
      }
    }),
    { numRuns: randomCases(5_000) },
  );
});
