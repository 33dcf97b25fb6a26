import { test } from "node:test";
import { randomCases } from "@lakehelm/testing/random-cases";
import { production } from "../testing/contexts.ts";
import { type ConnectorTexts, checkHostileTexts } from "../testing/hostile-connectors.ts";
import { generateIngestion } from "./ingestion-generator.ts";

const kinds = ["postgresql", "mysql", "sqlserver", "oracle", "snowflake", "files", "rest"];

function requestOf(kind: string, texts: ConnectorTexts, secret: string) {
  const { name, host, text, source, target, key, watermark, personal } = texts;
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
        ...{ primary_keys: [key], watermark_column: watermark },
      },
    ],
  };
}

test("hostile text is refused or passes every check, reveals no secret, and gives the same bytes twice", () => {
  checkHostileTexts(kinds, requestOf, (request) => generateIngestion(request, production), randomCases(1000));
});
