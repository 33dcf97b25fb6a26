import { test } from "node:test";
import { randomCases } from "@lakehelm/testing/random-cases";
import { production } from "../testing/contexts.ts";
import { type ConnectorTexts, checkHostileTexts } from "../testing/hostile-connectors.ts";
import { generateReverseEtl } from "./reverse-etl-generator.ts";

const kinds = ["postgresql", "mysql", "sqlserver", "snowflake", "http"];

function requestOf(kind: string, texts: ConnectorTexts, secret: string) {
  const { name, host, text, source, target, key, watermark, personal } = texts;
  const config =
    kind === "http"
      ? { url: `https://${host}/v1`, headers: { "X-Api-Key": secret, "Accept-Language": text } }
      : { host, database: text, schema: text, user: text, password: secret, options: { note: text } };
  return {
    ...{ name, target_type: kind, execution_mode: "table_update", requested_by: text, warehouse: text },
    encode_artifacts: false,
    target_config: { ...config, pii_columns: [personal] },
    table_configs: [
      {
        ...{ source_dataset: source, target_name: target, pii_suppressed: true },
        ...{ primary_keys: [key], watermark_column: watermark },
      },
    ],
  };
}

test("hostile text is refused or passes every check, reveals no secret, and gives the same bytes twice", () => {
  checkHostileTexts(kinds, requestOf, (request) => generateReverseEtl(request, production), randomCases(600));
});
