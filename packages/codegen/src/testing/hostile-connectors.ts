import assert from "node:assert/strict";
import { loadSqlParser } from "@lakehelm/sql";
import { hostileName, hostileText } from "@lakehelm/sql/testing";
import fc from "@lakehelm/testing/random-cases";
import type { GenerationResult } from "../artifact.ts";
import { proveArtifacts } from "../evidence/proof.ts";

const sql = await loadSqlParser();
const canary = "S3cr3t/Value+";

/** Valid values for every text field of a connector's request. */
const plainTexts = {
  ...{ name: "shop", host: "db.example.com", text: "x", source: "orders", target: "orders" },
  ...{ key: "id", watermark: "at", personal: "email" },
};
export type ConnectorTexts = typeof plainTexts;

/**
 * Puts hostile text into one field at a time. The request must be refused, or every artifact must pass every check. No
 * artifact and no problem may contain the secret. The same request must produce the same bytes. At least a quarter of
 * the requests must be accepted.
 */
export function checkHostileTexts<Request>(
  kinds: readonly string[],
  requestOf: (kind: string, texts: ConnectorTexts, secret: string) => Request,
  generate: (request: Request) => GenerationResult & { readonly withheld: readonly string[] },
  numRuns: number,
): void {
  const secret = fc
    .tuple(hostileText(), fc.constant(canary), hostileText())
    .map((parts) => parts.join(""))
    // Every notebook contains these words, so a secret with them would be found.
    .filter((text) => !text.includes("COMMAND") && !text.includes("Databricks"));
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      // One hostile text at a time, because several at once are nearly always refused.
      fc.constantFrom(...(Object.keys(plainTexts) as (keyof ConnectorTexts)[])),
      fc.oneof(hostileName(), hostileText()),
      secret,
      (kind, field, odd, secretValue) => {
        const request = requestOf(kind, { ...plainTexts, [field]: odd }, secretValue);
        const result = generate(request);
        assert.deepEqual(generate(structuredClone(request)), result);
        if (result.errors) {
          assert.ok(result.errors.length > 0);
          assert.ok(!result.errors.join().includes(canary));
          return;
        }
        accepted += 1;
        assert.ok(!JSON.stringify(result.artifacts).includes(canary));
        assert.deepEqual(proveArtifacts(result.artifacts, sql, result.withheld).failures, []);
      },
    ),
    { numRuns },
  );
  assert.ok(accepted > numRuns / 4, `only ${accepted} of ${numRuns} were accepted`);
}
