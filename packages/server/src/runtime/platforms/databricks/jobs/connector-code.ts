import type { Connector, ConnectorDataset } from "@lakehelm/contract";
import { connectionHosts, type DatasetSetting, datasetSettings, isMap } from "@lakehelm/contract/connections";
import { destinationOf } from "../../../../core/secrets/secret-destination.ts";
import { ownSecrets, type SecretSource } from "./own-secrets.ts";

/** The request to the generator, and the secrets that the generated code reads from our scope in the workspace. */
export type ConnectorCode =
  | {
      readonly request: Readonly<Record<string, unknown>>;
      readonly secrets: ReadonlyMap<string, SecretSource>;
    }
  | { readonly problems: readonly string[] };

/**
 * The request for the code of a connector, which has its secret values. No value gets into the request: each becomes a
 * reference into our scope, as do the references to secrets of the environment, which a workspace does not have.
 */
export function connectorCode(connector: Connector, scope: string): ConnectorCode {
  const { name, target_type, target_config } = connector;
  const isInbound = target_type === "warehouse";
  const { connection } = target_config;
  const source = isInbound ? connectionOf(connection) : { type: target_type, config: target_config };
  if (!source) {
    return {
      problems: [
        `The connector "${name}" writes to the warehouse, so its target_config.connection must name the source: {"type": …, "config": {…}}.`,
      ],
    };
  }
  const where = isInbound ? "target_config.connection.config" : "target_config";
  const own = ownSecrets(source.config, {
    ...{ name, id: connector.id, scope, where },
    destinationAt: (path) => destinationOf(connectionHosts(source.type, source.config, path)),
  });
  const datasets = connector.datasets ?? [];
  const problems = [...own.problems, ...datasets.flatMap(unavailable)];
  if (datasets.length === 0) {
    problems.push(`The connector "${name}" has no datasets, so there is no code to run. Add one.`);
  }
  if (problems.length > 0) return { problems };
  const config = withPersonalColumns(own.config, datasets);
  const about = {
    name,
    // What starts the job is set on the job itself; code and compute depend only on whether it runs without end.
    execution_mode: connector.execution_mode === "live" ? "live" : "manual",
    table_configs: datasets.map(tableConfig),
  };
  const request = isInbound
    ? {
        ...about,
        connection_ref: connector.id,
        resource_id: connector.id,
        connection: { name, type: source.type, config },
      }
    : { ...about, target_type, target_config: config, requested_by: connector.created_by };
  return { request, secrets: own.secrets };
}

function connectionOf(connection: unknown) {
  if (!isMap(connection) || typeof connection.type !== "string" || !isMap(connection.config))
    return undefined;
  return { type: connection.type, config: connection.config };
}

const tableConfig = ({ source_dataset, target_name, custom_config, ...dataset }: ConnectorDataset) => ({
  source_dataset,
  target_name,
  pii_suppressed: custom_config?.pii_suppressed === true,
  ...(custom_config?.watermark_column !== undefined && { watermark_column: custom_config.watermark_column }),
  ...(dataset.primary_keys && { primary_keys: dataset.primary_keys }),
  write_strategy: dataset.write_strategy,
});

/**
 * What generated code supports of each setting of a dataset. Of an unsupported setting, any value but the default is
 * refused. A setting that is missing here is a compile error.
 */
const settings: Readonly<Record<DatasetSetting, "generated" | { readonly only: unknown }>> = {
  watermark_column: "generated",
  pii_suppressed: "generated",
  pii_columns: "generated",
  watermark_lag: { only: 0 },
  max_reject_share: { only: 0.05 },
  deletes: { only: false },
  max_delete_share: { only: 0.5 },
  on_missing_column: { only: "keep" },
  on_added_column: { only: "null" },
  on_lost_rows: { only: "fail" },
};

function unavailable({ target_name, custom_config }: ConnectorDataset): string[] {
  return datasetSettings.flatMap((name) => {
    const decided = settings[name];
    const value = custom_config?.[name];
    if (decided === "generated" || value === undefined || value === decided.only) return [];
    return [
      `The dataset for "${target_name}": custom_config.${name} is not available in a Databricks workspace yet.`,
    ];
  });
}

/** Columns that one dataset leaves out are left out of all datasets: leaving out too much is safer than too little. */
function withPersonalColumns(config: Connector["target_config"], datasets: readonly ConnectorDataset[]) {
  const listed = datasets.flatMap(({ custom_config }) => custom_config?.pii_columns ?? []);
  if (listed.length === 0) return config;
  const known = Array.isArray(config.pii_columns) ? config.pii_columns : [];
  return { ...config, pii_columns: [...new Set([...known, ...listed])] };
}
