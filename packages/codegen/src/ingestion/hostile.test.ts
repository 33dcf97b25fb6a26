import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { prove } from "../evidence/prove.ts";
import { loadSql } from "../sql/load.ts";
import { hostileName, hostileText } from "../testing/hostile.ts";
import { production } from "../testing/places.ts";
import { generateIngestion } from "./generate.ts";

const sql = await loadSql();

const plain = {
  ...{ name: "shop", host: "db.example.com", text: "x", source: "orders", target: "orders" },
  ...{ key: "id", mark: "at", personal: "email" },
};
type Field = keyof typeof plain;
const fields = Object.keys(plain) as Field[];

function requestOf(kind: string, texts: typeof plain, secret: string) {
  const { name, host, text, source, target, key, mark, personal } = texts;
  const config =
    kind === "files"
      ? { path: `/Volumes/${host}`, format: "csv", options: { note: text, token: secret } }
      : kind === "rest"
        ? { url: `https://${host}/v1`, headers: { "X-Api-Key": secret }, records_path: text }
        : { host, database: text, user: text, password: secret, options: { note: text } };
  return {
    ...{ name, execution_mode: "manual", connection_ref: text, encode_artifacts: false },
    connection: { name: text, type: kind, config: { ...config, pii_columns: [personal] } },
    table_configs: [
      {
        ...{ source_dataset: source, target_name: target, pii_suppressed: true },
        ...{ primary_keys: [key], watermark_column: mark },
      },
    ],
  };
}

test("hostile text anywhere is refused or passes every check, no secret gets out, the same bytes come twice", () => {
  const canary = "S3cr3t/Value+";
  const secret = fc
    .tuple(hostileText(), fc.constant(canary), hostileText())
    .map((parts) => parts.join(""))
    // A line of a secret that is the text between two cells would be found in every notebook.
    .filter((text) => !text.includes("COMMAND") && !text.includes("Databricks"));
  let taken = 0;
  fc.assert(
    fc.property(
      fc.constantFrom("postgresql", "mysql", "sqlserver", "oracle", "snowflake", "files", "rest"),
      // One odd text at a time: many at once are nearly always refused.
      fc.constantFrom(...fields),
      fc.oneof(hostileName(), hostileText()),
      secret,
      (kind, field, odd, word) => {
        const request = requestOf(kind, { ...plain, [field]: odd }, word);
        const made = generateIngestion(request, production);
        assert.deepEqual(generateIngestion(structuredClone(request), production), made);
        if (made.errors) {
          assert.ok(made.errors.length > 0);
          assert.ok(!made.errors.join().includes(canary));
          return;
        }
        taken += 1;
        assert.ok(!JSON.stringify(made.artifacts).includes(canary));
        assert.deepEqual(prove(made.artifacts, sql, made.withheld).failures, []);
      },
    ),
    { numRuns: 1000 },
  );
  assert.ok(taken > 250, `only ${taken} of 1000 were taken`);
});
