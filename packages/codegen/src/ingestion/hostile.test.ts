import { test } from "node:test";
import { randomCases } from "@lakehelm/testing/random-cases";
import { production } from "../testing/contexts.ts";
import { type ConnectorTexts, checkHostileTexts } from "../testing/hostile-connectors.ts";
import { generateIngestion } from "./ingestion-generator.ts";

const databases = ["postgresql", "mysql", "sqlserver", "oracle", "snowflake"];
/** On a cluster, databases are read by JDBC; otherwise through a Unity Catalog connection. */
const onCluster = databases.map((kind) => `${kind} on a cluster`);
const kinds = [...databases, ...onCluster, "files", "volumes", "rest"];

const optionOf = (kind: string) =>
  kind === "snowflake" ? "warehouse" : kind === "oracle" ? "encryption_protocol" : "trustServerCertificate";

function requestOf(kind: string, texts: ConnectorTexts, secret: string) {
  const { name, host, text, source, target, key, watermark, personal } = texts;
  const config =
    kind === "files" || kind === "volumes"
      ? {
          path: `${kind === "files" ? "/mnt" : "/Volumes"}/${host}`,
          format: "csv",
          options: { note: text, token: secret },
          columns: { [source]: { [key]: "string" } },
        }
      : kind === "rest"
        ? { url: `https://${host}/v1`, headers: { "X-Api-Key": secret }, records_path: text }
        : {
            ...{ host, database: text, user: text, password: secret },
            options: databases.includes(kind) ? { [optionOf(kind)]: text } : { note: text },
            ...{ partition_columns: { [source]: key }, partition_bounds: { [source]: [1, 9] } },
          };
  return {
    ...{ name, execution_mode: "manual", connection_ref: text, encode_artifacts: false },
    connection: {
      name: text,
      type: kind === "volumes" ? "files" : kind,
      config: { ...config, pii_columns: [personal] },
    },
    ...(onCluster.includes(kind) && {
      cluster_config: { spark_version: "17.3.x-scala2.13", node_type_id: "m5.large", num_workers: 1 },
    }),
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
