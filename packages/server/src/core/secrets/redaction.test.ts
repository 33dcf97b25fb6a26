import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedaction } from "./redaction.ts";

test("a secret is redacted in lower and upper case, too", () => {
  const redaction = createRedaction(["Hunter-Two", "abc"]);
  redaction.add("S3cret");
  const text = "there is no table main.hunter-two. HUNTER-TWO, Hunter-Two, s3cret; abc is too short";
  const hidden = "there is no table main.********. ********, ********, ********; abc is too short";
  assert.equal(redaction.text(text), hidden);
  assert.deepEqual(redaction.tree({ message: [text] }), { message: [hidden] });
});
