import assert from "node:assert/strict";
import { test } from "node:test";
import { isDestinationKey } from "./destination-keys.ts";
import { isCredential } from "./kind-credentials.ts";
import { readRestAuth } from "./rest-auth.ts";

test("the client's secret is a credential, and the address of the token decides where it is sent", () => {
  assert.equal(isCredential("rest", ["auth", "client_secret"]), true);
  for (const key of ["type", "token_url", "client_id", "scope"]) {
    assert.equal(isCredential("rest", ["auth", key]), false, key);
  }
  assert.equal(isDestinationKey("token_url"), true);
});

test("every problem of auth is reported", () => {
  const problems: string[] = [];
  const auth = {
    type: "client_credentials",
    token_url: "https://ada:x@login.example.test",
    client_secret: 1,
  };
  assert.equal(readRestAuth(auth, problems), undefined);
  assert.equal(problems.length, 3);
  assert.match(
    problems.join(" "),
    /token_url: expected a URL.*client_id.*client_secret: it must be a string/,
  );
  for (const wrong of ["client_credentials", [], 1]) {
    const found: string[] = [];
    assert.equal(readRestAuth(wrong, found), undefined);
    assert.match(found[0] ?? "", /it must be a map/);
  }
});

test("only a body of a request has credentials, whatever the dataset is called", () => {
  assert.equal(isCredential("rest", ["requests", "orders", "body", "variables", "api_token"]), true);
  assert.equal(isCredential("rest", ["requests", "orders", "body", "query"]), false);
  assert.equal(isCredential("rest", ["requests", "api_keys", "parent", "keys", "token"]), false);
});
