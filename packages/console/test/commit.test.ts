import assert from "node:assert/strict";
import { test } from "node:test";
import { withShortCommits } from "../src/format/commit.ts";

test("hashes of commits and of definitions are shortened, other texts are not", () => {
  assert.equal(withShortCommits(`nightly-${"a1".repeat(20)}`), "nightly-a1a1a1a1a1");
  assert.equal(withShortCommits(`sha256:${"b2".repeat(32)}`), "sha256:b2b2b2b2b2");
  assert.equal(withShortCommits("1.0.0 of deadbeef"), "1.0.0 of deadbeef");
});
