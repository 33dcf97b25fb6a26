import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test } from "node:test";
import { assertLinear } from "@lakehelm/testing/linear";
import { tokenOf } from "./authenticate.ts";

const accepted: [IncomingHttpHeaders, string][] = [
  [{ authorization: "Bearer abc" }, "abc"],
  [{ authorization: "bEaReR   abc" }, "abc"],
  [{ authorization: "Bearer a b" }, "a b"],
  [{ "x-service-auth": "abc" }, "abc"],
  [{ "x-service-auth": "BEARER abc" }, "abc"],
  [{ authorization: "Bearer \u00a0abc" }, "\u00a0abc"],
  [{ authorization: "Bearer abc\u00a0" }, "abc\u00a0"],
  [{ "x-service-auth": "\u00a0abc" }, "\u00a0abc"],
  [{ "x-service-auth": " \t abc \t" }, "abc"],
  [{ "x-service-auth": "abc", authorization: "Bearer infrastructure" }, "abc"],
  [{ "x-service-auth": "abc", authorization: "Basic eDp5" }, "abc"],
];

for (const [headers, token] of accepted) {
  test(`${JSON.stringify(headers)} carries ${token}`, () => assert.equal(tokenOf(headers), token));
}

const refused: [IncomingHttpHeaders, RegExp][] = [
  [{}, /Authorization: Bearer <token> is missing/],
  [{ authorization: "" }, /must have the form/],
  [{ authorization: "Bearer" }, /must have the form/],
  [{ authorization: "Bearer  " }, /must have the form/],
  [{ authorization: "Basic abc" }, /must have the form/],
  [{ authorization: "abc" }, /must have the form/],
  [{ authorization: "Bearerabc" }, /must have the form/],
  [{ authorization: "Bearer\u00a0abc" }, /must have the form/],
  [{ authorization: "\u00a0Bearer abc" }, /must have the form/],
  [{ "x-service-auth": "", authorization: "Bearer abc" }, /X-Service-Auth must carry one token/],
  [{ "x-service-auth": "Bearer ", authorization: "Bearer abc" }, /X-Service-Auth must carry one token/],
  [{ "x-service-auth": ["abc", "abc"] }, /X-Service-Auth must carry one token/],
];

for (const [headers, message] of refused) {
  test(`${JSON.stringify(headers)} is unauthorized`, () =>
    assert.throws(() => tokenOf(headers), { kind: "unauthorized", message }));
}

test("a header of blanks is read in linear time", () => {
  for (const unit of [" ", "\t", "a ", "bearer\t "]) {
    assertLinear((text) => assert.ok(tokenOf({ authorization: `Bearer x${text}x` })), unit);
  }
});
