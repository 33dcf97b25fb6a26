import assert from "node:assert/strict";
import { test } from "node:test";
import { secretMask } from "@lakehelm/contract/connections";
import fc from "fast-check";
import { extractSecrets, restoreSecrets } from "./encrypted-map.ts";

test("secret strings are extracted at any depth; everything else is unchanged", () => {
  const { masked, secrets } = extractSecrets({
    host: "db",
    password: "p",
    list: [{ token: "t" }, "token", [{ api_key: "k" }]],
    headers: { "X-Api-Key": "x", Accept: "json" },
    primary_keys: { orders: ["id"] },
  });
  assert.deepEqual(masked, {
    host: "db",
    password: secretMask,
    list: [{ token: secretMask }, "token", [{ api_key: secretMask }]],
    headers: { "X-Api-Key": secretMask, Accept: "json" },
    primary_keys: { orders: ["id"] },
  });
  assert.deepEqual(secrets, {
    '["password"]': "p",
    '["list",0,"token"]': "t",
    '["list",2,0,"api_key"]': "k",
    '["headers","X-Api-Key"]': "x",
  });
});

test("only a string is a secret value, not a number, null, empty text, list of names or reference", () => {
  const plain = {
    password: 5,
    token: null,
    secret: "",
    credentials: ["a", "b"],
    api_key: { name: "n", value: true },
    access_token: "{{secrets/shop/token}}",
  };
  assert.deepEqual(extractSecrets(plain), { masked: plain, secrets: {} });
  // A text that only begins like a reference is a plain value.
  const { masked } = extractSecrets({ token: "{{secrets/shop/token}} and more" });
  assert.deepEqual(masked, { token: secretMask });
});

test("the mask keeps the secret stored at the same path; without a stored secret it means none", () => {
  const before = extractSecrets({ a: { password: "old" }, token: "t", list: [{ token: "one" }] });
  const after = extractSecrets(
    {
      a: { password: secretMask },
      token: "new",
      list: [{ token: secretMask }, { token: secretMask }],
      password: secretMask,
    },
    before.secrets,
  );
  assert.deepEqual(after.secrets, {
    '["a","password"]': "old",
    '["token"]': "new",
    '["list",0,"token"]': "one",
  });
});

test("restoring the secrets yields the original map, for any map", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom("password", "api_key", "token", "__proto__", "a"));
  const few = { maxKeys: 4, noNullPrototype: true };
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("list"), tie("tree")), few),
    list: fc.array(fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("tree")), { maxLength: 3 }),
    leaf: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean()),
  }));
  fc.assert(
    fc.property(tree, (sent) => {
      const map = sent as Record<string, unknown>;
      const { masked, secrets } = extractSecrets(map);
      assert.deepEqual(restoreSecrets(masked, secrets), { ...map });
      for (const value of Object.values(secrets)) assert.notEqual(value, "");
      assert.deepEqual(extractSecrets(masked, secrets), { masked, secrets });
    }),
    { numRuns: 200, seed: 1 },
  );
});
