import type { Connector, ConnectorDataset } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { ownSecrets, type SecretSource } from "./own-secrets.ts";

/** What the generator is asked for, and the secrets that its code reads from our scope in the workspace. */
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
  const own = ownSecrets(source.config, { name, id: connector.id, scope, where });
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

/** Settings that only the embedded platform's own code has. */
function unavailable({ target_name, custom_config }: ConnectorDataset): string[] {
  const {
    deletes = false,
    on_missing_column: missing = "keep",
    on_added_column: added = "null",
    on_lost_rows: lost = "fail",
    watermark_lag: lag = 0,
  } = custom_config ?? {};
  const refuse = (setting: string) =>
    `The dataset for "${target_name}": custom_config.${setting} is not available in a Databricks workspace yet.`;
  return [
    ...(deletes === false ? [] : [refuse("deletes")]),
    ...(missing === "keep" ? [] : [refuse("on_missing_column")]),
    ...(added === "null" ? [] : [refuse("on_added_column")]),
    ...(lost === "fail" ? [] : [refuse("on_lost_rows")]),
    ...(lag === 0 ? [] : [refuse("watermark_lag")]),
  ];
}

/** Columns that a dataset names are left out of all: too much is left out rather than too little. */
function withPersonalColumns(config: Connector["target_config"], datasets: readonly ConnectorDataset[]) {
  const listed = datasets.flatMap(({ custom_config }) => custom_config?.pii_columns ?? []);
  if (listed.length === 0) return config;
  const known = Array.isArray(config.pii_columns) ? config.pii_columns : [];
  return { ...config, pii_columns: [...new Set([...known, ...listed])] };
}
