import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import { conformanceError, type ValidationError } from "../schema/index.ts";

for (const [name, { body, response, example, streams }] of Object.entries<Endpoint>(endpoints)) {
  if (body !== undefined && body !== "bytes") {
    test(`${name}: the example of its body is valid`, () => {
      assert.notEqual(example?.body, undefined, "there is no example");
      const entries: ValidationError[] = [];
      body.check(example?.body, ["body"], entries);
      assert.deepEqual(entries, []);
    });
  }

  // A response that has only a form as a stream of text or bytes needs no example.
  if (streams === undefined || response.jsonSchema(new Map()).type !== "string") {
    test(`${name}: the example of its response is valid`, () => {
      assert.notEqual(example?.response, undefined, "there is no example");
      assert.equal(conformanceError(response, example?.response), undefined);
    });
  }
}
