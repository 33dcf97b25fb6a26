import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import { conforms, type Entry } from "../schema/index.ts";

for (const [name, { body, response, example, streams }] of Object.entries<Endpoint>(endpoints)) {
  if (body !== undefined && body !== "bytes") {
    test(`${name}: the example of its body is valid`, () => {
      assert.notEqual(example?.body, undefined, "there is no example");
      const entries: Entry[] = [];
      body.check(example?.body, ["body"], entries);
      assert.deepEqual(entries, []);
    });
  }

  // An answer that is only a stream of text or bytes needs no example.
  if (streams === undefined || response.jsonSchema(new Map()).type !== "string") {
    test(`${name}: the example of its answer is one it could give`, () => {
      assert.notEqual(example?.response, undefined, "there is no example");
      assert.equal(conforms(response, example?.response), undefined);
    });
  }
}
