import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedaction } from "./redaction.ts";

test("a secret is hidden also where somebody tells it in lower or upper case", () => {
  const hiding = createRedaction(["Hunter-Two", "abc"]);
  hiding.add("S3cret");
  const told = "there is no table main.hunter-two. HUNTER-TWO, Hunter-Two, s3cret; abc is too short";
  const hidden = "there is no table main.********. ********, ********, ********; abc is too short";
  assert.equal(hiding.text(told), hidden);
  assert.deepEqual(hiding.tree({ said: [told] }), { said: [hidden] });
});
