import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadSqlParser } from "@lakehelm/sql";
import fc from "@lakehelm/testing/random-cases";
import type { Artifact } from "./artifact.ts";
import { proveArtifacts } from "./evidence/proof.ts";
import { templates } from "./templates.ts";
import { artifactsFor } from "./testing/responses.ts";

const calls = await Promise.all(templates.map(({ path, example }) => artifactsFor(path, example)));

/** The files on disk after the artifacts of these calls were written there, in this order. */
function folderOf(written: readonly (readonly Artifact[])[]): Artifact[] {
  const folder = new Map(written.flat().map((artifact) => [artifact.path, artifact]));
  return [...folder.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

suite("the artifacts of many requests for one environment", () => {
  test("make the same folder in any order, and when requests are repeated", () => {
    const all = folderOf(calls);
    const shuffled = fc.shuffledSubarray(calls, { minLength: calls.length });
    fc.assert(
      fc.property(shuffled, fc.array(fc.constantFrom(...calls)), (order, repeated) => {
        assert.deepEqual(folderOf([...order, ...repeated]), all);
      }),
      { numRuns: 50 },
    );
  });

  test("make one valid bundle", async () => {
    const { failures, proofs } = proveArtifacts(folderOf(calls), await loadSqlParser());
    assert.deepEqual(failures, []);
    assert.ok(proofs.length > templates.length);
  });
});
