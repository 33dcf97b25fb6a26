import assert from "node:assert/strict";
import { loadSqlParser } from "@lakehelm/sql";
import { hostileName, hostileText } from "@lakehelm/sql/testing";
import * as fc from "fast-check";
import type { GenerationResult } from "../artifact.ts";
import { proveArtifacts } from "../evidence/proof.ts";

const sql = await loadSqlParser();
const canary = "S3cr3t/Value+";

/** Sound texts for every place of a connector's request. */
const plainTexts = {
  ...{ name: "shop", host: "db.example.com", text: "x", source: "orders", target: "orders" },
  ...{ key: "id", mark: "at", personal: "email" },
};
export type ConnectorTexts = typeof plainTexts;

/**
 * Hostile text in one place at a time: the request is refused, or every artifact passes every check; the secret is in
 * no artifact and no sentence; and the same request makes the same bytes. At least a quarter must be taken.
 */
export function provesHostile<Request>(
  kinds: readonly string[],
  requestOf: (kind: string, texts: ConnectorTexts, secret: string) => Request,
  generate: (request: Request) => GenerationResult & { readonly withheld: readonly string[] },
  numRuns: number,
): void {
  const secret = fc
    .tuple(hostileText(), fc.constant(canary), hostileText())
    .map((parts) => parts.join(""))
    // A line of a secret that is the text between two cells would be found in every notebook.
    .filter((text) => !text.includes("COMMAND") && !text.includes("Databricks"));
  let taken = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      // One odd text at a time: many at once are nearly always refused.
      fc.constantFrom(...(Object.keys(plainTexts) as (keyof ConnectorTexts)[])),
      fc.oneof(hostileName(), hostileText()),
      secret,
      (kind, field, odd, word) => {
        const request = requestOf(kind, { ...plainTexts, [field]: odd }, word);
        const made = generate(request);
        assert.deepEqual(generate(structuredClone(request)), made);
        if (made.errors) {
          assert.ok(made.errors.length > 0);
          assert.ok(!made.errors.join().includes(canary));
          return;
        }
        taken += 1;
        assert.ok(!JSON.stringify(made.artifacts).includes(canary));
        assert.deepEqual(proveArtifacts(made.artifacts, sql, made.withheld).failures, []);
      },
    ),
    { numRuns },
  );
  assert.ok(taken > numRuns / 4, `only ${taken} of ${numRuns} were taken`);
}
