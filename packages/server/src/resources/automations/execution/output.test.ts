import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeJson } from "@lakehelm/contract/schema";
import { responseOutput } from "./output.ts";

const bodyOf = (body: string) => responseOutput({ status: 200, body }).body;

test("a JSON response keeps all digits of its numbers; any other response is text", () => {
  assert.equal(encodeJson(bodyOf('{"id":9007199254740993,"n":1.5}')), '{"id":9007199254740993,"n":1.5}');
  assert.equal(bodyOf("NaN"), "NaN");
  assert.equal(bodyOf("{"), "{");
});
